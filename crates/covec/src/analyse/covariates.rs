//! Which levels of a factor are alike, by the weights they give the dimensions.
//!
//! A level's profile says which topics it has more of than the others, and which less:
//!
//! ```text
//! x_kt = (c_kt² − mean_k c_kt²) · √e_t      e_t = Σ_i n_i v_it², the dimension's energy, n_i how often word i occurs
//! d_kl = 1 − cos(x_k, x_l)                  from 0, the same profile, to 2, the opposite one
//! ```
//!
//! Of the profiles tried this is the one whose nearest book is most often of the same author and
//! series, with the defaults of training. Right ones on 29 books of 4 authors (7 series) and on 41
//! books of 6 authors (15 series), in the words common to all series, summed up over 13 seeds:
//!
//! ```text
//!                                    29 books            41 books
//!                                    author   series     author   series
//! (c² − mean) · √e                   364/377  336/338    521/533  395/533
//! the same, each word counted once   359/377  334/338    516/533  369/533
//! (c² − mean)                        361/377  337/338    513/533  375/533
//! c² · √e, each word counted once    354/377  324/338    510/533  383/533
//! ```
//!
//! Earlier models, where pairs that never met did not count, told no clear difference between these, and found (c − mean),
//! logarithms, and profiles without what goes with the size of a book to be worse.
//!
//! Without the mean taken off (`weights`) all levels are alike, and distances do not say who has more of what.
//!
//! Some levels are near to many, because they are small, or between the others, and push in before the nearest that one would
//! expect. `mutual` asks instead how near two levels are among all that each of them knows (mutual proximity, Schnitzer et al. 2012),
//! with s = cos(x_k, x_l) about the mean of all text:
//!
//! ```text
//! d_kl = 1 − Φ((s_kl − m_k) / σ_k) · Φ((s_kl − m_l) / σ_l)     m_k, σ_k mean and deviation of s over the others of k; Φ the normal distribution
//! ```
//!
//! Of the 41 books above, seeds 1 to 5, the nearest is by the same author for 41, 40, 41, 41 and 41, where the cosine finds 39, 37, 41, 40 and 39. It wants many levels,
//! and says nothing of how far two levels are by themselves.
//!
//! **Cost:** levels² · dimensions, and a pass over the vectors.

use serde::Serialize;

use super::factor::levels_of;
use super::topics::energies_by;
use super::{Groups, View, question};
use crate::error::Error;
use crate::model::{Model, Need};
use crate::parameters::choice;

choice! {
    /// What is measured between two levels.
    pub enum Distance {
        /// 1 − cosine of the profiles x.
        Cosine = "cosine",
        /// The length of x_k − x_l.
        Euclidean = "euclidean",
        /// 1 − cosine of c² · √e, the profiles without the mean taken off.
        Weights = "weights",
        /// How near two levels are among all that each of them knows.
        Mutual = "mutual",
    }
}

/// The levels of a factor, and how far they are from each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Levels {
    /// Their names, as `factor=level`.
    pub names: Vec<String>,
    /// Words of their documents.
    pub tokens: Vec<u64>,
    /// What is measured.
    pub distance: Distance,
    /// Their profiles: x, or c² · √e for [`Distance::Weights`].
    pub profiles: Vec<Vec<f64>>,
    /// How far each is from each, row after row.
    pub distances: Vec<f64>,
}

/// A near level.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Nearest {
    /// The level.
    pub level: String,
    /// Words of its documents.
    pub tokens: u64,
    /// Its group; none where it has none, or there are no groups.
    pub group: Option<String>,
    /// 1 for the nearest.
    pub rank: usize,
    /// The near level.
    pub nearest: String,
    /// How far it is.
    pub distance: f64,
    /// Words of its documents.
    pub nearest_tokens: u64,
    /// Its group.
    pub nearest_group: Option<String>,
}

/// Two levels.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Pair {
    /// One level.
    pub a: String,
    /// The other.
    pub b: String,
    /// How far they are from each other.
    pub distance: f64,
}

/// How often the nearest level is of the same group.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SameGroup {
    /// What the groups are, the name of their column.
    pub groups: String,
    /// Levels in groups of two or more.
    pub levels: usize,
    /// Those among them whose nearest level, of all, is in the same group.
    pub same: usize,
    /// The share of these.
    pub share: f64,
    /// What the share would be if the nearest level were any other, each as likely.
    pub chance: f64,
}

impl Levels {
    /// Measures the levels of a factor, which has two or more.
    pub fn new(model: &Model, factor: usize, distance: Distance) -> Result<Self, Error> {
        model.gives(Need::Topics, "covariates")?;
        enough(model, factor, 2, "a nearest level")?;
        let levels = &model.covariates.factors[factor].levels;
        let shares: Vec<f64> = match distance {
            Distance::Cosine | Distance::Euclidean => vec![1.0 / levels.len() as f64; levels.len()],
            Distance::Weights => vec![0.0; levels.len()],
            Distance::Mutual => {
                enough(model, factor, 4, "a place among the others (--distance mutual)")?;
                let all = levels.iter().map(|level| level.tokens).sum::<u64>().max(1);
                levels.iter().map(|level| level.tokens as f64 / all as f64).collect()
            }
        };
        let profiles = profiles(model, factor, &shares);
        let distances = measured(&profiles, distance);
        Ok(Self {
            names: View::of_factor(model, factor).into_iter().map(|view| view.name).collect(),
            tokens: levels.iter().map(|level| level.tokens).collect(),
            distance,
            profiles,
            distances,
        })
    }

    /// How many levels there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// How far two levels are from each other.
    pub fn at(&self, a: usize, b: usize) -> f64 {
        self.distances[a * self.len() + b]
    }

    /// The other levels, the nearest first, the earlier one of two that are equally near.
    pub fn near(&self, level: usize) -> Vec<usize> {
        let mut others: Vec<usize> = (0..self.len()).filter(|&other| other != level).collect();
        others.sort_by(|&a, &b| self.at(level, a).total_cmp(&self.at(level, b)).then(a.cmp(&b)));
        others
    }

    /// The `n` nearest levels of every level.
    pub fn nearest(&self, n: usize, groups: Option<&Groups>) -> Vec<Nearest> {
        let group = |level: usize| groups.and_then(|groups| groups.of_level[level].clone());
        let mut rows = Vec::new();
        for level in 0..self.len() {
            for (place, other) in self.near(level).into_iter().take(n).enumerate() {
                rows.push(Nearest {
                    level: self.names[level].clone(),
                    tokens: self.tokens[level],
                    group: group(level),
                    rank: place + 1,
                    nearest: self.names[other].clone(),
                    distance: self.at(level, other),
                    nearest_tokens: self.tokens[other],
                    nearest_group: group(other),
                });
            }
        }
        rows
    }

    /// Every two levels.
    pub fn pairs(&self) -> Vec<Pair> {
        let pair = |a: usize, b: usize| Pair {
            a: self.names[a].clone(),
            b: self.names[b].clone(),
            distance: self.at(a, b),
        };
        (0..self.len()).flat_map(|a| (a + 1..self.len()).map(move |b| pair(a, b))).collect()
    }

    /// How often the nearest level is of the same group; none where every group has one level.
    pub fn same_group(&self, groups: &Groups) -> Option<SameGroup> {
        let (mut levels, mut same, mut chance) = (0, 0, 0.0);
        for (level, group) in groups.of_level.iter().enumerate() {
            let Some(group) = group else { continue };
            let others = groups.levels_of(group).len() - 1;
            if others == 0 {
                continue;
            }
            levels += 1;
            chance += others as f64 / (self.len() - 1) as f64;
            let nearest = self.near(level)[0];
            same += usize::from(groups.of_level[nearest].as_ref() == Some(group));
        }
        (levels > 0).then(|| SameGroup {
            groups: groups.name.clone(),
            levels,
            same,
            share: same as f64 / levels as f64,
            chance: chance / levels as f64,
        })
    }
}

/// Refuses a factor with fewer levels than an answer needs.
pub(super) fn enough(model: &Model, factor: usize, least: usize, what: &str) -> Result<(), Error> {
    let factor = &model.covariates.factors[factor];
    let found = factor.levels.len();
    if found >= least {
        return Ok(());
    }
    let problem = format!("factor '{}' has {found} levels, too few for {what}", factor.name);
    let expected = format!("{least} levels or more");
    Err(question(problem, expected, "another factor (--factor), or a finer one (--by)").into())
}

/// x of every level of a factor, about the mean in which levels have these shares.
fn profiles(model: &Model, factor: usize, shares: &[f64]) -> Vec<Vec<f64>> {
    // Common words, in which authors differ whatever they write about, count for more.
    let count = |word: usize| model.vocabulary.counts[word] as f64;
    let energies = energies_by(&model.vectors, model.dim, count);
    let scales: Vec<f64> = energies.into_iter().map(f64::sqrt).collect();
    let own = levels_of(model, factor);
    let square = |level: usize, t: usize| {
        let weight = f64::from(model.weight(level)[t]);
        weight * weight
    };
    let mean = |t: usize| {
        own.clone().zip(shares).map(|(level, share)| share * square(level, t)).sum::<f64>()
    };
    let means: Vec<f64> = (0..model.dim).map(mean).collect();
    own.clone()
        .map(|level| (0..model.dim).map(|t| (square(level, t) - means[t]) * scales[t]).collect())
        .collect()
}

/// How far each profile is from each, row after row.
fn measured(profiles: &[Vec<f64>], distance: Distance) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let lengths: Vec<f64> = profiles.iter().map(|x| dot(x, x).sqrt()).collect();
    let between = |a: usize, b: usize| match distance {
        _ if a == b => 0.0,
        Distance::Euclidean => {
            let squares = profiles[a].iter().zip(&profiles[b]).map(|(a, b)| (a - b) * (a - b));
            squares.sum::<f64>().sqrt()
        }
        Distance::Cosine | Distance::Weights | Distance::Mutual => {
            let scale = lengths[a] * lengths[b];
            // A level without a profile of its own is as far from all.
            if scale > 0.0 {
                1.0 - (dot(&profiles[a], &profiles[b]) / scale).clamp(-1.0, 1.0)
            } else {
                1.0
            }
        }
    };
    let count = profiles.len();
    let all = (0..count).flat_map(|a| (0..count).map(move |b| (a, b)));
    let distances: Vec<f64> = all.map(|(a, b)| between(a, b)).collect();
    if distance == Distance::Mutual { mutual(&distances, count) } else { distances }
}

/// Distances of each of some levels from each, row after row, as [`Distance::Mutual`] sees them.
pub fn mutual(distances: &[f64], levels: usize) -> Vec<f64> {
    let others =
        |a: usize| (0..levels).filter(move |&b| b != a).map(move |b| distances[a * levels + b]);
    let spread = |a: usize| {
        let mean = others(a).sum::<f64>() / (levels - 1) as f64;
        let square = others(a).map(|x| (x - mean) * (x - mean)).sum::<f64>();
        (mean, (square / (levels.max(3) - 2) as f64).sqrt())
    };
    let spreads: Vec<(f64, f64)> = (0..levels).map(spread).collect();
    let near = |a: usize, b: usize| {
        let (mean, deviation) = spreads[a];
        let z = if deviation > 0.0 { (mean - distances[a * levels + b]) / deviation } else { 0.0 };
        0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
    };
    let all = (0..levels).flat_map(|a| (0..levels).map(move |b| (a, b)));
    all.map(|(a, b)| if a == b { 0.0 } else { 1.0 - near(a, b) * near(b, a) }).collect()
}
