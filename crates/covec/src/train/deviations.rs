//! Words' own deviations: what a level's weights cannot say.
//!
//! Weights reweight topics for all words alike. So once the joint model stands, each word that
//! occurs often enough in a level may move away from its base vector there: the level's own entries
//! are fitted once more, row by row, with every vector drawn back to the base. How strongly is
//! chosen on held-out pairs: once, on a level or two of middling size, and more strongly in a level whose held-out pairs are not
//! predicted better by that. Where no strength helps, a level keeps none.
//!
//! With several factors each level is fitted by itself, over all cells it is part of. In a cell the deviations of its levels add
//! up, and what several have heard would be said several times. So there they are taken times one number, which is also chosen on
//! held-out pairs. (Fitted beside each other, what two factors share would fall to either: docs/fitting.md.)

use super::absences::Absences;
use super::average::Average;
use super::blocks::Trainer;
use super::loss;
use super::met::Met;
use super::record::Deviating;
use super::row::{Own, Problem, Strengths};
use super::state::State;
use super::table::Table;
use crate::error::Error;
use crate::lots::{End, Lots, Stream};
use crate::model::Deviations;
use crate::parallel;
use crate::vocabulary::Vocabulary;
use crate::work::Progress;

/// Steps of conjugate gradients for each word.
const STEPS: usize = 2;
/// How much pairs that never met count here, relative to what they count in the base, which has heard them already. Of words
/// swapped in a quarter of the tweets of one slice, ranked by how far they moved, AUC is 0.91 without, 0.92 with this, 0.87 with
/// all of it, which hardly lets a word move.
const CHANCE: f64 = 0.3;
/// Levels that the strength is chosen on at most, and held-out pairs of theirs that are enough.
const SAMPLE: usize = 2;
const ENOUGH: usize = 10_000;
/// Strengths relative to the ridge of the vectors: where the search begins, steps from one to the next, and where it ends.
const FIRST: f64 = 4.0;
const FACTOR: f64 = 4.0;
const STRONGEST: f64 = 256.0;
const WEAKEST: f64 = 0.25;
/// What deviations are taken times where several factors have them, beside 1: as long as that predicts better.
const SHARES: [f64; 9] = [0.85, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0];
/// A ridge of next to nothing would leave the deviations free.
const LEAST_RIDGE: f64 = 1e-4;

/// Fits deviations to a state that is in canonical form.
pub(crate) fn fit(
    trainer: &Trainer<'_>,
    state: &State,
    vocabulary: &Vocabulary,
    ridge: f64,
) -> Result<(Deviations, Option<Deviating>), Error> {
    let mut deviations = Deviations::none(state.dim());
    let levels = state.layout.levels();
    let held = held_by_level(trainer, state);
    // Without held-out pairs nobody could say how far a word may go.
    if levels < 2 || held.iter().all(Vec::is_empty) {
        return Ok((deviations, None));
    }
    let average = trainer.average(state)?;
    let fitter = Fitter {
        trainer,
        state,
        average: &average,
        held: &held,
        met: trainer.met(state)?,
        vocabulary,
        absences: absences(trainer, state, vocabulary)?,
    };
    let (strength, mut fitted) = fitter.choose(ridge)?;
    let mut told = Deviating { ridge: strength, ..Deviating::default() };
    let strongest = STRONGEST * ridge.max(LEAST_RIDGE);
    for level in 0..levels {
        let share = level as f64 / levels as f64;
        let progress = Progress { stage: "fitting deviations", share: Some(share), words: 0 };
        trainer.work.observer.progress(progress);
        let without = fitter.held_out(level, &state.vectors)?;
        // Where the strength of the others lets words go too far, a stronger one may not.
        let mut own = strength;
        let helps = loop {
            let known = fitted.iter().position(|(fitted, _)| *fitted == level);
            let found = match known {
                Some(known) => fitted.swap_remove(known).1,
                None => fitter.apart(level, &fitter.level(level, own)?),
            };
            let with = fitter.held_out_with(level, &found)?;
            if matches!((without, with), (Some(without), Some(with)) if with < without) {
                break Some((found, with));
            }
            own *= FACTOR;
            if own > strongest || without.is_none() {
                break None;
            }
        };
        told.ridges.push(helps.as_ref().map(|_| own));
        told.held_out_without.push(without);
        told.held_out_with.push(helps.as_ref().and_then(|(_, with)| *with));
        if let Some((found, _)) = helps {
            deviations.append(found);
        }
    }
    if state.layout.factors.len() > 1 && !deviations.is_empty() {
        told.share = Some(fitter.choose_share(&deviations)?);
    }
    told.stored = deviations.len() as u64;
    Ok((deviations, Some(told)))
}

/// Fits deviations anew, with the strengths and in the levels of an earlier fit.
pub(crate) fn again(
    trainer: &Trainer<'_>,
    state: &State,
    vocabulary: &Vocabulary,
    earlier: &Deviating,
) -> Result<Deviations, Error> {
    let mut deviations = Deviations::none(state.dim());
    let average = trainer.average(state)?;
    let fitter = Fitter {
        trainer,
        state,
        average: &average,
        held: &[],
        met: Met::default(),
        vocabulary,
        absences: absences(trainer, state, vocabulary)?,
    };
    for (level, &ridge) in earlier.ridges.iter().enumerate() {
        if let Some(ridge) = ridge {
            let vectors = fitter.level(level, ridge)?;
            deviations.append(fitter.apart(level, &vectors));
        }
    }
    Ok(deviations)
}

/// Fits deviations to documents that were drawn again, and chooses how strongly: on the whole as strongly as for other documents of
/// the kind. A document that was drawn twice confirms itself, so that held-out pairs of draws may let words go farther than those of texts
/// that were written once: of tenths of the tweets of Congress most choose 16 to 256 times the ridge, draws of one of them 4 to 64. So where
/// they would let a level's words go farther than the `earlier` fit did, that is taken back by a step, or as far as there.
pub(crate) fn drawn(
    trainer: &Trainer<'_>,
    state: &State,
    vocabulary: &Vocabulary,
    ridge: f64,
    earlier: &Deviating,
) -> Result<Deviations, Error> {
    let (chosen, told) = fit(trainer, state, vocabulary, ridge)?;
    let Some(mut told) = told else { return Ok(chosen) };
    let pairs = told.ridges.iter_mut().zip(&earlier.ridges);
    for (own, earlier) in pairs.filter_map(|(own, earlier)| Some((own.as_mut()?, earlier))) {
        *own = of_draw(*own, *earlier);
    }
    again(trainer, state, vocabulary, &told)
}

/// How strongly a level of a draw is held to the base whose held-out pairs say `own`.
fn of_draw(own: f64, earlier: Option<f64>) -> f64 {
    let most = earlier.unwrap_or(f64::INFINITY);
    own.max((FACTOR * own).min(most))
}

/// What cells do without, where pairs that never met count and are known.
fn absences(
    trainer: &Trainer<'_>,
    state: &State,
    vocabulary: &Vocabulary,
) -> Result<Option<Absences>, Error> {
    let Trainer { examples, work, .. } = *trainer;
    if trainer.drawn(None).is_none() || !examples.complete {
        return Ok(None);
    }
    let deviates = |level: usize, word: usize| deviates(trainer, vocabulary, level, word);
    Absences::find(state, examples, &deviates, work).map(Some)
}

/// Whether a word occurs often enough in a level to deviate there.
fn deviates(trainer: &Trainer<'_>, vocabulary: &Vocabulary, level: usize, word: usize) -> bool {
    let counts = vocabulary.level_counts.get(level).unwrap_or(&vocabulary.counts);
    counts[word] >= trainer.parameters.min_support.0
}

/// The held-out pairs of every level, by their places among all.
fn held_by_level(trainer: &Trainer<'_>, state: &State) -> Vec<Vec<u32>> {
    let mut held = vec![Vec::new(); state.layout.levels()];
    for (place, pair) in trainer.examples.held.iter().enumerate() {
        for &level in &state.layout.cells[pair.cell as usize] {
            held[level].push(place as u32);
        }
    }
    held
}

struct Fitter<'a> {
    trainer: &'a Trainer<'a>,
    state: &'a State,
    average: &'a Average,
    held: &'a [Vec<u32>],
    /// How predictions are read, deviations or not.
    met: Met,
    vocabulary: &'a Vocabulary,
    absences: Option<Absences>,
}

impl Fitter<'_> {
    /// Words that occur often enough in a level to deviate there.
    fn supported(&self, level: usize) -> Vec<usize> {
        let may = |word: &usize| deviates(self.trainer, self.vocabulary, level, *word);
        (0..self.state.words()).filter(may).collect()
    }

    /// What the vectors of a level are beyond the base.
    fn apart(&self, level: usize, vectors: &Table) -> Deviations {
        let mut own = Deviations::none(self.state.dim());
        for word in self.supported(level) {
            let (base, there) = (self.state.vectors.row(word), vectors.row(word));
            let pairs = there.iter().zip(base).take(self.state.dim());
            own.push(level, word, &pairs.map(|(x, base)| x - base).collect::<Vec<f32>>());
        }
        own
    }

    /// The strength that predicts held-out pairs best, over some levels of middling size, and the
    /// deviations of those levels with it.
    fn choose(&self, ridge: f64) -> Result<(f64, Vec<(usize, Deviations)>), Error> {
        let mut levels: Vec<usize> =
            (0..self.held.len()).filter(|&level| !self.held[level].is_empty()).collect();
        levels.sort_by_key(|&level| (self.held[level].len(), level));
        let middle = levels.len() / 2;
        let alone = levels.get(middle).is_some_and(|&level| self.held[level].len() >= ENOUGH);
        let count = if alone { 1 } else { SAMPLE };
        let first = middle.saturating_sub(count / 2);
        let sample = &levels[first..(first + count).min(levels.len())];
        let ridge = ridge.max(LEAST_RIDGE);
        let tried = |times: f64| -> Result<(f64, Vec<(usize, Deviations)>), Error> {
            let (mut sum, mut weight) = (0.0, 0.0);
            let mut fitted = Vec::new();
            for &level in sample {
                let vectors = self.level(level, times * ridge)?;
                let (squares, weights) = self.held_sums(level, &vectors)?;
                sum += squares;
                weight += weights;
                fitted.push((level, self.apart(level, &vectors)));
            }
            Ok((sum / weight, fitted))
        };
        let mut best = (FIRST, tried(FIRST)?);
        for factor in [FACTOR, 1.0 / FACTOR] {
            let from = best.0;
            while (WEAKEST..=STRONGEST).contains(&(best.0 * factor)) {
                let next = tried(best.0 * factor)?;
                if next.0 >= best.1.0 {
                    break;
                }
                best = (best.0 * factor, next);
            }
            // One side of a valley is enough.
            if best.0 != from {
                break;
            }
        }
        Ok((best.0 * ridge, best.1.1))
    }

    /// Times what all deviations, in place together, predict held-out pairs best.
    fn choose_share(&self, all: &Deviations) -> Result<f64, Error> {
        let mut best = (1.0, self.held_out_together(all, 1.0)?);
        for share in SHARES {
            let missed = self.held_out_together(all, share)?;
            if missed >= best.1 {
                break;
            }
            best = (share, missed);
        }
        Ok(best.0)
    }

    /// The held-out loss of all pairs, with these deviations of their cells' levels times a number.
    fn held_out_together(&self, all: &Deviations, share: f64) -> Result<f64, Error> {
        const STRETCH: usize = 1 << 12;
        let Trainer { examples, work, .. } = *self.trainer;
        let Self { state, .. } = self;
        let sums = parallel::tasks(work.threads, examples.held.len().div_ceil(STRETCH), |task| {
            work.proceed()?;
            let end = ((task + 1) * STRETCH).min(examples.held.len());
            let mut sums = (0.0, 0.0);
            for held in &examples.held[task * STRETCH..end] {
                let pair = [held.row, held.col].map(|word| {
                    let mut vector = state.vectors.row(word as usize).to_vec();
                    for &level in &state.layout.cells[held.cell as usize] {
                        for (x, own) in vector
                            .iter_mut()
                            .zip(all.of(word as usize, level).into_iter().flatten())
                        {
                            *x += share as f32 * own.to_f32();
                        }
                    }
                    vector
                });
                let (square, weight) = held.missed_by(state, [&pair[0], &pair[1]], &self.met);
                sums = (sums.0 + square, sums.1 + weight);
            }
            Ok(sums)
        })?;
        let (squares, weights) = loss::together(&sums);
        Ok(squares / weights)
    }

    /// The held-out loss of a level with its deviations as they will be stored.
    fn held_out_with(&self, level: usize, own: &Deviations) -> Result<Option<f64>, Error> {
        let mut vectors = self.state.vectors.clone();
        for (&word, apart) in own.words.iter().zip(own.numbers.chunks(self.state.dim())) {
            for (x, apart) in vectors.row_mut(word as usize).iter_mut().zip(apart) {
                *x += apart.to_f32();
            }
        }
        self.held_out(level, &vectors)
    }

    /// The vectors of one level.
    fn level(&self, level: usize, strength: f64) -> Result<Table, Error> {
        let Trainer { examples, parameters, work, .. } = *self.trainer;
        let state = self.state;
        let mut vectors = state.vectors.clone();
        let strengths =
            Strengths { vectors: (strength * self.trainer.typical()) as f32, biases: 0.0 };
        let mut order = self.supported(level);
        let size = (order.len() / 16).clamp(8, 1024);
        let drawn = self.trainer.drawn(Some(level)).map(|drawn| drawn.times(CHANCE));
        let mut chance = drawn.map(|drawn| drawn.pairs(state, &vectors, work)).transpose()?;
        let mut desks = Vec::new();
        Stream::new(parameters.seed.0, End::Deviations, level as u64).shuffle(&mut order);
        for block in order.chunks_mut(size) {
            work.proceed()?;
            let problem = Problem {
                state,
                own: Some(Own { level, vectors: &vectors, absences: self.absences.as_ref() }),
                average: self.average,
                chance: chance.as_ref(),
                strengths,
                steps: STEPS,
            };
            let (solved, before) = problem.solve_all(examples, block, &mut desks, work)?;
            for (&word, solved) in block.iter().zip(solved) {
                vectors.row_mut(word).copy_from_slice(&solved.vector);
            }
            if let (Some(chance), Some(before)) = (&mut chance, before) {
                chance.moved(state, &vectors, block, &before);
            }
        }
        Ok(vectors)
    }

    fn held_out(&self, level: usize, vectors: &Table) -> Result<Option<f64>, Error> {
        let (squares, weights) = self.held_sums(level, vectors)?;
        Ok((weights > 0.0).then(|| squares / weights))
    }

    /// Weighted squares of the residuals of a level's held-out pairs, and the sum of weights.
    fn held_sums(&self, level: usize, vectors: &Table) -> Result<(f64, f64), Error> {
        let Trainer { examples, work, .. } = *self.trainer;
        let places = &self.held[level];
        let pair = |i: usize| examples.held.get(places[i] as usize);
        let sums = loss::missed(self.state, vectors, &self.met, places.len(), pair, work)?;
        Ok(loss::together(&sums))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_lets_words_go_farther_by_what_is_left_of_a_step_less() {
        assert_eq!(of_draw(1.0, Some(16.0)), 4.0);
        assert_eq!(of_draw(8.0, Some(16.0)), 16.0);
        assert_eq!(of_draw(16.0, Some(16.0)), 16.0);
        assert_eq!(of_draw(64.0, Some(16.0)), 64.0);
        // Where no strength helped before.
        assert_eq!(of_draw(64.0, None), 256.0);
    }
}
