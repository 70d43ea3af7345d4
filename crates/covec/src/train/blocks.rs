//! The default solver: exact steps, block by block.
//!
//! A sweep visits the words in random order in blocks. All rows of a block are solved against the
//! vectors as they stood when the block began, so threads can share it and the result is the same
//! for any number of them. Then the levels' weights move, and every few sweeps the axes turn.

use super::average::{Average, Moments};
use super::axes;
use super::chance::{Chance, Drawn, Sums};
use super::examples::Examples;
use super::loss;
use super::met::Met;
use super::parameters::TrainParameters;
use super::record::{CellShare, Sweep, Training};
use super::ridge;
use super::row::{Problem, Solved, Strengths};
use super::state::State;
use super::weights::{Draw, Fixed, Steps};
use crate::error::Error;
use crate::lots::{End, Lots, Stream};
use crate::work::{Progress, Work};

/// Axis steps at most; then sweeps alone bring the loss down.
const TURNS: u32 = 3;
/// Steps of conjugate gradients a row takes in a sweep.
const STEPS: usize = 2;
/// The ridge of the biases, relative to that of the vectors: biases vary more.
const BIASES: f64 = 0.01;
/// Where the search for a ridge begins.
pub(crate) const FIRST_RIDGE: f64 = 0.01;

/// All that a sweep changes, and all that the next one needs.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) state: State,
    /// The ridge in use.
    pub(crate) ridge: f64,
    pub(crate) ridge_settled: bool,
    /// See [`Steps`].
    pub(crate) curvatures: Vec<f64>,
    pub(crate) record: Training,
    /// Blocks of the present sweep that are done.
    pub(crate) blocks: usize,
    /// The average word when the present sweep began.
    pub(crate) average: Option<Average>,
    /// What chance had to do with the words when the present block began.
    pub(crate) chance: Option<Sums>,
    /// Whether the axes were turned before the present sweep.
    pub(crate) turned: bool,
    /// What gradient solvers remember of earlier steps; empty for blocks.
    pub(crate) moments: Vec<Vec<f32>>,
}

/// What stays the same.
pub(crate) struct Trainer<'a> {
    pub(crate) examples: &'a Examples,
    pub(crate) parameters: &'a TrainParameters,
    pub(crate) work: &'a Work<'a>,
}

impl Run {
    pub(crate) fn start(state: State, parameters: &TrainParameters) -> Self {
        let levels = state.layout.levels();
        Self {
            state,
            ridge: parameters.ridge.at().unwrap_or(FIRST_RIDGE),
            ridge_settled: parameters.ridge.at().is_some(),
            curvatures: vec![1.0; levels],
            record: Training::default(),
            blocks: 0,
            average: None,
            chance: None,
            turned: false,
            moments: Vec::new(),
        }
    }
}

impl Trainer<'_> {
    /// The average word's data, which ridges are relative to.
    pub(crate) fn typical(&self) -> f64 {
        let total: f64 = self.examples.cell_weights.iter().sum();
        total / self.examples.words().max(1) as f64
    }

    pub(crate) fn strengths(&self, ridge: f64) -> Strengths {
        let vectors = ridge * self.typical();
        Strengths { vectors: vectors as f32, biases: (BIASES * vectors) as f32 }
    }

    /// The average word as the state has it.
    pub(crate) fn average(&self, state: &State) -> Result<Average, Error> {
        Ok(Average::new(&self.moments(state)?))
    }

    fn moments(&self, state: &State) -> Result<Moments, Error> {
        Moments::new(state, &self.examples.row_weights, self.work)
    }

    /// All pairs, where those that never met count too; or those of one level's cells.
    pub(crate) fn drawn(&self, level: Option<usize>) -> Option<Drawn<'_>> {
        let strength = self.parameters.chance(self.examples.factors);
        (strength > 0.0).then_some(Drawn { examples: self.examples, strength, level })
    }

    /// The same, where the state stands.
    pub(crate) fn chance(&self, state: &State) -> Result<Option<Chance>, Error> {
        self.drawn(None).map(|drawn| drawn.pairs(state, &state.vectors, self.work)).transpose()
    }

    /// How predictions are read before they are held to the counts of pairs that met.
    pub(crate) fn met(&self, state: &State) -> Result<Met, Error> {
        match self.drawn(None) {
            Some(_) => Met::of(state, self.examples, self.work),
            None => Ok(Met::default()),
        }
    }

    /// How much the objective minds a change of each squared weight, level after level.
    pub(crate) fn importance(&self, state: &State) -> Result<Vec<f64>, Error> {
        let moments = self.moments(state)?;
        let of_level = |level: usize| -> f64 {
            let cells = state.layout.cells.iter().zip(&self.examples.cell_weights);
            cells.filter(|(levels, _)| levels.contains(&level)).map(|(_, weight)| weight).sum()
        };
        let bends: Vec<f64> = (0..state.dim()).map(|t| moments.second[(t, t)].powi(2)).collect();
        let levels = (0..state.layout.levels()).map(of_level);
        Ok(levels.flat_map(|weight| bends.iter().map(move |bend| weight * bend)).collect())
    }

    /// What the weights are moved with: the vectors as they stand.
    pub(crate) fn fixed(&self, state: &State) -> Result<Fixed, Error> {
        Ok(Fixed { moments: self.moments(state)?, chance: self.chance(state)? })
    }

    pub(crate) fn steps<'a>(&'a self, fixed: &'a Fixed) -> Steps<'a> {
        let draw = Draw::new(self.parameters);
        Steps { examples: self.examples, fixed, draw, work: self.work }
    }

    /// One sweep, told. Interrupted between blocks, it can be gone on with.
    pub(crate) fn sweep(&self, run: &mut Run) -> Result<(), Error> {
        let number = run.record.sweeps.len() as u32 + 1;
        let squares = self.pass(run, number)?;
        let sweep = self.told(&run.state, number, &squares, run)?;
        run.turned = false;
        run.record.sweeps.push(sweep);
        Ok(())
    }

    /// All rows, then the weights, in one form; the weighted squares by cell after it.
    pub(crate) fn pass(&self, run: &mut Run, number: u32) -> Result<Vec<f64>, Error> {
        self.rows(run, number)?;
        let fixed = self.fixed(&run.state)?;
        // From here on nothing asks whether to stop: interrupted, the run is never between.
        let squares = self.steps(&fixed).all(&mut run.state, &mut run.curvatures)?;
        run.state.normalise();
        let squares = self.centre(run, squares)?;
        run.blocks = 0;
        run.average = None;
        run.chance = None;
        Ok(squares)
    }

    /// Takes the mean off the vectors; the weighted squares by cell after it. Row by row vectors can hardly leave a direction that they
    /// all share, and where pairs that never met count it grows: with two factors, *and* and *of* were the nearest words of many. There
    /// biases cannot take it up exactly, so it is done where the objective is the lower for it.
    fn centre(&self, run: &mut Run, squares: Vec<f64>) -> Result<Vec<f64>, Error> {
        if run.state.layout.factors.len() == 1 || self.drawn(None).is_none() {
            run.state.centre(self.work)?;
            return Ok(squares);
        }
        let centred = run.state.nearly_centred(&self.examples.cell_weights, self.work)?;
        let after = loss::slope(&centred, self.examples, self.work)?.squares;
        let all = |state: &State, squares: &[f64]| -> Result<f64, Error> {
            Ok(squares.iter().sum::<f64>() + self.penalty(state, run.ridge)?)
        };
        if all(&centred, &after)? >= all(&run.state, &squares)? {
            return Ok(squares);
        }
        run.state = centred;
        Ok(after)
    }

    /// All rows, block by block.
    fn rows(&self, run: &mut Run, number: u32) -> Result<(), Error> {
        let words = self.examples.words();
        let mut order: Vec<usize> = (0..words).collect();
        Stream::new(self.parameters.seed.0, End::Order, u64::from(number)).shuffle(&mut order);
        let size = (words / 64).clamp(8, 1024);
        let blocks: Vec<&[usize]> = order.chunks(size).collect();
        // The same for the whole sweep, also for one that was interrupted.
        let average = match run.average.take() {
            Some(average) => average,
            None => self.average(&run.state)?,
        };
        let average = &*run.average.insert(average);
        let mut chance = match (self.drawn(None), run.chance.take()) {
            (Some(drawn), Some(sums)) => Some(drawn.again(&run.state, sums)),
            (_, _) => self.chance(&run.state)?,
        };
        let strengths = self.strengths(run.ridge);
        let mut desks = Vec::new();
        while run.blocks < blocks.len() {
            run.chance = chance.as_ref().map(|chance| chance.sums().clone());
            self.work.proceed()?;
            let share = run.blocks as f64 / blocks.len() as f64;
            let share = (f64::from(number - 1) + share) / f64::from(self.parameters.sweeps);
            self.work.observer.progress(Progress {
                stage: "training",
                share: Some(share),
                words: 0,
            });
            let mut block = blocks[run.blocks].to_vec();
            let state = &run.state;
            let problem = Problem {
                state,
                own: None,
                average,
                chance: chance.as_ref(),
                strengths,
                steps: STEPS,
            };
            let (solved, before) =
                problem.solve_all(self.examples, &mut block, &mut desks, self.work)?;
            for (&word, solved) in block.iter().zip(&solved) {
                store(&mut run.state, word, solved);
            }
            if let (Some(chance), Some(before)) = (&mut chance, before) {
                chance.moved(&run.state, &run.state.vectors, &block, &before);
            }
            run.blocks += 1;
        }
        Ok(())
    }

    pub(crate) fn told(
        &self,
        state: &State,
        number: u32,
        squares: &[f64],
        run: &Run,
    ) -> Result<Sweep, Error> {
        let entries = self.examples.entries.max(1) as f64;
        let squares: f64 = squares.iter().sum();
        let met = self.met(state)?;
        let held = loss::held_out(state, self.examples, &met, self.work)?;
        let of = |chosen: &dyn Fn(usize) -> bool| {
            let sum = (0..held.len())
                .filter(|&cell| chosen(cell))
                .fold((0.0, 0.0), |sum, cell| (sum.0 + held[cell].0, sum.1 + held[cell].1));
            (sum.1 > 0.0).then(|| sum.0 / sum.1)
        };
        let levels = state.layout.levels();
        let zeros = (0..levels).map(|level| {
            state.squares.row(level)[..state.dim()].iter().filter(|x| **x == 0.0).count() as u32
        });
        Ok(Sweep {
            sweep: number,
            loss: squares / entries / 2.0,
            objective: (squares + self.penalty(state, run.ridge)?) / entries / 2.0,
            held_out: of(&|_| true),
            held_out_levels: (0..levels)
                .map(|level| of(&|cell| state.layout.cells[cell].contains(&level)))
                .collect(),
            zeros: zeros.collect(),
            turned: run.turned,
        })
    }

    /// What draws vectors, biases and pairs, in units of the weighted squares over both orders of a pair.
    fn penalty(&self, state: &State, ridge: f64) -> Result<f64, Error> {
        let strengths = self.strengths(ridge);
        let vectors = state.vectors.square();
        let biases: f64 = state
            .biases
            .iter()
            .zip(&*state.prior)
            .map(|(&b, &p)| f64::from(b - p) * f64::from(b - p))
            .sum();
        // A row's equations see each of its pairs once, the objective sees it from both sides.
        let drawn =
            2.0 * (f64::from(strengths.vectors) * vectors + f64::from(strengths.biases) * biases);
        Ok(drawn + self.chance(state)?.map_or(0.0, |chance| chance.value(state)))
    }

    /// The axes are turned, and the weights follow.
    pub(crate) fn turn(&self, run: &mut Run) -> Result<(), Error> {
        let fixed = self.fixed(&run.state)?;
        let total: f64 = self.examples.cell_weights.iter().sum();
        let loss = run.record.sweeps.last().map_or(1.0, |sweep| sweep.loss);
        let noise = 2.0 * loss * self.examples.entries as f64 / total.max(f64::MIN_POSITIVE);
        // Interrupted, it has not touched the state; after it nothing asks whether to stop.
        let found = axes::turn(&mut run.state, self.examples, &fixed, noise, self.work)?;
        run.state.normalise();
        // With one factor the cores say what the weights are.
        if run.state.layout.factors.len() > 1 {
            let fixed = self.fixed(&run.state)?;
            self.steps(&fixed).all(&mut run.state, &mut run.curvatures)?;
            run.state.normalise();
        }
        run.turned = true;
        run.record.off_diagonal =
            found.off_diagonal.into_iter().map(|(cell, share)| CellShare { cell, share }).collect();
        Ok(())
    }

    /// Makes a run that was interrupted stop where these parameters say: of all parameters only
    /// those that bound the run may have changed. A sweep that was begun is always finished.
    pub(crate) fn resume(&self, run: &mut Run) {
        let between = run.blocks == 0 && !run.turned && !run.record.sweeps.is_empty();
        run.record.stopped = if between { self.stopped(run) } else { String::new() };
    }

    /// Sweeps until nothing moves any more.
    pub(crate) fn train(
        &self,
        run: &mut Run,
        mut each: impl FnMut(&Run) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let parameters = self.parameters;
        let aligns = run.state.layout.cells.len() > 1 && parameters.axes > 0;
        while run.record.stopped.is_empty() {
            let done = run.record.sweeps.len() as u32;
            if run.blocks == 0
                && !run.turned
                && aligns
                && done > 0
                && done.is_multiple_of(parameters.axes)
                && done <= TURNS * parameters.axes
            {
                self.turn(run)?;
            }
            self.sweep(run)?;
            let done = done + 1;
            if !run.ridge_settled && done.is_multiple_of(2) {
                ridge::choose(self, run)?;
            }
            self.close(run)?;
            each(run)?;
        }
        Ok(())
    }

    /// Weights that cannot be told from 0 become 0; the last sweep is told again.
    pub(crate) fn prune(&self, run: &mut Run) -> Result<(), Error> {
        let Some(last) = run.record.sweeps.last() else { return Ok(()) };
        let (number, turned, noise) = (last.sweep, last.turned, 2.0 * last.loss);
        if let Some(squares) = self.pruned(run, noise)? {
            let sweep = Sweep { turned, ..self.told(&run.state, number, &squares, run)? };
            run.record.sweeps.pop();
            run.record.sweeps.push(sweep);
        }
        Ok(())
    }

    /// The same, not told. `noise` is the mean of weight · residual².
    pub(crate) fn pruned(&self, run: &mut Run, noise: f64) -> Result<Option<Vec<f64>>, Error> {
        let fixed = self.fixed(&run.state)?;
        self.steps(&fixed).prune(&mut run.state, &mut run.curvatures, noise)
    }

    /// Checks and tells the last sweep, and whether there will be another.
    pub(crate) fn close(&self, run: &mut Run) -> Result<(), Error> {
        if let Some(sweep) = run.record.sweeps.last() {
            if !sweep.loss.is_finite() || !run.state.is_finite() {
                return Err(super::TrainError::NotFinite { sweep: sweep.sweep }.into());
            }
            self.work.observer.sweep(sweep);
        }
        run.record.ridge = run.ridge;
        run.record.stopped = self.stopped(run);
        Ok(())
    }

    fn stopped(&self, run: &Run) -> String {
        let sweeps = &run.record.sweeps;
        if sweeps.len() as u32 >= self.parameters.sweeps {
            return format!("--sweeps {} were done", self.parameters.sweeps);
        }
        // Axes need some turns to settle, whatever the loss says.
        let turns = if run.state.layout.cells.len() > 1 { TURNS } else { 0 };
        let least = 3 + (turns * self.parameters.axes) as usize;
        let [.., before, last] = &sweeps[..] else { return String::new() };
        let unsettled = !run.ridge_settled || ridge::is_new(run);
        if sweeps.len() < least || last.turned || before.turned || unsettled {
            return String::new();
        }
        let falls = |before: f64, after: f64| (before - after) / before.max(f64::MIN_POSITIVE);
        let held = match (before.held_out, last.held_out) {
            (Some(before), Some(after)) => falls(before, after),
            _ => 0.0,
        };
        let most = falls(before.loss, last.loss).max(held);
        if most < self.parameters.tolerance {
            format!(
                "neither loss nor held-out loss fell by {} in a sweep",
                self.parameters.tolerance
            )
        } else {
            String::new()
        }
    }
}

/// A solved row becomes part of the state.
pub(crate) fn store(state: &mut State, word: usize, solved: &Solved) {
    let words = state.words();
    state.vectors.row_mut(word).copy_from_slice(&solved.vector);
    for &(level, bias) in &solved.biases {
        state.biases[level as usize * words + word] = bias;
    }
}
