//! What stands near a word more often than chance, straight from the counts.
//!
//! For a level (all cells in which it holds), with A the weighted co-occurrence counts of those
//! cells, `m_i = Σ_j A_ij` over every column and `M = Σ_i m_i`,
//!
//! ```text
//! expected E_ij = m_i · m_j / M
//! score         = ln(A_ij / E_ij) − caution / √A_ij
//! ```
//!
//! The first term says how many times more often than by chance the two meet: their pointwise
//! mutual information. On small counts it is wild, so that words which met by accident would win
//! every list. The second term takes its standard error off, `caution` times: no meeting weighs more
//! than 1, so the variance of A is at most A, and that of ln A at most 1/A. The score is thus what
//! the association is *at least*; `e^score` reads as "at least so many times as often as by chance".
//! Function words fall away because their ratio is small (they stand near everything), rare words
//! because their error is large. A count of 1 or less may be a single meeting, and is left out.
//!
//! * **In:** an opened tensor, words, levels.
//! * **Out:** for every word and level, the words that score above 0, best first.
//! * **Invariants:** sums are taken in the order of the file; ties go to the more common word.
//! * **Cost:** one pass over all entries, for all words and levels together.

use super::{Covariates, Tensor};
use crate::Work;
use crate::error::Error;
use crate::parameters::{Whole, parameters};
use crate::work::Progress;

parameters! {
    /// Which collocates are told, and how they are scored.
    pub struct CollocateParameters {
        min_count: Whole = Whole(5), "N", "5",
            "a whole number" if |_: &Whole| true,
            "Leave out collocates that occur fewer times in the level";
        above: f64 = 1.0, "X", "1: at least two meetings",
            "a number, 0 or more" if |x: &f64| x.is_finite() && *x >= 0.0,
            "Leave out collocates whose weighted count with the word is not above this";
        caution: f64 = 3.0, "Z", "3",
            "a number, 0 or more" if |x: &f64| x.is_finite() && *x >= 0.0,
            "Standard errors taken off: score = ln(count / expected) - Z / sqrt(count)";
    }
}

/// A word in a level, with what stands near it there.
#[derive(Debug, Clone, PartialEq)]
pub struct Collocates {
    /// The word.
    pub word: String,
    /// The level, as [`Covariates::cells_in`] takes it; `all` for the whole tensor.
    pub level: String,
    /// How often the word occurs in the level.
    pub occurrences: u64,
    /// The collocates, best first.
    pub rows: Vec<Collocate>,
}

/// A word that stands near another.
#[derive(Debug, Clone, PartialEq)]
pub struct Collocate {
    /// The collocate.
    pub word: String,
    /// Weighted count of the two near each other, in the level.
    pub count: f64,
    /// What that count would be by chance.
    pub expected: f64,
    /// What ln(count / expected) is at least; above 0.
    pub score: f64,
    /// How often the collocate occurs in the level.
    ///
    /// The tensor knows this for a level. For several levels together it is reckoned from the whole
    /// count, by the share of the word's weight that falls where they all hold.
    pub occurrences: u64,
}

/// The collocates of every word in every level; word by word, levels in the order given.
///
/// Levels are what [`Covariates::cells_in`] takes; without any, those of the first factor, or the
/// whole where there is no factor. A word beside itself is no collocate.
pub fn find(
    tensor: &Tensor,
    words: &[String],
    levels: &[String],
    parameters: &CollocateParameters,
    work: &Work<'_>,
) -> Result<Vec<Collocates>, Error> {
    parameters.check()?;
    let mut ids = Vec::new();
    for word in words {
        let id = tensor.word(word)?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let mut asked = Vec::new();
    for level in default_levels(&tensor.covariates, levels) {
        asked.push(Asked::new(&tensor.covariates, level)?);
    }
    let sums = Sums::read(tensor, &ids, &asked, work)?;
    let mut lists = Vec::new();
    for &word in &ids {
        for (level, asked) in asked.iter().enumerate() {
            lists.push(Collocates {
                word: tensor.vocabulary.words[word as usize].clone(),
                level: asked.name.clone(),
                occurrences: sums.occurrences(tensor, asked, level, word),
                rows: sums.rows(tensor, asked, level, word, parameters),
            });
        }
    }
    Ok(lists)
}

/// The levels meant when none is named; none of them stands for the whole.
fn default_levels(covariates: &Covariates, given: &[String]) -> Vec<Option<String>> {
    match covariates.factors.first() {
        _ if !given.is_empty() => given.iter().cloned().map(Some).collect(),
        Some(factor) => {
            let names = factor.levels.iter().map(|level| format!("{}={}", factor.name, level.name));
            names.map(Some).collect()
        }
        None => vec![None],
    }
}

/// A level that was asked for.
struct Asked {
    name: String,
    /// For every cell, whether it belongs.
    holds: Vec<bool>,
    counts: Counts,
}

/// Where the occurrences of words in a level are known from.
enum Counts {
    /// The whole vocabulary's counts.
    Whole,
    /// Those of a level, an index into [`Covariates::level_names`].
    Level(usize),
    /// Nowhere: they are reckoned from the weights.
    Reckoned,
}

impl Asked {
    fn new(covariates: &Covariates, level: Option<String>) -> Result<Self, Error> {
        let cells = covariates.cells.len();
        let Some(given) = level else {
            return Ok(Self {
                name: "all".to_owned(),
                holds: vec![true; cells],
                counts: Counts::Whole,
            });
        };
        let mut holds = vec![false; cells];
        for cell in covariates.cells_in(&given)? {
            holds[cell as usize] = true;
        }
        let of_cell = covariates.flat_levels();
        let names = covariates.level_names();
        let same = |&level: &usize| (0..cells).all(|c| holds[c] == of_cell[c].contains(&level));
        // `party=Whig,era=1` is `party=Whig` where all Whigs are of era 1.
        Ok(match (0..names.len()).find(same) {
            Some(level) if !given.contains(',') => {
                Self { name: names[level].clone(), holds, counts: Counts::Level(level) }
            }
            Some(level) => Self { name: given, holds, counts: Counts::Level(level) },
            None => Self { name: given, holds, counts: Counts::Reckoned },
        })
    }
}

/// What one pass over the entries gathers.
struct Sums {
    /// For every level, the weight of each word: the sum of its row.
    weights: Vec<Vec<f64>>,
    /// The weight of each word in all cells.
    whole: Vec<f64>,
    /// For every level, the entries of the words asked for, as (row, column, value).
    near: Vec<Vec<(u32, u32, f64)>>,
}

impl Sums {
    fn read(tensor: &Tensor, ids: &[u32], asked: &[Asked], work: &Work<'_>) -> Result<Self, Error> {
        let words = tensor.vocabulary.len();
        let mut wanted = vec![false; words];
        ids.iter().for_each(|&id| wanted[id as usize] = true);
        let of_cell: Vec<Vec<usize>> = (0..tensor.covariates.cells.len())
            .map(|cell| (0..asked.len()).filter(|&level| asked[level].holds[cell]).collect())
            .collect();
        let mut sums = Self {
            weights: vec![vec![0.0; words]; asked.len()],
            whole: vec![0.0; words],
            near: vec![Vec::new(); asked.len()],
        };
        let mut read = 0;
        for entries in tensor.entries()? {
            let entries = entries?;
            work.proceed()?;
            for i in 0..entries.values.len() {
                let (row, value) = (entries.rows[i], entries.values[i]);
                sums.whole[row as usize] += value;
                for &level in &of_cell[entries.cells[i] as usize] {
                    sums.weights[level][row as usize] += value;
                    if wanted[row as usize] {
                        sums.near[level].push((row, entries.cols[i], value));
                    }
                }
            }
            read += entries.values.len() as u64;
            let share = Some(read as f64 / tensor.record.entries.stored as f64);
            work.observer.progress(Progress { stage: "reading counts", share, words: 0 });
        }
        for near in &mut sums.near {
            // Stable, so that the values of a pair are added in the order of the file.
            near.sort_by_key(|&(row, column, _)| (row, column));
            near.dedup_by(|next, first| {
                let same = (next.0, next.1) == (first.0, first.1);
                if same {
                    first.2 += next.2;
                }
                same
            });
        }
        Ok(sums)
    }

    fn occurrences(&self, tensor: &Tensor, asked: &Asked, level: usize, word: u32) -> u64 {
        let word = word as usize;
        match asked.counts {
            Counts::Whole => tensor.vocabulary.counts[word],
            Counts::Level(level) => tensor.vocabulary.level_counts[level][word],
            Counts::Reckoned if self.whole[word] > 0.0 => {
                let share = self.weights[level][word] / self.whole[word];
                (tensor.vocabulary.counts[word] as f64 * share).round() as u64
            }
            Counts::Reckoned => 0,
        }
    }

    fn rows(
        &self,
        tensor: &Tensor,
        asked: &Asked,
        level: usize,
        word: u32,
        parameters: &CollocateParameters,
    ) -> Vec<Collocate> {
        let weights = &self.weights[level];
        let total: f64 = weights.iter().sum();
        let near = &self.near[level];
        let own = near.partition_point(|&(row, ..)| row < word)
            ..near.partition_point(|&(row, ..)| row <= word);
        let mut found: Vec<(u32, Collocate)> = Vec::new();
        for &(_, column, count) in &near[own] {
            let expected = weights[word as usize] * weights[column as usize] / total;
            let score = (count / expected).ln() - parameters.caution / count.sqrt();
            let occurrences = self.occurrences(tensor, asked, level, column);
            let often = count > parameters.above && occurrences >= parameters.min_count.0;
            if column != word && often && score > 0.0 {
                let word = tensor.vocabulary.words[column as usize].clone();
                found.push((column, Collocate { word, count, expected, score, occurrences }));
            }
        }
        // Ids go from the most common word to the rarest.
        found.sort_by(|(a, x), (b, y)| y.score.total_cmp(&x.score).then(a.cmp(b)));
        found.into_iter().map(|(_, row)| row).collect()
    }
}
