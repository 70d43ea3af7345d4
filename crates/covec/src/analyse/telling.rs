//! Words worth a look, where nobody has named any: those that moved by their own use more than
//! words of their frequency do, and that are about something.
//!
//! How far a word moves by chance depends on how often it occurs in the level, so its own part ([`super::moved`]) is compared with
//! that of its [`peers`](super::peers) there.
//!
//! A word's `excess` is its largest over the levels in which it occurs twice as often as
//! `--min-support` asks; it must do so in two.
//!
//! Words of grammar and of style fall anywhere, words about something fall where that is the
//! matter: in fewer documents. With D documents, of which n_i hold word i, and N_i occurrences,
//!
//! ```text
//! scatter_i = n_i / (D · (1 − e^(−N_i / D)))
//! ```
//!
//! is about 1 for a word that falls at random. Of the words in question those above the median are
//! passed over, unless the documents are not known; and so are those that are more than one in
//! [`COMMON`] of all, unless there are no others.
//!
//! **Cost:** a sort of the rows of each level.

use std::collections::BTreeMap;

use super::SupportParameters;
use super::moved::Moved;
use super::peers::{excesses, median};
use crate::model::Model;

/// One in so many words of the text is too common.
pub const COMMON: u64 = 1000;

/// A word worth a look.
#[derive(Debug, Clone, PartialEq)]
pub struct Telling {
    /// The word.
    pub word: String,
    /// The view in which its own part stands out most.
    pub level: String,
    /// By how many (robust) standard deviations.
    pub excess: f64,
}

/// Words by how far their own part stands out, from all rows of [`super::moved::words`] for every
/// level; no more than `n`.
pub fn telling(
    model: &Model,
    moved: &[&[Moved]],
    support: &SupportParameters,
    n: usize,
) -> Vec<Telling> {
    let least = support.min_support.0.saturating_mul(2);
    let mut best: BTreeMap<&str, (usize, Telling)> = BTreeMap::new();
    for rows in moved {
        for (row, excess) in
            rows.iter().zip(excesses(rows, |row| (row.own, row.count_to, &row.word)))
        {
            if row.count_to < least || !excess.is_finite() {
                continue;
            }
            let own = || Telling { word: row.word.clone(), level: row.to.clone(), excess };
            let (levels, first) = best.entry(&row.word).or_insert_with(|| (0, own()));
            *levels += 1;
            if excess > first.excess {
                *first = own();
            }
        }
    }
    let all: u64 = model.covariates.cells.iter().map(|cell| cell.tokens).sum();
    let count = |word: &Telling| model.word(&word.word).map_or(0, |id| model.vocabulary.counts[id]);
    let mut words: Vec<(f64, Telling)> = best
        .into_values()
        .filter(|(levels, _)| *levels >= 2)
        .filter_map(|(_, word)| Some((scatter(model, &word.word)?, word)))
        .collect();
    if words.iter().any(|(_, word)| count(word) <= all / COMMON) {
        words.retain(|(_, word)| count(word) <= all / COMMON);
    }
    let middle = median(words.iter().map(|(scatter, _)| *scatter).collect());
    words.retain(|(scatter, _)| *scatter <= middle);
    words.sort_by(|(_, a), (_, b)| b.excess.total_cmp(&a.excess).then(a.word.cmp(&b.word)));
    words.into_iter().take(n).map(|(_, word)| word).collect()
}

/// In how many documents a word occurs, as a share of what chance would make of its count; 0 where
/// that is not known.
fn scatter(model: &Model, word: &str) -> Option<f64> {
    let word = model.word(word).ok()?;
    let documents: u64 = model.covariates.cells.iter().map(|cell| cell.documents).sum();
    let (all, count) = (documents as f64, model.vocabulary.counts[word] as f64);
    let expected = all * -(-count / all).exp_m1();
    Some(if expected > 0.0 { model.vocabulary.documents[word] as f64 / expected } else { 0.0 })
}
