//! What the vectors say of counts.
//!
//! Bernoulli's likelihood is of words at places, not of counts. But how much more often than by chance word i stands near word j is, as a
//! logarithm, what the context vector of j does to i (Levy and Goldberg 2014, of word2vec). So of a pair in a cell c of level g, with S the
//! sums of the tensor's counts,
//!
//! ```text
//! ln A ≈ ln S_ic + ln S_jc − ln S_c + t_g + s · ½ (α_j·ρ_gi + α_i·ρ_gj)
//! ```
//!
//! s and t_g are those of least squares, weighted by f(A), over the pairs that are not held out: no other straight line through the vectors
//! predicts these better. The vectors themselves have seen all of the text, held-out pairs too, which flatters the method.
//!
//! * **In:** vectors of every word in every level, context vectors, the tensor.
//! * **Out:** biases of levels, which hold t and the sums; context vectors times s.
//! * **Cost:** two passes over the tensor, two products of vectors an entry.

use crate::baseline::slices::Slices;
use crate::error::Error;
use crate::parallel;
use crate::tensor::Tensor;
use crate::train::loading::{Loaded, Reader};
use crate::train::{TrainParameters, held_pairs};
use crate::work::Work;

/// Of what is expected of a word that a level does not have, the part it is given.
const UNSEEN: f64 = 0.01;

/// Weighted sums of pairs: weight, x, y, x², xy.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Line([f64; 5]);

impl Line {
    fn add(&mut self, weight: f64, x: f64, y: f64) {
        let more = [1.0, x, y, x * x, x * y];
        self.0.iter_mut().zip(more).for_each(|(sum, more)| *sum += weight * more);
    }

    fn join(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, more)| *sum += more);
    }

    /// Where y is for x = 0, if it rises so steeply.
    fn height(&self, steep: f64) -> f64 {
        let [weight, x, y, ..] = self.0;
        if weight > 0.0 { (y - steep * x) / weight } else { 0.0 }
    }
}

/// How steeply y rises with x, where each line has a height of its own.
fn steepness(lines: &[Line]) -> f64 {
    let (mut above, mut below) = (0.0, 0.0);
    for Line([weight, x, y, xx, xy]) in lines.iter().filter(|line| line.0[0] > 0.0) {
        above += xy - x * y / weight;
        below += xx - x * x / weight;
    }
    if below > 0.0 { above / below } else { 0.0 }
}

/// Gives what was found its biases, and its context vectors their length.
pub(super) fn read(
    found: &mut Slices,
    tensor: &Tensor,
    parameters: &TrainParameters,
    work: &Work<'_>,
) -> Result<(), Error> {
    let words = tensor.vocabulary.len();
    let sums = held_pairs(tensor, parameters, work)?.sums;
    let totals: Vec<f64> =
        sums.chunks(words.max(1)).map(|own| own.iter().map(|&x| f64::from(x)).sum()).collect();
    let cells = tensor.covariates.flat_levels();
    let reader = Reader::new(tensor, parameters);
    let weighting = reader.weighting();
    let chance = |word: u32, cell: usize| libm::log(f64::from(sums[cell * words + word as usize]));
    let (dim, contexts) = (found.dim, &found.contexts);
    let own = |word: u32| word as usize * dim..(word as usize + 1) * dim;
    let said = |level: usize, i: u32, j: u32| {
        let vectors = &found.levels[level].vectors;
        let one = |i: u32, j: u32| {
            let pair = vectors[own(i)].iter().zip(&contexts[own(j)]);
            f64::from(pair.map(|(x, context)| x * context).sum::<f32>())
        };
        f64::midpoint(one(i, j), one(j, i))
    };
    let parts = parallel::tasks(work.threads, tensor.groups(), |group| {
        work.proceed()?;
        let loaded = reader.group(group, Loaded::default())?;
        let mut lines = vec![Line::default(); found.levels.len()];
        let (mut entries, mut groups) = (0, 0);
        for &(row, own_entries, own_groups) in &loaded.rows {
            let mut start = entries;
            for group in &loaded.groups[groups..groups + own_groups as usize] {
                let (cell, end) = (group.cell as usize, entries + group.end as usize);
                for at in start..end {
                    let (col, target) = (loaded.cols[at], loaded.targets[at]);
                    let expected = chance(row, cell) + chance(col, cell) - libm::log(totals[cell]);
                    let beyond = f64::from(target) - expected;
                    for &level in &cells[cell] {
                        let weight = f64::from(weighting.of(target));
                        lines[level].add(weight, said(level, row, col), beyond);
                    }
                }
                start = end;
            }
            entries += own_entries as usize;
            groups += own_groups as usize;
        }
        Ok(lines)
    })?;
    let mut lines = vec![Line::default(); found.levels.len()];
    for part in &parts {
        lines.iter_mut().zip(part).for_each(|(line, own)| line.join(own));
    }
    let steep = steepness(&lines);
    found.contexts.iter_mut().for_each(|x| *x *= steep as f32);
    found.biases = biases(&lines, steep, &cells, &sums, words);
    Ok(())
}

/// What independence makes of the words of every level, and half of its height.
fn biases(
    lines: &[Line],
    steep: f64,
    cells: &[Vec<usize>],
    sums: &[f32],
    words: usize,
) -> Vec<f32> {
    let of = |inside: &dyn Fn(&[usize]) -> bool| {
        let mut all = vec![0.0_f64; words];
        for (levels, own) in cells.iter().zip(sums.chunks(words.max(1))) {
            if inside(levels) {
                all.iter_mut().zip(own).for_each(|(sum, own)| *sum += f64::from(*own));
            }
        }
        all
    };
    let everywhere = of(&|_| true);
    let all: f64 = everywhere.iter().sum();
    let mut biases = Vec::with_capacity(lines.len() * words);
    for (level, line) in lines.iter().enumerate() {
        let own = of(&|levels| levels.contains(&level));
        let total: f64 = own.iter().sum();
        let half = (line.height(steep) - libm::log(total.max(f64::MIN_POSITIVE))) / 2.0;
        biases.extend(own.iter().zip(&everywhere).map(|(own, everywhere)| {
            let seen = (own + UNSEEN * everywhere * total / all) / (1.0 + UNSEEN);
            if seen > 0.0 { (libm::log(seen) + half) as f32 } else { 0.0 }
        }));
    }
    biases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_levels_share_how_steep_they_are_and_have_heights_of_their_own() {
        let mut lines = [Line::default(); 3];
        for (level, height) in [(0, -1.0), (2, 4.0)] {
            for at in 0..10 {
                let x = f64::from(at * (1 + level));
                lines[level as usize].add(1.0 + f64::from(at % 3), x, height + 0.5 * x);
            }
        }
        assert!((steepness(&lines) - 0.5).abs() < 1e-12);
        assert!((lines[0].height(0.5) + 1.0).abs() < 1e-12);
        assert!((lines[2].height(0.5) - 4.0).abs() < 1e-12);
        // A level without pairs says nothing.
        assert_eq!(lines[1].height(0.5), 0.0);
        assert_eq!(steepness(&lines[1..2]), 0.0);
    }
}
