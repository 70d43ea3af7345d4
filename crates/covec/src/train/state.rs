//! The parameters while they are fitted.

use std::num::NonZeroUsize;
use std::sync::Arc;

use super::parameters::{Start, TrainParameters};
use super::table::{LANES, Table};
use crate::lots::{End, Lots, Stream};
use crate::parallel;
use crate::tensor::Covariates;

/// Which levels make up which cell.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// For every cell, its levels among all levels: one of each factor.
    pub(crate) cells: Vec<Vec<usize>>,
    /// For every factor, its levels among all levels, and whether they have an order.
    pub(crate) factors: Vec<(std::ops::Range<usize>, bool)>,
}

impl Layout {
    /// One level, which is the only cell.
    pub(crate) fn one() -> Self {
        Self { cells: vec![vec![0]], factors: vec![(0..1, false)] }
    }

    /// A tensor without factors has one level.
    pub(crate) fn new(covariates: &Covariates) -> Self {
        if covariates.factors.is_empty() {
            let cells = vec![vec![0]; covariates.cells.len()];
            return Self { cells, factors: vec![(0..1, false)] };
        }
        let mut first = 0;
        let factors = covariates.factors.iter().map(|factor| {
            let range = first..first + factor.levels.len();
            first = range.end;
            (range, factor.ordered)
        });
        Self { factors: factors.collect(), cells: covariates.flat_levels() }
    }

    pub(crate) fn levels(&self) -> usize {
        self.factors.last().map_or(0, |(range, _)| range.end)
    }
}

/// Vectors, weights and biases.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) layout: Layout,
    /// A row for every word.
    pub(crate) vectors: Table,
    /// A row for every level: the squares of its weights, which the objective is quadratic in.
    pub(crate) squares: Table,
    /// A row for every cell: the product of its levels' squares.
    pub(crate) cell_squares: Table,
    /// level × words + word.
    pub(crate) biases: Vec<f32>,
    /// What the biases are drawn to: no more than the words' own counts. All copies share it.
    pub(crate) prior: Arc<[f32]>,
}

impl State {
    /// Where training starts, but for the vectors: they are 0, and no step moves them from there.
    pub(crate) fn start(layout: Layout, prior: Arc<[f32]>, parameters: &TrainParameters) -> Self {
        let (levels, dim) = (layout.levels(), parameters.dim as usize);
        let vectors = Table::new(prior.len() / levels.max(1), dim);
        let mut squares = Table::filled(levels, dim, 1.0);
        if parameters.start == Start::Unit && levels > 1 {
            for level in 0..levels {
                let number = u64::MAX - level as u64;
                let mut lots = Stream::new(parameters.seed.0, End::Start, number);
                let draws: Vec<f64> = (0..dim).map(|_| libm::pow(lots.normal(), 2.0)).collect();
                let sum: f64 = draws.iter().sum();
                for (x, draw) in squares.row_mut(level).iter_mut().zip(&draws) {
                    *x = (draw / sum * dim as f64) as f32;
                }
            }
        }
        let cell_squares = Table::new(layout.cells.len(), dim);
        let biases = prior.to_vec();
        let mut this = Self { layout, vectors, squares, cell_squares, biases, prior };
        this.multiply_squares();
        this
    }

    /// Gives every word a random vector.
    pub(crate) fn scatter(&mut self, seed: u64) {
        let (words, dim) = (self.words(), self.dim());
        let spread = 0.5 / libm::pow(dim as f64, 0.25);
        self.vectors = normal(words, dim, spread, seed, NonZeroUsize::MIN);
    }

    pub(crate) fn words(&self) -> usize {
        self.vectors.rows()
    }

    pub(crate) fn dim(&self) -> usize {
        self.vectors.width()
    }

    /// A word's bias in a cell.
    #[inline(always)]
    pub(crate) fn bias(&self, word: usize, cell: usize) -> f32 {
        let words = self.words();
        self.layout.cells[cell].iter().map(|level| self.biases[level * words + word]).sum()
    }

    /// What independence makes of a word's bias in a cell.
    #[inline]
    pub(crate) fn prior(&self, word: usize, cell: usize) -> f32 {
        let words = self.words();
        self.layout.cells[cell].iter().map(|level| self.prior[level * words + word]).sum()
    }

    /// What a word's bias in a cell is beyond independence.
    pub(crate) fn excess(&self, word: usize, cell: usize) -> f32 {
        let words = self.words();
        let of =
            |level: &usize| self.biases[level * words + word] - self.prior[level * words + word];
        self.layout.cells[cell].iter().map(of).sum()
    }

    /// The cells' weights follow those of the levels.
    pub(crate) fn multiply_squares(&mut self) {
        for (cell, levels) in self.layout.cells.iter().enumerate() {
            let row = self.cell_squares.row_mut(cell);
            row.copy_from_slice(self.squares.row(levels[0]));
            for &level in &levels[1..] {
                for (x, factor) in row.iter_mut().zip(self.squares.row(level)) {
                    *x *= factor;
                }
            }
        }
    }

    /// The product of the squares of a cell's levels but one.
    pub(crate) fn other_squares(&self, cell: usize, but: usize) -> Vec<f32> {
        let mut product = vec![1.0; self.squares.stride()];
        for &level in self.layout.cells[cell].iter().filter(|&&level| level != but) {
            for (x, factor) in product.iter_mut().zip(self.squares.row(level)) {
                *x *= factor;
            }
        }
        product
    }

    /// What the model says of ln(count), with these vectors.
    #[cfg(test)]
    pub(crate) fn predict(&self, vectors: &Table, row: usize, col: usize, cell: usize) -> f64 {
        self.predict_by([vectors.row(row), vectors.row(col)], row, col, cell)
    }

    /// The same with these vectors of the two words. Inlined, so that it is as fast as the registers of whoever asks.
    #[inline(always)]
    pub(crate) fn predict_by(
        &self,
        [a, b]: [&[f32]; 2],
        row: usize,
        col: usize,
        cell: usize,
    ) -> f64 {
        let squares = self.cell_squares.row(cell);
        // Lanes of their own, so that the compiler may use registers.
        let mut sums = [0.0_f32; LANES];
        let [a, b, c] = [a, b, squares].map(|row| row.as_chunks::<LANES>().0);
        for ((a, b), c) in a.iter().zip(b).zip(c) {
            for lane in 0..LANES {
                sums[lane] += a[lane] * b[lane] * c[lane];
            }
        }
        let dot: f64 = sums.iter().map(|&sum| f64::from(sum)).sum();
        dot + f64::from(self.bias(row, cell)) + f64::from(self.bias(col, cell))
    }

    /// Other squared weights in their place, level after level.
    pub(crate) fn set_squares(&mut self, squares: &[f32]) {
        self.squares = Table::unpack(squares, self.dim());
        self.multiply_squares();
    }

    /// Whether every number is finite.
    pub(crate) fn is_finite(&self) -> bool {
        // Stretches are looked at as a whole: asked one by one, each number would wait for the one before.
        let whole = |numbers: &[f32]| numbers.iter().fold(true, |all, x| all & x.is_finite());
        let finite = |numbers: &[f32]| numbers.chunks(1 << 10).all(whole);
        finite(self.vectors.all()) && finite(self.squares.all()) && finite(&self.biases)
    }
}

/// Normal numbers of this spread, every row with a stream of its own.
pub(crate) fn normal(
    rows: usize,
    width: usize,
    spread: f64,
    seed: u64,
    threads: NonZeroUsize,
) -> Table {
    let mut table = Table::new(rows, width);
    let (stride, share) = (table.stride(), rows.div_ceil(threads.get()).max(1));
    let mut parts: Vec<_> =
        table.all_mut().chunks_mut((share * stride).max(1)).enumerate().collect();
    parallel::share(&mut parts, |(part, rows)| {
        for (row, numbers) in rows.chunks_exact_mut(stride).enumerate() {
            let mut lots = Stream::new(seed, End::Start, (*part * share + row) as u64);
            numbers[..width].iter_mut().for_each(|x| *x = (spread * lots.normal()) as f32);
        }
        Vec::<()>::new()
    });
    table
}

/// Biases that say of every pair what follows if words kept no company: with S the sums of counts,
/// ln S(word, level) − ½ ln S(level), shared between the factors.
///
/// A word that was never seen in a level is given a small part of what its share elsewhere makes
/// one expect.
pub(crate) fn independence(layout: &Layout, sums: &[f32], words: usize) -> Arc<[f32]> {
    const UNSEEN: f64 = 0.01;
    let mut prior = vec![0.0; layout.levels() * words];
    let factors = layout.factors.len() as f64;
    for (levels, _) in &layout.factors {
        let sum = |level: usize, word: usize| f64::from(sums[level * words + word]);
        let of_word: Vec<f64> =
            (0..words).map(|word| levels.clone().map(|level| sum(level, word)).sum()).collect();
        let all: f64 = of_word.iter().sum();
        let own = |word: usize| {
            if of_word[word] > 0.0 { libm::log(of_word[word]) - libm::log(all) / 2.0 } else { 0.0 }
        };
        for level in levels.clone() {
            let of_level: f64 = (0..words).map(|word| sum(level, word)).sum();
            if of_level <= 0.0 {
                continue;
            }
            for word in 0..words {
                let expected = of_word[word] * of_level / all;
                let ratio = if expected > 0.0 {
                    (sum(level, word) + UNSEEN * expected) / (expected * (1.0 + UNSEEN))
                } else {
                    1.0
                };
                let bias = own(word) / factors + libm::log(ratio) + libm::log(of_level / all) / 2.0;
                prior[level * words + word] = bias as f32;
            }
        }
    }
    prior.into()
}

#[cfg(test)]
impl State {
    /// Random numbers, with two factors of 3 and 2 levels.
    pub(crate) fn random(words: usize, dim: usize) -> Self {
        let mut lots = Stream::new(1, End::Sample, 0);
        let cells: Vec<Vec<usize>> = (0..6).map(|cell| vec![cell / 2, 3 + cell % 2]).collect();
        let mut random = |rows: usize, width: usize, from: f64, to: f64| {
            let mut table = Table::new(rows, width);
            for row in 0..rows {
                for x in &mut table.row_mut(row)[..width] {
                    *x = lots.between(from, to) as f32;
                }
            }
            table
        };
        let mut state = Self {
            layout: Layout { cells, factors: vec![(0..3, true), (3..5, false)] },
            vectors: random(words, dim, -1.0, 1.0),
            squares: random(5, dim, 0.5, 1.5),
            cell_squares: Table::new(6, dim),
            biases: random(1, 5 * words, -1.0, 1.0).packed(),
            prior: random(1, 5 * words, -1.0, 1.0).packed().into(),
        };
        state.multiply_squares();
        state
    }
}
