//! Why training cannot begin or go on.

use std::path::PathBuf;

/// Why training cannot begin or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// Numbers that are not finite.
    #[error(
        "sweep {sweep} gave a loss that is not finite\n  way out: a larger --ridge, or a smaller --learning-rate"
    )]
    NotFinite {
        /// The sweep.
        sweep: u32,
    },
    /// Numbers that are not finite, after numbers that were.
    #[error("sweep {sweep} gave a loss that is not finite; the last checkpoint before, after {kept} sweeps, is in {}\n  way out: a larger --ridge, or a smaller --learning-rate; or --resume --sweeps {kept} for a model of what there was until then", checkpoint.display())]
    Diverged {
        /// The sweep.
        sweep: u32,
        /// Sweeps that were done by then.
        kept: u32,
        /// Where they are kept.
        checkpoint: PathBuf,
    },
    /// A model without factors has no levels to add to.
    #[error(
        "the model has no factors, so there is no level to extend it by\n  way out: count with --by and train again"
    )]
    NoFactors,
    /// A model of a tensor that covec did not count.
    #[error(
        "the model was trained on a tensor of stage '{stage}', which says no rules of counting, so a corpus cannot be counted like it\n  expected: a model trained on what covec count made\n  way out: add the new counts to the tensor and train again"
    )]
    NoRules {
        /// The stage that made the tensor.
        stage: String,
    },
    /// Documents to extend a model by that bring no new level.
    #[error(
        "the corpus has {documents} documents of {cell}, which the model knows already; extending fits new levels only\n  way out: leave these documents out; or, to learn from them too, count everything and train again"
    )]
    KnownLevels {
        /// Their levels.
        cell: String,
        /// How many there are.
        documents: u64,
    },
    /// Nothing to go on with.
    #[error("nothing to resume: there is no {}\n  way out: train without --resume", .0.display())]
    NoCheckpoint(PathBuf),
    /// A checkpoint that breaks a promise of its format.
    #[error("{}: damaged checkpoint: {problem}\n  way out: train without --resume", path.display())]
    Damaged {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A checkpoint that another covec wrote.
    #[error("{}: a checkpoint of covec {by} (format {found}); this is covec {} (format {})\n  way out: resume with the covec that wrote it, or train without --resume", path.display(), env!("CARGO_PKG_VERSION"), super::checkpoint::FORMAT)]
    Format {
        /// The folder.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The version that wrote it.
        by: String,
    },
    /// A checkpoint of training on another tensor.
    #[error("{}: a checkpoint of training on another tensor than {}\n  expected: fingerprint {expected}, got: {got}\n  way out: the tensor it was begun with, or train without --resume", path.display(), tensor.display())]
    OtherTensor {
        /// The checkpoint.
        path: PathBuf,
        /// The tensor that was given.
        tensor: PathBuf,
        /// The tensor's fingerprint.
        expected: String,
        /// The checkpoint's.
        got: String,
    },
    /// A checkpoint of training with other parameters.
    #[error("{}: a checkpoint of training with other parameters: {differences}\n  expected: the same, but for --sweeps and --tolerance\n  way out: the parameters it was begun with, or train without --resume", path.display())]
    OtherParameters {
        /// The checkpoint.
        path: PathBuf,
        /// In what they differ.
        differences: String,
    },
}
