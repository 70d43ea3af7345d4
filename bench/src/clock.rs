//! Times of training as it goes on, without reading and writing.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use covec::tensor::Tensor;
use covec::train::{self, Sweep, TrainParameters};
use covec::{Observer, Progress, Work};

/// When each sweep was done, in seconds since the tensor was read, and its loss.
#[derive(Debug, Clone, Default)]
pub struct Laps(pub Vec<(f64, f64)>);

impl Laps {
    /// The middle of the sweeps' times, but for the first, which the start is part of.
    pub fn sweep(&self) -> f64 {
        let mut times: Vec<f64> = self.0.windows(2).map(|two| two[1].0 - two[0].0).collect();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

#[derive(Default)]
struct Clock(Mutex<(Option<Instant>, Laps)>);

impl Observer for Clock {
    fn progress(&self, progress: Progress) {
        if progress.stage != "loading" {
            let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            inner.0.get_or_insert_with(Instant::now);
        }
    }

    fn sweep(&self, sweep: &Sweep) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = inner.0.map_or(0.0, |begun| begun.elapsed().as_secs_f64());
        inner.1.0.push((seconds, sweep.loss));
    }
}

/// Trains without axis steps, deviations and a choice of ridge: sweeps alone.
pub fn laps(
    tensor: &Path,
    output: &Path,
    threads: usize,
    flags: &[(&str, &str)],
) -> Result<Laps, String> {
    let text = |e: &dyn std::fmt::Display| e.to_string();
    let tensor = Tensor::open(tensor).map_err(|e| text(&e))?;
    let mut parameters = TrainParameters::default();
    let fixed = [("ridge", "0.01"), ("axes", "0"), ("deviations", "off"), ("tolerance", "0")];
    for (name, value) in fixed.iter().chain(flags) {
        parameters.set(name, value).map_err(|e| text(&e))?;
    }
    let clock = Clock::default();
    let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
    let work = Work { threads, force: true, observer: &clock, ..Work::default() };
    train::train(&tensor, parameters.checked().map_err(|e| text(&e))?, output, &work)
        .map_err(|e| text(&e))?;
    Ok(clock.0.into_inner().unwrap_or_else(PoisonError::into_inner).1)
}
