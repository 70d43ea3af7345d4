//! Whether the words of a dimension belong together, by the counts themselves.
//!
//! With A_ij the tensor's entries summed over its cells and ΣA their total,
//!
//! ```text
//! p_ij = A_ij / ΣA     p_i = Σ_j A_ij / ΣA     npmi_ij = ln(p_ij / (p_i p_j)) / −ln p_ij
//! ```
//!
//! is −1 for words that are never near each other (by definition, A_ij = 0), 0 for words that are
//! as near as by chance, 1 for words that are only ever near each other. The coherence of one end
//! of a dimension is the mean over all pairs of its first [`WORDS`] words, that of the dimension the
//! mean of its two ends. In a small corpus most pairs of rare words never meet, so coherence is
//! negative there, and only says something beside a baseline:
//!
//! The **baseline** are the same vectors with their axes turned at random: V·Q, Q a random
//! orthogonal matrix, [`ROTATIONS`] times with different seeds. What axes gain over it is what the
//! fit made of them; words, lengths and nearness are the same.
//!
//! A dimension often has one end that is a topic, and another where nothing in particular lies. So beside
//! the mean over both ends stands that over the *stronger* ones: those whose first word lies further out
//! (by [`TopicWord::coordinate`](super::topics::TopicWord)); for turned axes as well.
//!
//! **Cost:** one pass over those row groups of the tensor that hold words of some end, and a product
//! of the vectors with a matrix for each rotation.

use serde::Serialize;

use super::topics::Axes;
use super::{SupportParameters, View, lens, question};
use crate::error::Error;
use crate::lots::{End, Lots, Stream};
use crate::model::{Model, Need};
use crate::parallel;
use crate::tensor::Tensor;
use crate::work::{Progress, Work};

/// Words of an end that are paired.
pub const WORDS: usize = 10;
/// Random rotations of the baseline.
pub const ROTATIONS: usize = 5;
/// Words a task turns.
const STRETCH: usize = 1024;

/// How coherent dimensions are, beside randomly turned ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Coherence {
    /// Of every dimension, in their order.
    pub dimensions: Vec<DimensionCoherence>,
    /// Mean over the dimensions.
    pub mean: f64,
    /// Mean over their upper ends.
    pub above: f64,
    /// Mean over their lower ends.
    pub below: f64,
    /// Mean over the stronger end of each.
    pub stronger: f64,
    /// The same for the random rotations.
    pub baseline_stronger: f64,
    /// Mean over all dimensions of all random rotations.
    pub baseline: f64,
    /// Standard deviation of the rotations' means.
    pub baseline_spread: f64,
    /// Share of the dimensions whose coherence is above the baseline's mean.
    pub share_above_baseline: f64,
}

/// How coherent a dimension is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DimensionCoherence {
    /// Of its upper end; none where that has fewer than two words.
    pub above: Option<f64>,
    /// Of its lower end.
    pub below: Option<f64>,
}

impl DimensionCoherence {
    /// The mean of its ends.
    pub fn mean(&self) -> Option<f64> {
        mean([self.above, self.below].into_iter().flatten())
    }
}

/// Measures all dimensions of a model and the baseline on the tensor it was trained on.
pub fn coherence(
    model: &Model,
    tensor: &Tensor,
    support: &SupportParameters,
    work: &Work<'_>,
) -> Result<Coherence, Error> {
    model.gives(Need::Topics, "coherence")?;
    check_words(model, tensor)?;
    let words = support.words(model, &[&View::base()]);
    let all: Vec<usize> = (0..model.dim).collect();
    // Of every set, whether the lower end of a dimension is the stronger one.
    let mut turned_over = Vec::new();
    let mut ends = |vectors: &[f32]| -> Result<Vec<Ends>, Error> {
        let ends = Axes::new(vectors, model.dim).ends(&words, &all, WORDS, work)?;
        let reach = |end: &Vec<(u32, f32)>| end.first().map_or(0.0, |(_, z)| z.abs());
        let over: Vec<bool> = ends.iter().map(|[up, low]| reach(low) > reach(up)).collect();
        turned_over.push(over);
        let ids = |end: Vec<(u32, f32)>| end.into_iter().map(|(word, _)| word).collect();
        Ok(ends.into_iter().map(|ends| ends.map(ids)).collect())
    };
    let mut sets = vec![ends(&model.vectors)?];
    for number in 0..ROTATIONS {
        let share = Some(number as f64 / ROTATIONS as f64);
        work.observer.progress(Progress { stage: "turning axes", share, words: 0 });
        sets.push(ends(&turned(&model.vectors, model.dim, number as u64, work)?)?);
    }
    let pairs = Pairs::read(tensor, sets.iter().flatten().flatten(), work)?;
    let measured = |set: &Vec<Ends>| -> Vec<DimensionCoherence> {
        let of = |[above, below]: &Ends| DimensionCoherence {
            above: pairs.coherence(above),
            below: pairs.coherence(below),
        };
        set.iter().map(of).collect()
    };
    let mut measured: Vec<Vec<DimensionCoherence>> = sets.iter().map(measured).collect();
    let stronger: Vec<Option<f64>> = measured
        .iter()
        .zip(&turned_over)
        .map(|(set, over)| {
            let of = |(own, over): (&DimensionCoherence, &bool)| {
                if *over { own.below } else { own.above }
            };
            mean(set.iter().zip(over).filter_map(of))
        })
        .collect();
    let rotations: Vec<f64> = measured[1..]
        .iter()
        .filter_map(|set| mean(set.iter().filter_map(DimensionCoherence::mean)))
        .collect();
    let dimensions = measured.swap_remove(0);
    let baseline = mean(rotations.iter().copied()).unwrap_or(f64::NAN);
    let squares = rotations.iter().map(|x| (x - baseline) * (x - baseline));
    let own: Vec<f64> = dimensions.iter().filter_map(DimensionCoherence::mean).collect();
    let Some(own_mean) = mean(own.iter().copied()).filter(|_| !rotations.is_empty()) else {
        let problem = "no dimension has two words at one of its ends";
        return Err(question(problem, "words that can be paired", "lower --min-support").into());
    };
    Ok(Coherence {
        mean: own_mean,
        above: mean(dimensions.iter().filter_map(|d| d.above)).unwrap_or(own_mean),
        below: mean(dimensions.iter().filter_map(|d| d.below)).unwrap_or(own_mean),
        stronger: stronger[0].unwrap_or(own_mean),
        baseline_stronger: mean(stronger[1..].iter().filter_map(|x| *x)).unwrap_or(baseline),
        baseline,
        baseline_spread: mean(squares).unwrap_or(0.0).sqrt(),
        share_above_baseline: own.iter().filter(|x| **x > baseline).count() as f64
            / own.len() as f64,
        dimensions,
    })
}

/// The words of the upper and the lower end of a dimension.
type Ends = [Vec<u32>; 2];

/// The same words in the same order, or the tensor is not the model's.
pub(super) fn check_words(model: &Model, tensor: &Tensor) -> Result<(), Error> {
    let (own, others) = (&model.vocabulary.words, &tensor.vocabulary.words);
    if own == others {
        return Ok(());
    }
    let shared = own.iter().zip(others).take_while(|(a, b)| a == b).count();
    let at = |words: &Vec<String>| words.get(shared).map_or("none", String::as_str).to_owned();
    let problem = format!(
        "{}: its words are not the model's: {} there, {} in the model; word {} is '{}' there, '{}' in the model",
        tensor.path.display(),
        others.len(),
        own.len(),
        shared + 1,
        at(others),
        at(own),
    );
    let expected = "the tensor that the model was trained on";
    let way_out =
        "covec count or covec fit --keep-tensor with the parameters of the model makes it";
    Err(question(problem, expected, way_out).into())
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0), |(sum, count), x| (sum + x, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// The vectors along randomly turned axes.
fn turned(vectors: &[f32], dim: usize, number: u64, work: &Work<'_>) -> Result<Vec<f32>, Error> {
    let axes = rotation(dim, number);
    let parts: Vec<&[f32]> = vectors.chunks(STRETCH * dim).collect();
    let turned = parallel::tasks(work.threads, parts.len(), |part| {
        work.proceed()?;
        let along = |vector: &[f32]| -> Vec<f32> {
            axes.iter().map(|axis| lens::dot(axis, vector)).collect()
        };
        Ok(parts[part].chunks_exact(dim).flat_map(along).collect::<Vec<f32>>())
    })?;
    Ok(turned.concat())
}

/// Random orthonormal axes: normal numbers, each axis made orthogonal to those before it.
fn rotation(dim: usize, number: u64) -> Vec<Vec<f32>> {
    let mut lots = Stream::new(1, End::Rotation, number);
    let mut axes: Vec<Vec<f64>> = Vec::with_capacity(dim);
    while axes.len() < dim {
        let mut axis: Vec<f64> = (0..dim).map(|_| lots.normal()).collect();
        // Twice: what rounding leaves of the first time.
        for other in axes.iter().chain(&axes) {
            let along: f64 = axis.iter().zip(other).map(|(a, b)| a * b).sum();
            axis.iter_mut().zip(other).for_each(|(a, b)| *a -= along * b);
        }
        let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        // Otherwise it lay in the span of the others, which never happens, and another one is drawn.
        if length > 1e-6 {
            axis.iter_mut().for_each(|x| *x /= length);
            axes.push(axis);
        }
    }
    axes.into_iter().map(|axis| axis.into_iter().map(|x| x as f32).collect()).collect()
}

/// How often pairs of words are near each other.
struct Pairs {
    /// The pairs, the smaller id first, sorted.
    pairs: Vec<(u32, u32)>,
    /// A_ij of each.
    near: Vec<f64>,
    /// Σ_j A_ij of every word that is in a pair.
    sums: Vec<f64>,
    total: f64,
}

impl Pairs {
    /// All pairs within each of the lists.
    fn read<'a>(
        tensor: &Tensor,
        lists: impl Iterator<Item = &'a Vec<u32>>,
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        let mut pairs: Vec<(u32, u32)> = lists.flat_map(|list| pairs_of(list)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut words: Vec<u32> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        words.sort_unstable();
        words.dedup();
        let mut near = vec![0.0; pairs.len()];
        let mut sums = vec![0.0; tensor.vocabulary.len()];
        let (mut read, stored) = (0, tensor.record.entries.stored.max(1));
        for entries in tensor.rows_of(&words)? {
            let entries = entries?;
            work.proceed()?;
            let mut start = 0;
            for row in entries.rows.chunk_by(|a, b| a == b) {
                let range = start..start + row.len();
                start = range.end;
                let word = row[0];
                if words.binary_search(&word).is_err() {
                    continue;
                }
                let values = &entries.values[range.clone()];
                sums[word as usize] += values.iter().sum::<f64>();
                let first = pairs.partition_point(|pair| pair.0 < word);
                let own = &pairs[first..pairs.partition_point(|pair| pair.0 <= word)];
                for (col, value) in entries.cols[range].iter().zip(values) {
                    if let Ok(place) = own.binary_search(&(word, *col)) {
                        near[first + place] += value;
                    }
                }
            }
            read += entries.values.len() as u64;
            let share = Some(read as f64 / stored as f64);
            work.observer.progress(Progress { stage: "reading counts", share, words: 0 });
        }
        Ok(Self { pairs, near, sums, total: tensor.record.entries.total })
    }

    fn coherence(&self, words: &[u32]) -> Option<f64> {
        mean(pairs_of(words).map(|pair| self.npmi(pair)))
    }

    fn npmi(&self, pair: (u32, u32)) -> f64 {
        let near = self.pairs.binary_search(&pair).map_or(0.0, |place| self.near[place]);
        npmi(near, self.sums[pair.0 as usize], self.sums[pair.1 as usize], self.total)
    }
}

/// All pairs of a list, the smaller id first.
fn pairs_of(words: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    let with_later = |(place, &a): (usize, &u32)| {
        words[place + 1..].iter().map(move |&b| (a.min(b), a.max(b))).collect::<Vec<_>>()
    };
    words.iter().enumerate().flat_map(with_later).collect::<Vec<_>>().into_iter()
}

/// The normalised pointwise mutual information of a pair.
fn npmi(near: f64, a: f64, b: f64, total: f64) -> f64 {
    if near <= 0.0 {
        return -1.0;
    }
    let surprise = -libm::log(near / total);
    if surprise <= 0.0 {
        // There is nothing else in the tensor.
        return 1.0;
    }
    (libm::log(near * total / (a * b)) / surprise).clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turned_axes_are_orthonormal_and_differ_from_seed_to_seed() {
        let axes = rotation(17, 3);
        for (i, a) in axes.iter().enumerate() {
            for (j, b) in axes.iter().enumerate() {
                let dot: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                assert!((dot - if i == j { 1.0 } else { 0.0 }).abs() < 1e-5, "{i} {j}: {dot}");
            }
        }
        assert_ne!(axes, rotation(17, 4));
        assert_eq!(axes, rotation(17, 3));
    }

    #[test]
    fn npmi_is_minus_one_for_strangers_nought_by_chance_and_one_for_twins() {
        assert_eq!(npmi(0.0, 3.0, 4.0, 100.0), -1.0);
        assert!(npmi(2.0, 10.0, 20.0, 100.0).abs() < 1e-12);
        assert!((npmi(5.0, 5.0, 5.0, 100.0) - 1.0).abs() < 1e-12);
        assert_eq!(npmi(4.0, 4.0, 4.0, 4.0), 1.0);
    }

    #[test]
    fn a_list_has_every_pair_once() {
        let pairs: Vec<_> = pairs_of(&[5, 1, 3]).collect();
        assert_eq!(pairs, [(1, 5), (3, 5), (1, 3)]);
        assert_eq!(pairs_of(&[5]).count(), 0);
    }
}
