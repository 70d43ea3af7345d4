//! Answers that are kept, and those that are being worked on.
//!
//! The same question is worked on once, however many ask it. Questions that go through all words or all
//! replicates have a lane of their own, so that quick ones never wait for them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::{Semaphore, watch};

use super::reply::Rendered;
use crate::fault::Fault;

/// An asker waits so long before being told that it takes longer.
const PAUSE: Duration = Duration::from_millis(80);
/// Bytes of answers that are kept.
const ROOM: usize = 96 << 20;
/// Questions that may be worked on or wait for it.
const LINE: usize = 64;
/// Quick questions that are worked on at a time.
const QUICK: usize = 2;

type Outcome = Result<Arc<Rendered>, Fault>;

/// How long a question takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Quick,
    Long,
}

/// What an asker hears.
pub(crate) enum Answer {
    Ready(Arc<Rendered>),
    Working { stage: &'static str, share: Option<f64> },
}

/// A question that is worked on, or was.
#[derive(Debug)]
pub(crate) struct Job {
    outcome: watch::Sender<Option<Outcome>>,
    progress: Mutex<(&'static str, Option<f64>)>,
}

impl Job {
    fn new() -> Self {
        Self { outcome: watch::Sender::new(None), progress: Mutex::new(("waiting", None)) }
    }

    /// How far it is.
    pub(crate) fn tell(&self, stage: &'static str, share: Option<f64>) {
        *lock(&self.progress) = (stage, share);
    }
}

/// All of them.
#[derive(Debug)]
pub(crate) struct Kept {
    state: Mutex<State>,
    quick: Semaphore,
    long: Semaphore,
}

#[derive(Debug, Default)]
struct State {
    jobs: HashMap<String, Arc<Job>>,
    /// Answers from the oldest on, with their sizes.
    finished: VecDeque<(String, usize)>,
    bytes: usize,
    unfinished: usize,
}

impl Kept {
    pub(crate) fn new() -> Self {
        Self { state: Mutex::default(), quick: Semaphore::new(QUICK), long: Semaphore::new(1) }
    }

    /// The answer that is kept under a key, or what `work` finds.
    pub(crate) async fn ask(
        self: &Arc<Self>,
        key: String,
        kind: Kind,
        work: impl FnOnce(&Job) -> Result<Rendered, Fault> + Send + 'static,
    ) -> Result<Answer, Fault> {
        let job = self.job(key, kind, work)?;
        let mut told = job.outcome.subscribe();
        let ready = tokio::time::timeout(PAUSE, told.wait_for(Option::is_some)).await;
        match ready {
            Ok(Ok(outcome)) => match &*outcome {
                Some(Ok(rendered)) => Ok(Answer::Ready(Arc::clone(rendered))),
                Some(Err(fault)) => Err(fault.clone()),
                None => Ok(Answer::Working { stage: "waiting", share: None }),
            },
            _ => {
                let (stage, share) = *lock(&job.progress);
                Ok(Answer::Working { stage, share })
            }
        }
    }

    fn job(
        self: &Arc<Self>,
        key: String,
        kind: Kind,
        work: impl FnOnce(&Job) -> Result<Rendered, Fault> + Send + 'static,
    ) -> Result<Arc<Job>, Fault> {
        let mut state = lock(&self.state);
        if let Some(job) = state.jobs.get(&key) {
            return Ok(Arc::clone(job));
        }
        if state.unfinished >= LINE {
            let problem = format!("{LINE} questions are waiting\nway out: ask again in a moment");
            return Err(Fault::new(StatusCode::TOO_MANY_REQUESTS, problem));
        }
        let job = Arc::new(Job::new());
        state.jobs.insert(key.clone(), Arc::clone(&job));
        state.unfinished += 1;
        drop(state);
        let (this, own) = (Arc::clone(self), Arc::clone(&job));
        tokio::spawn(async move {
            let lane = if kind == Kind::Quick { &this.quick } else { &this.long };
            let turn = lane.acquire().await;
            own.tell("working", None);
            let running = Arc::clone(&own);
            let done = tokio::task::spawn_blocking(move || work(&running)).await;
            drop(turn);
            // What panics is a fault of ours, and of that question alone.
            let broken = || Fault::new(StatusCode::INTERNAL_SERVER_ERROR, "the work broke off");
            let outcome = done.unwrap_or_else(|_| Err(broken())).map(Arc::new);
            this.finish(key, &outcome);
            own.outcome.send_replace(Some(outcome));
        });
        Ok(job)
    }

    /// Keeps an answer and lets the oldest go that there is no room for; faults are not kept.
    fn finish(&self, key: String, outcome: &Outcome) {
        let mut state = lock(&self.state);
        state.unfinished -= 1;
        match outcome {
            Err(_) => drop(state.jobs.remove(&key)),
            Ok(rendered) => {
                let size = rendered.content.len() + key.len();
                state.bytes += size;
                state.finished.push_back((key, size));
            }
        }
        while state.bytes > ROOM
            && let Some((oldest, size)) = state.finished.pop_front()
        {
            state.bytes -= size;
            state.jobs.remove(&oldest);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
