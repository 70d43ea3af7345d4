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
    /// Another tensor than the one the model was trained on.
    #[error(
        "{}: not the tensor that the model was made of, so its held-out pairs are not those of the model\n  expected: fingerprint {expected}\n  got: {got}\n  way out: the tensor that covec train or covec baseline was given",
        path.display()
    )]
    OtherTensor {
        /// The tensor that was given.
        path: PathBuf,
        /// The fingerprint of the model's own.
        expected: String,
        /// The fingerprint of this one.
        got: String,
    },
    /// A model of all pairs.
    #[error(
        "nothing was held out when the model was trained (--held-out 0)\n  way out: train again with --held-out 0.02"
    )]
    NothingHeldOut,
    /// A model that has more levels than its tensor.
    #[error(
        "the model was extended since it was trained, so the tensor does not have all its levels\n  way out: the model before covec extend"
    )]
    Extended,
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
