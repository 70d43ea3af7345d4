//! Whom a text may be of, and how well each fits.
//!
//! A candidate is a level of a factor, or a group of its levels. With c_k the weights of level k,
//! `e_t = Σ_i v_it²` the energy of dimension t, and means over the factor's levels,
//!
//! ```text
//! closeness   cos(x, mean of x_k over the candidate's levels),   x_kt = (c_kt² − mean_l c_lt²) · e_t
//! likelihood  Σ_w n_w ln(p(w) / q(w)) / Σ_w n_w,   p(w) = (m_w + μ q(w)) / (Σ_w m_w + μ)
//! combined    mean of the two, each less its mean over the candidates and in units of its spread
//! ```
//!
//! where n are the text's counts of the model's words, m the candidate's, q the shares of words in
//! all of the model's text, and μ the words of the average level: what an average level says of a word
//! and what all say weigh the same. The likelihood is in nats a word, 0 for a text that is as much like
//! the candidate as like the average.

use super::Groups;
use crate::model::Model;

/// How well a candidate fits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scores {
    pub(super) closeness: f64,
    pub(super) likelihood: f64,
    pub(super) combined: f64,
}

/// A text as it is compared.
#[derive(Debug)]
pub(super) struct Sample<'a> {
    /// x above.
    pub(super) shape: Vec<f64>,
    pub(super) counts: &'a [u64],
}

/// A level or group, with the sums over its levels.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) name: String,
    /// Its levels, as places among the factor's.
    pub(super) levels: Vec<usize>,
    shape: Vec<f64>,
    counts: Vec<u64>,
}

/// All candidates.
#[derive(Debug)]
pub(super) struct Candidates<'a> {
    model: &'a Model,
    pub(super) list: Vec<Candidate>,
    /// The factor's first level among all levels.
    first: usize,
    mean: Vec<f64>,
    energy: Vec<f64>,
    /// Words in all of the model's text.
    total: f64,
    smoothing: f64,
}

impl<'a> Candidates<'a> {
    /// Every level of a factor, or every group.
    pub(super) fn new(model: &'a Model, factor: usize, groups: Option<&Groups>) -> Self {
        let factors = &model.covariates.factors;
        let first: usize = factors[..factor].iter().map(|f| f.levels.len()).sum();
        let levels = factors[factor].levels.len();
        let mut mean = vec![0.0; model.dim];
        for level in first..first + levels {
            for (sum, weight) in mean.iter_mut().zip(model.weight(level)) {
                *sum += f64::from(weight * weight) / levels as f64;
            }
        }
        let mut energy = vec![0.0; model.dim];
        for word in 0..model.vocabulary.len() {
            for (sum, x) in energy.iter_mut().zip(model.vector(word)) {
                *sum += f64::from(x * x);
            }
        }
        let total = model.vocabulary.counts.iter().sum::<u64>() as f64;
        let mut this = Self {
            model,
            list: Vec::new(),
            first,
            mean,
            energy,
            total,
            smoothing: total / levels as f64,
        };
        let named: Vec<(String, Vec<usize>)> = match groups {
            Some(groups) => {
                let names = groups.names().into_iter();
                names.map(|name| (name.clone(), groups.levels_of(&name))).collect()
            }
            None => {
                let names = factors[factor].levels.iter().map(|level| level.name.clone());
                names.enumerate().map(|(place, name)| (name, vec![place])).collect()
            }
        };
        this.list = named.into_iter().map(|(name, levels)| this.candidate(name, levels)).collect();
        this
    }

    fn candidate(&self, name: String, levels: Vec<usize>) -> Candidate {
        let mut shape = vec![0.0; self.model.dim];
        let mut counts = vec![0; self.model.vocabulary.len()];
        for &level in &levels {
            let known = self.known(level);
            shape.iter_mut().zip(&known.shape).for_each(|(sum, x)| *sum += x);
            counts.iter_mut().zip(known.counts).for_each(|(sum, n)| *sum += n);
        }
        Candidate { name, levels, shape, counts }
    }

    /// A level of the factor as if it were a text.
    pub(super) fn known(&self, level: usize) -> Sample<'a> {
        let level = self.first + level;
        let squares = self.model.weight(level).iter().map(|weight| weight * weight);
        Sample { shape: self.shape(squares), counts: &self.model.vocabulary.level_counts[level] }
    }

    /// Squared weights as they are compared.
    pub(super) fn shape(&self, squares: impl Iterator<Item = f32>) -> Vec<f64> {
        let scale = self.mean.iter().zip(&self.energy);
        squares.zip(scale).map(|(x, (mean, energy))| (f64::from(x) - mean) * energy).collect()
    }

    /// The scores of every candidate, as if the level `but` were not known; none for a candidate
    /// that has no other level.
    pub(super) fn scores(&self, sample: &Sample<'_>, but: Option<usize>) -> Vec<Option<Scores>> {
        let less = but.map(|level| (level, self.known(level)));
        let mut scores: Vec<Option<Scores>> = self
            .list
            .iter()
            .map(|candidate| {
                let less = less.as_ref().filter(|(level, _)| candidate.levels.contains(level));
                if less.is_some() && candidate.levels.len() == 1 {
                    return None;
                }
                let less = less.map(|(_, known)| known);
                Some(Scores {
                    closeness: closeness(sample, candidate, less),
                    likelihood: self.likelihood(sample, candidate, less),
                    combined: 0.0,
                })
            })
            .collect();
        let standard = |of: fn(&Scores) -> f64| {
            let all: Vec<f64> = scores.iter().flatten().map(of).collect();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            let squares = all.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
            let spread = (squares / all.len() as f64).sqrt();
            move |score: &Scores| if spread > 0.0 { (of(score) - mean) / spread } else { 0.0 }
        };
        let (closeness, likelihood) = (standard(|s| s.closeness), standard(|s| s.likelihood));
        for score in scores.iter_mut().flatten() {
            score.combined = (closeness(score) + likelihood(score)) / 2.0;
        }
        scores
    }

    fn likelihood(
        &self,
        sample: &Sample<'_>,
        candidate: &Candidate,
        less: Option<&Sample<'_>>,
    ) -> f64 {
        let own = |word: usize| {
            (candidate.counts[word] - less.map_or(0, |less| less.counts[word])) as f64
        };
        let size: f64 = (0..candidate.counts.len()).map(own).sum();
        let (mut sum, mut words) = (0.0, 0.0);
        for (word, &count) in sample.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let everywhere = self.model.vocabulary.counts[word] as f64 / self.total;
            if everywhere > 0.0 {
                let share = (own(word) + self.smoothing * everywhere) / (size + self.smoothing);
                sum += count as f64 * libm::log(share / everywhere);
                words += count as f64;
            }
        }
        if words > 0.0 { sum / words } else { 0.0 }
    }
}

/// A cosine, so the sum over levels does for their mean.
fn closeness(sample: &Sample<'_>, candidate: &Candidate, less: Option<&Sample<'_>>) -> f64 {
    let (mut dot, mut a, mut b) = (0.0, 0.0, 0.0);
    for (t, x) in sample.shape.iter().enumerate() {
        let y = candidate.shape[t] - less.map_or(0.0, |less| less.shape[t]);
        dot += x * y;
        a += x * x;
        b += y * y;
    }
    let scale = (a * b).sqrt();
    if scale > 0.0 { (dot / scale).clamp(-1.0, 1.0) } else { 0.0 }
}
