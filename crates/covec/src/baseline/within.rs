//! Progress of one of several fits, as progress of all of them.

use crate::work::{Observer, Progress, Work};

/// Tells an observer of one part of the work.
pub(super) struct Within<'a> {
    outer: &'a dyn Observer,
    /// Parts that are done, and of how many.
    part: (usize, usize),
}

impl<'a> Within<'a> {
    pub(super) fn new(work: &Work<'a>, done: usize, of: usize) -> Self {
        Self { outer: work.observer, part: (done, of.max(1)) }
    }
}

impl Observer for Within<'_> {
    fn progress(&self, progress: Progress) {
        // Sweeps take the time; what comes before them would let it jump.
        if progress.stage == "training" {
            let share = progress.share.unwrap_or(0.0);
            let share = (self.part.0 as f64 + share) / self.part.1 as f64;
            self.outer.progress(Progress { share: Some(share), ..progress });
        }
    }

    fn note(&self, note: &str) {
        self.outer.note(note);
    }

    fn stop(&self) -> bool {
        self.outer.stop()
    }
}
