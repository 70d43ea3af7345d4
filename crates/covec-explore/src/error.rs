//! Why there is no explorer.

use std::path::PathBuf;

/// Why the explorer could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExploreError {
    /// Model, replicates or groups cannot be used.
    #[error(transparent)]
    Covec(#[from] covec::Error),
    /// There is no corpus where it was said to be.
    #[error("{}: there is no such corpus\n  expected: the files the model was counted from\n  way out: leave --corpus out; then no lines of the text are shown", .0.display())]
    NoCorpus(PathBuf),
    /// An address that cannot be listened on.
    #[error("cannot listen on {host}, port {port}: {source}\n  way out: {way_out}")]
    Address {
        /// The host that was asked for.
        host: String,
        /// The port.
        port: u16,
        /// What the system said.
        source: std::io::Error,
        /// What to do.
        way_out: &'static str,
    },
    /// The machine gives no threads.
    #[error("cannot start the server: {0}")]
    Start(std::io::Error),
}

impl ExploreError {
    /// Whether the input is to blame and not the machine.
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Covec(error) => error.is_refusal(),
            Self::NoCorpus(_) | Self::Address { .. } => true,
            Self::Start(_) => false,
        }
    }
}
