//! Why training cannot begin or go on.

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
}
