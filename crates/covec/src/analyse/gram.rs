//! Cosines of all words with all words, a band of rows at a time: products of blocks, never the table
//! of all pairs.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use crate::error::Error;
use crate::parallel;
use crate::work::{Progress, Work};

/// Rows of a band.
const BAND: usize = 64;

/// Cosines of a band of words with all words.
pub(crate) struct Band<'a> {
    /// The first word of the band.
    pub(crate) first: usize,
    /// How many words there are in all.
    words: usize,
    /// The first word that those of the band are compared with.
    begin: usize,
    against: Against,
    products: &'a [Vec<f32>],
}

/// Which words those of a band are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Against {
    /// All.
    All,
    /// Those of the band and later ones.
    Later,
}

impl Band<'_> {
    /// The words of the band.
    pub(crate) fn rows(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.products[0].len() / (self.words - self.begin)
    }

    /// A word's cosines with all words, or with later ones from its own on, in one of the spaces.
    pub(crate) fn cosines(&self, space: usize, word: usize) -> &[f32] {
        let width = self.words - self.begin;
        let at = (word - self.first) * width;
        let own = &self.products[space][at..at + width];
        match self.against {
            Against::All => own,
            Against::Later => &own[word - self.begin..],
        }
    }
}

/// Does a task for every band, with the cosines of its words with all words. `spaces` hold the same words'
/// vectors of length 1, row after row, each as a view shows them. Results come in the order of the bands.
pub(crate) fn bands<R: Send>(
    spaces: &[&[f32]],
    dim: usize,
    work: &Work<'_>,
    task: impl Fn(&Band<'_>) -> R + Sync,
) -> Result<Vec<R>, Error> {
    bands_against(Against::All, spaces, dim, work, task)
}

/// The same with the words of the band and later ones alone: every pair once, at half the cost.
pub(crate) fn later_bands<R: Send>(
    spaces: &[&[f32]],
    dim: usize,
    work: &Work<'_>,
    task: impl Fn(&Band<'_>) -> R + Sync,
) -> Result<Vec<R>, Error> {
    bands_against(Against::Later, spaces, dim, work, task)
}

fn bands_against<R: Send>(
    against: Against,
    spaces: &[&[f32]],
    dim: usize,
    work: &Work<'_>,
    task: impl Fn(&Band<'_>) -> R + Sync,
) -> Result<Vec<R>, Error> {
    let words = spaces.first().map_or(0, |space| space.len() / dim);
    let bands = words.div_ceil(BAND);
    parallel::map(work.threads, bands, &mut Vec::new(), Vec::new, |buffers, band| {
        work.proceed()?;
        let share = Some(band as f64 / bands as f64);
        work.observer.progress(Progress { stage: "comparing", share, words: 0 });
        let first = band * BAND;
        let rows = BAND.min(words - first);
        let begin = if against == Against::All { 0 } else { first };
        buffers.resize(spaces.len(), Vec::new());
        for (space, buffer) in spaces.iter().zip(buffers.iter_mut()) {
            buffer.resize(rows * (words - begin), 0.0);
            let all = MatRef::from_column_major_slice(space, dim, words);
            let own = all.subcols(first, rows);
            // A column of the product is a row of the band.
            let product = MatMut::from_column_major_slice_mut(buffer, words - begin, rows);
            let others = all.subcols(begin, words - begin);
            matmul(product, Accum::Replace, others.transpose(), own, 1.0, Par::Seq);
        }
        Ok(task(&Band { first, words, begin, against, products: buffers }))
    })
}

/// One in so many cosines is looked at to find out which are large.
const SAMPLE: usize = 16;
/// Cosines that are passed over at once.
const STRIDE: usize = 16;

/// The `n` words with the largest cosines, leaving out one; sorted by id. Of equal ones the more common.
pub(crate) fn nearest(cosines: &[f32], but: usize, n: usize) -> Vec<u32> {
    // Most are far too small to be chosen from: a sample says what surely is. Where it misleads, all are.
    let mut keys = at_least(cosines, but, likely_floor(cosines, n));
    if keys.len() < n {
        keys = at_least(cosines, but, f32::NEG_INFINITY);
    }
    let n = n.min(keys.len());
    if n == 0 {
        return Vec::new();
    }
    keys.select_nth_unstable(n - 1);
    keys.truncate(n);
    let mut ids: Vec<u32> = keys.into_iter().map(|key| key as u32).collect();
    ids.sort_unstable();
    ids
}

/// A number above which some more than `n` of the cosines are likely to lie.
fn likely_floor(cosines: &[f32], n: usize) -> f32 {
    let mut sample: Vec<f32> = cosines.iter().step_by(SAMPLE).copied().collect();
    let place = 2 * n / SAMPLE + 8;
    if place >= sample.len() {
        return f32::NEG_INFINITY;
    }
    *sample.select_nth_unstable_by(place, |a, b| b.total_cmp(a)).1
}

/// All but one whose cosines are not below a floor, as numbers that sort the largest cosine first and of
/// equal ones the smaller id.
fn at_least(cosines: &[f32], but: usize, floor: f32) -> Vec<u64> {
    let mut keys = Vec::new();
    for (place, stride) in cosines.chunks(STRIDE).enumerate() {
        // Without a branch for each, so that many are compared at once.
        if !stride.iter().fold(false, |any, &cosine| any | (cosine >= floor)) {
            continue;
        }
        for (k, &cosine) in stride.iter().enumerate() {
            let id = place * STRIDE + k;
            if cosine >= floor && id != but {
                keys.push((u64::from(!ordered(cosine)) << 32) | id as u64);
            }
        }
    }
    keys
}

/// A whole number that sorts as [`f32::total_cmp`] does.
fn ordered(number: f32) -> u32 {
    let bits = number.to_bits();
    if bits >> 31 == 0 { bits | (1 << 31) } else { !bits }
}

/// How many numbers two sorted lists share.
pub(crate) fn common(a: &[u32], b: &[u32]) -> usize {
    let (mut i, mut j, mut both) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                both += 1;
                i += 1;
                j += 1;
            }
        }
    }
    both
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_nearest_are_the_first_of_all_sorted(
            // Few different values: ties; and none but a few large ones, where the sample misleads.
            cosines in proptest::collection::vec((-8_i8..8).prop_map(|x| f32::from(x) / 8.0), 1..900),
            large in proptest::collection::vec(any::<prop::sample::Index>(), 0..4),
            but in any::<prop::sample::Index>(),
            n in 0_usize..130,
        ) {
            let mut cosines = cosines;
            for at in large {
                let at = at.index(cosines.len());
                cosines[at] = 0.99;
            }
            let but = but.index(cosines.len());
            let mut ids: Vec<u32> = (0..cosines.len() as u32).filter(|&id| id as usize != but).collect();
            ids.sort_by(|&a, &b| cosines[b as usize].total_cmp(&cosines[a as usize]).then(a.cmp(&b)));
            ids.truncate(n);
            ids.sort_unstable();
            prop_assert_eq!(nearest(&cosines, but, n), ids);
        }

        #[test]
        fn whole_numbers_sort_as_the_cosines_do(a in any::<f32>(), b in any::<f32>()) {
            prop_assert_eq!(ordered(a).cmp(&ordered(b)), a.total_cmp(&b));
        }
    }

    #[test]
    fn later_words_have_the_same_cosines_as_among_all() {
        let (words, dim) = (150, 3);
        let space: Vec<f32> =
            (0..words * dim).map(|i| ((i * 37 % 101) as f32 - 50.0) / 50.0).collect();
        let of = |against| {
            bands_against(against, &[&space], dim, &Work::default(), |band| {
                band.rows().map(|word| band.cosines(0, word).to_vec()).collect::<Vec<_>>()
            })
            .unwrap()
            .concat()
        };
        let (all, later) = (of(Against::All), of(Against::Later));
        for (word, (all, later)) in all.iter().zip(&later).enumerate() {
            assert_eq!(later.len(), words - word);
            for (a, b) in all[word..].iter().zip(later) {
                assert!((a - b).abs() < 1e-5, "{word}: {a} {b}");
            }
        }
    }
}
