//! The axis step: turns the dimensions so that levels only reweight them.
//!
//! Sweeps bring the loss down quickly and the axes hardly at all. So every few sweeps each cell may
//! have a full symmetric core instead of a diagonal one; the one change of basis is found that makes
//! all cores as diagonal as can be, and carried into the vectors.

use faer::{Mat, Side};

use super::average;
use super::cores::{self, Fit};
use super::examples::Examples;
use super::rotations;
use super::state::State;
use super::weights::Fixed;
use crate::error::Error;
use crate::work::Work;

/// Words that decide where the levels cannot.
const WORDS: usize = 1024;
/// How much simple words count beside diagonal cores, in units of the noise: where levels are told
/// apart beyond it, they alone decide.
const SIMPLE: f64 = 0.4;
/// Variance that is expected off the diagonals at least.
const LEAST_VARIANCE: f64 = 0.01;

/// What an axis step found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// For every cell with a core: how much of it no choice of axes makes diagonal, as a share.
    pub(crate) off_diagonal: Vec<(u32, f64)>,
}

/// Turns the vectors; weights follow roughly and want a step of their own after. `noise` is the
/// weighted mean of the squared residuals: what it cannot be told from is not turned by. Interrupted,
/// it leaves the state as it was.
pub(crate) fn turn(
    state: &mut State,
    examples: &Examples,
    fixed: &Fixed,
    noise: f64,
    work: &Work<'_>,
) -> Result<Found, Error> {
    let dim = state.dim();
    let Fixed { moments, chance } = fixed;
    let chosen = cores::choose(examples, dim);
    let nothing = Found { off_diagonal: Vec::new() };
    if chosen.len() < 2 || dim < 2 {
        return Ok(nothing);
    }
    let Ok(eigen) = moments.second.self_adjoint_eigen(Side::Lower) else { return Ok(nothing) };
    let basis = Mat::from_fn(dim, dim, |s, e| eigen.U()[(s, e)] as f32);
    let energies: Vec<f32> = (0..dim).map(|e| eigen.S()[e].max(0.0) as f32).collect();
    let (chance, draw) = (chance.as_ref(), (noise / variance(state)) as f32);
    let cores = Fit { state, examples, chosen: &chosen, basis, energies, chance, draw, work };
    let cores = cores.all()?;
    let weights: Vec<f64> = chosen.iter().map(|c| examples.cell_weights[c.cell as usize]).collect();
    let total: f64 = weights.iter().sum();

    // Whiten by the mean core.
    let mean = Mat::from_fn(dim, dim, |s, t| {
        cores.iter().zip(&weights).map(|(core, w)| w * f64::from(core[(s, t)])).sum::<f64>() / total
    });
    let Ok(eigen) = mean.self_adjoint_eigen(Side::Lower) else {
        return Ok(Found { off_diagonal: Vec::new() });
    };
    let largest = (0..dim).map(|e| eigen.S()[e]).fold(0.0, f64::max);
    let roots: Vec<f64> = (0..dim).map(|e| eigen.S()[e].max(1e-4 * largest).sqrt()).collect();
    let whiten = Mat::from_fn(dim, dim, |s, e| eigen.U()[(s, e)] / roots[e]);
    let colour = Mat::from_fn(dim, dim, |s, e| eigen.U()[(s, e)] * roots[e]);
    let white: Vec<Mat<f64>> = cores
        .iter()
        .zip(&weights)
        .map(|(core, weight)| {
            let core = Mat::from_fn(dim, dim, |s, t| f64::from(core[(s, t)]));
            let scale = (weight / total).sqrt();
            whiten.transpose() * core * &whiten * faer::Scale(scale)
        })
        .collect();
    let words = columns(state, &colour, work)?;
    let turned = rotations::diagonalise(&white, words, SIMPLE * noise);

    // Carry it into vectors (v' = U'L'v) and weights.
    let change = &colour * &turned;
    state.vectors = average::multiplied(&state.vectors, &change, work)?;
    let back = &whiten * &turned;
    let moments = change.transpose() * &moments.second * &change;
    let mut found = Vec::new();
    for (i, cell) in chosen.iter().enumerate() {
        let scale = (weights[i] / total).sqrt();
        let core = turned.transpose() * &white[i] * &turned * faer::Scale(1.0 / scale);
        let (mut on, mut off) = (0.0, 0.0);
        for t in 0..dim {
            for s in 0..dim {
                let part = moments[(s, s)] * moments[(t, t)] * core[(s, t)] * core[(s, t)];
                *if s == t { &mut on } else { &mut off } += part;
            }
        }
        found.push((cell.cell, off / (on + off).max(f64::MIN_POSITIVE)));
    }
    for level in 0..state.squares.rows() {
        let old: Vec<f64> = state.squares.row(level)[..dim].iter().map(|&x| f64::from(x)).collect();
        for t in 0..dim {
            let square: f64 = (0..dim).map(|s| back[(s, t)] * back[(s, t)] * old[s]).sum();
            state.squares.row_mut(level)[t] = square.max(0.0) as f32;
        }
    }
    if state.layout.factors.len() == 1 {
        for (i, cell) in chosen.iter().enumerate() {
            let level = state.layout.cells[cell.cell as usize][0];
            let scale = (weights[i] / total).sqrt();
            for t in 0..dim {
                let column = turned.col(t);
                let square: f64 = (column.transpose() * &white[i] * column) / scale;
                state.squares.row_mut(level)[t] = square.max(0.0) as f32;
            }
        }
    }
    state.multiply_squares();
    Ok(Found { off_diagonal: found })
}

/// The vectors of the most common words in whitened coordinates, a column for every axis, each word
/// of length 1: it is the direction of a word that is to be simple.
fn columns(state: &State, colour: &Mat<f64>, work: &Work<'_>) -> Result<Vec<Vec<f32>>, Error> {
    let dim = state.dim();
    let count = state.words().min(WORDS) / rotations::LANES * rotations::LANES;
    let colour = Mat::<f32>::from_fn(dim, dim, |s, t| colour[(s, t)] as f32);
    work.proceed()?;
    let rows = Mat::<f32>::from_fn(count, dim, |word, t| state.vectors.row(word)[t]);
    let mut rows = average::product(rows.as_ref(), colour.as_ref());
    for word in 0..count {
        let norm: f32 = (0..dim).map(|t| rows[(word, t)] * rows[(word, t)]).sum::<f32>().sqrt();
        for t in 0..dim {
            rows[(word, t)] /= norm.max(f32::MIN_POSITIVE);
        }
    }
    Ok((0..dim).map(|t| (0..count).map(|word| rows[(word, t)]).collect()).collect())
}

/// How much the squared weights vary between levels: about as much is expected off the diagonals.
fn variance(state: &State) -> f64 {
    let (levels, dim) = (state.squares.rows(), state.dim());
    let mut sum = 0.0;
    for level in 0..levels {
        for x in &state.squares.row(level)[..dim] {
            sum += libm::pow(f64::from(*x) - 1.0, 2.0);
        }
    }
    (sum / (levels * dim) as f64).max(LEAST_VARIANCE)
}
