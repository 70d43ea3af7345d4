//! Joint diagonalisation: the rotation that makes several symmetric matrices as diagonal as can be
//! at once, by Jacobi rotations of two axes at a time (Cardoso and Souloumiac 1996).
//!
//! Where the matrices hardly tell two axes apart, the words do: of all rotations that serve the
//! matrices alike, the one with words that load on few axes is taken (quartimax). Both are the same
//! kind of sum, for a word's vv' is a matrix as well.

use faer::{Mat, Side};
use pulp::{Simd, WithSimd};

/// Mixtures of the matrices that are turned; the rest of them holds next to nothing.
const MOST: usize = 4 * REGISTER;
/// Numbers of a register.
const REGISTER: usize = 4;
/// Rounds over all pairs of axes; fewer where there are many axes. Every axis step begins with the principal directions, which all seeds share:
/// one that went on from the axes before, for as many rounds, made seeds agree less (0.62 against 0.68 on SOTU by era with `--chance 0`),
/// and needs three times as many to agree more.
const ROUNDS: usize = 60;
const FEW_ROUNDS: usize = 6;
const FEW_AXES: usize = 32;
const SMALL: f64 = 1e-7;
/// Words that are looked at together; what is left over is not looked at.
pub(crate) const LANES: usize = 16;

/// The rotation U that makes every U'AU nearly diagonal; `words` is a column for every axis, and
/// counts with `weight` beside the matrices.
pub(crate) fn diagonalise(matrices: &[Mat<f64>], words: Vec<Vec<f32>>, weight: f64) -> Mat<f64> {
    let mixed = mix(matrices);
    // Told while this is compiled how many there are, registers hold all of a place.
    match mixed.len().div_ceil(REGISTER) {
        0 | 1 => Turning::<1>::new(&mixed, words, weight).turned(),
        2 => Turning::<2>::new(&mixed, words, weight).turned(),
        3 => Turning::<3>::new(&mixed, words, weight).turned(),
        _ => Turning::<4>::new(&mixed, words, weight).turned(),
    }
}

/// Matrices and words on their way.
struct Turning<const N: usize> {
    dim: usize,
    /// The numbers of one place in all matrices stand together; what is below the diagonals is not looked at.
    all: Vec<[[f64; REGISTER]; N]>,
    words: Vec<Vec<f32>>,
    weight: f64,
    turned: Mat<f64>,
}

impl<const N: usize> Turning<N> {
    fn new(matrices: &[Mat<f64>], words: Vec<Vec<f32>>, weight: f64) -> Self {
        let dim = matrices[0].nrows();
        let mut all = vec![[[0.0; REGISTER]; N]; dim * dim];
        for (k, matrix) in matrices.iter().enumerate() {
            for (place, numbers) in all.iter_mut().enumerate() {
                numbers[k / REGISTER][k % REGISTER] = matrix[(place / dim, place % dim)];
            }
        }
        Self { dim, all, words, weight, turned: Mat::identity(dim, dim) }
    }

    fn turned(mut self) -> Mat<f64> {
        let dim = self.dim;
        let rounds = (ROUNDS * FEW_AXES * FEW_AXES / (dim * dim)).clamp(FEW_ROUNDS, ROUNDS);
        let arch = pulp::Arch::new();
        for _ in 0..rounds {
            if arch.dispatch(Round(&mut self)) <= 1e-5 {
                break;
            }
        }
        self.turned
    }

    /// All pairs of axes once; the largest sine of their angles.
    #[inline(always)]
    fn round(&mut self) -> f64 {
        let mut most = 0.0_f64;
        for p in 0..self.dim {
            for q in p + 1..self.dim {
                let (x, y) = self.pull(p, q);
                let (by_words, across) = pull_of_words(&self.words[p], &self.words[q]);
                let (sine, cosine) = angle(x + self.weight * by_words, y + self.weight * across);
                most = most.max(sine.abs());
                if sine.abs() > SMALL {
                    self.rotate(p, q, sine, cosine);
                }
            }
        }
        most
    }

    /// What the matrices say of four times the angle between two axes: its cosine and sine, by weight.
    #[inline(always)]
    fn pull(&self, p: usize, q: usize) -> (f64, f64) {
        let at = |s: usize, t: usize| &self.all[s * self.dim + t];
        let (pp, qq, pq) = (at(p, p), at(q, q), at(p, q));
        let (mut on, mut both) = ([0.0; REGISTER], [0.0; REGISTER]);
        for n in 0..N {
            for lane in 0..REGISTER {
                let (a, b) = (pp[n][lane] - qq[n][lane], 2.0 * pq[n][lane]);
                on[lane] += a * a - b * b;
                both[lane] += a * b;
            }
        }
        (on.iter().sum(), 2.0 * both.iter().sum::<f64>())
    }

    /// Turns two axes, p < q; of the matrices only what is on their diagonals and above is kept up.
    #[inline(always)]
    fn rotate(&mut self, p: usize, q: usize, sine: f64, cosine: f64) {
        let dim = self.dim;
        let (ss, cc, sc) = (sine * sine, cosine * cosine, sine * cosine);
        let [pp, qq, pq] = [(p, p), (q, q), (p, q)].map(|(s, t)| s * dim + t);
        for n in 0..N {
            for lane in 0..REGISTER {
                let [a, b, both] = [pp, qq, pq].map(|place| self.all[place][n][lane]);
                self.all[pp][n][lane] = cc * a + ss * b + 2.0 * sc * both;
                self.all[qq][n][lane] = ss * a + cc * b - 2.0 * sc * both;
                self.all[pq][n][lane] = (cc - ss) * both + sc * (b - a);
            }
        }
        // The place of p stands before that of q.
        for s in 0..p {
            self.mix_places(s * dim + p, s * dim + q, sine, cosine);
        }
        for t in p + 1..q {
            self.mix_places(p * dim + t, t * dim + q, sine, cosine);
        }
        for t in q + 1..dim {
            self.mix_places(p * dim + t, q * dim + t, sine, cosine);
        }
        let (first, second) = self.words.split_at_mut(q);
        let (own, other) = (cosine as f32, sine as f32);
        for (a, b) in first[p].iter_mut().zip(&mut second[0]) {
            (*a, *b) = (own * *a + other * *b, own * *b - other * *a);
        }
        for s in 0..dim {
            let (a, b) = (self.turned[(s, p)], self.turned[(s, q)]);
            self.turned[(s, p)] = cosine * a + sine * b;
            self.turned[(s, q)] = cosine * b - sine * a;
        }
    }

    #[inline(always)]
    fn mix_places(&mut self, a: usize, b: usize, sine: f64, cosine: f64) {
        let (x, y) = (self.all[a], self.all[b]);
        for n in 0..N {
            for lane in 0..REGISTER {
                self.all[a][n][lane] = cosine * x[n][lane] + sine * y[n][lane];
                self.all[b][n][lane] = cosine * y[n][lane] - sine * x[n][lane];
            }
        }
    }
}

/// All pairs of axes once, in the machine's registers. A closure would not be: what is not inlined does not know of them.
struct Round<'a, const N: usize>(&'a mut Turning<N>);

impl<const N: usize> WithSimd for Round<'_, N> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        self.0.round()
    }
}

/// What is off the diagonals counts the same for any orthogonal mixture of the matrices, so the few
/// that hold nearly everything can stand for all.
fn mix(matrices: &[Mat<f64>]) -> Vec<Mat<f64>> {
    let count = matrices.len();
    let dim = matrices[0].nrows();
    let inner = |a: &Mat<f64>, b: &Mat<f64>| -> f64 {
        (0..dim).map(|t| (0..dim).map(|s| a[(s, t)] * b[(s, t)]).sum::<f64>()).sum()
    };
    if count <= MOST {
        return matrices.to_vec();
    }
    let gram = Mat::from_fn(count, count, |a, b| inner(&matrices[a], &matrices[b]));
    let Ok(eigen) = gram.self_adjoint_eigen(Side::Lower) else { return matrices.to_vec() };
    (count - MOST..count)
        .map(|e| {
            let mut sum = Mat::zeros(dim, dim);
            for (k, matrix) in matrices.iter().enumerate() {
                sum += faer::Scale(eigen.U()[(k, e)]) * matrix;
            }
            sum
        })
        .collect()
}

/// What the words say of it.
#[inline(always)]
fn pull_of_words(p: &[f32], q: &[f32]) -> (f64, f64) {
    let (mut x, mut y) = ([0.0_f32; LANES], [0.0_f32; LANES]);
    for (p, q) in p.chunks_exact(LANES).zip(q.chunks_exact(LANES)) {
        for lane in 0..LANES {
            let a = p[lane] * p[lane] - q[lane] * q[lane];
            let b = 2.0 * p[lane] * q[lane];
            x[lane] += a * a - b * b;
            y[lane] += 2.0 * a * b;
        }
    }
    (x.iter().map(|&x| f64::from(x)).sum(), y.iter().map(|&y| f64::from(y)).sum())
}

/// Sine and cosine of the best angle between two axes: half of that of (x + |(x, y)|, y), which is never behind.
#[inline(always)]
fn angle(x: f64, y: f64) -> (f64, f64) {
    let along = x + libm::sqrt(x * x + y * y);
    let whole = libm::sqrt(along * along + y * y);
    if whole <= f64::MIN_POSITIVE {
        return (0.0, 1.0);
    }
    let cosine = libm::sqrt((1.0 + along / whole) / 2.0);
    (y / whole / (2.0 * cosine), cosine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lots::{End, Lots, Stream};

    #[test]
    fn the_angle_is_half_of_that_of_x_and_length_and_y() {
        let mut lots = Stream::new(4, End::Sample, 0);
        for _ in 0..200 {
            let (x, y) = (lots.between(-2.0, 2.0), lots.between(-2.0, 2.0));
            let theta = 0.5 * libm::atan2(y, x + libm::sqrt(x * x + y * y));
            let (sine, cosine) = angle(x, y);
            assert!((sine - libm::sin(theta)).abs() < 1e-12, "{x} {y}");
            assert!((cosine - libm::cos(theta)).abs() < 1e-12, "{x} {y}");
        }
        assert_eq!(angle(0.0, 0.0), (0.0, 1.0));
        assert_eq!(angle(3.0, 0.0), (0.0, 1.0));
    }

    #[test]
    fn matrices_that_share_their_axes_become_diagonal() {
        let dim = 12;
        let mut lots = Stream::new(3, End::Sample, 0);
        let noise = Mat::<f64>::from_fn(dim, dim, |_, _| lots.normal());
        let basis = noise.qr().compute_Q();
        for count in [2, 5, 40] {
            let matrices: Vec<Mat<f64>> = (0..count)
                .map(|_| {
                    let diagonal: Vec<f64> = (0..dim).map(|_| lots.share()).collect();
                    let diagonal =
                        Mat::from_fn(dim, dim, |s, t| if s == t { diagonal[t] } else { 0.0 });
                    &basis * diagonal * basis.transpose()
                })
                .collect();
            let turned = diagonalise(&matrices, vec![Vec::new(); dim], 0.0);
            for matrix in &matrices {
                let turned = turned.transpose() * matrix * &turned;
                for t in 0..dim {
                    for s in (0..dim).filter(|&s| s != t) {
                        assert!(turned[(s, t)].abs() < 1e-6, "{count}: {}", turned[(s, t)]);
                    }
                }
            }
        }
    }
}
