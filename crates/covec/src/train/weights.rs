//! The step of the levels' weights.
//!
//! With all else fixed the objective is quadratic in the squared weights of one factor's levels,
//! which must not fall below 0. A model of its curvature (the average pair of words) says where the
//! minimum should be, zeros exact; one more pass over the data says how far to go there, so the
//! objective never rises.

use std::ops::Range;

use faer::linalg::solvers::DenseSolveCore;
use faer::{Mat, Side};

use super::average::Moments;
use super::chance::Chance;
use super::examples::Examples;
use super::loss::{self, Slope};
use super::parameters::TrainParameters;
use super::state::State;
use super::table::Table;
use crate::error::Error;
use crate::parallel;
use crate::work::Work;

/// Standard errors from 0 within which a squared weight cannot be told from 0.
const ERRORS: f64 = 3.0;
/// A squared weight below this share of the average level's is 0 in all but name.
const NEXT_TO_NOTHING: f64 = 1e-3;

/// How strongly squared weights are drawn, in units of the noise: the inverse of the variance that
/// is expected of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draw {
    /// To 1.
    pub(crate) ridge: f64,
    /// To the neighbouring level of an ordered factor.
    pub(crate) tie: f64,
}

impl Draw {
    /// As the parameters have it.
    pub(crate) fn new(parameters: &TrainParameters) -> Self {
        Self { ridge: parameters.ridge_weights, tie: parameters.tie }
    }
}

/// The vectors, which stay where they are while weights move.
#[derive(Debug)]
pub(crate) struct Fixed {
    pub(crate) moments: Moments,
    /// Where pairs that never met count too.
    pub(crate) chance: Option<Chance>,
}

/// What the weights' steps are made with. `curvatures` says by how much the model of each level
/// underrates its curvature and is learnt from step to step; every step returns the weighted squares
/// by cell after it.
#[derive(Clone, Copy)]
pub(crate) struct Steps<'a> {
    pub(crate) examples: &'a Examples,
    pub(crate) fixed: &'a Fixed,
    pub(crate) draw: Draw,
    pub(crate) work: &'a Work<'a>,
}

impl Steps<'_> {
    /// Moves the weights of all levels, factor after factor.
    pub(crate) fn all(&self, state: &mut State, curvatures: &mut [f64]) -> Result<Vec<f64>, Error> {
        let mut squares = Vec::new();
        for factor in 0..state.layout.factors.len() {
            squares = self.factor(state, factor, curvatures, &|_| true)?;
        }
        Ok(squares)
    }

    /// Moves the weights of one factor's levels that are `free`; the others stay as they are.
    pub(crate) fn factor(
        &self,
        state: &mut State,
        factor: usize,
        curvatures: &mut [f64],
        free: &(dyn Fn(usize) -> bool + Sync),
    ) -> Result<Vec<f64>, Error> {
        self.step(state, factor, curvatures, free, false)
    }

    /// Weights that cannot be told from 0, given the noise (see [`Slope::noise`]), become 0, and the others make up for it. Nothing
    /// comes back where no factor has weights that could move.
    pub(crate) fn prune(
        &self,
        state: &mut State,
        curvatures: &mut [f64],
        noise: f64,
    ) -> Result<Option<Vec<f64>>, Error> {
        let mut squares = None;
        for factor in 0..state.layout.factors.len() {
            let (levels, _) = state.layout.factors[factor].clone();
            if levels.len() < 2 {
                continue;
            }
            let task = self.task(state, noise, levels.clone(), 0.0, false);
            let small = self.by_level(&levels, |level| {
                let (mut matrix, now) = (task.bends(level, curvatures[level]), task.now(level));
                (0..now.len()).for_each(|t| matrix[(t, t)] += task.ridge);
                let Ok(factor) = matrix.llt(Side::Lower) else {
                    return vec![false; now.len()];
                };
                let inverse = factor.inverse();
                // The objective sees every pair from both sides, chance only once.
                let is_small = |t: usize| {
                    let error = (2.0 * noise * inverse[(t, t)]).sqrt();
                    now[t] < (ERRORS * error).max(NEXT_TO_NOTHING)
                };
                (0..now.len()).map(is_small).collect::<Vec<bool>>()
            })?;
            for (level, small) in levels.zip(small) {
                for (x, small) in state.squares.row_mut(level).iter_mut().zip(small) {
                    if small {
                        *x = 0.0;
                    }
                }
            }
            state.multiply_squares();
            squares = Some(self.step(state, factor, curvatures, &|_| true, true)?);
        }
        Ok(squares)
    }

    /// Loss of the pairs that met with the slope of all; and the slope along every cell's weights of those that met alone.
    fn slope(&self, state: &State) -> Result<(Slope, Vec<Vec<f64>>), Error> {
        let mut slope = loss::slope(state, self.examples, self.work)?;
        let met = slope.downhill.clone();
        if let Some(chance) = &self.fixed.chance {
            for (cell, downhill) in slope.downhill.iter_mut().enumerate() {
                let more = chance.downhill(state, cell);
                downhill.iter_mut().zip(more).for_each(|(slope, more)| *slope += more);
            }
        }
        Ok((slope, met))
    }

    /// What `of` says of every level.
    fn by_level<R: Send>(
        &self,
        levels: &Range<usize>,
        of: impl Fn(usize) -> R + Sync,
    ) -> Result<Vec<R>, Error> {
        parallel::tasks(self.work.threads, levels.len(), |i| Ok(of(levels.start + i)))
    }

    fn task<'a>(
        &'a self,
        state: &'a State,
        noise: f64,
        levels: Range<usize>,
        tie: f64,
        pinned: bool,
    ) -> Task<'a> {
        let (examples, fixed) = (self.examples, self.fixed);
        let (ridge, tie) = (self.draw.ridge * noise, tie * noise);
        Task { state, examples, fixed, levels, ridge, tie, pinned }
    }

    fn step(
        &self,
        state: &mut State,
        factor: usize,
        curvatures: &mut [f64],
        free: &(dyn Fn(usize) -> bool + Sync),
        pinned: bool,
    ) -> Result<Vec<f64>, Error> {
        let (slope, met) = self.slope(state)?;
        let (levels, ordered) = state.layout.factors[factor].clone();
        if levels.len() < 2 {
            return Ok(slope.squares);
        }
        let tie = if ordered { self.draw.tie } else { 0.0 };
        let task = self.task(state, slope.noise(self.examples), levels.clone(), tie, pinned);
        let targets = self.by_level(&levels, |level| {
            if free(level) {
                task.target(level, curvatures[level], &slope)
            } else {
                task.now(level)
            }
        })?;

        // How far to go: the quadratic along the direction, exactly.
        let dim = state.dim();
        let mut directions = Table::new(state.layout.cells.len(), dim);
        for (cell, cell_levels) in state.layout.cells.iter().enumerate() {
            let level = cell_levels[factor];
            let others = state.other_squares(cell, level);
            let target = &targets[level - levels.start];
            for t in 0..dim {
                let apart = target[t] - f64::from(state.squares.row(level)[t]);
                directions.row_mut(cell)[t] = others[t] * apart as f32;
            }
        }
        let bends = loss::bend(state, self.examples, &directions, self.work)?;
        let mut lengths = vec![(0.0, 0.0); levels.len()];
        let mut by_cell = Vec::new();
        for (cell, cell_levels) in state.layout.cells.iter().enumerate() {
            let direction = directions.row(cell);
            let along = |slope: &[f64]| -> f64 {
                slope.iter().zip(direction).map(|(slope, x)| slope * f64::from(*x)).sum()
            };
            // Of the pairs that met alone: what the loss tells.
            by_cell.push((along(&met[cell]), bends[cell]));
            let sums = &mut lengths[cell_levels[factor] - levels.start];
            sums.0 += along(&slope.downhill[cell]);
            sums.1 += bends[cell];
            if let Some(chance) = &self.fixed.chance {
                sums.1 += chance.bend(cell, direction);
            }
        }
        for (i, level) in levels.clone().enumerate() {
            let (slope, bend) = task.penalties(level, &targets);
            lengths[i].0 += slope;
            lengths[i].1 += bend;
        }
        if tie > 0.0 {
            // Tied levels move together.
            let all = lengths.iter().fold((0.0, 0.0), |sum, x| (sum.0 + x.0, sum.1 + x.1));
            lengths.fill(all);
        }
        let reach: Vec<f64> = lengths
            .iter()
            .map(|&(slope, bend)| if bend > 0.0 && slope > 0.0 { slope / bend } else { 0.0 })
            .collect();
        let mut squares = slope.squares;
        for (cell, cell_levels) in state.layout.cells.iter().enumerate() {
            let length = reach[cell_levels[factor] - levels.start].min(1.0);
            squares[cell] += length * (length * by_cell[cell].1 - 2.0 * by_cell[cell].0);
        }
        for (i, level) in levels.clone().enumerate().filter(|&(_, level)| free(level)) {
            let length = reach[i].min(1.0);
            for (x, target) in state.squares.row_mut(level)[..dim].iter_mut().zip(&targets[i]) {
                // A whole step lands on exact zeros.
                *x = if length == 1.0 {
                    *target as f32
                } else {
                    (f64::from(*x) + length * (target - f64::from(*x))).max(0.0) as f32
                };
            }
            if reach[i] > 0.0 {
                curvatures[level] =
                    (curvatures[level] / reach[i].clamp(0.5, 2.0)).clamp(0.1, 100.0);
            }
        }
        state.multiply_squares();
        Ok(squares)
    }
}

struct Task<'a> {
    state: &'a State,
    examples: &'a Examples,
    fixed: &'a Fixed,
    levels: Range<usize>,
    ridge: f64,
    tie: f64,
    pinned: bool,
}

impl Task<'_> {
    /// Where the model's minimum is; what is 0 and pinned stays there.
    fn target(&self, level: usize, curvature: f64, slope: &Slope) -> Vec<f64> {
        let now = self.now(level);
        let (matrix, slope) = self.model(level, curvature, slope, &now);
        let pinned: Vec<bool> = now.iter().map(|&x| self.pinned && x == 0.0).collect();
        nonnegative(&matrix, &slope, &pinned, now)
    }

    /// The cells of a level, and of each what the other levels make of its squared weights.
    fn cells(&self, level: usize) -> impl Iterator<Item = (usize, Vec<f32>)> {
        let cells = self.state.layout.cells.iter().enumerate();
        cells
            .filter(move |(_, levels)| levels.contains(&level))
            .map(move |(cell, _)| (cell, self.state.other_squares(cell, level)))
    }

    /// How the level's objective bends, but for what draws the weights.
    fn bends(&self, level: usize, curvature: f64) -> Mat<f64> {
        let dim = self.state.dim();
        let moments = &self.fixed.moments.second;
        let mut matrix = Mat::<f64>::zeros(dim, dim);
        for (cell, others) in self.cells(level) {
            let chance = self.fixed.chance.as_ref();
            let weight = self.examples.cell_weights[cell] * curvature
                + chance.map_or(0.0, |chance| f64::from(chance.apart(cell)));
            for t in 0..dim {
                for s in 0..dim {
                    let other = f64::from(others[s]) * f64::from(others[t]);
                    matrix[(s, t)] += weight * other * moments[(s, t)] * moments[(s, t)];
                }
            }
        }
        matrix
    }

    /// The model of a level's objective, ½ x'Ax − b'x, about where the level stands.
    fn model(
        &self,
        level: usize,
        curvature: f64,
        downhill: &Slope,
        now: &[f64],
    ) -> (Mat<f64>, Vec<f64>) {
        let dim = self.state.dim();
        let mut matrix = self.bends(level, curvature);
        let mut slope = vec![0.0; dim];
        for (cell, others) in self.cells(level) {
            for t in 0..dim {
                slope[t] += downhill.downhill[cell][t] * f64::from(others[t]);
            }
        }
        for t in 0..dim {
            let bent: f64 = (0..dim).map(|s| matrix[(s, t)] * now[s]).sum();
            slope[t] += bent;
        }
        for t in 0..dim {
            matrix[(t, t)] += self.ridge;
            slope[t] += self.ridge;
            for neighbour in self.neighbours(level) {
                matrix[(t, t)] += self.tie;
                slope[t] += self.tie * f64::from(self.state.squares.row(neighbour)[t]);
            }
        }
        (matrix, slope)
    }

    /// Where the level stands.
    fn now(&self, level: usize) -> Vec<f64> {
        let row = &self.state.squares.row(level)[..self.state.dim()];
        row.iter().map(|&x| f64::from(x)).collect()
    }

    fn neighbours(&self, level: usize) -> impl Iterator<Item = usize> {
        let tied = self.tie > 0.0;
        let below = (tied && level > self.levels.start).then(|| level - 1);
        let above = (tied && level + 1 < self.levels.end).then_some(level + 1);
        below.into_iter().chain(above)
    }

    /// Half the downhill slope and the bend of what draws the weights, along the way of the level
    /// to its target. Of a tie's bend each end bears its half.
    fn penalties(&self, level: usize, targets: &[Vec<f64>]) -> (f64, f64) {
        let squares = |level: usize, t: usize| f64::from(self.state.squares.row(level)[t]);
        let way =
            |level: usize, t: usize| targets[level - self.levels.start][t] - squares(level, t);
        let (mut slope, mut bend) = (0.0, 0.0);
        for t in 0..self.state.dim() {
            slope += self.ridge * (1.0 - squares(level, t)) * way(level, t);
            bend += self.ridge * way(level, t) * way(level, t);
            for other in self.neighbours(level) {
                let apart = way(level, t) - way(other, t);
                slope += self.tie * (squares(other, t) - squares(level, t)) * apart / 2.0;
                bend += self.tie * apart * apart / 2.0;
            }
        }
        (slope, bend)
    }
}

/// The least of ½ x'Ax − b'x over x ≥ 0, coordinate after coordinate; pinned ones stay.
fn nonnegative(matrix: &Mat<f64>, slope: &[f64], pinned: &[bool], start: Vec<f64>) -> Vec<f64> {
    const ROUNDS: usize = 500;
    let dim = slope.len();
    let mut x = start;
    let mut rest: Vec<f64> =
        (0..dim).map(|t| slope[t] - (0..dim).map(|s| matrix[(s, t)] * x[s]).sum::<f64>()).collect();
    for _ in 0..ROUNDS {
        let mut moved = 0.0_f64;
        for t in 0..dim {
            let bend = matrix[(t, t)];
            if bend <= 0.0 || pinned[t] {
                continue;
            }
            let to = (x[t] + rest[t] / bend).max(0.0);
            let by = to - x[t];
            if by != 0.0 {
                for (rest, s) in rest.iter_mut().zip(0..dim) {
                    *rest -= matrix[(s, t)] * by;
                }
                x[t] = to;
                moved = moved.max(by.abs());
            }
        }
        if moved < 1e-7 {
            break;
        }
    }
    x
}
