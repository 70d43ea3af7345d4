//! How the work is done, as opposed to what is computed: none of this changes a single bit of a
//! result.

use std::num::NonZeroUsize;
use std::time::Duration;

use crate::parameters::Bytes;

/// Threads, memory, checkpoints and whom to tell.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// Threads that share the work.
    pub threads: NonZeroUsize,
    /// Memory to stay within; what does not fit goes to temporary files beside the output.
    pub memory: Bytes,
    /// Replace an output that is already there.
    pub force: bool,
    /// How often training is kept in a checkpoint beside its output; zero for never.
    pub checkpoint: Duration,
    /// Hears of progress and may stop the work.
    pub observer: &'a dyn Observer,
}

impl Default for Work<'_> {
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            memory: Self::MEMORY,
            force: false,
            checkpoint: Self::CHECKPOINT,
            observer: &Silent,
        }
    }
}

impl Work<'_> {
    /// The default of `--memory`.
    pub const MEMORY: Bytes = Bytes(4 << 30);
    /// The default of `--checkpoint`.
    pub const CHECKPOINT: Duration = Duration::from_secs(60);
    /// Below this the buffers of the readers and writers alone would not fit.
    pub const LEAST_MEMORY: Bytes = Bytes(1 << 20);

    /// An error as soon as the observer wants the work to stop.
    pub(crate) fn proceed(&self) -> Result<(), crate::Error> {
        if self.observer.stop() { Err(crate::Error::Interrupted) } else { Ok(()) }
    }
}

/// How far a stage has come.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// What is being done, e.g. `reading`.
    pub stage: &'static str,
    /// Share of the stage that is done, where it can be known.
    pub share: Option<f64>,
    /// Words handled so far in this stage.
    pub words: u64,
}

/// Told of progress, from any thread, some times a second; asked whether to go on.
pub trait Observer: Sync {
    /// Progress was made.
    fn progress(&self, _: Progress) {}
    /// A thing the user should know, e.g. which levels were left out.
    fn note(&self, _: &str) {}
    /// A sweep of training is done.
    fn sweep(&self, _: &crate::train::Sweep) {}
    /// Whether the work should stop as soon as it can.
    fn stop(&self) -> bool {
        false
    }
}

/// An observer that hears nothing and never stops the work.
pub struct Silent;
impl Observer for Silent {}
