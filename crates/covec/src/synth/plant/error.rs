//! Why nothing can be planted.

use std::path::PathBuf;

/// Why nothing can be planted in a text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlantError {
    /// The corpus is read twice.
    #[error(
        "standard input cannot be planted in: the corpus is read twice, to count its words and to swap them\n  expected: files or folders\n  way out: write it to a file first"
    )]
    StandardInput,
    /// An output would replace what is read.
    #[error(
        "{} is part of the corpus and cannot be an output\n  way out: choose another output", .0.display()
    )]
    OwnInput(PathBuf),
    /// A level of no factor.
    #[error(
        "--in {given}: no factor of --by has this name{suggestion}\n  expected: FACTOR=LEVEL, FACTOR one of: {there}\n  way out: name the factor with --by"
    )]
    UnknownFactor {
        /// What was given.
        given: String,
        /// A near miss, as the end of a sentence.
        suggestion: String,
        /// The factors.
        there: String,
    },
    /// Fewer words can be swapped than asked for.
    #[error(
        "--pairs {asked}: {level} has {pairs} pairs of words to swap\n  expected: words of 4 letters or more that occur {least} to {most} times there and {elsewhere} times or more elsewhere; {words} do\n  way out: {way_out}"
    )]
    TooFewPairs {
        /// Pairs that were asked for.
        asked: u64,
        /// The level.
        level: String,
        /// Pairs that there are.
        pairs: u64,
        /// Words that there are.
        words: u64,
        /// `--least`.
        least: u64,
        /// `--most`.
        most: u64,
        /// How often they should occur elsewhere.
        elsewhere: u64,
        /// What to do.
        way_out: String,
    },
    /// The second pass read something else than the first.
    #[error(
        "the corpus changed while it was read\n  way out: run it again when nothing writes to it"
    )]
    Changed,
}
