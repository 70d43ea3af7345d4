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
    products: &'a [Vec<f32>],
}

impl Band<'_> {
    /// The words of the band.
    pub(crate) fn rows(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.products[0].len() / self.words
    }

    /// A word's cosines with all words, in one of the spaces.
    pub(crate) fn cosines(&self, space: usize, word: usize) -> &[f32] {
        let at = (word - self.first) * self.words;
        &self.products[space][at..at + self.words]
    }
}

/// Does a task for every band. `spaces` hold the same words' vectors of length 1, row after row, each
/// as a view shows them. Results come in the order of the bands.
pub(crate) fn bands<R: Send>(
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
        buffers.resize(spaces.len(), Vec::new());
        for (space, buffer) in spaces.iter().zip(buffers.iter_mut()) {
            buffer.resize(rows * words, 0.0);
            let all = MatRef::from_column_major_slice(space, dim, words);
            let own = all.subcols(first, rows);
            // A column of the product is a row of the band.
            let product = MatMut::from_column_major_slice_mut(buffer, words, rows);
            matmul(product, Accum::Replace, all.transpose(), own, 1.0, Par::Seq);
        }
        Ok(task(&Band { first, words, products: buffers }))
    })
}

/// The `n` words with the largest cosines, leaving out one; sorted by id. Of equal ones the more common.
pub(crate) fn nearest(cosines: &[f32], but: usize, n: usize) -> Vec<u32> {
    let mut ids: Vec<u32> = (0..cosines.len() as u32).filter(|&id| id as usize != but).collect();
    let n = n.min(ids.len());
    if n == 0 {
        return Vec::new();
    }
    let by =
        |a: &u32, b: &u32| cosines[*b as usize].total_cmp(&cosines[*a as usize]).then(a.cmp(b));
    ids.select_nth_unstable_by(n - 1, by);
    ids.truncate(n);
    ids.sort_unstable();
    ids
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
