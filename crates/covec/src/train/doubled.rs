//! Examples in which a word and a context are two things, as in GloVe: words are the rows 0 to n, contexts the rows from n on,
//! and every entry of words i and j is one of word i and context j. So untied vectors are tied vectors of twice as many words,
//! and whatever fits the ones fits the others.
//!
//! Counts are symmetric: the row of context j has the columns of the row of word j.

use std::path::Path;

use super::examples::{Buffer, Examples, Held};
use crate::error::Error;

impl Examples {
    /// Words and contexts apart; the sums are not.
    pub(crate) fn doubled(&self, scratch: &Path) -> Result<Self, Error> {
        let words = self.words();
        let mut doubled = self.empty(2 * words, scratch)?;
        let mut buffer = Buffer::default();
        let mut cols = Vec::new();
        for row in 0..2 * words {
            let shift = if row < words { words as u32 } else { 0 };
            let own = self.row(row % words, &mut buffer)?;
            cols.clear();
            cols.extend(own.cols.iter().map(|col| col + shift));
            doubled.push(row, own.groups, &cols, own.targets)?;
            doubled.row_weights[row] = self.row_weights[row % words];
        }
        doubled.cell_weights = self.cell_weights.iter().map(|weight| 2.0 * weight).collect();
        for held in &self.held {
            let (row, col) = (held.row, held.col);
            let both = [(row, col), (col, row)].into_iter().take(if row == col { 1 } else { 2 });
            let pairs =
                both.map(|(word, other)| Held { row: words as u32 + other, col: word, ..*held });
            doubled.held.extend(pairs);
        }
        doubled.held.sort_by_key(|held| (held.row, held.col));
        Ok(doubled)
    }
}
