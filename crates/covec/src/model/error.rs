//! Why a model cannot be read or used.

use std::path::PathBuf;

/// Why a model cannot be read or used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The folder is not a model.
    #[error("{}: not a model folder: {problem}\n  expected: model.safetensors, vocabulary.parquet, covariates.json and run.json, as covec train writes them", path.display())]
    NotAModel {
        /// The folder.
        path: PathBuf,
        /// What is missing or wrong.
        problem: String,
    },
    /// A file of the model breaks a promise of the format.
    #[error("{}: damaged model file: {problem}\n  way out: train again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Files of different models in one folder.
    #[error("{}: its files belong to different models ({file} does not fit run.json)\n  way out: train again, or put the files back as they were", path.display())]
    MixedUp {
        /// The folder.
        path: PathBuf,
        /// The file that does not fit.
        file: &'static str,
    },
    /// Two levels of one factor where they should hold together.
    #[error(
        "'{given}': no text is in two levels of one factor ({factor})\n  expected: at most one level of each factor\n  way out: --in {first} --in {second}"
    )]
    OneFactor {
        /// What was given.
        given: String,
        /// The factor.
        factor: String,
        /// A level of it.
        first: String,
        /// Another.
        second: String,
    },
    /// What was asked for cannot be written.
    #[error("{problem}\n  way out: {way_out}")]
    Export {
        /// What cannot be done.
        problem: String,
        /// What can.
        way_out: String,
    },
    /// A question that the method that made the model has no answer to.
    #[error(
        "{question}: a model of covec baseline {method} has no answer to it: {why}\n  way out: {way_out}"
    )]
    Baseline {
        /// The method.
        method: String,
        /// The question.
        question: &'static str,
        /// Why not.
        why: &'static str,
        /// What to do.
        way_out: &'static str,
    },
    /// A model of a later covec.
    #[error("{}: format {found}, this covec reads format {}\n  way out: use the covec that wrote it ({by})", path.display(), super::record::FORMAT)]
    Format {
        /// The folder.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The version that wrote it.
        by: String,
    },
}
