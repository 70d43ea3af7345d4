//! Why a tensor cannot be read, made or joined.

use std::path::PathBuf;

/// Why a tensor cannot be read, made or joined.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TensorError {
    /// The folder is not a tensor.
    #[error("{}: not a tensor folder: {problem}\n  expected: entries.parquet, vocabulary.parquet, covariates.json and run.json, as covec count writes them", path.display())]
    NotATensor {
        /// The folder.
        path: PathBuf,
        /// What is missing or wrong.
        problem: String,
    },
    /// A file of the tensor breaks a promise of the format.
    #[error("{}: damaged tensor file: {problem}\n  way out: count or import again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Files of different tensors in one folder.
    #[error("{}: its files belong to different tensors ({file} does not fit run.json)\n  way out: count again, or put the files back as they were", path.display())]
    MixedUp {
        /// The folder.
        path: PathBuf,
        /// The file that does not fit.
        file: &'static str,
    },
    /// A tensor of a later covec.
    #[error("{}: format {found}, this covec reads format {}\n  way out: use the covec that wrote it ({by})", path.display(), super::record::FORMAT)]
    Format {
        /// The folder.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The version that wrote it.
        by: String,
    },
    /// Two tensors that cannot be added.
    #[error("{} and {} cannot be merged: {problem}", first.display(), second.display())]
    Unlike {
        /// One tensor.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// In what they differ.
        problem: String,
    },
    /// Too few inputs to merge.
    #[error("covec merge needs at least two tensors, got {0}")]
    TooFewToMerge(usize),
    /// A table of counts that cannot be taken.
    #[error("{}{}: {problem}\n  expected: {expected}", path.display(), if *line == 0 { String::new() } else { format!(", line {line}") })]
    Counts {
        /// The file.
        path: PathBuf,
        /// The line or record, from 1; 0 for the file as a whole.
        line: u64,
        /// What is wrong.
        problem: String,
        /// What would be right.
        expected: String,
    },
    /// Values beyond what a number can hold.
    #[error(
        "the values add up to more than a number can hold\n  expected: a sum below 1.8e308\n  way out: scale the values down"
    )]
    TooLarge,
    /// More cells than can be numbered.
    #[error("{0} combinations of levels are too many\n  expected: fewer than {max}\n  way out: fewer factors, or wider bins", max = u32::MAX)]
    TooManyCells(usize),
    /// A level that is not there.
    #[error("no level '{given}'{suggestion}\n  levels there: {there}")]
    UnknownLevel {
        /// What was given.
        given: String,
        /// A near miss, as part of a sentence.
        suggestion: String,
        /// The levels that there are.
        there: String,
    },
}
