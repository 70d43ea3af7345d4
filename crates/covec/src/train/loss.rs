//! The objective, and its slope along the levels' weights: one pass over every pair.

use pulp::{Simd, WithSimd};

use super::examples::{Buffer, Examples, Held, Row};
use super::met::Met;
use super::simd::{self, Rows};
use super::state::State;
use super::table::Table;
use crate::error::Error;
use crate::parallel;
use crate::work::Work;

/// Sums over all entries, both orders of a pair, by cell.
#[derive(Debug, Clone)]
pub(crate) struct Slope {
    /// Weighted squares of the residuals.
    pub(crate) squares: Vec<f64>,
    /// Half the downhill slope along the cells' squared weights: a row for every cell.
    pub(crate) downhill: Vec<Vec<f64>>,
}

impl Slope {
    /// The mean of weight · residual²: what is left unexplained of an entry.
    pub(crate) fn noise(&self, examples: &Examples) -> f64 {
        self.squares.iter().sum::<f64>() / examples.entries.max(1) as f64
    }
}

/// Loss and slope where the state stands.
pub(crate) fn slope(state: &State, examples: &Examples, work: &Work<'_>) -> Result<Slope, Error> {
    let cells = state.layout.cells.len();
    let begin = || (vec![0.0; cells], Table::new(cells, state.dim()));
    let parts = stretches(state, examples, work, begin, |desk, (squares, downhill), row, word| {
        let Desk { rows: [scaled, sum], factors, weights, .. } = desk;
        pulp::Arch::new().dispatch(Visit {
            state,
            row,
            word,
            scaled,
            sum,
            downhill,
            squares,
            factors,
            weights,
        });
    })?;
    let mut all =
        Slope { squares: vec![0.0; cells], downhill: vec![vec![0.0; state.dim()]; cells] };
    for (squares, downhill) in parts {
        for (cell, part) in squares.into_iter().enumerate() {
            all.squares[cell] += part;
            for (sum, x) in all.downhill[cell].iter_mut().zip(downhill.row(cell)) {
                *sum += f64::from(*x);
            }
        }
    }
    Ok(all)
}

/// Visits every row; sums are begun anew for each stretch of them, and come back in order.
fn stretches<T: Send>(
    state: &State,
    examples: &Examples,
    work: &Work<'_>,
    begin: impl Fn() -> T + Sync,
    visit: impl Fn(&mut Desk, &mut T, Row<'_>, usize) + Sync,
) -> Result<Vec<T>, Error> {
    let stretches = examples.stretches();
    parallel::map(
        work.threads,
        stretches.len(),
        &mut Vec::new(),
        || Desk::new(state),
        |desk, task| {
            let mut sums = begin();
            let mut buffer = std::mem::take(&mut desk.buffer);
            for word in stretches[task].clone() {
                visit(desk, &mut sums, examples.row(word, &mut buffer)?, word);
            }
            desk.buffer = buffer;
            Ok(sums)
        },
    )
}

struct Desk {
    buffer: Buffer,
    rows: [Table; 2],
    factors: Vec<f32>,
    weights: Vec<f32>,
}

impl Desk {
    fn new(state: &State) -> Self {
        let rows = std::array::from_fn(|_| Table::new(1, state.dim()));
        Self { buffer: Buffer::default(), rows, factors: Vec::new(), weights: Vec::new() }
    }
}

struct Visit<'a> {
    state: &'a State,
    row: Row<'a>,
    word: usize,
    scaled: &'a mut Table,
    sum: &'a mut Table,
    downhill: &'a mut Table,
    squares: &'a mut [f64],
    factors: &'a mut Vec<f32>,
    weights: &'a mut Vec<f32>,
}

impl WithSimd for Visit<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Visit { state, row, word, scaled, sum, downhill, squares, factors, weights } = self;
        let stride = state.vectors.stride();
        let table = Rows::<S>::new(state.vectors.all(), stride);
        let cells = Rows::<S>::new(state.cell_squares.all(), stride);
        let scaled = S::as_mut_simd_f32s(scaled.all_mut()).0;
        let sum = S::as_mut_simd_f32s(sum.all_mut()).0;
        let own = table.row(word);
        for (cell, run) in row.iter() {
            let run = run.lower(word as u32);
            if run.cols.is_empty() {
                continue;
            }
            simd::times(simd, own, cells.row(cell), scaled);
            sum.fill(simd.splat_f32s(0.0));
            run.without_biases(state, word, cell, factors);
            run.weigh(weights);
            let mut total = 0.0_f64;
            simd::fold(simd, table, run.cols, scaled, sum, |at, dot| {
                let residual = factors[at] - dot;
                // Every pair stands for both its orders, but a word with itself.
                let times = if run.cols[at] as usize == word { 1.0 } else { 2.0 };
                let factor = times * weights[at] * residual;
                total += f64::from(factor * residual);
                factor
            });
            squares[cell] += total;
            let out = S::as_mut_simd_f32s(downhill.row_mut(cell)).0;
            simd::add_times(simd, own, sum, out);
        }
    }
}

/// How the weighted squares would bend along a direction of the cells' squared weights, by cell.
pub(crate) fn bend(
    state: &State,
    examples: &Examples,
    directions: &Table,
    work: &Work<'_>,
) -> Result<Vec<f64>, Error> {
    let cells = state.layout.cells.len();
    let parts = stretches(
        state,
        examples,
        work,
        || vec![0.0; cells],
        |desk, sums, row, word| {
            let Desk { rows: [scaled, _], weights, .. } = desk;
            pulp::Arch::new().dispatch(Bend {
                state,
                row,
                word,
                scaled,
                weights,
                directions,
                sums,
            });
        },
    )?;
    let mut all = vec![0.0; cells];
    for part in parts {
        for (sum, x) in all.iter_mut().zip(part) {
            *sum += x;
        }
    }
    Ok(all)
}

struct Bend<'a> {
    state: &'a State,
    row: Row<'a>,
    word: usize,
    scaled: &'a mut Table,
    weights: &'a mut Vec<f32>,
    directions: &'a Table,
    sums: &'a mut [f64],
}

impl WithSimd for Bend<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Bend { state, row, word, scaled, weights, directions, sums } = self;
        let stride = state.vectors.stride();
        let table = Rows::<S>::new(state.vectors.all(), stride);
        let directions = Rows::<S>::new(directions.all(), stride);
        let scaled = S::as_mut_simd_f32s(scaled.all_mut()).0;
        for (cell, run) in row.iter() {
            let run = run.lower(word as u32);
            simd::times(simd, table.row(word), directions.row(cell), scaled);
            run.weigh(weights);
            let mut total = 0.0_f64;
            simd::each_dot(simd, table, run.cols, scaled, |at, dot| {
                let times = if run.cols[at] as usize == word { 1.0 } else { 2.0 };
                total += f64::from(times * weights[at] * dot * dot);
            });
            sums[cell] += total;
        }
    }
}

/// Weighted squares of the residuals of held-out pairs and the sum of their weights, by cell.
pub(crate) fn held_out(
    state: &State,
    examples: &Examples,
    met: &Met,
    work: &Work<'_>,
) -> Result<Vec<(f64, f64)>, Error> {
    let held = &examples.held;
    missed(state, &state.vectors, met, held.len(), |place| Some(&held[place]), work)
}

/// The same of `count` pairs that may be held out, with these vectors.
pub(crate) fn missed<'h>(
    state: &State,
    vectors: &Table,
    met: &Met,
    count: usize,
    pair: impl Fn(usize) -> Option<&'h Held> + Sync,
    work: &Work<'_>,
) -> Result<Vec<(f64, f64)>, Error> {
    const STRETCH: usize = 1 << 13;
    let cells = state.layout.cells.len();
    let parts = parallel::tasks(work.threads, count.div_ceil(STRETCH), |task| {
        let mut sums = vec![(0.0, 0.0); cells];
        let places = task * STRETCH..count.min((task + 1) * STRETCH);
        pulp::Arch::new().dispatch(|| {
            for held in places.filter_map(&pair) {
                let (square, weight) = held.missed(state, vectors, met);
                let sum: &mut (f64, f64) = &mut sums[held.cell as usize];
                sum.0 += square;
                sum.1 += weight;
            }
        });
        Ok(sums)
    })?;
    let mut all = vec![(0.0, 0.0); cells];
    for part in parts {
        for (sum, part) in all.iter_mut().zip(part) {
            sum.0 += part.0;
            sum.1 += part.1;
        }
    }
    Ok(all)
}

/// The sums of all cells.
pub(crate) fn together(by_cell: &[(f64, f64)]) -> (f64, f64) {
    by_cell.iter().fold((0.0, 0.0), |sum, cell| (sum.0 + cell.0, sum.1 + cell.1))
}
