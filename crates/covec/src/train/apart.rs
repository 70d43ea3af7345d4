//! The vectors of a level that is being fitted, in each of its cells.
//!
//! A cell's vectors are the base, with what every one of its levels lets a word deviate by. So with several factors a word has
//! other vectors in each cell of a level, which differ by what the other levels add and move together when the level's own do.
//! They lie in one table: first the level's own, of all words; then those of words to which others add something, cell after cell.

use std::borrow::Cow;

use super::state::State;
use super::table::Table;
use crate::model::Deviations;

/// Vectors by cell and word.
#[derive(Debug, Clone)]
pub(crate) struct Apart {
    table: Table,
    words: usize,
    /// By cell: the row of every word. Empty where the level's own vectors are those of the cell.
    rows: Vec<Vec<u32>>,
}

impl Apart {
    /// The base, in every cell of a level, with what the other levels of the cell add to it.
    pub(crate) fn beside(state: &State, level: usize, found: &[Option<Deviations>]) -> Self {
        let words = state.words();
        let (mut rows, mut next) = (vec![Vec::new(); state.layout.cells.len()], words as u32);
        let others = |cell: usize| {
            let levels = state.layout.cells[cell].iter();
            let inside = state.layout.cells[cell].contains(&level);
            levels
                .filter(move |other| inside && **other != level)
                .filter_map(|&l| found[l].as_ref())
        };
        for (cell, rows) in rows.iter_mut().enumerate() {
            for &word in others(cell).flat_map(|own| &own.words) {
                if rows.is_empty() {
                    *rows = (0..words as u32).collect();
                }
                let row = &mut rows[word as usize];
                if *row == word {
                    *row = next;
                    next += 1;
                }
            }
        }
        let mut table = Table::new(next as usize, state.dim());
        let base = state.vectors.all();
        table.all_mut()[..base.len()].copy_from_slice(base);
        for (cell, rows) in rows.iter().enumerate() {
            for (word, &row) in
                rows.iter().enumerate().filter(|(word, row)| *word != **row as usize)
            {
                table.row_mut(row as usize).copy_from_slice(state.vectors.row(word));
            }
            for own in others(cell) {
                for (&word, added) in own.words.iter().zip(own.numbers.chunks(state.dim())) {
                    let row = table.row_mut(rows[word as usize] as usize);
                    row.iter_mut().zip(added).for_each(|(x, added)| *x += added.to_f32());
                }
            }
        }
        Self { table, words, rows }
    }

    /// All vectors: those of the level's own first.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Whether every cell has the level's own vectors.
    pub(crate) fn is_alone(&self) -> bool {
        self.table.rows() == self.words
    }

    /// The row of a word in a cell.
    #[inline(always)]
    pub(crate) fn row(&self, cell: usize, word: usize) -> usize {
        self.rows[cell].get(word).map_or(word, |&row| row as usize)
    }

    /// The rows of words in a cell.
    pub(crate) fn rows<'a>(&self, cell: usize, words: &'a [u32]) -> Cow<'a, [u32]> {
        match &self.rows[cell][..] {
            [] => Cow::Borrowed(words),
            rows => words.iter().map(|&word| rows[word as usize]).collect(),
        }
    }

    /// A word's vector in the level becomes this one, and in its cells moves with it.
    pub(crate) fn set(&mut self, word: usize, vector: &[f32]) {
        for cell in 0..self.rows.len() {
            let row = self.row(cell, word);
            if row != word {
                for (t, to) in vector.iter().enumerate() {
                    let by = to - self.table.row(word)[t];
                    self.table.row_mut(row)[t] += by;
                }
            }
        }
        self.table.row_mut(word).copy_from_slice(vector);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_has_what_its_other_levels_add_and_moves_with_the_level() {
        let state = State::random(60, 9);
        // Two factors: a level of the first is in some cells of the second's levels.
        let cell = 4;
        let [level, other] = state.layout.cells[cell][..] else { panic!("two factors") };
        let mut found = vec![None; state.layout.levels()];
        let mut own = Deviations::none(9);
        [3, 50].into_iter().for_each(|word| own.push(other, word, &[0.5; 9]));
        found[other] = Some(own);
        // What it has itself is not there yet.
        found[level] = found[other].clone();
        let mut apart = Apart::beside(&state, level, &found);
        assert!(!apart.is_alone() && Apart::beside(&state, level, &vec![None; 5]).is_alone());
        for moved in [0.0, 2.0] {
            if moved > 0.0 {
                let to: Vec<f32> = state.vectors.row(3).iter().map(|x| x + 2.0).collect();
                apart.set(3, &to);
            }
            for at in (0..6).filter(|&at| state.layout.cells[at].contains(&level)) {
                for word in 0..60 {
                    let added = if at == cell && [3, 50].contains(&word) { 0.5 } else { 0.0 };
                    let moved = if word == 3 { moved } else { 0.0 };
                    let row = apart.rows(at, &[word as u32])[0] as usize;
                    assert_eq!(row, apart.row(at, word));
                    let pairs = apart.table().row(row).iter().zip(state.vectors.row(word));
                    for (got, base) in pairs.take(9) {
                        assert!((got - base - added - moved).abs() < 1e-5, "{at} {word}");
                    }
                }
            }
        }
    }
}
