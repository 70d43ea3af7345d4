//! The corpus as pieces of text, each with how often it has which words.

use crate::baseline::texts::Texts;

/// Pieces, and their words by piece and by word.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Pieces {
    /// The cell of each.
    pub(super) cells: Vec<u32>,
    /// Where the words of each begin, and where those of the last end.
    pub(super) starts: Vec<usize>,
    /// Distinct words, piece after piece, each in the order of the vocabulary.
    pub(super) words: Vec<u32>,
    /// How often the piece has each.
    pub(super) counts: Vec<f32>,
    /// Where the pieces of each word begin, and where those of the last end.
    pub(super) word_starts: Vec<usize>,
    /// Word after word: a piece, and the place in `words`.
    pub(super) uses: Vec<(u32, u32)>,
}

impl Pieces {
    /// Cuts documents of more than `most` words into pieces of equal length; words outside the vocabulary
    /// count for nothing.
    pub(super) fn cut(texts: &Texts, vocabulary: usize, most: usize) -> Self {
        let mut this = Self { starts: vec![0], ..Self::default() };
        let mut own = Vec::new();
        for text in &texts.documents {
            own.clear();
            let words = &texts.words[text.words.clone()];
            own.extend(words.iter().copied().filter(|&word| (word as usize) < vocabulary));
            let pieces = own.len().div_ceil(most).max(1);
            let length = own.len().div_ceil(pieces).max(1);
            for piece in own.chunks_mut(length) {
                piece.sort_unstable();
                for same in piece.chunk_by(|a, b| a == b) {
                    this.words.push(same[0]);
                    this.counts.push(same.len() as f32);
                }
                this.cells.push(text.cell);
                this.starts.push(this.words.len());
            }
        }
        this.turn(vocabulary);
        this
    }

    /// Finds the pieces of each word.
    fn turn(&mut self, vocabulary: usize) {
        self.word_starts = vec![0; vocabulary + 1];
        for &word in &self.words {
            self.word_starts[word as usize + 1] += 1;
        }
        for word in 0..vocabulary {
            self.word_starts[word + 1] += self.word_starts[word];
        }
        let mut next = self.word_starts.clone();
        self.uses = vec![(0, 0); self.words.len()];
        for piece in 0..self.len() {
            for place in self.starts[piece]..self.starts[piece + 1] {
                let next = &mut next[self.words[place] as usize];
                self.uses[*next] = (piece as u32, place as u32);
                *next += 1;
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Words of all pieces.
    pub(super) fn total(&self) -> f64 {
        self.counts.iter().map(|&count| f64::from(count)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::texts::Text;

    #[test]
    fn long_documents_are_cut_evenly_and_words_are_found_from_both_sides() {
        let words = vec![0, 1, 1, 3, 2, 0, 0, 1, 3, 3];
        let document = |cell, words| Text { cell, words };
        let texts = Texts { documents: vec![document(0, 0..7), document(1, 7..10)], words };
        let pieces = Pieces::cut(&texts, 3, 4);
        assert_eq!(pieces.cells, [0, 0, 1]);
        assert_eq!(pieces.starts, [0, 2, 4, 5]);
        assert_eq!(pieces.words, [0, 1, 0, 2, 1]);
        assert_eq!(pieces.counts, [1.0, 2.0, 2.0, 1.0, 1.0]);
        assert_eq!(pieces.word_starts, [0, 2, 4, 5]);
        assert_eq!(pieces.uses, [(0, 0), (1, 2), (0, 1), (2, 4), (1, 3)]);
        assert_eq!(pieces.total(), 7.0);
    }
}
