//! How steady the words nearest to a word are: with another seed, and with other documents.
//!
//! For two models the overlap of a word is the share of its ten nearest words that both have. *seeds*: the
//! mean over all pairs of models trained on the same counts with different seeds. *draws*: the mean over pairs of
//! bootstrap replicates, each with the next. By how often a word occurs: rare words have neighbours by chance.
//!
//! Cost: a product of all words with all words for each model.

use std::path::Path;

use serde::Serialize;

use super::{Replicates, ResampleError};
use crate::analyse::{AnalyseError, Answer, Lens, Part, SupportParameters, View, gram};
use crate::error::{Error, IoContext};
use crate::model::{Model, Need};
use crate::parameters::{Whole, parameters};
use crate::tensor::Tensor;
use crate::train::{self, Switch, TrainParameters};
use crate::work::Work;

parameters! {
    /// What stability is measured by.
    pub struct StabilityParameters {
        seeds: u32 = 5, "N", "5",
            "a whole number from 2 to 100" if |n: &u32| (2..=100).contains(n),
            "Models to compare, each trained on the tensor with a seed of its own; the model's own is the first";
        nearest: Whole = Whole(10), "N", "10",
            "a whole number from 1 on" if |n: &Whole| n.0 > 0,
            "Nearest words that are compared";
    }
}

/// Replicates that are compared: more would say the same.
const DRAWS: usize = 20;

/// How steady the neighbours of a word are.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Stable {
    /// The word.
    pub word: String,
    /// How often it occurs.
    pub count: u64,
    /// Share of its nearest words that two seeds have in common.
    pub seeds: Option<f64>,
    /// Share that two draws of the documents have in common.
    pub draws: Option<f64>,
}

/// The mean of words of like frequency.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct StableBand {
    /// They occur at least this often.
    pub from: u64,
    /// And at most this often.
    pub to: u64,
    /// How many words that are.
    pub words: usize,
    /// Share of nearest words that two seeds have in common.
    pub seeds: Option<f64>,
    /// Share that two draws of the documents have in common.
    pub draws: Option<f64>,
}

/// What is compared: seeds where there is a tensor, draws where there are replicates.
pub fn stability(
    model: &Model,
    tensor: Option<&Tensor>,
    replicates: Option<&Replicates>,
    view: &View,
    parameters: &StabilityParameters,
    support: &SupportParameters,
    work: &Work<'_>,
) -> Result<Answer<Stable>, Error> {
    parameters.check()?;
    model.gives(Need::Training, "stability")?;
    let words = support.words(model, &[view]);
    if words.len() < 2 {
        let (level, least) = (view.name.clone(), support.min_support.0);
        return Err(AnalyseError::NoWords { level, least }.into());
    }
    let n = parameters.nearest.0 as usize;
    let near = |model: &Model| near(model, &words, view, n, work);
    let mut seeds = None;
    if let Some(tensor) = tensor {
        let mut lists = vec![near(model)?];
        for next in 1..u64::from(parameters.seeds) {
            lists.push(near(&other_seed(model, tensor, next, work)?)?);
        }
        let pairs = (0..lists.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        seeds = Some(overlaps(&lists, &pairs.collect::<Vec<_>>()));
    }
    let mut draws = None;
    if let Some(replicates) = replicates {
        if replicates.is_permutation() {
            return Err(ResampleError::Question {
                problem: format!(
                    "in {} labels were shuffled, not documents drawn",
                    replicates.path.display()
                ),
                expected: "a folder of covec bootstrap".to_owned(),
                way_out: "that folder, or --tensor, to compare seeds".to_owned(),
            }
            .into());
        }
        let count = replicates.numbers.len().min(DRAWS);
        let lists = (0..count)
            .map(|place| near(&replicates.replicate(model, place)?.model))
            .collect::<Result<Vec<_>, Error>>()?;
        let pairs: Vec<(usize, usize)> = (1..count).map(|b| (b - 1, b)).collect();
        draws = (count > 1).then(|| overlaps(&lists, &pairs));
    }
    let row = |(place, &word): (usize, &u32)| Stable {
        word: model.vocabulary.words[word as usize].clone(),
        count: view.count(model, word as usize),
        seeds: seeds.as_ref().map(|overlaps| overlaps[place]),
        draws: draws.as_ref().map(|overlaps| overlaps[place]),
    };
    let rows = words.iter().enumerate().map(row).collect();
    Ok(Answer { rows, left_out: model.vocabulary.len() - words.len() })
}

/// The model as another seed has it; nothing of it is kept.
fn other_seed(model: &Model, tensor: &Tensor, next: u64, work: &Work<'_>) -> Result<Model, Error> {
    let own = &model.record.parameters;
    let seed = Whole(own.seed.0.wrapping_add(next));
    work.observer.note(&format!("training with seed {}", seed.0));
    let parameters = TrainParameters { seed, seeds: 1, deviations: Switch::On, ..own.clone() };
    let here = std::env::temp_dir();
    let home = tempfile::tempdir_in(&here).at("make a temporary folder in", &here)?;
    trained(tensor, &parameters, home.path(), work)
}

fn trained(
    tensor: &Tensor,
    parameters: &TrainParameters,
    home: &Path,
    work: &Work<'_>,
) -> Result<Model, Error> {
    let mut model = train::train(tensor, parameters.checked()?, &home.join("model"), work)?;
    // The folder goes; the numbers must not go with it.
    model.vectors.held();
    model.weights.held();
    Ok(model)
}

/// The words nearest to each of the words.
fn near(
    model: &Model,
    words: &[u32],
    view: &View,
    n: usize,
    work: &Work<'_>,
) -> Result<Vec<Vec<u32>>, Error> {
    let space = Lens::new(model, view, Part::Whole).directions(words, work)?;
    let lists = gram::bands(&[&space], model.dim, work, |band| {
        band.rows().map(|word| gram::nearest(band.cosines(0, word), word, n)).collect::<Vec<_>>()
    })?;
    Ok(lists.concat())
}

/// For every word the mean share that pairs of lists have in common.
fn overlaps(lists: &[Vec<Vec<u32>>], pairs: &[(usize, usize)]) -> Vec<f64> {
    let common = |a: &[u32], b: &[u32]| a.iter().filter(|id| b.binary_search(id).is_ok()).count();
    let share = |word: usize| {
        let of = |&(a, b): &(usize, usize)| {
            let (a, b) = (&lists[a][word], &lists[b][word]);
            common(a, b) as f64 / a.len().max(1) as f64
        };
        pairs.iter().map(of).sum::<f64>() / pairs.len().max(1) as f64
    };
    (0..lists[0].len()).map(share).collect()
}

/// Words of like frequency together, each band from one power of two to the next.
pub fn bands(rows: &[Stable]) -> Vec<StableBand> {
    let mut bands: Vec<StableBand> = Vec::new();
    let mut sorted: Vec<&Stable> = rows.iter().collect();
    sorted.sort_by_key(|row| row.count);
    for own in sorted.chunk_by(|a, b| a.count.max(1).ilog2() == b.count.max(1).ilog2()) {
        let mean = |of: fn(&Stable) -> Option<f64>| {
            let values: Vec<f64> = own.iter().filter_map(|row| of(row)).collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        bands.push(StableBand {
            from: own[0].count,
            to: own[own.len() - 1].count,
            words: own.len(),
            seeds: mean(|row| row.seeds),
            draws: mean(|row| row.draws),
        });
    }
    bands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_are_shares_and_bands_are_means() {
        let lists = [vec![vec![1, 2], vec![0, 2]], vec![vec![1, 3], vec![0, 2]]];
        assert_eq!(overlaps(&lists, &[(0, 1)]), [0.5, 1.0]);
        let row = |count, seeds| Stable { count, seeds: Some(seeds), ..Stable::default() };
        let found = bands(&[row(40, 0.5), row(20, 0.2), row(33, 1.0)]);
        let told: Vec<_> = found.iter().map(|b| (b.from, b.to, b.words, b.seeds)).collect();
        assert_eq!(told, [(20, 20, 1, Some(0.2)), (33, 40, 2, Some(0.75))]);
        assert_eq!(found[0].draws, None);
    }
}
