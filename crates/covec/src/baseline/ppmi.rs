//! Factorised associations (Levy, Goldberg & Dagan 2015): no fitting, one decomposition.
//!
//! With A the counts of a level, S_i = Σ_j A_ij, and contexts expected by S_j^α (α: `--smoothing`),
//!
//! ```text
//! PMI_ij  = ln( A_ij · Σ_k S_k^α / (S_i · S_j^α) )
//! PPMI_ij = max(0, PMI_ij − ln s)                       s: --shift
//! PPMI ≈ U Σ V',   the vectors are the rows of U Σ^p    p: --power
//! ```
//!
//! All counts are used: nothing is held out, and pairs of a word with itself count.
//!
//! **Cost:** some products of the counts with a block of as many columns as there are dimensions, for every level.

use std::path::Path;

use pulp::{Simd, WithSimd};

use super::glove::{ALL, level_cells};
use super::parameters::{PpmiParameters, RotationParameters, told};
use super::slices::{Origin, Slice, Slices};
use super::within::Within;
use super::{rotation, svd};
use crate::artefact::Artefact;
use crate::error::Error;
use crate::model::{self, Baseline, Fit, Model, Spaces};
use crate::parallel::{self, Pieces};
use crate::tensor::Tensor;
use crate::train::examples::{Buffer, Examples, Row};
use crate::train::simd::{self, Rows};
use crate::train::table::Table;
use crate::train::{Checked, Diagonal, Part, TrainParameters};
use crate::work::Work;

/// Factorised associations: of every level, turned onto each other; or of all text.
pub fn ppmi_svd(
    tensor: &Tensor,
    parameters: Checked<'_>,
    own: &PpmiParameters,
    turning: &RotationParameters,
    output: &Path,
    work: &Work<'_>,
) -> Result<Model, Error> {
    own.check()?;
    turning.check()?;
    let parameters =
        &TrainParameters { held_out: 0.0, diagonal: Diagonal::Keep, ..parameters.0.clone() };
    let dim = parameters.dim as usize;
    let origin = Origin::from(tensor);
    let artefact = Artefact::begin(output, model::FILES, work.force)?;
    let all = (ALL.to_owned(), vec![true; tensor.covariates.cells.len()]);
    let slices = match own.pooled {
        true => vec![all],
        false if rotation::needs_all(&origin) => [level_cells(tensor), vec![all]].concat(),
        false => level_cells(tensor),
    };
    let (mut levels, mut fits) = (Vec::new(), Vec::new());
    for (done, (name, cells)) in slices.iter().enumerate() {
        let within = Within::new(work, done, slices.len());
        let inner = Work { observer: &within, ..*work };
        let part = Part { cells, sums: &[] };
        let examples = Examples::part(tensor, part, parameters, artefact.scratch(), &inner)?;
        let slice = factorised(&examples, parameters, own, &inner)?;
        let (words, entries) = (slice.words.len() as u64, examples.entries);
        let name = name.clone();
        fits.push(Fit {
            slice: name,
            words,
            entries,
            sweeps: 0,
            ridge: 0.0,
            loss: None,
            held_out: None,
        });
        levels.push(slice);
    }
    let mut parameters_told = told(own);
    let mut found = Slices { dim, ..Slices::default() };
    if own.pooled {
        let mut base = vec![0.0; tensor.vocabulary.len() * dim];
        levels.iter().for_each(|slice| slice.spread(&mut base));
        found.base = Some(base);
    } else {
        let all = if levels.len() > origin.levels() { levels.pop() } else { None };
        rotation::turn(&origin, &mut levels, all.as_ref(), dim, turning, work)?;
        found.levels = levels;
        parameters_told.extend(told(turning));
    }
    let baseline = Baseline {
        method: "ppmi-svd".to_owned(),
        parameters: parameters_told,
        levels: if own.pooled { Spaces::One } else { Spaces::Shared },
        topics: false,
        counts: false,
        fits,
    };
    let model = found.into_model(&origin, parameters, baseline);
    model.write(artefact)?;
    Ok(model)
}

/// The vectors of words that have counts.
fn factorised(
    examples: &Examples,
    parameters: &TrainParameters,
    own: &PpmiParameters,
    work: &Work<'_>,
) -> Result<Slice, Error> {
    let dim = parameters.dim as usize;
    let words: Vec<u32> =
        (0..examples.words() as u32).filter(|&word| examples.len(word as usize) > 0).collect();
    let ppmi = Ppmi::new(examples, own, work);
    let vectors = svd::left(&ppmi, dim, own.power, parameters.seed.0, work)?;
    let vectors = words.iter().flat_map(|&word| &vectors.row(word as usize)[..dim]);
    Ok(Slice { vectors: vectors.copied().collect(), words, contexts: None })
}

/// The matrix of associations, never written down: every product makes it anew from the counts.
pub(super) struct Ppmi<'a> {
    examples: &'a Examples,
    work: &'a Work<'a>,
    /// ln S of every word.
    logs: Vec<f32>,
    /// α ln S_j + ln s − ln Σ S^α: what is taken off a context beyond the word's own.
    contexts: Vec<f32>,
}

impl<'a> Ppmi<'a> {
    fn new(examples: &'a Examples, own: &PpmiParameters, work: &'a Work<'a>) -> Self {
        let sums = || examples.sums.iter().map(|&sum| f64::from(sum));
        // Of words without counts nothing is asked.
        let log = |sum: f64| if sum > 0.0 { libm::log(sum) } else { 0.0 };
        let powers = sums().filter(|sum| *sum > 0.0).map(|sum| libm::pow(sum, own.smoothing));
        let total = libm::log(powers.sum::<f64>().max(f64::MIN_POSITIVE));
        let off = |sum: f64| own.smoothing * log(sum) + libm::log(own.shift) - total;
        Self {
            examples,
            work,
            logs: sums().map(|sum| log(sum) as f32).collect(),
            contexts: sums().map(|sum| off(sum) as f32).collect(),
        }
    }
}

impl svd::Product for Ppmi<'_> {
    fn rows(&self) -> usize {
        self.examples.words()
    }

    fn times(&self, block: &Table, transposed: bool) -> Result<Table, Error> {
        // A word's counts are those of the context: the transpose only changes what is taken off where.
        let (own, others) = match transposed {
            false => (&self.logs, &self.contexts),
            true => (&self.contexts, &self.logs),
        };
        let stretches = self.examples.stretches();
        let mut image = Table::new(block.rows(), block.width());
        let stride = image.stride();
        let lengths = stretches.iter().map(|range| range.len() * stride);
        let pieces = Pieces::cut(image.all_mut(), lengths);
        parallel::map(
            self.work.threads,
            stretches.len(),
            &mut Vec::new(),
            || (Buffer::default(), Vec::new()),
            |(buffer, factors), task| {
                self.work.proceed()?;
                let out = pieces.take(task).chunks_exact_mut(stride);
                for (word, out) in stretches[task].clone().zip(out) {
                    let row = self.examples.row(word, buffer)?;
                    let own = own[word];
                    pulp::Arch::new().dispatch(Times { row, own, others, block, factors, out });
                }
                Ok(())
            },
        )?;
        Ok(image)
    }
}

struct Times<'a> {
    row: Row<'a>,
    own: f32,
    others: &'a [f32],
    block: &'a Table,
    factors: &'a mut Vec<f32>,
    out: &'a mut [f32],
}

impl WithSimd for Times<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Times { row, own, others, block, factors, out } = self;
        let table = Rows::<S>::new(block.all(), block.stride());
        let out = S::as_mut_simd_f32s(out).0;
        factors.clear();
        let association = |(&col, target): (&u32, &f32)| target - own - others[col as usize];
        factors.extend(row.cols.iter().zip(row.targets).map(|pair| association(pair).max(0.0)));
        simd::add_rows(simd, table, row.cols, factors, out);
    }
}

#[cfg(test)]
mod tests {
    use super::svd::Product;
    use super::*;

    #[test]
    fn associations_of_a_table_are_those_worked_out_by_hand() {
        // Sums 3, 3 and 6; in all 12.
        let counts = vec![vec![0.0, 2.0, 1.0], vec![2.0, 0.0, 1.0], vec![1.0, 1.0, 4.0]];
        let examples = Examples::of_counts(&counts, &TrainParameters::default());
        let work = Work::default();
        let matrix = |own: PpmiParameters, transposed: bool| {
            let mut unit = Table::new(3, 3);
            (0..3).for_each(|i| unit.row_mut(i)[i] = 1.0);
            Ppmi::new(&examples, &own, &work).times(&unit, transposed).unwrap()
        };
        let check = |found: &Table, expected: [[f64; 3]; 3]| {
            for (i, row) in expected.iter().enumerate() {
                for (j, expected) in row.iter().enumerate() {
                    let found = f64::from(found.row(i)[j]);
                    assert!((found - expected).abs() < 1e-5, "{i} {j}: {found} {expected}");
                }
            }
        };
        let plain = || PpmiParameters { smoothing: 1.0, ..PpmiParameters::default() };
        // 2·12/(3·3), 4·12/(6·6); 1·12/(3·6) is below 1.
        let (pair, own) = (libm::log(24.0 / 9.0), libm::log(48.0 / 36.0));
        check(&matrix(plain(), false), [[0.0, pair, 0.0], [pair, 0.0, 0.0], [0.0, 0.0, own]]);
        let shifted = PpmiParameters { shift: 2.0, ..plain() };
        let left = pair - libm::log(2.0);
        check(&matrix(shifted, false), [[0.0, left, 0.0], [left, 0.0, 0.0], [0.0, 0.0, 0.0]]);
        // Contexts by their roots: √3, √3 and √6, in all 5.91359.
        let all = 2.0 * libm::sqrt(3.0) + libm::sqrt(6.0);
        let smoothed = || PpmiParameters { smoothing: 0.5, ..plain() };
        let pair = libm::log(2.0 * all / (3.0 * libm::sqrt(3.0)));
        let own = libm::log(4.0 * all / (6.0 * libm::sqrt(6.0)));
        // The first beside the third, not the third beside the first.
        let [one, other] =
            [libm::log(all / (3.0 * libm::sqrt(6.0))), libm::log(all / (6.0 * libm::sqrt(3.0)))];
        assert!(one < 0.0 && other < 0.0);
        check(&matrix(smoothed(), false), [[0.0, pair, 0.0], [pair, 0.0, 0.0], [0.0, 0.0, own]]);
        let none = PpmiParameters { smoothing: 0.5, shift: 0.5, ..plain() };
        let up = |x: f64| (x + libm::log(2.0)).max(0.0);
        let expected =
            [[0.0, up(pair), up(one)], [up(pair), 0.0, up(one)], [up(other), up(other), up(own)]];
        check(&matrix(none.clone(), false), expected);
        check(&matrix(none, true), [0, 1, 2].map(|j| [0, 1, 2].map(|i| expected[i][j])));
    }
}
