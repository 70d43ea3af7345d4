//! Why a test set cannot be used.

use std::path::PathBuf;

/// Why a test set cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// A line that is not an item of such a test.
    #[error(
        "{}, line {line}: not an item of a test of {kind}\n  expected: {expected}\n  got: {got}\n  way out: mend the line, or put # before it",
        path.display()
    )]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What kind of test it should be.
        kind: &'static str,
        /// What an item looks like.
        expected: &'static str,
        /// What stands there.
        got: String,
    },
    /// A file without items.
    #[error("{}: no items of a test of {kind}\n  expected: {expected} on every line", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
        /// What kind of test it should be.
        kind: &'static str,
        /// What an item looks like.
        expected: &'static str,
    },
}
