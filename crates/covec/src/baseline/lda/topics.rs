//! Variational Bayes for latent Dirichlet allocation (Blei, Ng, Jordan 2003), all text at once.
//!
//! A piece d has topics θ_d ~ Dirichlet(α), a topic k has words β_k ~ Dirichlet(η); every word of a piece is
//! of one of its topics. What is not known is approximated by θ_d ~ Dirichlet(γ_d), β_k ~ Dirichlet(λ_k), and in
//! turns, with t_dk = exp E ln θ_dk and b_wk = exp E ln β_kw,
//!
//! ```text
//! γ_dk = α + t_dk Σ_w f_dw b_wk      f_dw = n_dw / Σ_k t_dk b_wk      until it stands still, piece by piece
//! λ_kw = η + b_wk Σ_d f_dw t_dk                                      word by word
//! ```
//!
//! which never lowers the bound on how likely the text is. Pieces share nothing, nor do words, and the sums
//! of each are taken in one order: the same bits at any number of threads.

use super::LdaParameters;
use super::pieces::Pieces;
use super::seeds::seeds;
use super::turns::{Gather, Mix};
use crate::error::Error;
use crate::parallel;
use crate::special::digamma;
use crate::train::table::Table;
use crate::work::Work;

/// Pieces and words of a task.
const TASK: usize = 64;
/// How much of a topic at the start is the piece it starts at; the rest is all text.
const SEED: f64 = 0.9;

/// What is known of topics.
#[derive(Debug)]
pub(super) struct Topics {
    pub(super) alpha: f64,
    eta: f64,
    topics: usize,
    /// γ, piece after piece.
    pub(super) mixtures: Table,
    /// t, the same way.
    likely: Table,
    /// f, as the pieces' words are numbered.
    factors: Vec<f32>,
    /// λ, word after word.
    pub(super) words: Table,
    /// b, the same way.
    typical: Table,
}

impl Topics {
    /// Topics near the pieces they start at; any beyond these are those of all text.
    pub(super) fn start(pieces: &Pieces, vocabulary: usize, parameters: &LdaParameters) -> Self {
        let topics = parameters.topics as usize;
        let (alpha, eta) = (parameters.mixing, parameters.smoothing);
        let mut this = Self {
            alpha,
            eta,
            topics,
            mixtures: Table::new(pieces.len(), topics),
            likely: Table::new(pieces.len(), topics),
            factors: vec![0.0; pieces.words.len()],
            words: Table::new(vocabulary, topics),
            typical: Table::new(vocabulary, topics),
        };
        for word in 0..vocabulary {
            let own = pieces.word_starts[word]..pieces.word_starts[word + 1];
            let count = |(_, place): &(u32, u32)| f64::from(pieces.counts[*place as usize]);
            let each = pieces.uses[own].iter().map(count).sum::<f64>() / topics as f64;
            this.words.row_mut(word)[..topics].fill((eta + (1.0 - SEED) * each) as f32);
        }
        let each = pieces.total() / topics as f64;
        let seeds = seeds(pieces, vocabulary, topics, parameters.seed.0);
        for (topic, piece) in seeds.into_iter().enumerate() {
            let own = pieces.starts[piece]..pieces.starts[piece + 1];
            let total: f32 = pieces.counts[own.clone()].iter().sum();
            for place in own {
                let share = f64::from(pieces.counts[place] / total);
                let word = pieces.words[place] as usize;
                this.words.row_mut(word)[topic] += (SEED * each * share) as f32;
            }
        }
        for piece in 0..pieces.len() {
            let own = pieces.starts[piece]..pieces.starts[piece + 1];
            let words: f32 = pieces.counts[own].iter().sum();
            this.mixtures.row_mut(piece)[..topics].fill(alpha as f32 + words / topics as f32);
        }
        this
    }

    /// The words of each topic together.
    pub(super) fn totals(&self) -> Vec<f64> {
        let mut totals = vec![0.0; self.topics];
        for word in 0..self.words.rows() {
            for (total, x) in totals.iter_mut().zip(self.words.row(word)) {
                *total += f64::from(*x);
            }
        }
        totals
    }

    /// Goes through the text once; the bound, as it was before the words of topics were found anew.
    pub(super) fn epoch(&mut self, pieces: &Pieces, work: &Work<'_>) -> Result<f64, Error> {
        let of_topics = self.describe(work)?;
        let of_pieces = self.mix(pieces, work)?;
        self.gather(pieces, work)?;
        Ok(of_topics + of_pieces)
    }

    /// Finds b; returns what the topics' words add to the bound.
    fn describe(&mut self, work: &Work<'_>) -> Result<f64, Error> {
        let (eta, topics, stride) = (self.eta, self.topics, self.typical.stride());
        let totals = self.totals();
        let expected: Vec<f64> = totals.iter().map(|&total| digamma(total)).collect();
        let words = &self.words;
        let typical = parallel::Pieces::even(self.typical.all_mut(), stride * TASK);
        let bounds = parallel::tasks(work.threads, typical.len(), |at| {
            work.proceed()?;
            let mut bound = 0.0;
            for (row, word) in typical.take(at).chunks_exact_mut(stride).zip(at * TASK..) {
                for k in 0..topics {
                    let own = f64::from(words.row(word)[k]);
                    let log = digamma(own) - expected[k];
                    bound += (eta - own) * log + libm::lgamma(own);
                    row[k] = libm::exp(log) as f32;
                }
            }
            Ok(bound)
        })?;
        let whole: f64 = totals.iter().map(|&total| libm::lgamma(total)).sum();
        let n = words.rows() as f64;
        let prior = topics as f64 * (libm::lgamma(n * eta) - n * libm::lgamma(eta));
        Ok(bounds.into_iter().sum::<f64>() - whole + prior)
    }

    /// Finds the topics of every piece; returns what pieces add to the bound.
    fn mix(&mut self, pieces: &Pieces, work: &Work<'_>) -> Result<f64, Error> {
        let (alpha, topics, stride) = (self.alpha, self.topics, self.mixtures.stride());
        let tasks = pieces.len().div_ceil(TASK);
        let range = |at: usize| at * TASK..pieces.len().min((at + 1) * TASK);
        let places = |at: usize| pieces.starts[range(at).end] - pieces.starts[range(at).start];
        let mixtures = parallel::Pieces::even(self.mixtures.all_mut(), stride * TASK);
        let likely = parallel::Pieces::even(self.likely.all_mut(), stride * TASK);
        let factors = parallel::Pieces::cut(&mut self.factors, (0..tasks).map(places));
        let typical = &self.typical;
        let bounds = parallel::tasks(work.threads, tasks, |at| {
            work.proceed()?;
            Ok(pulp::Arch::new().dispatch(Mix {
                pieces,
                own: range(at),
                mixtures: mixtures.take(at),
                likely: likely.take(at),
                factors: factors.take(at),
                typical,
                alpha,
                topics,
            }))
        })?;
        let prior = libm::lgamma(topics as f64 * alpha) - topics as f64 * libm::lgamma(alpha);
        Ok(bounds.into_iter().sum::<f64>() + prior * pieces.len() as f64)
    }

    /// Finds λ.
    fn gather(&mut self, pieces: &Pieces, work: &Work<'_>) -> Result<(), Error> {
        let (eta, topics, stride) = (self.eta as f32, self.topics, self.words.stride());
        let words = parallel::Pieces::even(self.words.all_mut(), stride * TASK);
        let (likely, typical, factors) = (&self.likely, &self.typical, &self.factors);
        parallel::tasks(work.threads, words.len(), |at| {
            work.proceed()?;
            let (first, words) = (at * TASK, words.take(at));
            let gather = Gather { pieces, first, words, likely, typical, factors, eta, topics };
            pulp::Arch::new().dispatch(gather);
            Ok(())
        })?;
        Ok(())
    }
}
