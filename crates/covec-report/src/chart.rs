//! A chart: data that was checked, and what it is called.

use std::path::Path;

use crate::file::{self, Ending};
use crate::page::{self, Page};
use crate::{ChartError, Kind, png, svg};

/// A chart: data of some [`Kind`], and what it is called.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    title: String,
    subtitle: String,
    x_label: String,
    y_label: String,
    kind: Kind,
}

impl Chart {
    /// A chart of `kind`, if all its numbers can be drawn. Data without rows are drawn as a
    /// sentence that says so.
    ///
    /// # Errors
    /// If a number is not finite or beyond ±1e100, lists that belong together differ in length,
    /// or there is more than can be read.
    pub fn new(title: impl Into<String>, kind: impl Into<Kind>) -> Result<Self, ChartError> {
        let kind = kind.into();
        kind.check()?;
        let [subtitle, x_label, y_label] = [const { String::new() }; 3];
        Ok(Self { title: title.into(), subtitle, x_label, y_label, kind })
    }

    /// The same with a line that says what is shown.
    #[must_use]
    pub fn with_subtitle(self, subtitle: impl Into<String>) -> Self {
        Self { subtitle: subtitle.into(), ..self }
    }

    /// The same with a name for the horizontal axis.
    #[must_use]
    pub fn with_x_label(self, x_label: impl Into<String>) -> Self {
        Self { x_label: x_label.into(), ..self }
    }

    /// The same with a name for the vertical axis.
    #[must_use]
    pub fn with_y_label(self, y_label: impl Into<String>) -> Self {
        Self { y_label: y_label.into(), ..self }
    }

    /// What the chart is called.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The line that says what is shown.
    pub fn subtitle(&self) -> &str {
        &self.subtitle
    }

    /// The name of the horizontal axis.
    pub fn x_label(&self) -> &str {
        &self.x_label
    }

    /// The name of the vertical axis.
    pub fn y_label(&self) -> &str {
        &self.y_label
    }

    /// The data.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The chart as an SVG file; texts stay texts.
    pub fn svg(&self) -> String {
        svg::draw(self).finish(&self.title)
    }

    /// The chart as a PNG file, two pixels to each unit of the SVG (fewer for very tall charts).
    ///
    /// # Errors
    /// If the drawing cannot be turned into pixels.
    pub fn png(&self) -> Result<Vec<u8>, ChartError> {
        png::render(&self.svg())
    }

    /// The chart as a page of its own that needs no network: hover for numbers, drag to zoom.
    pub fn html(&self) -> String {
        let mut page = Page::new(self.title.as_str());
        page.chart(self);
        page.html()
    }

    /// What plotly.js draws on the page: an object with `data`, `layout`, the `height` in
    /// pixels, and whether that is the height of named `rows`. May stand in a script element as it is.
    pub fn plotly_json(&self) -> String {
        page::plotly_json(self)
    }

    /// Writes the chart to a file: `.svg`, `.png` or `.html`. A file that is there is replaced, in
    /// one step; where writing fails, it stays.
    ///
    /// # Errors
    /// If the ending is another, the folder is missing, or the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), ChartError> {
        let content = match Ending::of(path)? {
            Ending::Svg => self.svg().into_bytes(),
            Ending::Png => self.png()?,
            Ending::Html => self.html().into_bytes(),
        };
        file::write(path, &content)
    }

    /// Whether [`save`](Self::save) could write to `path`, as far as one can tell beforehand: to
    /// refuse a bad name before long work, not after it.
    ///
    /// # Errors
    /// As for [`save`](Self::save).
    pub fn check_path(path: &Path) -> Result<(), ChartError> {
        Ending::of(path)?;
        file::parent(path).map(|_| ())
    }
}
