//! Joint diagonalisation: the rotation that makes several symmetric matrices as diagonal as can be
//! at once, by Jacobi rotations of two axes at a time (Cardoso and Souloumiac 1996).
//!
//! Where the matrices hardly tell two axes apart, the words do: of all rotations that serve the
//! matrices alike, the one with words that load on few axes is taken (quartimax). Both are the same
//! kind of sum, for a word's vv' is a matrix as well.

use faer::{Mat, Side};

/// Mixtures of the matrices that are turned; the rest of them holds next to nothing.
const MOST: usize = 16;
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
pub(crate) fn diagonalise(
    matrices: &[Mat<f64>],
    mut words: Vec<Vec<f32>>,
    weight: f64,
) -> Mat<f64> {
    let mixed = mix(matrices);
    let dim = mixed[0].nrows();
    let count = mixed.len();
    // The numbers of one place in all matrices stand together; what is below the diagonals is not looked at.
    let mut all = vec![0.0; dim * dim * count];
    for (k, matrix) in mixed.iter().enumerate() {
        for t in 0..dim {
            for s in 0..dim {
                all[(s * dim + t) * count + k] = matrix[(s, t)];
            }
        }
    }
    let mut turned = Mat::<f64>::identity(dim, dim);
    let rounds = (ROUNDS * FEW_AXES * FEW_AXES / (dim * dim)).clamp(FEW_ROUNDS, ROUNDS);
    for _ in 0..rounds {
        let mut most = 0.0_f64;
        for p in 0..dim {
            for q in p + 1..dim {
                let (x, y) = pull(&all, dim, count, p, q);
                let (by_words, across) =
                    pulp::Arch::new().dispatch(|| pull_of_words(&words[p], &words[q]));
                let (sine, cosine) = angle(x + weight * by_words, y + weight * across);
                most = most.max(sine.abs());
                if sine.abs() > SMALL {
                    rotate(&mut all, dim, count, p, q, sine, cosine);
                    let (first, second) = words.split_at_mut(q);
                    let (own, other) = (cosine as f32, sine as f32);
                    pulp::Arch::new().dispatch(|| {
                        for (a, b) in first[p].iter_mut().zip(&mut second[0]) {
                            (*a, *b) = (own * *a + other * *b, own * *b - other * *a);
                        }
                    });
                    for s in 0..dim {
                        let (a, b) = (turned[(s, p)], turned[(s, q)]);
                        turned[(s, p)] = cosine * a + sine * b;
                        turned[(s, q)] = cosine * b - sine * a;
                    }
                }
            }
        }
        if most <= 1e-5 {
            break;
        }
    }
    turned
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

/// What the matrices say of four times the angle between two axes: its cosine and sine, by weight.
fn pull(all: &[f64], dim: usize, count: usize, p: usize, q: usize) -> (f64, f64) {
    let at = |s: usize, t: usize| &all[(s * dim + t) * count..][..count];
    let (pp, qq, pq) = (at(p, p), at(q, q), at(p, q));
    let (mut on, mut both, mut off) = (0.0, 0.0, 0.0);
    for k in 0..count {
        let (a, b) = (pp[k] - qq[k], 2.0 * pq[k]);
        on += a * a;
        off += b * b;
        both += a * b;
    }
    (on - off, 2.0 * both)
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

/// Sine and cosine of the best angle between two axes.
fn angle(x: f64, y: f64) -> (f64, f64) {
    let length = libm::sqrt(x * x + y * y);
    if length <= f64::MIN_POSITIVE {
        return (0.0, 1.0);
    }
    let theta = 0.5 * libm::atan2(y, x + length);
    (libm::sin(theta), libm::cos(theta))
}

/// Turns two axes, p < q, of symmetric matrices; only what is on their diagonals and above is kept up.
fn rotate(all: &mut [f64], dim: usize, count: usize, p: usize, q: usize, sine: f64, cosine: f64) {
    let (ss, cc, sc) = (sine * sine, cosine * cosine, sine * cosine);
    for k in 0..count {
        let [pp, qq, pq] = [(p, p), (q, q), (p, q)].map(|(s, t)| (s * dim + t) * count + k);
        let (a, b, both) = (all[pp], all[qq], all[pq]);
        all[pp] = cc * a + ss * b + 2.0 * sc * both;
        all[qq] = ss * a + cc * b - 2.0 * sc * both;
        all[pq] = (cc - ss) * both + sc * (b - a);
    }
    let mut pair = |a: usize, b: usize| {
        // a < b always: the place of p stands before that of q.
        let (first, second) = all.split_at_mut(b * count);
        let (x, y) = (&mut first[a * count..][..count], &mut second[..count]);
        for (x, y) in x.iter_mut().zip(y) {
            (*x, *y) = (cosine * *x + sine * *y, cosine * *y - sine * *x);
        }
    };
    (0..p).for_each(|s| pair(s * dim + p, s * dim + q));
    (p + 1..q).for_each(|t| pair(p * dim + t, t * dim + q));
    (q + 1..dim).for_each(|t| pair(p * dim + t, q * dim + t));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lots::{End, Lots, Stream};

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
