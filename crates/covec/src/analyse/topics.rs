//! The dimensions of a model as topics: their words, and what every level makes of them.
//!
//! A dimension is measured in its own spread, and a word's place along it by the word's own length:
//!
//! ```text
//! z_it = (v_it / √e_t) / √(Σ_s v_is² / e_s)      e_t = Σ_i v_it², the dimension's energy
//! ```
//!
//! so z_i has length 1. A topic's words are those with the largest z (*above*) and the smallest
//! (*below*): words at the same end draw each other, words at opposite ends repel each other. Only
//! words that occur `--min-support` times or more are listed.
//!
//! Level k gives the dimension the squared weight c_kt², which is 1 on average over a factor's
//! levels; `spread` is the variance of c_kt² over these levels, and topics come in its order: first
//! what tells the levels apart. A contrast of A and B orders by c_Bt² − c_At² instead.
//!
//! Why this z: of the rules tried, its words stood out most from those of randomly turned axes (see
//! [`super::coherence`]). Mean coherence of the dimensions and of turned axes on the State of the
//! Union by era, and on reddit posts by community:
//!
//! ```text
//! min-support 20     union            reddit           min-support 100  union          reddit
//! z as above         −0.67 / −0.79    −0.68 / −0.87                     −0.44 / −0.55  −0.48 / −0.69
//! v_it / ‖v_i‖       −0.68 / −0.80    −0.70 / −0.87                     −0.46 / −0.55  −0.55 / −0.70
//! v_it               −0.12 / −0.03                                      −0.09 / −0.03
//! v_it·|v_it|/‖v_i‖  −0.32 / −0.16                                      −0.23 / −0.12
//! ```
//!
//! By v_it itself common words with long vectors fill every list, turned axes or not.
//!
//! **Cost:** a pass over the vectors for each dimension asked for.

use serde::Serialize;

use super::factor::levels_of;
use super::{Answer, SupportParameters, View, question};
use crate::error::Error;
use crate::model::{Model, Need};
use crate::parallel;
use crate::work::Work;

/// |cos| with the axes of other seeds below which a dimension counts as unstable.
pub const STABLE: f64 = 0.9;

/// A dimension.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Topic {
    /// Its number, from 1.
    pub dimension: usize,
    /// Σ_i v_it².
    pub energy: f64,
    /// Variance of the squared weights over the factor's levels.
    pub spread: f64,
    /// c_Bt² − c_At², where A and B are contrasted.
    pub difference: Option<f64>,
    /// Mean |cos| with the axes that other seeds found; none where only one seed was run.
    pub agreement: Option<f64>,
    /// Whether that is below [`STABLE`].
    pub unstable: Option<bool>,
    /// The words at its upper end, the furthest first.
    pub above: Vec<TopicWord>,
    /// The words at its lower end, the furthest first.
    pub below: Vec<TopicWord>,
    /// What every level of the factor gives it.
    pub levels: Vec<LevelWeight>,
}

/// A word of a topic.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TopicWord {
    /// The word.
    pub word: String,
    /// Its place along the dimension, z.
    pub coordinate: f64,
    /// How often it occurs in the corpus.
    pub count: u64,
}

/// What a level gives a dimension, by itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DimensionWeight {
    /// The dimension.
    pub dimension: usize,
    /// The level.
    pub level: String,
    /// Its squared weight, c_kt².
    pub square: f64,
    /// Words of the level's documents.
    pub tokens: u64,
}

impl Topic {
    /// The weights of the levels as rows of their own.
    pub fn weights(&self) -> impl Iterator<Item = DimensionWeight> + '_ {
        self.levels.iter().map(|own| DimensionWeight {
            dimension: self.dimension,
            level: own.level.clone(),
            square: own.square,
            tokens: own.tokens,
        })
    }
}

/// What a level gives a dimension.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelWeight {
    /// The level.
    pub level: String,
    /// Its squared weight, c_kt².
    pub square: f64,
    /// Words of the level's documents.
    pub tokens: u64,
}

/// Which dimensions are wanted, and in which order.
#[derive(Debug, Clone, Copy)]
pub enum Wanted<'a> {
    /// All, by their spread over the levels.
    Spread,
    /// This one, from 1.
    One(usize),
    /// All, those small in the first and large in the second view first.
    Contrast(&'a View, &'a View),
}

/// The topics of a model with `n` words at each end; levels are those of a factor.
pub fn topics(
    model: &Model,
    factor: usize,
    wanted: Wanted<'_>,
    n: usize,
    support: &SupportParameters,
    work: &Work<'_>,
) -> Result<Answer<Topic>, Error> {
    model.gives(Need::Topics, "topics")?;
    let mut dimensions: Vec<usize> = (0..model.dim).collect();
    match wanted {
        Wanted::Spread => {
            let spreads: Vec<f64> = dimensions.iter().map(|&t| spread(model, factor, t)).collect();
            dimensions.sort_by(|&a, &b| spreads[b].total_cmp(&spreads[a]).then(a.cmp(&b)));
        }
        Wanted::One(dimension) => dimensions = vec![place(model, dimension)?],
        Wanted::Contrast(a, b) => {
            if a.levels == b.levels {
                let problem = format!("{} is contrasted with itself", a.name);
                return Err(question(problem, "two different levels", "name another one").into());
            }
            let by = |t: usize| difference(model, a, b, t);
            dimensions.sort_by(|&s, &t| by(t).total_cmp(&by(s)).then(s.cmp(&t)));
        }
    }
    let words = support.words(model, &[&View::base()]);
    if words.is_empty() {
        let least = support.min_support.0;
        return Err(super::AnalyseError::NoWords { level: View::BASE.to_owned(), least }.into());
    }
    let ends = Axes::new(&model.vectors, model.dim).ends(&words, &dimensions, n, work)?;
    let energies = energies(&model.vectors, model.dim);
    let rows = dimensions.iter().zip(ends).map(|(&t, ends)| {
        let mut row = topic(model, factor, t, energies[t], ends);
        if let Wanted::Contrast(a, b) = wanted {
            row.difference = Some(difference(model, a, b, t));
        }
        row
    });
    Ok(Answer { rows: rows.collect(), left_out: model.vocabulary.len() - words.len() })
}

/// The `n` words at the upper and the lower end of each of some dimensions, which are counted from 0.
pub fn ends(
    model: &Model,
    dimensions: &[usize],
    n: usize,
    support: &SupportParameters,
    work: &Work<'_>,
) -> Result<Vec<[Vec<String>; 2]>, Error> {
    model.gives(Need::Topics, "dimensions")?;
    let words = support.words(model, &[&View::base()]);
    let ends = Axes::new(&model.vectors, model.dim).ends(&words, dimensions, n, work)?;
    let name = |(word, _): (u32, f32)| model.vocabulary.words[word as usize].clone();
    let named = |ends: Ends| ends.map(|words| words.into_iter().map(name).collect());
    Ok(ends.into_iter().map(named).collect())
}

/// A dimension's place by its number.
fn place(model: &Model, dimension: usize) -> Result<usize, Error> {
    if (1..=model.dim).contains(&dimension) {
        return Ok(dimension - 1);
    }
    let problem = format!("the model has no dimension {dimension}");
    let expected = format!("1 to {}", model.dim);
    Err(question(problem, expected, "covec topics MODEL lists them").into())
}

fn topic(model: &Model, factor: usize, t: usize, energy: f64, [above, below]: Ends) -> Topic {
    let named = |words: Vec<(u32, f32)>| {
        let word = |(word, coordinate): (u32, f32)| TopicWord {
            word: model.vocabulary.words[word as usize].clone(),
            coordinate: f64::from(coordinate),
            count: model.vocabulary.counts[word as usize],
        };
        words.into_iter().map(word).collect()
    };
    let agreement = model.record.training.agreement.as_ref();
    let agreement = agreement.and_then(|agreement| agreement.dimensions.get(t).copied());
    let views = View::of_factor(model, factor);
    let levels = views.iter().zip(&model.covariates.factors[factor].levels);
    Topic {
        dimension: t + 1,
        energy,
        spread: spread(model, factor, t),
        difference: None,
        agreement,
        unstable: agreement.map(|cosine| cosine < STABLE),
        above: named(above),
        below: named(below),
        levels: levels
            .map(|(view, level)| LevelWeight {
                level: view.name.clone(),
                square: square(model, view, t),
                tokens: level.tokens,
            })
            .collect(),
    }
}

/// The squared weight a view gives a dimension.
fn square(model: &Model, view: &View, t: usize) -> f64 {
    let squares = view.levels.iter().map(|&level| {
        let weight = f64::from(model.weight(level)[t]);
        weight * weight
    });
    squares.product()
}

fn difference(model: &Model, a: &View, b: &View, t: usize) -> f64 {
    square(model, b, t) - square(model, a, t)
}

/// The variance of a dimension's squared weights over the levels of a factor.
fn spread(model: &Model, factor: usize, t: usize) -> f64 {
    let squares: Vec<f64> = levels_of(model, factor)
        .map(|level| f64::from(model.weight(level)[t]) * f64::from(model.weight(level)[t]))
        .collect();
    let mean = squares.iter().sum::<f64>() / squares.len() as f64;
    squares.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / squares.len() as f64
}

/// Σ_i v_it² of every dimension.
pub(crate) fn energies(vectors: &[f32], dim: usize) -> Vec<f64> {
    energies_by(vectors, dim, |_| 1.0)
}

/// The same where every word counts as often as `times` says.
pub(crate) fn energies_by(vectors: &[f32], dim: usize, times: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut energies = vec![0.0; dim];
    for (word, vector) in vectors.chunks_exact(dim).enumerate() {
        for (energy, &x) in energies.iter_mut().zip(vector) {
            *energy += times(word) * f64::from(x) * f64::from(x);
        }
    }
    energies
}

/// The words at the upper and the lower end of an axis, each with its place along it.
pub(crate) type Ends = [Vec<(u32, f32)>; 2];

/// Vectors along axes, which need not be a model's own.
pub(crate) struct Axes<'a> {
    vectors: &'a [f32],
    dim: usize,
    /// 1/√e_t; 0 where the dimension is empty.
    scales: Vec<f32>,
    /// 1/√(Σ_s v_is²/e_s) of every word; 0 where it has no direction.
    inverse_lengths: Vec<f32>,
}

impl<'a> Axes<'a> {
    pub(crate) fn new(vectors: &'a [f32], dim: usize) -> Self {
        let inverse = |square: f64| if square > 0.0 { (1.0 / square.sqrt()) as f32 } else { 0.0 };
        let scales: Vec<f32> = energies(vectors, dim).into_iter().map(inverse).collect();
        let length = |vector: &[f32]| {
            let scaled = vector.iter().zip(&scales).map(|(x, scale)| f64::from(x * scale));
            inverse(scaled.map(|x| x * x).sum())
        };
        let inverse_lengths = vectors.chunks_exact(dim).map(length).collect();
        Self { vectors, dim, scales, inverse_lengths }
    }

    /// A word's place along a dimension.
    fn at(&self, word: u32, t: usize) -> f32 {
        let x = self.vectors[word as usize * self.dim + t];
        x * self.scales[t] * self.inverse_lengths[word as usize]
    }

    /// The `n` words furthest up and furthest down along each of the dimensions; the more common one
    /// first where two are equally far.
    pub(crate) fn ends(
        &self,
        words: &[u32],
        dimensions: &[usize],
        n: usize,
        work: &Work<'_>,
    ) -> Result<Vec<Ends>, Error> {
        parallel::tasks(work.threads, dimensions.len(), |index| {
            work.proceed()?;
            let t = dimensions[index];
            let places: Vec<(u32, f32)> =
                words.iter().map(|&word| (word, self.at(word, t))).collect();
            Ok([1.0, -1.0].map(|sign| furthest(&places, sign, n)))
        })
    }
}

/// The `n` words furthest in the direction of a sign.
fn furthest(places: &[(u32, f32)], sign: f32, n: usize) -> Vec<(u32, f32)> {
    let mut own: Vec<(u32, f32)> = places.iter().copied().filter(|p| p.1 * sign > 0.0).collect();
    let order =
        |a: &(u32, f32), b: &(u32, f32)| (b.1 * sign).total_cmp(&(a.1 * sign)).then(a.0.cmp(&b.0));
    if n > 0 && n < own.len() {
        own.select_nth_unstable_by(n - 1, order);
    }
    own.truncate(n);
    own.sort_by(order);
    own
}
