//! Why there is no report.

use std::path::PathBuf;

use crate::ChartError;

/// Why a report was refused or could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// An analysis refused or failed.
    #[error(transparent)]
    Covec(#[from] covec::Error),
    /// A chart cannot be drawn, or the file not be written.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// The corpus has none of the lines that were looked for.
    #[error(
        "no line of the corpus has any of the report's words\n  expected: the corpus the model was counted from\n  way out: check --corpus"
    )]
    NoLines,
    /// The file is there already.
    #[error("{} is already there\n  way out: --force replaces it, or choose another name", .0.display())]
    Exists(PathBuf),
    /// The name is not that of a page.
    #[error("{}: expected a name that ends in .html, so that browsers open it\n  way out: -o {}", .0.display(), .0.with_extension("html").display())]
    Ending(PathBuf),
}

impl ReportError {
    /// Whether what was asked for is to blame, and not the machine.
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Covec(error) => error.is_refusal(),
            Self::Chart(error) => error.is_refusal(),
            Self::NoLines | Self::Exists(_) | Self::Ending(_) => true,
        }
    }
}
