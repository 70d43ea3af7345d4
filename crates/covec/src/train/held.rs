//! The pairs of a tensor that are kept out of training, and how much every word occurs beside others in each cell: what is needed
//! to judge a model that was trained on it, without the entries themselves.

use std::sync::{Mutex, PoisonError};

use super::examples::Held;
use super::loading::{Loaded, Reader};
use super::parameters::TrainParameters;
use crate::error::Error;
use crate::parallel;
use crate::tensor::Tensor;
use crate::work::{Progress, Work};

/// Pairs that are kept out.
pub(crate) struct HeldPairs {
    /// The pairs, each once, sorted by row.
    pub(crate) pairs: Vec<Held>,
    /// Sum of the counts of every word in every cell: cell × words + word.
    pub(crate) sums: Vec<f32>,
}

/// Reads the tensor once.
pub(crate) fn held_pairs(
    tensor: &Tensor,
    parameters: &TrainParameters,
    work: &Work<'_>,
) -> Result<HeldPairs, Error> {
    let words = tensor.vocabulary.len();
    let reader = Reader::new(tensor, parameters);
    let spare: Mutex<Vec<Loaded>> = Mutex::default();
    let total = tensor.groups();
    let mut found =
        HeldPairs { pairs: Vec::new(), sums: vec![0.0; tensor.covariates.cells.len() * words] };
    let mut done = 0;
    while done < total {
        work.proceed()?;
        let share = Some(done as f64 / total as f64);
        work.observer.progress(Progress { stage: "reading pairs", share, words: 0 });
        let batch = work.threads.get().min(total - done);
        let loaded = parallel::tasks(work.threads, batch, |task| {
            let room = spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
            reader.group(done + task, room.unwrap_or_default())
        })?;
        for group in loaded {
            for &(row, cell, sum) in &group.sums {
                found.sums[cell as usize * words + row as usize] += sum as f32;
            }
            found.pairs.extend_from_slice(&group.held);
            spare.lock().unwrap_or_else(PoisonError::into_inner).push(group);
        }
        done += batch;
    }
    Ok(found)
}
