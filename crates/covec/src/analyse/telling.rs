//! Words worth a look, where nobody has named any: those that moved by their own use more than
//! words of their frequency do, and that are about something.
//!
//! How far a word moves by chance depends on how often it occurs in the level. So its own part
//! ([`super::moved`]) is compared with the [`PEERS`] words there whose counts are nearest to its own:
//!
//! ```text
//! excess_ik = (ln own_ik − median of ln own_jk over peers j) / (1.4826 · median |… − median|)
//! ```
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
use crate::model::Model;

/// Words of like frequency that a word is compared with.
pub const PEERS: usize = 100;

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
        for (row, excess) in rows.iter().zip(excesses(rows)) {
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

/// How far each row's own part stands out from those of its peers.
fn excesses(rows: &[Moved]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|&a, &b| {
        rows[a].count_to.cmp(&rows[b].count_to).then_with(|| rows[a].word.cmp(&rows[b].word))
    });
    let logs: Vec<f64> = order.iter().map(|&row| rows[row].own.max(1e-9).ln()).collect();
    let mut found = vec![0.0; rows.len()];
    for (place, &row) in order.iter().enumerate() {
        let first = place.saturating_sub(PEERS / 2).min(rows.len().saturating_sub(PEERS));
        let peers = &logs[first..rows.len().min(first + PEERS)];
        let middle = median(peers.to_vec());
        let spread = median(peers.iter().map(|x| (x - middle).abs()).collect());
        // Of words that all moved alike none stands out.
        found[row] = match spread > 0.0 {
            true => (logs[place] - middle) / (1.4826 * spread),
            false => 0.0,
        };
    }
    found
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

/// The upper one of two in the middle.
fn median(mut numbers: Vec<f64>) -> f64 {
    if numbers.is_empty() {
        return 0.0;
    }
    let middle = numbers.len() / 2;
    *numbers.select_nth_unstable_by(middle, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn row(word: usize, own: f64, count: u64) -> Moved {
        Moved { word: format!("w{word:04}"), own, count_to: count, ..Moved::default() }
    }

    #[test]
    fn a_word_stands_out_among_words_of_its_frequency() {
        // Own parts fall with the count; one common word has that of a rare one.
        let mut rows: Vec<Moved> = (0..400)
            .map(|i| {
                let ripple = 1.0 + 0.1 * ((i * 7 % 13) as f64 / 13.0);
                row(i, ripple * 10.0 / (20 + i) as f64, 20 + i as u64)
            })
            .collect();
        rows[350].own = 0.3;
        let found = excesses(&rows);
        let first = (0..400).max_by(|&a, &b| found[a].total_cmp(&found[b])).unwrap();
        assert_eq!(first, 350, "though others have a larger own part");
        assert!(rows.iter().filter(|row| row.own > 0.3).count() >= 10);
        assert!(found[350] > 5.0, "{}", found[350]);
    }

    #[test]
    fn excess_is_the_plain_formula_over_the_peers() {
        let rows: Vec<Moved> = (0..250)
            .map(|i| row(i, 0.01 + ((i * i * 31 % 97) as f64) / 100.0, (i * 17 % 211) as u64))
            .collect();
        let found = excesses(&rows);
        for (place, own) in rows.iter().enumerate() {
            // The plainest way: rank all others, take a hundred around it.
            let before = |other: &Moved| (other.count_to, &other.word) < (own.count_to, &own.word);
            let rank = rows.iter().filter(|other| before(other)).count();
            let mut sorted: Vec<&Moved> = rows.iter().collect();
            sorted.sort_by_key(|row| (row.count_to, row.word.clone()));
            let first = rank.max(PEERS / 2) - PEERS / 2;
            let first = if first + PEERS > rows.len() { rows.len() - PEERS } else { first };
            let mut logs: Vec<f64> =
                sorted[first..first + PEERS].iter().map(|row| row.own.ln()).collect();
            logs.sort_by(f64::total_cmp);
            let middle = logs[PEERS / 2];
            let mut apart: Vec<f64> = logs.iter().map(|x| (x - middle).abs()).collect();
            apart.sort_by(f64::total_cmp);
            let wanted = (own.own.ln() - middle) / (1.4826 * apart[PEERS / 2]);
            assert!((found[place] - wanted).abs() < 1e-9, "{place}: {} {wanted}", found[place]);
        }
    }

    #[test]
    fn nothing_stands_out_of_nothing() {
        assert!(excesses(&[]).is_empty());
        assert_eq!(excesses(&[row(0, 0.0, 5), row(1, 0.0, 5)]), [0.0, 0.0]);
    }
}
