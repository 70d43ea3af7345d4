//! Solvers that follow the gradient: [`Adam`] as in the paper, [`Adagrad`] as in GloVe.
//!
//! An epoch is a tournament of [`strata`] of words. A meeting of two strata goes through the entries
//! between them and owns both strata's vectors and biases. The levels' weights belong to everybody:
//! they stand still for a round, and then move by what all its meetings found, added up in a fixed
//! order. So the result is the same for any number of threads.
//!
//! What is minimised is a quarter of the objective of [`super::blocks`], which sees every pair from
//! both sides and without the half: ½ · weight · residual² summed over unordered pairs, as in GloVe. Penalties
//! are shared equally between the rounds. The ridge is not searched for: `auto` is where the search
//! of blocks begins.
//!
//! Cost: two to three times the arithmetic of a pass of [`loss::slope`] an epoch, and that pass to
//! tell the loss. Where entries are on the disk, a row is read once for every later stratum.

mod adagrad;
mod adam;
mod strata;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

pub(crate) use adagrad::Adagrad;
pub(crate) use adam::Adam;

use super::blocks::{Run, Trainer};
use super::examples::Examples;
use super::loss;
use super::row::Strengths;
use super::state::{Layout, State};
use super::table::Table;
use super::weights::Draw;
use crate::error::Error;
use crate::lots::{End, Lots, Stream};
use crate::parallel;
use crate::work::Progress;
use strata::{Memory, STRATA, Stratum};

/// How parameters follow their gradients; remembers `M` numbers of each.
pub(crate) trait Rule<const M: usize>: Sync {
    /// What is remembered before the first step.
    const START: f32;

    /// Learns from every pair of a word of the first stratum and one of the last, which may be the
    /// same stratum.
    fn meet(&self, meeting: &Meeting<'_>, strata: &mut [Stratum<M>]) -> Result<Found, Error>;

    /// How far a weight goes along its slope.
    fn step(&self, meeting: &Meeting<'_>, slope: f32, memory: &mut [f32; M]) -> f32;
}

/// All that stands still while strata meet.
#[derive(Clone, Copy)]
pub(crate) struct Meeting<'a> {
    pub(crate) examples: &'a Examples,
    pub(crate) layout: &'a Layout,
    /// A row for every cell: its squared weights.
    pub(crate) squares: &'a Table,
    /// A round's share of what draws vectors and biases.
    pub(crate) strengths: Strengths,
    /// Rounds since training began, this one included.
    pub(crate) step: u32,
}

/// What a meeting finds out about the weights, which it does not own.
pub(crate) struct Found {
    /// Weighted squares of the residuals, both orders of a pair.
    pub(crate) squares: f64,
    /// Entries that were seen, likewise.
    pub(crate) entries: u64,
    /// Downhill slope along the cells' squared weights: a row for every cell.
    pub(crate) downhill: Table,
}

impl Found {
    fn nothing(meeting: &Meeting<'_>) -> Self {
        let downhill = Table::new(meeting.squares.rows(), meeting.squares.width());
        Self { squares: 0.0, entries: 0, downhill }
    }

    fn add(&mut self, other: &Self) {
        self.squares += other.squares;
        self.entries += other.entries;
        for (sum, x) in self.downhill.all_mut().iter_mut().zip(other.downhill.all()) {
            *sum += x;
        }
    }
}

/// The columns that a row of the first stratum meets: in its own stratum every pair once.
fn columns<const M: usize>(word: usize, strata: &[Stratum<M>]) -> Range<u32> {
    let range = match strata {
        [own] => own.words.start..word + 1,
        [_, other, ..] => other.words.clone(),
        [] => 0..0,
    };
    range.start as u32..range.end as u32
}

/// Epochs until nothing moves any more.
pub(crate) fn train<const M: usize, R: Rule<M>>(
    trainer: &Trainer<'_>,
    rule: &R,
    run: &mut Run,
    mut each: impl FnMut(&Run) -> Result<(), Error>,
) -> Result<(), Error> {
    run.ridge_settled = true;
    if run.moments.is_empty() {
        run.moments = Memory::<M>::start(&run.state, R::START);
    }
    while run.record.stopped.is_empty() {
        epoch(trainer, rule, run)?;
        trainer.close(run)?;
        each(run)?;
    }
    Ok(())
}

/// Every pair once. Interrupted, it leaves the run where it was.
fn epoch<const M: usize, R: Rule<M>>(
    trainer: &Trainer<'_>,
    rule: &R,
    run: &mut Run,
) -> Result<(), Error> {
    let Trainer { examples, parameters, work } = *trainer;
    let number = run.record.sweeps.len() as u32 + 1;
    let mut rounds = strata::rounds();
    Stream::new(parameters.seed.0, End::Order, u64::from(number)).shuffle(&mut rounds);
    let mut state = run.state.clone();
    let mut moments = run.moments.clone();
    let mut memory = Memory::<M>::of(&mut moments);
    let mut strata: Vec<Option<Stratum<M>>> = strata::cut(examples)
        .into_iter()
        .map(|words| Some(Stratum::take(words, &state, &memory)))
        .collect();
    for (done, round) in rounds.iter().enumerate() {
        work.proceed()?;
        let passed = (number - 1) * STRATA as u32 + done as u32;
        let share = f64::from(passed) / (f64::from(parameters.sweeps) * STRATA as f64);
        work.observer.progress(Progress { stage: "training", share: Some(share), words: 0 });
        let meeting = Meeting {
            examples,
            layout: &state.layout,
            squares: &state.cell_squares,
            strengths: trainer.strengths(run.ridge / STRATA as f64),
            step: passed + 1,
        };
        let teams: Vec<Mutex<Vec<Stratum<M>>>> = round
            .iter()
            .map(|&(a, b)| [a, b].into_iter().filter_map(|s| strata[s].take()).collect())
            .map(Mutex::new)
            .collect();
        let found = parallel::tasks(work.threads, teams.len(), |i| {
            let mut team = teams[i].lock().unwrap_or_else(PoisonError::into_inner);
            rule.meet(&meeting, &mut team)
        })?;
        let mut all = Found::nothing(&meeting);
        found.iter().for_each(|found| all.add(found));
        for (&(a, b), team) in round.iter().zip(teams) {
            let team = team.into_inner().unwrap_or_else(PoisonError::into_inner);
            for (place, stratum) in [a, b].into_iter().zip(team) {
                strata[place] = Some(stratum);
            }
        }
        let draw = Draw::new(parameters);
        let slopes = slopes(&state, &all, draw);
        let moved = weights(&state, rule, &meeting, &slopes, memory.weights);
        state.squares = moved;
        state.multiply_squares();
    }
    for stratum in strata.iter().flatten() {
        stratum.put(&mut state, &mut memory);
    }
    let squares = loss::slope(&state, examples, work)?.squares;
    let sweep = trainer.told(&state, number, &squares, run)?;
    run.state = state;
    run.moments = moments;
    run.record.sweeps.push(sweep);
    Ok(())
}

/// The slope of the objective along the weights themselves, not their squares, after a round: a row
/// for every level.
fn slopes(state: &State, found: &Found, draw: Draw) -> Table {
    let dim = state.dim();
    let squares = |level: usize, t: usize| f64::from(state.squares.row(level)[t]);
    // Penalties are in units of the noise. A round bears its share of a quarter of them, and a
    // square's slope is twice its distance.
    let noise = found.squares / found.entries.max(1) as f64 / STRATA as f64 / 2.0;
    let mut slopes = vec![vec![0.0_f64; dim]; state.layout.levels()];
    for (cell, levels) in state.layout.cells.iter().enumerate() {
        for &level in levels {
            let others = state.other_squares(cell, level);
            let downhill = found.downhill.row(cell);
            for (t, slope) in slopes[level].iter_mut().enumerate() {
                *slope -= f64::from(downhill[t]) * f64::from(others[t]);
            }
        }
    }
    for (levels, ordered) in &state.layout.factors {
        for level in levels.clone() {
            for (t, slope) in slopes[level].iter_mut().enumerate() {
                *slope += noise * draw.ridge * (squares(level, t) - 1.0);
            }
            if !*ordered || level == levels.start {
                continue;
            }
            let (before, here) = slopes.split_at_mut(level);
            for (t, (below, slope)) in before[level - 1].iter_mut().zip(&mut here[0]).enumerate() {
                let pull = noise * draw.tie * (squares(level, t) - squares(level - 1, t));
                *slope += pull;
                *below -= pull;
            }
        }
    }
    let mut table = Table::new(slopes.len(), dim);
    for (level, slopes) in slopes.iter().enumerate() {
        for (t, slope) in slopes.iter().enumerate() {
            table.row_mut(level)[t] = (slope * 2.0 * libm::sqrt(squares(level, t))) as f32;
        }
    }
    table
}

/// The squared weights after a step of the weights, which do not fall below 0. A level that is alone
/// weighs nothing: its weights would only rescale the vectors.
fn weights<const M: usize, R: Rule<M>>(
    state: &State,
    rule: &R,
    meeting: &Meeting<'_>,
    slopes: &Table,
    memory: &mut [Vec<f32>],
) -> Table {
    let mut squares = state.squares.clone();
    let stride = squares.stride();
    let moving = state.layout.factors.iter().filter(|(levels, _)| levels.len() > 1);
    for level in moving.flat_map(|(levels, _)| levels.clone()) {
        for t in 0..state.dim() {
            let mut own: [f32; M] = std::array::from_fn(|m| memory[m][level * stride + t]);
            let step = rule.step(meeting, slopes.row(level)[t], &mut own);
            let weight = (squares.row(level)[t].sqrt() - step).max(0.0);
            squares.row_mut(level)[t] = weight * weight;
            for (all, own) in memory.iter_mut().zip(own) {
                all[level * stride + t] = own;
            }
        }
    }
    squares
}
