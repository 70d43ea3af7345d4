//! Full symmetric cores: what cells would make of the dimensions if they could do more than reweight them.
//!
//! A cell's core B minimises Σ f (ln x − biases − v'Bv)² over the pairs of its most common words, drawn to its diagonal. All cells
//! are fitted side by side, by a few steps of conjugate gradients from the diagonal; each pass over their pairs is shared
//! between the threads in parts that hang on the pairs alone.

use faer::{Accum, Mat, MatMut, MatRef, Par};
use pulp::{Simd, WithSimd};

use super::average::product;
use super::chance::Chance;
use super::examples::{Buffer, Examples, Run};
use super::simd::{self, Rows};
use super::state::State;
use super::table::Table;
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
/// Parts of a cell's pairs that threads take, at most.
const PARTS: usize = 4;

/// A cell with the rows its core is fitted to.
pub(crate) struct Chosen {
    pub(crate) cell: u32,
    /// Row, and where its group starts and ends among the row's entries.
    groups: Vec<(u32, u32, u32)>,
}

/// The cells with most data, and in each the longest stretches of the most common words.
pub(crate) fn choose(examples: &Examples, dim: usize) -> Vec<Chosen> {
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

/// What the cores are fitted with.
pub(crate) struct Fit<'a> {
    pub(crate) state: &'a State,
    pub(crate) examples: &'a Examples,
    pub(crate) chosen: &'a [Chosen],
    /// Principal directions of the vectors, and the energy along each.
    pub(crate) basis: Mat<f32>,
    pub(crate) energies: Vec<f32>,
    /// Where pairs that never met count too.
    pub(crate) chance: Option<&'a Chance>,
    /// What draws a core to its diagonal, in units of entry weights.
    pub(crate) draw: f32,
    pub(crate) work: &'a Work<'a>,
}

/// What a pass over the pairs adds up, v being the words' vectors and B a core.
#[derive(Clone, Copy, PartialEq)]
enum Ask {
    /// Σ f (ln x − biases − v'Bv) vv', and Σ f.
    Rest,
    /// Σ f (v'Bv) vv'.
    Image,
    /// Σ f (v'Bv)² alone.
    Bend,
}

/// What it found: the matrix, and the number.
type Answer = (Mat<f32>, f32);

/// How far the fit of a cell's core is.
struct Search {
    core: Mat<f32>,
    rest: Mat<f32>,
    direction: Mat<f32>,
    /// The preconditioned square of the rest one step before.
    before: f64,
    /// What the pairs weigh together, and those that never met.
    weight: f32,
    drawn: f32,
    done: bool,
}

impl Fit<'_> {
    /// The core of every chosen cell.
    pub(crate) fn all(&self) -> Result<Vec<Mat<f32>>, Error> {
        let dim = self.state.dim();
        let diagonal = |cell: u32| {
            let squares = self.state.cell_squares.row(cell as usize);
            Mat::<f32>::from_fn(dim, dim, |s, t| if s == t { squares[t] } else { 0.0 })
        };
        let starts: Vec<_> = self.chosen.iter().map(|chosen| diagonal(chosen.cell)).collect();
        let rests = self.passes(&starts, Ask::Rest)?;
        let mut searches: Vec<Search> = starts
            .into_iter()
            .zip(rests)
            .zip(self.chosen)
            .map(|((core, (rest, weight)), chosen)| self.search(core, rest, weight, chosen.cell))
            .collect();
        for step in 0..STEPS {
            self.work.proceed()?;
            let aims =
                parallel::tasks(self.work.threads, searches.len(), |i| Ok(self.aim(&searches[i])))?;
            for (search, aim) in searches.iter_mut().zip(&aims) {
                search.turn(aim, step);
            }
            let directions: Vec<_> = searches.iter().map(|s| s.direction.clone()).collect();
            // Of the last step only how far it goes is needed.
            let ask = if step + 1 == STEPS { Ask::Bend } else { Ask::Image };
            let met = self.passes(&directions, ask)?;
            let drawn = parallel::tasks(self.work.threads, searches.len(), |i| {
                Ok(self.drawn(&searches[i]))
            })?;
            for ((search, met), drawn) in searches.iter_mut().zip(met).zip(drawn) {
                let bend = if ask == Ask::Bend { f64::from(met.1) } else { 0.0 };
                search.advance(&(met.0 + drawn), bend);
            }
        }
        Ok(searches.into_iter().map(|search| search.core).collect())
    }

    fn search(&self, core: Mat<f32>, mut rest: Mat<f32>, weight: f32, cell: u32) -> Search {
        let (dim, cell) = (self.state.dim(), cell as usize);
        // In proportion to the pairs that are looked at.
        let share = weight / self.examples.cell_weights[cell].max(f64::MIN_POSITIVE) as f32;
        let drawn = self.chance.map_or(0.0, |chance| chance.apart(cell) * share);
        if let Some(chance) = self.chance {
            rest -= faer::Scale(drawn) * chance.core(&(&core - Mat::<f32>::identity(dim, dim)));
        }
        let direction = Mat::zeros(dim, dim);
        Search { core, rest, direction, before: 0.0, weight, drawn, done: false }
    }

    /// The preconditioned rest: the average pair's system is diagonal in the principal directions.
    fn aim(&self, search: &Search) -> Mat<f32> {
        let (dim, basis) = (self.state.dim(), self.basis.as_ref());
        let inner = product(basis.transpose(), search.rest.as_ref());
        let inner = product(inner.as_ref(), basis);
        let bends = search.weight + search.drawn;
        let scaled = Mat::<f32>::from_fn(dim, dim, |s, t| {
            inner[(s, t)] / (bends * self.energies[s] * self.energies[t] + self.draw)
        });
        product(product(basis, scaled.as_ref()).as_ref(), basis.transpose())
    }

    /// What all that draws a core makes of the direction.
    fn drawn(&self, search: &Search) -> Mat<f32> {
        let mut image = faer::Scale(self.draw) * &search.direction;
        if let Some(chance) = self.chance {
            image += faer::Scale(search.drawn) * chance.core(&search.direction);
        }
        image
    }

    /// One pass over the pairs of all cells, each with a core of its own.
    fn passes(&self, cores: &[Mat<f32>], ask: Ask) -> Result<Vec<Answer>, Error> {
        let dim = self.state.dim();
        let mut parts = Vec::new();
        for (place, chosen) in self.chosen.iter().enumerate() {
            let size = chosen.groups.len().div_ceil(PARTS).next_multiple_of(TILE);
            parts.extend(chosen.groups.chunks(size.max(1)).map(|groups| (place, groups)));
        }
        let found = parallel::map(
            self.work.threads,
            parts.len(),
            &mut Vec::new(),
            || Desk::new(dim),
            |desk, i| {
                let (place, groups) = parts[i];
                self.part(place, groups, cores[place].as_ref(), ask, desk)
            },
        )?;
        let mut all = vec![(Mat::<f32>::zeros(dim, dim), 0.0); cores.len()];
        for ((place, _), (sum, number)) in parts.into_iter().zip(found) {
            all[place].0 += sum;
            all[place].1 += number;
        }
        let even =
            |out: &Mat<f32>| Mat::from_fn(dim, dim, |s, t| (out[(s, t)] + out[(t, s)]) / 2.0);
        Ok(all.into_iter().map(|(out, number)| (even(&out), number)).collect())
    }

    fn part(
        &self,
        place: usize,
        groups: &[(u32, u32, u32)],
        core: MatRef<'_, f32>,
        ask: Ask,
        desk: &mut Desk,
    ) -> Result<Answer, Error> {
        let (state, cell) = (self.state, self.chosen[place].cell as usize);
        let (dim, stride) = (state.dim(), state.vectors.stride());
        let Desk { buffer, weights, rows, scaled, sums } = desk;
        let mut out = Mat::<f32>::zeros(dim, dim);
        let mut number = 0.0;
        for tile in groups.chunks(TILE) {
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
                let entries = self.examples.row(row as usize, buffer)?;
                let range = start as usize..end as usize;
                let run = Run {
                    cols: &entries.cols[range.clone()],
                    targets: &entries.targets[range],
                    weighting: entries.weighting,
                }
                .lower(row);
                let (scaled, sum) = (scaled.row(i), sums.row_mut(i));
                let gather = Gather { state, row, cell, run, weights, ask, scaled, sum };
                number += pulp::Arch::new().dispatch(gather);
            }
            if ask == Ask::Bend {
                continue;
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
        Ok((out, number))
    }
}

impl Search {
    /// The next direction: towards the aim, conjugate to the one before.
    fn turn(&mut self, aim: &Mat<f32>, step: usize) {
        let now = inner(aim, &self.rest);
        self.done |= now.is_nan() || now <= 0.0;
        let ratio = if step == 0 { 0.0 } else { (now / self.before) as f32 };
        self.direction = Mat::from_fn(aim.nrows(), aim.ncols(), |s, t| {
            aim[(s, t)] + ratio * self.direction[(s, t)]
        });
        self.before = now;
    }

    /// As far as the direction is good for: `image` is what the system makes of it, but for what bends by `more` along it.
    fn advance(&mut self, image: &Mat<f32>, more: f64) {
        let bend = more + inner(&self.direction, image);
        self.done |= bend.is_nan() || bend <= 0.0;
        if !self.done {
            let length = (self.before / bend) as f32;
            self.core += faer::Scale(length) * &self.direction;
            self.rest -= faer::Scale(length) * image;
        }
    }
}

/// What a thread needs.
struct Desk {
    buffer: Buffer,
    weights: Vec<f32>,
    rows: Table,
    scaled: Table,
    sums: Table,
}

impl Desk {
    fn new(dim: usize) -> Self {
        let table = || Table::new(TILE, dim);
        let (buffer, weights) = (Buffer::default(), Vec::new());
        Self { buffer, weights, rows: table(), scaled: table(), sums: table() }
    }
}

struct Gather<'a> {
    state: &'a State,
    row: u32,
    cell: usize,
    run: Run<'a>,
    weights: &'a mut Vec<f32>,
    ask: Ask,
    scaled: &'a [f32],
    sum: &'a mut [f32],
}

impl WithSimd for Gather<'_> {
    type Output = f32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f32 {
        let Gather { state, row, cell, run, weights, ask, scaled, sum } = self;
        run.weigh(weights);
        let table = Rows::<S>::new(state.vectors.all(), state.vectors.stride());
        let (scaled, sum) = (S::as_simd_f32s(scaled).0, S::as_mut_simd_f32s(sum).0);
        // Every pair stands for both its orders, but a word with itself.
        let weight = |at: usize| weights[at] * if run.cols[at] == row { 1.0 } else { 2.0 };
        let mut number = 0.0;
        match ask {
            Ask::Rest => {
                let own = state.bias(row as usize, cell);
                simd::fold(simd, table, run.cols, scaled, sum, |at, dot| {
                    let biases = own + state.bias(run.cols[at] as usize, cell);
                    number += weight(at);
                    weight(at) * (run.targets[at] - biases - dot)
                });
            }
            Ask::Image => {
                simd::fold(simd, table, run.cols, scaled, sum, |at, dot| weight(at) * dot);
            }
            Ask::Bend => simd::each_dot(simd, table, run.cols, scaled, |at, dot| {
                number += weight(at) * dot * dot;
            }),
        }
        number
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
