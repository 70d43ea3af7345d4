//! One level of a tensor, subsampled several times: levels that differ by chance alone.
//!
//! An entry of value x stands for n = x/w meetings of its two words, rounded, at least 1, where w is
//! the mean weight of a meeting: (1/1 + … + 1/W)/W in a window of W with inverse weights, else 1.
//! Every part keeps every meeting with probability ½, independently of the other parts, so it has
//! m meetings, Binomial(n, ½), and the value x·m/n. The lots are drawn for the unordered pair, so
//! parts are symmetric bit for bit; of more than [`EXACT`] meetings they are drawn by the normal
//! approximation.
//!
//! Kept are the words that occur in the level as often as the tensor's `--min-count` asks of the
//! corpus. A word's occurrences, half of them a part on average, are divided between the parts in
//! the proportion of its rows.

use std::path::Path;

use super::covariates::{Cell, Covariates, Factor, Level};
use super::record::Record;
use super::rows::Row;
use super::runs::{Merged, Run};
use super::{FILES, Tensor, Weights, write_folder};
use crate::artefact::Artefact;
use crate::error::Error;
use crate::lots::{End, Lots, PairLots, Stream};
use crate::vocabulary::Vocabulary;
use crate::work::{Progress, Work};

/// Meetings up to which each has a lot of its own, one random bit.
const EXACT: u64 = 64;
/// No id.
const LEFT_OUT: u32 = u32::MAX;

/// Subsamples a level, an index into [`Covariates::level_names`], into the tensor folder `output`,
/// whose factor `control` has a level for every part.
pub fn subsample(
    tensor: &Tensor,
    level: usize,
    parts: usize,
    seed: u64,
    output: &Path,
    work: &Work<'_>,
) -> Result<Tensor, Error> {
    let artefact = Artefact::begin(output, FILES, work.force)?;
    let (mut vocabulary, ids) = words_of(tensor, level);
    let inside: Vec<bool> =
        tensor.covariates.flat_levels().iter().map(|levels| levels.contains(&level)).collect();
    let weight = mean_weight(tensor);
    let key = Stream::new(seed, End::Thinning, 0).bits();
    let mut run = Run::new(vocabulary.len(), artefact.scratch())?;
    let mut sums = vec![vec![0.0; parts]; vocabulary.len()];
    let (mut read, stored) = (0, tensor.record.entries.stored.max(1));
    tensor.file.each_row(|word, entries| {
        work.proceed()?;
        read += entries.values.len() as u64;
        let share = Some(read as f64 / stored as f64);
        work.observer.progress(Progress { stage: "subsampling", share, words: 0 });
        let row = ids[word as usize];
        if row == LEFT_OUT {
            return Ok(());
        }
        let mut near: Vec<(u32, f64)> = (0..entries.values.len())
            .filter(|&i| inside[entries.cells[i] as usize])
            .map(|i| (ids[entries.cols[i] as usize], entries.values[i]))
            .filter(|&(col, _)| col != LEFT_OUT)
            .collect();
        // Stable: the cells of a pair are added in the order of the file.
        near.sort_by_key(|&(col, _)| col);
        let mut kept = vec![(Vec::new(), Vec::new()); parts];
        for pair in near.chunk_by(|a, b| a.0 == b.0) {
            let (col, value) = (pair[0].0, pair.iter().map(|&(_, value)| value).sum::<f64>());
            let meetings = (value / weight).round().max(1.0) as u64;
            let mut lots = PairLots::new(key, row, col);
            for part in 0..parts {
                let own = half(meetings, &mut lots);
                if own > 0 {
                    let value = value * (own as f64 / meetings as f64);
                    kept[part].0.push(col);
                    kept[part].1.push(value);
                    sums[row as usize][part] += value;
                }
            }
        }
        let mut made = Row::default();
        for (part, (cols, values)) in kept.into_iter().enumerate() {
            made.group(part as u32, |columns, amounts| {
                columns.extend(cols);
                amounts.extend(values);
            });
        }
        run.push(row as usize, made.view())
    })?;
    vocabulary.level_counts = vec![Vec::with_capacity(vocabulary.len()); parts];
    for (count, sums) in vocabulary.counts.iter_mut().zip(&sums) {
        // Rounded up, it grows with the count, so the words stay in their order.
        *count = (*count * parts as u64).div_ceil(2);
        let shares = in_proportion(*count, sums);
        vocabulary.level_counts.iter_mut().zip(shares).for_each(|(part, own)| part.push(own));
    }
    let covariates = covariates(&vocabulary);
    write_folder(artefact, &vocabulary, &covariates, |folder| {
        let rows = Merged::<f64>::new(vec![run], vocabulary.len());
        let value = |value: f64| value;
        let written = folder.entries(&rows, &value, 0.0, work)?;
        Ok(Record::new("control", None, written))
    })?;
    Tensor::open(output)
}

/// The words that occur in the level often enough, and where each of the tensor's words is.
fn words_of(tensor: &Tensor, level: usize) -> (Vocabulary, Vec<u32>) {
    let all = &tensor.vocabulary;
    let counts = &all.level_counts[level];
    let least = tensor.record.parameters.as_ref().map_or(1, |p| p.vocabulary.least_count()).max(1);
    let mut order: Vec<usize> = (0..all.len()).filter(|&word| counts[word] >= least).collect();
    let key = |word: usize| (counts[word], all.words[word].as_bytes());
    order.sort_by(|&a, &b| Vocabulary::order(key(a), key(b)));
    let mut ids = vec![LEFT_OUT; all.len()];
    for (id, &word) in order.iter().enumerate() {
        ids[word] = id as u32;
    }
    let vocabulary = Vocabulary {
        words: order.iter().map(|&word| all.words[word].clone()).collect(),
        counts: order.iter().map(|&word| counts[word]).collect(),
        documents: vec![0; order.len()],
        level_counts: Vec::new(),
    };
    (vocabulary, ids)
}

/// What a meeting of two words adds to their entry, on average.
fn mean_weight(tensor: &Tensor) -> f64 {
    match tensor.record.parameters.as_ref().map(|parameters| &parameters.window) {
        Some(window) if window.weights == Weights::Inverse => {
            let width = window.window;
            (1..=width).map(|distance| 1.0 / f64::from(distance)).sum::<f64>() / f64::from(width)
        }
        _ => 1.0,
    }
}

/// How many of `n` meetings are kept.
fn half(n: u64, lots: &mut impl Lots) -> u64 {
    if n <= EXACT {
        let bits = lots.bits();
        return u64::from((bits >> (64 - n.clamp(1, 64))).count_ones());
    }
    let (n, spread) = (n as f64, libm::sqrt(n as f64) / 2.0);
    (n / 2.0 + spread * lots.normal()).round().clamp(0.0, n) as u64
}

/// A whole number in proportion to sums: rounded down, what is left goes to the largest remainders.
fn in_proportion(count: u64, sums: &[f64]) -> Vec<u64> {
    let total: f64 = sums.iter().sum();
    let share = |sum: &f64| if total > 0.0 { sum / total } else { 1.0 / sums.len() as f64 };
    let exact: Vec<f64> = sums.iter().map(|sum| count as f64 * share(sum)).collect();
    let mut whole: Vec<u64> = exact.iter().map(|x| x.floor() as u64).collect();
    let mut order: Vec<usize> = (0..sums.len()).collect();
    order.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()).then(a.cmp(&b)));
    let left = count.saturating_sub(whole.iter().sum());
    order.iter().take(left as usize).for_each(|&part| whole[part] += 1);
    whole
}

/// One factor with a level for every part.
fn covariates(vocabulary: &Vocabulary) -> Covariates {
    let tokens = vocabulary.level_counts.iter().map(|counts| counts.iter().sum::<u64>());
    let level = |(part, tokens): (usize, u64)| Level {
        name: format!("part-{}", part + 1),
        documents: 0,
        tokens,
        from: None,
    };
    let levels: Vec<Level> = tokens.enumerate().map(level).collect();
    let cells = levels.iter().enumerate();
    let cells = cells
        .map(|(part, level)| Cell { levels: vec![part as u32], documents: 0, tokens: level.tokens })
        .collect();
    Covariates {
        factors: vec![Factor { name: "control".to_owned(), ordered: false, levels }],
        cells,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_meetings_are_kept_with_the_spread_of_coins() {
        for n in [1, 5, EXACT, EXACT + 1, 1000] {
            let (draws, mut sum, mut squares) = (4000, 0.0, 0.0);
            for draw in 0..draws {
                let kept = half(n, &mut PairLots::new(9, draw, 7));
                assert!(kept <= n);
                sum += kept as f64;
                squares += (kept as f64 - n as f64 / 2.0).powi(2);
            }
            let (draws, variance) = (f64::from(draws), n as f64 / 4.0);
            let off = sum / draws - n as f64 / 2.0;
            assert!(off.abs() < 5.0 * (variance / draws).sqrt(), "{n}: {off}");
            let found = squares / draws;
            assert!((found / variance - 1.0).abs() < 0.2, "{n}: variance {found}, not {variance}");
        }
    }

    #[test]
    fn counts_are_divided_in_proportion_and_none_is_lost() {
        assert_eq!(in_proportion(10, &[1.0, 1.0, 1.0]), [4, 3, 3]);
        assert_eq!(in_proportion(7, &[0.0, 3.0, 1.0]), [0, 5, 2]);
        assert_eq!(in_proportion(5, &[0.0, 0.0, 0.0]), [2, 2, 1]);
        assert_eq!(in_proportion(0, &[1.0, 2.0, 3.0]), [0, 0, 0]);
    }
}
