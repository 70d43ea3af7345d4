//! Pictures of what covec finds: SVG and PNG for papers, HTML for looking into them.
//!
//! A chart is some data of a [`Kind`] and what it is called. Making one checks every number; a
//! chart that exists can be drawn. The same chart gives the same bytes, on machines without fonts
//! too: the font is part of the program.
//!
//! ```
//! use covec_report::{Bar, Bars, Chart};
//!
//! let bars = [("religious", 0.61), ("religion", 0.58), ("press", 0.44)]
//!     .map(|(word, cosine)| Bar { label: word.into(), value: cosine, ..Bar::default() });
//! let chart = Chart::new("freedom, 1790–1829", Bars { bars: bars.into(), ..Bars::default() })?
//!     .with_subtitle("The nearest words by cosine")
//!     .with_x_label("cosine");
//! assert!(chart.svg().starts_with("<svg"));
//! let folder = tempfile::tempdir()?;
//! chart.save(&folder.path().join("freedom.png"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Several charts on one page: [`Page`]. All that a model says on one: [`report`].

pub mod answers;
mod chart;
mod error;
mod file;
mod kinds;
mod page;
mod png;
pub mod report;
pub mod rows;
mod svg;

pub use chart::Chart;
pub use error::ChartError;
pub use kinds::Kind;
pub use kinds::bars::{Bar, Bars};
pub use kinds::dendrogram::{Dendrogram, Leaf, Merge};
pub use kinds::estimate::{Estimate, Interval, Marker};
pub use kinds::heatmap::{Heatmap, Shades};
pub use kinds::histogram::{Counts, Histogram};
pub use kinds::lines::{Lines, Series};
pub use kinds::scatter::{Point, Scatter};
pub use page::{Page, plotly_script};

/// A count and what is counted: `1 word`, `1,200 words`.
pub fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// A whole number as people read it: 1234567 → 1,234,567.
pub fn thousands(number: u64) -> String {
    svg::ticks::grouped(&number.to_string())
}
