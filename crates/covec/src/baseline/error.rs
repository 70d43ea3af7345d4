//! Why a baseline cannot be made.

/// Why a baseline cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// Two levels that share no word cannot be turned onto each other.
    #[error(
        "{level} and {onto} have no word in common that vectors were fitted to, so one cannot be turned onto the other\n  way out: covec baseline slices, which compares no levels; or levels that are larger"
    )]
    NothingInCommon {
        /// The level that should be turned.
        level: String,
        /// What it should be turned onto.
        onto: String,
    },
    /// A turn that came to nothing.
    #[error(
        "{level} cannot be turned onto {onto}: its vectors are not finite\n  way out: a larger --ridge, or a smaller --learning-rate"
    )]
    NotFinite {
        /// The level that should be turned.
        level: String,
        /// What it should be turned onto.
        onto: String,
    },
    /// A tensor with less than two levels.
    #[error(
        "covec baseline {method} compares levels, and the tensor has none to tell apart\n  expected: a tensor of two levels or more\n  way out: covec count with --by"
    )]
    NoLevels {
        /// The method.
        method: &'static str,
    },
    /// A tensor that covec did not count.
    #[error(
        "the tensor is of stage '{stage}' and says no rules of reading a corpus\n  expected: a tensor that covec count made\n  way out: covec count the corpus"
    )]
    NoRules {
        /// The stage that made the tensor.
        stage: String,
    },
    /// The corpus is not the one the tensor was counted from.
    #[error(
        "this is not the corpus the tensor was counted from: {got} {what}\n  expected: {expected}\n  way out: the corpus as covec count read it, unchanged"
    )]
    OtherCorpus {
        /// What was counted.
        what: String,
        /// How much there is.
        got: u64,
        /// How much the tensor knows of.
        expected: u64,
    },
    /// Steps that were too large.
    #[error(
        "epoch {epoch} gave numbers that are not finite\n  way out: a smaller --rate, or a smaller --spread"
    )]
    Diverged {
        /// The epoch.
        epoch: u32,
    },
}
