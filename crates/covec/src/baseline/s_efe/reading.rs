//! What the vectors say of counts.
//!
//! Bernoulli's likelihood is of words at places, not of counts. But how much more often than by chance word i stands near word j is, as a
//! logarithm, what the context vector of j does to i (Levy and Goldberg 2014, of word2vec). So of a pair in a cell c of level g, with S the
//! sums of the tensor's counts,
//!
//! ```text
//! o    = ln S_ic + ln S_jc − ln S_c                what chance would make of it
//! x    = ½ (α_j·ρ_gi + α_i·ρ_gj)
//! ln A ≈ curve( o + s x + t_g )
//! ```
//!
//! s and t_g are read off r o + s' x + t'_g, the least squares of ln A, weighted by f(A), over the pairs that are not held out: s = s'/r, t = t'/r. Words that
//! are not there are part of the likelihood, so that, as with `--chance`, what is told is of all pairs, and is read through the curve of
//! those that met ([`Met`]). The vectors themselves have seen all of the text, held-out pairs too, which flatters the method.
//!
//! * **In:** vectors of every word in every level, context vectors, the tensor.
//! * **Out:** biases of levels, which hold t and the sums; context vectors times s; the curve.
//! * **Cost:** three passes over the tensor, four products of vectors an entry.

use crate::baseline::slices::Slices;
use crate::error::Error;
use crate::parallel;
use crate::tensor::Tensor;
use crate::train::loading::{Loaded, Reader};
use crate::train::met::Bins;
use crate::train::{Met, TrainParameters, held_pairs};
use crate::work::Work;

/// Of what is expected of a word that a level does not have, the part it is given.
const UNSEEN: f64 = 0.01;

/// A pair that is learnt from, in a level.
struct Pair {
    level: usize,
    weight: f64,
    /// o, x and ln A.
    chance: f64,
    said: f64,
    target: f64,
}

/// Weighted sums over the pairs of a level: of 1, o, x, y; then of the products of two of o, x, y.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Plane {
    means: [f64; 4],
    products: [[f64; 3]; 3],
}

impl Plane {
    fn add(&mut self, weight: f64, [o, x, y]: [f64; 3]) {
        self.means.iter_mut().zip([1.0, o, x, y]).for_each(|(sum, more)| *sum += weight * more);
        for (sums, a) in self.products.iter_mut().zip([o, x, y]) {
            sums.iter_mut().zip([o, x, y]).for_each(|(sum, b)| *sum += weight * a * b);
        }
    }

    fn join(&mut self, other: &Self) {
        self.means.iter_mut().zip(other.means).for_each(|(sum, more)| *sum += more);
        for (sums, own) in self.products.iter_mut().zip(other.products) {
            sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
    }

    /// How two of them vary together about the level's means.
    fn together(&self, a: usize, b: usize) -> f64 {
        match self.means[0] {
            weight if weight > 0.0 => {
                self.products[a][b] - self.means[a + 1] * self.means[b + 1] / weight
            }
            _ => 0.0,
        }
    }

    /// t, where s is known and so is r.
    fn height(&self, steep: f64, chance: f64) -> f64 {
        let [weight, o, x, y] = self.means;
        if weight > 0.0 { (y / chance - o - steep * x) / weight } else { 0.0 }
    }
}

/// s and r.
fn steepness(planes: &[Plane]) -> (f64, f64) {
    let sum = |a: usize, b: usize| planes.iter().map(|plane| plane.together(a, b)).sum::<f64>();
    let (oo, ox, xx, oy, xy) = (sum(0, 0), sum(0, 1), sum(1, 1), sum(0, 2), sum(1, 2));
    let determinant = oo * xx - ox * ox;
    let chance = (oy * xx - xy * ox) / determinant;
    let steep = (xy * oo - oy * ox) / determinant;
    // Counts rise with what chance makes of them; where they do not, there is nothing to be read.
    if chance > 0.0 && steep.is_finite() { (steep / chance, chance) } else { (0.0, 1.0) }
}

/// Gives what was found its biases, and its context vectors their length; the curve that predictions are read through.
pub(super) fn read(
    found: &mut Slices,
    tensor: &Tensor,
    parameters: &TrainParameters,
    work: &Work<'_>,
) -> Result<Met, Error> {
    let pairs = Pairs::new(found, tensor, parameters, work)?;
    let levels = found.levels.len();
    let empty = || vec![Plane::default(); levels];
    let parts = pairs.each(empty, |planes: &mut Vec<Plane>, pair| {
        planes[pair.level].add(pair.weight, [pair.chance, pair.said, pair.target]);
    })?;
    let mut planes = empty();
    for part in &parts {
        planes.iter_mut().zip(part).for_each(|(plane, own)| plane.join(own));
    }
    let (steep, chance) = steepness(&planes);
    let heights: Vec<f64> = planes.iter().map(|plane| plane.height(steep, chance)).collect();
    let parts = pairs.each(Bins::default, |bins, pair| {
        let told = pair.chance + steep * pair.said + heights[pair.level];
        bins.add(pair.weight, told, pair.target);
    })?;
    let mut bins = Bins::default();
    parts.iter().for_each(|part| bins.join(part));
    let biases = pairs.biases(&heights);
    found.contexts.iter_mut().for_each(|x| *x *= steep as f32);
    found.biases = biases;
    Ok(bins.curve())
}

/// The pairs of a tensor that are learnt from, with what vectors say of them.
struct Pairs<'a> {
    found: &'a Slices,
    tensor: &'a Tensor,
    reader: Reader<'a>,
    /// The levels of every cell.
    cells: Vec<Vec<usize>>,
    /// Sums of the counts of every word in every cell, cell × words + word, and of every cell.
    sums: Vec<f32>,
    totals: Vec<f64>,
    work: &'a Work<'a>,
}

impl<'a> Pairs<'a> {
    fn new(
        found: &'a Slices,
        tensor: &'a Tensor,
        parameters: &'a TrainParameters,
        work: &'a Work<'a>,
    ) -> Result<Self, Error> {
        let sums = held_pairs(tensor, parameters, work)?.sums;
        let total = |own: &[f32]| own.iter().map(|&x| f64::from(x)).sum();
        let totals = sums.chunks(tensor.vocabulary.len().max(1)).map(total).collect();
        let (reader, cells) = (Reader::new(tensor, parameters), tensor.covariates.flat_levels());
        Ok(Self { found, tensor, reader, cells, sums, totals, work })
    }

    /// Every pair to `take`, which begins anew with every row group.
    fn each<T: Send>(
        &self,
        empty: impl Fn() -> T + Sync,
        take: impl Fn(&mut T, &Pair) + Sync,
    ) -> Result<Vec<T>, Error> {
        let weighting = self.reader.weighting();
        parallel::tasks(self.work.threads, self.tensor.groups(), |group| {
            self.work.proceed()?;
            let loaded = self.reader.group(group, Loaded::default())?;
            let mut taken = empty();
            let (mut entries, mut groups) = (0, 0);
            for &(row, own_entries, own_groups) in &loaded.rows {
                let mut start = entries;
                for group in &loaded.groups[groups..groups + own_groups as usize] {
                    let (cell, end) = (group.cell as usize, entries + group.end as usize);
                    for at in start..end {
                        let (col, target) = (loaded.cols[at], loaded.targets[at]);
                        let weight = f64::from(weighting.of(target));
                        let (chance, target) = (self.chance(row, col, cell), f64::from(target));
                        for &level in &self.cells[cell] {
                            let said = self.said(level, row, col);
                            take(&mut taken, &Pair { level, weight, chance, said, target });
                        }
                    }
                    start = end;
                }
                entries += own_entries as usize;
                groups += own_groups as usize;
            }
            Ok(taken)
        })
    }

    fn chance(&self, row: u32, col: u32, cell: usize) -> f64 {
        let words = self.tensor.vocabulary.len();
        let sum = |word: u32| f64::from(self.sums[cell * words + word as usize]);
        libm::log(sum(row) * sum(col) / self.totals[cell])
    }

    fn said(&self, level: usize, row: u32, col: u32) -> f64 {
        let (dim, vectors) = (self.found.dim, &self.found.levels[level].vectors);
        let own = |word: u32| word as usize * dim..(word as usize + 1) * dim;
        let one = |word: u32, context: u32| {
            let pair = vectors[own(word)].iter().zip(&self.found.contexts[own(context)]);
            f64::from(pair.map(|(x, context)| x * context).sum::<f32>())
        };
        f64::midpoint(one(row, col), one(col, row))
    }

    /// What independence makes of the words of every level, and half of its height.
    fn biases(&self, heights: &[f64]) -> Vec<f32> {
        let words = self.tensor.vocabulary.len();
        let of = |inside: &dyn Fn(&[usize]) -> bool| {
            let mut all = vec![0.0_f64; words];
            for (levels, own) in self.cells.iter().zip(self.sums.chunks(words.max(1))) {
                if inside(levels) {
                    all.iter_mut().zip(own).for_each(|(sum, own)| *sum += f64::from(*own));
                }
            }
            all
        };
        let everywhere = of(&|_| true);
        let all: f64 = everywhere.iter().sum();
        let mut biases = Vec::with_capacity(heights.len() * words);
        for (level, height) in heights.iter().enumerate() {
            let own = of(&|levels| levels.contains(&level));
            let total: f64 = own.iter().sum();
            let half = (height - libm::log(total.max(f64::MIN_POSITIVE))) / 2.0;
            biases.extend(own.iter().zip(&everywhere).map(|(own, everywhere)| {
                let seen = (own + UNSEEN * everywhere * total / all) / (1.0 + UNSEEN);
                if seen > 0.0 { (libm::log(seen) + half) as f32 } else { 0.0 }
            }));
        }
        biases
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_share_how_steep_they_are_and_have_heights_of_their_own() {
        let mut planes = [Plane::default(); 3];
        for (level, height) in [(0, -1.0), (2, 4.0)] {
            for at in 0..12 {
                let (o, x) = (f64::from(at * (1 + level)), f64::from((at * 5) % 7));
                let y = 0.5 * (o + 3.0 * x + height);
                planes[level as usize].add(1.0 + f64::from(at % 3), [o, x, y]);
            }
        }
        let (steep, chance) = steepness(&planes);
        assert!((steep - 3.0).abs() < 1e-9 && (chance - 0.5).abs() < 1e-9, "{steep} {chance}");
        assert!((planes[0].height(steep, chance) + 1.0).abs() < 1e-9);
        assert!((planes[2].height(steep, chance) - 4.0).abs() < 1e-9);
        // A level without pairs says nothing.
        assert_eq!(planes[1].height(steep, chance), 0.0);
        assert_eq!(steepness(&planes[1..2]), (0.0, 1.0));
    }
}
