//! A task of the library, run while Python goes on: its progress is told, and Ctrl-C stops it.
//!
//! The task runs on a thread of its own; the thread that called waits without holding the interpreter,
//! and takes it some times a second, to pass on what is told and to see whether a signal has come. A
//! panic ends in an exception.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use covec::train::Sweep;
use covec::{Error, Observer, Progress, Work};
use covec_answers::Asked;
use pyo3::prelude::*;

use crate::error::{exception, raise};

/// Often enough for the eye, and for a hand on Ctrl-C.
const PAUSE: Duration = Duration::from_millis(50);

/// Hears of progress and keeps it until Python is told.
#[derive(Default)]
struct Ear {
    stop: AtomicBool,
    heard: Mutex<Heard>,
}

#[derive(Default)]
struct Heard {
    progress: Option<Progress>,
    notes: Vec<String>,
    sweep: Option<String>,
}

impl Ear {
    fn heard(&self) -> std::sync::MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells Python what was heard since the last time.
    fn tell(&self, py: Python<'_>, listener: Option<&Py<PyAny>>) -> PyResult<()> {
        let Heard { progress, notes, sweep } = std::mem::take(&mut *self.heard());
        if let Some(listener) = listener
            && (progress.is_some() || !notes.is_empty() || sweep.is_some())
        {
            let progress = progress.map(|now| (now.stage, now.share, now.words));
            listener.call1(py, (progress, notes, sweep))?;
        }
        Ok(())
    }
}

impl Observer for Ear {
    fn progress(&self, progress: Progress) {
        self.heard().progress = Some(progress);
    }

    fn note(&self, note: &str) {
        self.heard().notes.push(note.to_owned());
    }

    fn sweep(&self, sweep: &Sweep) {
        let held_out = sweep.held_out.map_or_else(String::new, |x| format!(", held-out {x:.4}"));
        let told = format!("sweep {}, loss {:.5}{held_out}", sweep.sweep, sweep.loss);
        self.heard().sweep = Some(told);
    }

    fn stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Runs a task with what was asked of the work: threads, memory, force, checkpoint.
pub(crate) fn run<R: Send>(
    py: Python<'_>,
    asked: &Asked,
    listener: Option<Py<PyAny>>,
    task: impl FnOnce(&Work<'_>) -> Result<R, Error> + Send,
) -> PyResult<R> {
    match run_or(py, asked, listener, task)? {
        Ok(done) => Ok(done),
        Err(error) => Err(exception(py, &error)),
    }
}

/// The same for a task with errors of its own.
pub(crate) fn run_or<R: Send, E: Send>(
    py: Python<'_>,
    asked: &Asked,
    listener: Option<Py<PyAny>>,
    task: impl FnOnce(&Work<'_>) -> Result<R, E> + Send,
) -> PyResult<Result<R, E>> {
    let ear = Ear::default();
    let work = work(asked, &ear).map_err(|error| exception(py, &error))?;
    let (done, mut raised) = py.detach(|| {
        std::thread::scope(|scope| {
            let (tell, finished) = channel();
            scope.spawn(move || {
                let done = catch_unwind(AssertUnwindSafe(|| task(&work)));
                // The other end waits until this.
                let _ = tell.send(done);
            });
            let mut raised = None;
            loop {
                match finished.recv_timeout(PAUSE) {
                    Ok(done) => return (Some(done), raised),
                    Err(RecvTimeoutError::Disconnected) => return (None, raised),
                    Err(RecvTimeoutError::Timeout) if raised.is_none() => {
                        let told = Python::attach(|py| {
                            py.check_signals().and_then(|()| ear.tell(py, listener.as_ref()))
                        });
                        if let Err(error) = told {
                            raised = Some(error);
                            ear.stop.store(true, Ordering::Relaxed);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    });
    if raised.is_none() {
        raised = ear.tell(py, listener.as_ref()).err();
    }
    match (done, raised) {
        (_, Some(error)) => Err(error),
        (Some(Ok(done)), None) => Ok(done),
        (panicked, None) => {
            let said = panicked.and_then(Result::err).and_then(|said| {
                let text = said.downcast_ref::<&str>().map(|text| (*text).to_owned());
                text.or_else(|| said.downcast_ref::<String>().cloned())
            });
            let said = said.unwrap_or_default();
            let text = format!("covec has a fault: {said}\n  way out: please report it");
            Err(raise(py, "InternalError", &text))
        }
    }
}

fn work<'a>(asked: &Asked, ear: &'a Ear) -> Result<Work<'a>, Error> {
    let mut work = Work { observer: ear, force: asked.is_on("force"), ..Work::default() };
    if let Some(threads) = asked.number("threads")? {
        let threads = NonZeroUsize::new(threads).filter(|threads| threads.get() <= 1024);
        work.threads = threads.ok_or_else(|| wrong(asked, "threads", "1 to 1024"))?;
    }
    if let Some(text) = asked.text("memory") {
        let memory = text.parse().ok().filter(|memory| *memory >= Work::LEAST_MEMORY);
        work.memory =
            memory.ok_or_else(|| wrong(asked, "memory", "a size such as '512M', at least 1M"))?;
    }
    if let Some(text) = asked.text("checkpoint") {
        let minutes = text.parse::<f64>().ok().filter(|minutes| (0.0..=1e6).contains(minutes));
        let minutes = minutes.ok_or_else(|| wrong(asked, "checkpoint", "minutes; 0 for never"))?;
        work.checkpoint = Duration::from_secs_f64(minutes * 60.0);
    }
    Ok(work)
}

fn wrong(asked: &Asked, name: &str, expected: &str) -> Error {
    covec::parameters::ParameterError {
        flag: format!("--{name}"),
        given: asked.text(name).unwrap_or_default().to_owned(),
        problem: String::new(),
        expected: expected.to_owned(),
    }
    .into()
}
