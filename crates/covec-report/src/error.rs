//! Why a chart was refused or could not be written.

use std::io;
use std::path::PathBuf;

/// What went wrong with a chart.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChartError {
    /// A number that cannot be placed: NaN, infinite, or beyond ±1e100.
    #[error(
        "{what} is {value}: expected a finite number no larger than 1e100\n  way out: leave it out of the chart, or give none where a value is missing"
    )]
    Number {
        /// Which number.
        what: String,
        /// What it is.
        value: f64,
    },
    /// A logarithmic axis has no place for this number.
    #[error(
        "{what} is {value}, which has no place on a logarithmic axis: expected a number above 0\n  way out: use a linear axis, or leave it out"
    )]
    NotPositive {
        /// Which number.
        what: String,
        /// What it is.
        value: f64,
    },
    /// The ends of an interval are in the wrong order.
    #[error("the interval of {what} runs from {low} to {high}: expected the lower end first")]
    Interval {
        /// What the interval belongs to.
        what: String,
        /// The end given as the lower one.
        low: f64,
        /// The end given as the upper one.
        high: f64,
    },
    /// Two lists that belong together are not of one length.
    #[error("{what}: expected {expected}, got {got}")]
    Length {
        /// Which list.
        what: String,
        /// How many there must be.
        expected: usize,
        /// How many there are.
        got: usize,
    },
    /// More than a picture can show.
    #[error(
        "{got} {what} cannot be read in one picture: expected at most {most}\n  way out: show fewer (-n), or split them over several charts"
    )]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many can be shown.
        most: usize,
        /// How many there are.
        got: usize,
    },
    /// Edges of bins that do not rise, or counts below zero.
    #[error("the histogram cannot be drawn: {0}")]
    Bins(String),
    /// Merges that do not make a tree.
    #[error("merge {merge} of the dendrogram joins {node}: {problem}")]
    Merge {
        /// The merge, counted from 0.
        merge: usize,
        /// The node it joins.
        node: usize,
        /// What is wrong with that.
        problem: &'static str,
    },
    /// The file's ending is none of those that can be written.
    #[error("{} cannot be drawn: expected a name that ends in .svg, .png or .html, got {}\n  way out: give the file one of these endings", path.display(), ending.as_deref().map_or_else(|| "none".to_owned(), |e| format!(".{e}")))]
    Ending {
        /// The file asked for.
        path: PathBuf,
        /// Its ending.
        ending: Option<String>,
    },
    /// The folder that should hold the file does not exist.
    #[error("{} cannot be made: there is no folder {}\n  way out: mkdir -p {}", path.display(), parent.display(), parent.display())]
    NoParent {
        /// The file asked for.
        path: PathBuf,
        /// The folder that is missing.
        parent: PathBuf,
    },
    /// There is a folder where the file should be.
    #[error("{} is a folder: expected the name of a file to write", .0.display())]
    IsFolder(PathBuf),
    /// The file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file asked for.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The drawing could not be turned into pixels.
    #[error("the picture cannot be turned into pixels: {0}\n  way out: write .svg or .html")]
    Pixels(String),
}

impl ChartError {
    /// Whether what was asked for is to blame, and not the machine.
    pub fn is_refusal(&self) -> bool {
        !matches!(self, Self::Write { .. } | Self::Pixels(_))
    }
}
