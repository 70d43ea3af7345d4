//! Why there is no vocabulary.

use std::path::PathBuf;

/// Why there is no vocabulary.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VocabularyError {
    /// A rule removed the last words.
    #[error(
        "no word is left: {rule} removed the last {removed} of {distinct} distinct words\n  way out: {way_out}"
    )]
    Empty {
        /// The rule, as a flag.
        rule: String,
        /// Words it removed.
        removed: u64,
        /// Distinct words in the corpus.
        distinct: u64,
        /// What to do.
        way_out: String,
    },
    /// A rule speaks of a factor that is not there.
    #[error("--min-level-count {factor}={least}: no factor '{factor}'\n  factors there: {there}")]
    UnknownFactor {
        /// The factor named.
        factor: String,
        /// The count asked for.
        least: u64,
        /// The factors that there are.
        there: String,
    },
    /// A word list without a word in it.
    #[error("{}: no words in this list\n  expected: one word a line", .0.display())]
    EmptyList(PathBuf),
    /// More words than can be numbered.
    #[error("{0} words are too many\n  expected: at most {max}\n  way out: --max-words", max = super::MOST_WORDS)]
    TooMany(u64),
    /// A vocabulary file that cannot be understood.
    #[error("{}: not a vocabulary: {problem}\n  expected: columns id, word, count, documents, then one a level", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A word that is not there.
    #[error("no word '{given}' in the vocabulary of {words} words{suggestion}")]
    UnknownWord {
        /// What was given.
        given: String,
        /// How many words there are.
        words: usize,
        /// A near miss, as part of a sentence.
        suggestion: String,
    },
}
