//! The axis step: turns the dimensions so that levels only reweight them.
//!
//! Sweeps bring the loss down quickly and the axes hardly at all. So every few sweeps each cell may
//! have a full symmetric core instead of a diagonal one; the one change of basis is found that makes
//! all cores as diagonal as can be, and carried into the vectors.

use faer::{Accum, Mat, MatMut, MatRef, Par, Side};
use pulp::{Simd, WithSimd};

use super::average;
use super::chance::Chance;
use super::examples::{Buffer, Examples, Run};
use super::rotations;
use super::simd::{self, Rows};
use super::state::State;
use super::table::Table;
use super::weights::Fixed;
use crate::error::Error;
use crate::parallel;
use crate::work::Work;

/// Cells that get a core: those with most data.
const MOST_CELLS: usize = 32;
/// Pairs a core is fitted to, for every number in it.
const PAIRS: usize = 40;
/// Steps of conjugate gradients; the average pair's system preconditions them.
const STEPS: usize = 3;
/// Rows that are multiplied together.
const TILE: usize = 128;
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
    let chosen = choose(examples, dim);
    let nothing = Found { off_diagonal: Vec::new() };
    if chosen.len() < 2 || dim < 2 {
        return Ok(nothing);
    }
    let Ok(eigen) = moments.second.self_adjoint_eigen(Side::Lower) else { return Ok(nothing) };
    let basis = Mat::from_fn(dim, dim, |s, e| eigen.U()[(s, e)] as f32);
    let energies: Vec<f32> = (0..dim).map(|e| eigen.S()[e].max(0.0) as f32).collect();
    let draw = (noise / variance(state)) as f32;
    let cores = parallel::tasks(work.threads, chosen.len(), |i| {
        let cell = &chosen[i];
        let (basis, chance) = (basis.as_ref(), chance.as_ref());
        Fit { state, examples, basis, energies: &energies, cell, draw, chance, work }.core()
    })?;
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

/// A cell with the rows its core is fitted to.
struct Chosen {
    cell: u32,
    /// Row, and where its group starts and ends among the row's entries.
    groups: Vec<(u32, u32, u32)>,
}

/// The cells with most data, and in each the longest stretches of the most common words.
fn choose(examples: &Examples, dim: usize) -> Vec<Chosen> {
    let mut cells: Vec<u32> = (0..examples.cell_weights.len() as u32).collect();
    let weight = |cell: u32| examples.cell_weights[cell as usize];
    cells.sort_by(|&a, &b| weight(b).total_cmp(&weight(a)).then(a.cmp(&b)));
    cells.truncate(MOST_CELLS);
    cells.retain(|&cell| weight(cell) > 0.0);
    cells.sort_unstable();
    let mut places = vec![usize::MAX; examples.cell_weights.len()];
    for (place, &cell) in cells.iter().enumerate() {
        places[cell as usize] = place;
    }
    let mut chosen: Vec<Chosen> =
        cells.into_iter().map(|cell| Chosen { cell, groups: Vec::new() }).collect();
    let mut pairs = vec![0; chosen.len()];
    let (least, most) = ((dim / 8).max(1), PAIRS * dim * dim);
    for row in 0..examples.words() {
        let mut start = 0;
        for group in examples.groups(row) {
            let place = places[group.cell as usize];
            let len = (group.end - start) as usize;
            if place != usize::MAX && len >= least && pairs[place] < most {
                chosen[place].groups.push((row as u32, start, group.end));
                // About half of them are in the lower triangle.
                pairs[place] += len.div_ceil(2);
            }
            start = group.end;
        }
    }
    chosen
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

/// The core of one cell.
struct Fit<'a> {
    state: &'a State,
    examples: &'a Examples,
    /// Principal directions of the vectors, and the energy along each.
    basis: MatRef<'a, f32>,
    energies: &'a [f32],
    cell: &'a Chosen,
    /// What draws the core to its diagonal, in units of entry weights.
    draw: f32,
    /// Where pairs that never met count too.
    chance: Option<&'a Chance>,
    work: &'a Work<'a>,
}

impl Fit<'_> {
    /// Conjugate gradients from the diagonal core.
    fn core(&self) -> Result<Mat<f32>, Error> {
        let dim = self.state.dim();
        let squares = self.state.cell_squares.row(self.cell.cell as usize);
        let start = Mat::<f32>::from_fn(dim, dim, |s, t| if s == t { squares[t] } else { 0.0 });
        let (mut rest, weight) = self.pass(start.as_ref(), true)?;
        let draw = self.draw;
        // In proportion to the pairs that are looked at.
        let cell = self.cell.cell as usize;
        let share = weight / self.examples.cell_weights[cell].max(f64::MIN_POSITIVE) as f32;
        let all = self.chance.map(|chance| (chance, chance.apart(cell) * share));
        if let Some((chance, weight)) = all {
            let drawn = chance.core(&(&start - Mat::<f32>::identity(dim, dim)));
            rest -= faer::Scale(weight) * drawn;
        }
        let bends = weight + all.map_or(0.0, |(_, weight)| weight);
        let multiply = average::product;
        // The average pair's system is diagonal in the principal directions.
        let precondition = |rest: &Mat<f32>| {
            let inner =
                multiply(multiply(self.basis.transpose(), rest.as_ref()).as_ref(), self.basis);
            let scaled = Mat::<f32>::from_fn(dim, dim, |s, t| {
                inner[(s, t)] / (bends * self.energies[s] * self.energies[t] + draw)
            });
            multiply(multiply(self.basis, scaled.as_ref()).as_ref(), self.basis.transpose())
        };
        let mut core = start;
        let mut direction = Mat::<f32>::zeros(dim, dim);
        let mut before = 0.0;
        for step in 0..STEPS {
            self.work.proceed()?;
            let towards = precondition(&rest);
            let now = inner(&towards, &rest);
            if now.is_nan() || now <= 0.0 {
                break;
            }
            let ratio = if step == 0 { 0.0 } else { (now / before) as f32 };
            direction = Mat::from_fn(dim, dim, |s, t| towards[(s, t)] + ratio * direction[(s, t)]);
            before = now;
            let (mut image, _) = self.pass(direction.as_ref(), false)?;
            image += faer::Scale(draw) * &direction;
            if let Some((chance, weight)) = all {
                image += faer::Scale(weight) * chance.core(&direction);
            }
            let bend = inner(&direction, &image);
            if bend.is_nan() || bend <= 0.0 {
                break;
            }
            let length = (now / bend) as f32;
            core += faer::Scale(length) * &direction;
            rest -= faer::Scale(length) * &image;
        }
        Ok(core)
    }

    /// With `residual`: Σ f (ln x − biases − v'Bv) vv' and Σ f; without: Σ f (v'Bv) vv'.
    fn pass(&self, core: MatRef<'_, f32>, residual: bool) -> Result<(Mat<f32>, f32), Error> {
        let (state, cell) = (self.state, self.cell.cell as usize);
        let (dim, stride) = (state.dim(), state.vectors.stride());
        let mut buffer = Buffer::default();
        let mut weights = Vec::new();
        let mut rows = Table::new(TILE, dim);
        let mut scaled = Table::new(TILE, dim);
        let mut sums = Table::new(TILE, dim);
        let mut out = Mat::<f32>::zeros(dim, dim);
        let mut weight = 0.0;
        for tile in self.cell.groups.chunks(TILE) {
            for (i, &(row, ..)) in tile.iter().enumerate() {
                rows.row_mut(i).copy_from_slice(state.vectors.row(row as usize));
                sums.row_mut(i).fill(0.0);
            }
            let n = tile.len();
            let used = &rows.all()[..n * stride];
            let tile_rows = MatRef::from_row_major_slice_with_stride(used, n, dim, stride);
            {
                // faer 0.24's own constructor for rows that can be written to mixes up its strides.
                let out = MatMut::from_column_major_slice_with_stride_mut(
                    &mut scaled.all_mut()[..n * stride],
                    dim,
                    n,
                    stride,
                )
                .transpose_mut();
                faer::linalg::matmul::matmul(out, Accum::Replace, tile_rows, core, 1.0, Par::Seq);
            }
            for (i, &(row, start, end)) in tile.iter().enumerate() {
                let entries = self.examples.row(row as usize, &mut buffer)?;
                let range = start as usize..end as usize;
                let run = Run {
                    cols: &entries.cols[range.clone()],
                    targets: &entries.targets[range],
                    weighting: entries.weighting,
                }
                .lower(row);
                weight += pulp::Arch::new().dispatch(Gather {
                    state,
                    row,
                    cell,
                    run,
                    weights: &mut weights,
                    residual,
                    scaled: scaled.row(i),
                    sum: sums.row_mut(i),
                });
            }
            let tile_sums =
                MatRef::from_row_major_slice_with_stride(&sums.all()[..n * stride], n, dim, stride);
            faer::linalg::matmul::matmul(
                &mut out,
                Accum::Add,
                tile_rows.transpose(),
                tile_sums,
                1.0,
                Par::Seq,
            );
        }
        let even = Mat::from_fn(dim, dim, |s, t| (out[(s, t)] + out[(t, s)]) / 2.0);
        Ok((even, weight))
    }
}

struct Gather<'a> {
    state: &'a State,
    row: u32,
    cell: usize,
    run: Run<'a>,
    weights: &'a mut Vec<f32>,
    residual: bool,
    scaled: &'a [f32],
    sum: &'a mut [f32],
}

impl WithSimd for Gather<'_> {
    type Output = f32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f32 {
        let Gather { state, row, cell, run, weights, residual, scaled, sum } = self;
        run.weigh(weights);
        let table = Rows::<S>::new(state.vectors.all(), state.vectors.stride());
        let (scaled, sum) = (S::as_simd_f32s(scaled).0, S::as_mut_simd_f32s(sum).0);
        let own = state.bias(row as usize, cell);
        let mut weight = 0.0;
        simd::fold(simd, table, run.cols, scaled, sum, |at, dot| {
            let col = run.cols[at];
            let times = if col == row { 1.0 } else { 2.0 };
            weight += times * weights[at];
            let left = if residual {
                run.targets[at] - own - state.bias(col as usize, cell) - dot
            } else {
                dot
            };
            times * weights[at] * left
        });
        weight
    }
}

fn inner(a: &Mat<f32>, b: &Mat<f32>) -> f64 {
    let mut sum = 0.0;
    for t in 0..a.ncols() {
        for s in 0..a.nrows() {
            sum += f64::from(a[(s, t)]) * f64::from(b[(s, t)]);
        }
    }
    sum
}
