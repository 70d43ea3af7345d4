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
}
