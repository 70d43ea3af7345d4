//! Stage 2: the words that are kept.
//!
//! * **In:** how often, in how many documents and in which levels every distinct word occurs.
//! * **Out:** the [`Vocabulary`], sorted by count, then word; a word's place is its id everywhere.
//! * **Invariants:** the order depends on the counts and words alone, never on threads or shards.
//! * **Cost:** memory for every distinct word of the corpus; that alone is not capped.

mod error;
mod file;
mod rules;
mod words;

pub use error::VocabularyError;
pub(crate) use file::FINGERPRINT;
pub(crate) use rules::{Candidate, Selection};
pub use rules::{LevelCount, Rule, VocabularyParameters};
pub(crate) use words::Words;

/// Ids fit in 32 bits, with some room for marks.
pub const MOST_WORDS: usize = u32::MAX as usize - 16;

/// The words, most common first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Vocabulary {
    /// The words; a word's index is its id.
    pub words: Vec<String>,
    /// How often each occurs.
    pub counts: Vec<u64>,
    /// In how many documents each occurs; 0 where that is not known (imported tensors).
    pub documents: Vec<u64>,
    /// How often each occurs in every level: first by level (all factors' levels in a row), then
    /// by word.
    pub level_counts: Vec<Vec<u64>>,
}

impl Vocabulary {
    /// Number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// A word's id. Looks at every word: for a few look-ups, not for a corpus.
    pub fn id(&self, word: &str) -> Option<u32> {
        self.words.iter().position(|w| w == word).map(|id| id as u32)
    }

    /// A word's id, or an error that suggests a near one.
    pub fn find(&self, word: &str) -> Result<u32, VocabularyError> {
        self.id(word).ok_or_else(|| {
            let words = self.words.iter().map(String::as_str);
            let suggestion = crate::suggest::did_you_mean(word, words);
            VocabularyError::UnknownWord { given: word.to_owned(), words: self.len(), suggestion }
        })
    }

    /// The order of the vocabulary: by count, most common first, then by word.
    pub(crate) fn order(a: (u64, &[u8]), b: (u64, &[u8])) -> std::cmp::Ordering {
        b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1))
    }
}
