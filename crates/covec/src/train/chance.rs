//! What chance would make of all pairs of words, also of those that never met.
//!
//! The objective of the paper is about pairs that met. That two words never do, however often each of them occurs, it cannot
//! learn: any vectors will do that predict a small count, or a large one. So all pairs of every cell are also drawn, a little, to
//! what independence makes one expect of them, and what a cell makes of them to what the base does:
//!
//!   strength · U_c · W_c · Σ_ij p_i p_j [ (Σ_t v_it v_jt + e_ic + e_jc)² + a (Σ_t v_it v_jt (c_ct² − 1))² ]
//!
//! where p_i is the word's share of all data, W_c the data of the cell, U_c the share of pairs that never met there (by p_i p_j),
//! e what a bias is beyond independence, and a how much less cells are held to the base than the base to independence. Pairs that
//! met have their own weight beside this and outvote it; of the others it is all there is. Where all pairs met nothing is left to
//! chance. The sums over pairs factorise, so they cost about as much as `dim` more entries a word, however many pairs there are.
//!
//! Were a cell's own vectors drawn to independence, not the base's, small cells, in which fewer pairs meet, would have smaller
//! weights throughout, and be alike for that: of 41 novels 25 had their nearest in their own series, and 33 as it is.

use faer::{Accum, Mat, MatRef, Par};
use pulp::Simd;

use super::average::{added, columns, product};
use super::examples::Examples;
use super::simd::{self, Rows};
use super::state::State;
use super::table::Table;
use crate::error::Error;
use crate::parallel;
use crate::work::Work;

/// a: how strongly cells are drawn to the base, relative to the base to independence. Of 41 novels, the nearest by weights is by the
/// same author for 40.1 with this, at least 39 with each of 13 seeds; with 1 for 39.5, at least 37; with 0 for 39.0, at least 38
/// (five seeds). Word tests do not tell them apart.
const APART: f32 = 0.3;
/// Words that are summed together.
const STRETCH: usize = 1024;

/// The pairs of all words, as far as rows, weights and cores need to know them.
#[derive(Debug)]
pub(crate) struct Chance {
    /// What all pairs of a cell weigh together.
    weights: Vec<f32>,
    /// Of the data of all words, the share of each.
    shares: Vec<f32>,
    sums: Sums,
    /// Σ weight (1 + a · apart · apart') over the cells, apart being how far squared weights are from 1.
    mixed: Mat<f32>,
    /// `mixed` ∘ the second moments, a row for every dimension: the equations of a word of share 1.
    gram: Table,
    /// The mean vector.
    mean: Table,
    /// What the other words' biases want of a vector.
    pull: Table,
}

/// Σ p x z' over all words, x being the vector and 1, and z the vector, 1, and what the word's biases are beyond independence,
/// cell after cell.
#[derive(Debug, Clone)]
pub(crate) struct Sums(pub(crate) Mat<f32>);

impl Sums {
    /// Of these words.
    fn of(state: &State, vectors: &Table, shares: &[f32], words: &[usize]) -> Mat<f32> {
        let (dim, cells) = (state.dim(), state.layout.cells.len());
        let mut sums = Mat::zeros(dim + 1, dim + 1 + cells);
        Self::add(state, vectors, shares, words, &mut sums);
        sums
    }

    /// The same, added to others.
    fn add(state: &State, vectors: &Table, shares: &[f32], words: &[usize], sums: &mut Mat<f32>) {
        let (dim, cells) = (state.dim(), state.layout.cells.len());
        let left = columns(dim + 1, words.len(), |i, column| {
            let share = shares[words[i]];
            let vector = &vectors.row(words[i])[..dim];
            column.iter_mut().zip(vector).for_each(|(to, x)| *to = share * x);
            column[dim] = share;
        });
        let right = columns(dim + 1 + cells, words.len(), |i, column| {
            let (vector, others) = column.split_at_mut(dim);
            vector.copy_from_slice(&vectors.row(words[i])[..dim]);
            others[0] = 1.0;
            for (cell, to) in others[1..].iter_mut().enumerate() {
                *to = state.excess(words[i], cell);
            }
        });
        let right = right.as_ref().transpose();
        faer::linalg::matmul::matmul(sums, Accum::Add, left.as_ref(), right, 1.0, Par::Seq);
    }

    /// Of all words.
    fn all(state: &State, vectors: &Table, shares: &[f32], work: &Work<'_>) -> Result<Self, Error> {
        let (dim, words) = (state.dim(), state.words());
        let parts = parallel::tasks(work.threads, words.div_ceil(STRETCH), |task| {
            let own: Vec<usize> = (task * STRETCH..words.min((task + 1) * STRETCH)).collect();
            Ok(Self::of(state, vectors, shares, &own))
        })?;
        let sum = added(parts, dim + 1, dim + 1 + state.layout.cells.len());
        Ok(Self(Mat::from_fn(sum.nrows(), sum.ncols(), |s, t| sum[(s, t)] as f32)))
    }

    fn dim(&self) -> usize {
        self.0.nrows() - 1
    }

    fn second(&self) -> MatRef<'_, f32> {
        self.0.as_ref().submatrix(0, 0, self.dim(), self.dim())
    }

    fn mean(&self) -> &[f32] {
        &self.0.col_as_slice(self.dim())[..self.dim()]
    }

    /// Σ p e v, and Σ p e behind it.
    fn pull(&self, cell: usize) -> &[f32] {
        self.0.col_as_slice(self.dim() + 1 + cell)
    }

    /// Σ p e.
    fn excess(&self, cell: usize) -> f32 {
        self.pull(cell)[self.dim()]
    }
}

/// Which pairs, and how strongly: nothing of it changes while a model is fitted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drawn<'a> {
    pub(crate) examples: &'a Examples,
    pub(crate) strength: f64,
    /// Of the cells of one level only.
    pub(crate) level: Option<usize>,
}

impl Drawn<'_> {
    /// So many times as strongly.
    pub(crate) fn times(self, by: f64) -> Self {
        Self { strength: self.strength * by, ..self }
    }

    fn weights(&self, state: &State) -> Vec<f32> {
        let Examples { cell_weights, unmet, .. } = self.examples;
        let of = |(cell, levels): (usize, &Vec<usize>)| {
            let inside = self.level.is_none_or(|level| levels.contains(&level));
            let weight = self.strength * cell_weights[cell] * unmet[cell];
            if inside { weight as f32 } else { 0.0 }
        };
        state.layout.cells.iter().enumerate().map(of).collect()
    }

    /// The pairs as the state and these vectors have them.
    pub(crate) fn pairs(
        &self,
        state: &State,
        vectors: &Table,
        work: &Work<'_>,
    ) -> Result<Chance, Error> {
        let sums = Sums::all(state, vectors, &self.examples.shares(), work)?;
        Ok(self.again(state, sums))
    }

    /// The same with sums that were kept.
    pub(crate) fn again(&self, state: &State, sums: Sums) -> Chance {
        Chance::new(state, self.weights(state), self.examples.shares(), sums)
    }
}

impl Chance {
    fn new(state: &State, weights: Vec<f32>, shares: Vec<f32>, sums: Sums) -> Self {
        let (dim, cells) = (state.dim(), state.layout.cells.len());
        let scaled = Mat::from_fn(cells, dim, |cell, t| {
            (APART * weights[cell]).sqrt() * (state.cell_squares.row(cell)[t] - 1.0)
        });
        let mut mixed = product(scaled.as_ref().transpose(), scaled.as_ref());
        let all: f32 = weights.iter().sum();
        mixed += Mat::full(dim, dim, all);
        let mut this = Self {
            weights,
            shares,
            sums,
            mixed,
            gram: Table::new(dim, dim),
            mean: Table::new(1, dim),
            pull: Table::new(1, dim),
        };
        this.follow(state);
        this
    }

    /// What follows from the sums.
    fn follow(&mut self, state: &State) {
        let dim = state.dim();
        let Self { sums, mixed, gram, mean, pull, weights, .. } = self;
        mean.row_mut(0)[..dim].copy_from_slice(sums.mean());
        // Both are symmetric, and a column lies in one piece.
        for s in 0..dim {
            let products = mixed.col_as_slice(s).iter().zip(sums.0.col_as_slice(s));
            for (to, (mixed, second)) in gram.row_mut(s)[..dim].iter_mut().zip(products) {
                *to = mixed * second;
            }
        }
        let pull = &mut pull.row_mut(0)[..dim];
        pull.fill(0.0);
        for (cell, weight) in weights.iter().enumerate() {
            for (sum, own) in pull.iter_mut().zip(sums.pull(cell)) {
                *sum += weight * own;
            }
        }
    }

    /// What is needed to go on from here to the same bits.
    pub(crate) fn sums(&self) -> &Sums {
        &self.sums
    }

    /// What these words add to the sums as they stand.
    pub(crate) fn of(&self, state: &State, vectors: &Table, words: &[usize]) -> Mat<f32> {
        Sums::of(state, vectors, &self.shares, words)
    }

    /// These words have moved; `before` is what they added to the sums.
    pub(crate) fn moved(
        &mut self,
        state: &State,
        vectors: &Table,
        words: &[usize],
        before: &Mat<f32>,
    ) {
        self.sums.0 -= before;
        Sums::add(state, vectors, &self.shares, words, &mut self.sums.0);
        self.follow(state);
    }

    /// A word's share of all data.
    pub(crate) fn share(&self, word: usize) -> f32 {
        self.shares[word]
    }

    /// What all pairs of a cell weigh together.
    pub(crate) fn weight(&self, cell: usize) -> f32 {
        self.weights[cell]
    }

    /// What they weigh together as far as the cell is drawn to the base.
    pub(crate) fn apart(&self, cell: usize) -> f32 {
        APART * self.weights[cell]
    }

    /// What a word's bias in a cell has to do with the other words' biases.
    pub(crate) fn excess(&self, cell: usize) -> f32 {
        self.weights[cell] * self.sums.excess(cell)
    }

    /// How far above independence a word is with the others of a cell, on average.
    pub(crate) fn wants(&self, state: &State, word: usize, cell: usize) -> f64 {
        let row = state.vectors.row(word).iter().zip(self.mean.row(0));
        let dot: f32 = row.map(|(x, mean)| x * mean).sum();
        f64::from(dot) + f64::from(state.excess(word, cell)) + f64::from(self.sums.excess(cell))
    }

    /// What the other words' biases want of a vector.
    #[inline(always)]
    pub(crate) fn pull<S: Simd>(&self) -> &[S::f32s] {
        S::as_simd_f32s(self.pull.all()).0
    }

    /// What a vector `x` and biases of the cells make of a word of this share: added to `out` of the vector, and in place of the
    /// biases. `every` are the numbers of all dimensions, `room` is as long as a row.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn image<S: Simd>(
        &self,
        simd: S,
        share: f32,
        every: &[u32],
        x: &[S::f32s],
        cells: &mut [f32],
        room: &mut [f32],
        out: &mut [S::f32s],
    ) {
        let gram = Rows::<S>::new(self.gram.all(), self.gram.stride());
        simd::each_dot(simd, gram, every, x, |t, dot| room[t] = dot);
        simd::add_scaled(simd, share, S::as_simd_f32s(room).0, out);
        let mean = S::as_simd_f32s(self.mean.all()).0;
        let along = simd::dot(simd, mean, x);
        let mut pull = 0.0;
        for (bias, weight) in cells.iter_mut().zip(&self.weights) {
            let weight = share * weight;
            pull += weight * *bias;
            *bias = weight * (along + *bias);
        }
        simd::add_scaled(simd, pull, mean, out);
    }

    /// Half the downhill slope along a cell's squared weights.
    pub(crate) fn downhill(&self, state: &State, cell: usize) -> Vec<f64> {
        let dim = state.dim();
        let squares = state.cell_squares.row(cell);
        let weight = f64::from(self.apart(cell));
        let apart = |s: usize| f64::from(squares[s]) - 1.0;
        let along = |t: usize| -weight * (0..dim).map(|s| self.bent(s, t) * apart(s)).sum::<f64>();
        (0..dim).map(along).collect()
    }

    /// How it bends along a direction of a cell's squared weights.
    pub(crate) fn bend(&self, cell: usize, direction: &[f32]) -> f64 {
        let dim = self.sums.dim();
        let along = |t: usize| -> f64 {
            let x = |s: usize| f64::from(direction[s]);
            x(t) * (0..dim).map(|s| self.bent(s, t) * x(s)).sum::<f64>()
        };
        f64::from(self.apart(cell)) * (0..dim).map(along).sum::<f64>()
    }

    fn bent(&self, s: usize, t: usize) -> f64 {
        let second = f64::from(self.sums.second()[(s, t)]);
        second * second
    }

    /// All of it, where the state stands.
    pub(crate) fn value(&self, state: &State) -> f64 {
        let (dim, a) = (state.dim(), f64::from(APART));
        let of_cell = |cell: usize| {
            let apart = |t: usize| f64::from(state.cell_squares.row(cell)[t]) - 1.0;
            let pulled = |t: usize| f64::from(self.sums.mean()[t] * self.sums.pull(cell)[t]);
            let both = |t: usize| {
                let bent = |s: usize| self.bent(s, t) * (1.0 + a * apart(s) * apart(t));
                (0..dim).map(bent).sum::<f64>()
            };
            let vectors: f64 = (0..dim).map(|t| both(t) + 4.0 * pulled(t)).sum();
            let spread: f64 = (0..state.words())
                .map(|word| {
                    let excess = f64::from(state.excess(word, cell));
                    f64::from(self.shares[word]) * excess * excess
                })
                .sum();
            let mean = f64::from(self.sums.excess(cell));
            f64::from(self.weights[cell]) * (vectors + 2.0 * (spread + mean * mean))
        };
        (0..self.weights.len()).map(of_cell).sum()
    }

    /// What a full core has against it, for pairs that weigh 1 together: S B S.
    pub(crate) fn core(&self, core: &Mat<f32>) -> Mat<f32> {
        let second = self.sums.second();
        product(product(second, core.as_ref()).as_ref(), second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Chance {
        /// With these weights and shares.
        pub(crate) fn of_state(state: &State, weights: Vec<f32>, shares: Vec<f32>) -> Self {
            let sums = Sums::all(state, &state.vectors, &shares, &Work::default()).unwrap();
            Self::new(state, weights, shares, sums)
        }
    }

    fn chance(state: &State) -> Chance {
        let words = state.words();
        let shares = (1..=words).map(|n| 2.0 * n as f32 / (words * (words + 1)) as f32).collect();
        let weights = (0..6).map(|cell| if cell == 3 { 0.0 } else { 1.0 + cell as f32 }).collect();
        Chance::of_state(state, weights, shares)
    }

    /// The sum over pairs as it is written.
    fn naive(state: &State, chance: &Chance) -> f64 {
        let words = state.words();
        let pairs = (0..words).flat_map(|i| (0..words).map(move |j| (i, j)));
        let of = |cell: usize| {
            let square = |(i, j): (usize, usize)| {
                let (mut base, mut apart) = (state.excess(i, cell) + state.excess(j, cell), 0.0);
                for t in 0..state.dim() {
                    let product = state.vectors.row(i)[t] * state.vectors.row(j)[t];
                    base += product;
                    apart += product * (state.cell_squares.row(cell)[t] - 1.0);
                }
                chance.share(i) * chance.share(j) * (base * base + APART * apart * apart)
            };
            f64::from(chance.weight(cell))
                * pairs.clone().map(|pair| f64::from(square(pair))).sum::<f64>()
        };
        (0..state.layout.cells.len()).map(of).sum()
    }

    #[test]
    fn the_sum_that_factorises_is_the_sum_over_all_pairs() {
        let state = State::random(40, 7);
        let chance = chance(&state);
        let (fast, slow) = (chance.value(&state), naive(&state, &chance));
        assert!((fast - slow).abs() < 1e-5 * slow, "{fast} {slow}");
    }

    #[test]
    fn slope_and_bend_along_weights_are_those_of_the_sum() {
        let state = State::random(40, 7);
        let chance = chance(&state);
        let direction = [0.3, -0.2, 0.1, 0.4, -0.5, 0.2, 0.6];
        let cell = 4;
        let moved = |by: f32| {
            let mut state = state.clone();
            for (x, d) in state.cell_squares.row_mut(cell).iter_mut().zip(direction) {
                *x += by * d;
            }
            naive(&state, &chance)
        };
        let (below, here, above) = (moved(-0.5), moved(0.0), moved(0.5));
        let downhill = chance.downhill(&state, cell);
        let slope: f64 = downhill.iter().zip(direction).map(|(s, d)| s * f64::from(d)).sum();
        assert!((-2.0 * slope - (above - below)).abs() < 1e-3 * slope.abs(), "{slope}");
        let bend = chance.bend(cell, &direction);
        let exact = (above + below - 2.0 * here) / 0.5;
        assert!((bend - exact).abs() < 1e-3 * exact, "{bend} {exact}");
    }

    #[test]
    fn words_that_moved_are_followed() {
        let mut state = State::random(40, 7);
        let mut followed = chance(&state);
        let words = [3, 17, 39];
        let before = followed.of(&state, &state.vectors, &words);
        for word in words {
            state.vectors.row_mut(word)[2] += 0.7;
            state.biases[2 * 40 + word] -= 0.4;
        }
        followed.moved(&state, &state.vectors, &words, &before);
        let anew = chance(&state);
        let apart = |a: &[f32], b: &[f32]| -> f32 {
            a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
        };
        assert!(apart(followed.gram.all(), anew.gram.all()) < 1e-4);
        assert!(apart(followed.mean.all(), anew.mean.all()) < 1e-4);
        assert!(apart(followed.pull.all(), anew.pull.all()) < 1e-4);
    }

    #[test]
    fn a_diagonal_core_is_drawn_as_its_weights_are() {
        let state = State::random(40, 7);
        let chance = chance(&state);
        let cell = 5;
        let apart = |t: usize| state.cell_squares.row(cell)[t] - 1.0;
        let drawn = chance.core(&Mat::from_fn(7, 7, |s, t| if s == t { apart(t) } else { 0.0 }));
        for (t, downhill) in chance.downhill(&state, cell).into_iter().enumerate() {
            let own = -f64::from(chance.apart(cell) * drawn[(t, t)]);
            assert!((own - downhill).abs() < 1e-3, "{t}: {own} {downhill}");
        }
    }
}
