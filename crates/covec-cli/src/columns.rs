//! What fits beside each other on a line; the rest goes below.

use serde_json::json;

use crate::failure::Failure;
use crate::table::{Format, Printed, Table};

/// Columns that would not fit go below.
const WIDTH: usize = 100;

/// Levels that are all shown; of more, those at the ends.
const LEVELS: usize = 12;
/// Levels shown at each end.
const LEVELS_AT_END: usize = 4;

/// A list under a title.
pub(crate) struct Column {
    pub(crate) title: String,
    pub(crate) cells: Vec<String>,
}

impl Column {
    fn width(&self) -> usize {
        let texts = self.cells.iter().chain([&self.title]);
        texts.map(|text| text.chars().count()).max().unwrap_or(0) + 2
    }
}

/// The columns under a heading.
pub(crate) fn side_by_side(heading: &str, columns: &[Column]) -> Result<String, Failure> {
    let mut text = String::new();
    for (index, part) in parts(columns).into_iter().enumerate() {
        let more = if index == 0 { "" } else { ", continued" };
        text += &format!("{heading}{more}\n{}\n", table(part).text(Format::Table, usize::MAX)?);
    }
    Ok(text)
}

/// As many columns beside each other as fit.
fn parts(columns: &[Column]) -> Vec<&[Column]> {
    let mut parts = Vec::new();
    let (mut start, mut width) = (0, 0);
    for (index, column) in columns.iter().enumerate() {
        if index > start && width + column.width() > WIDTH + 2 {
            parts.push(&columns[start..index]);
            (start, width) = (index, 0);
        }
        width += column.width();
    }
    parts.push(&columns[start..]);
    parts
}

fn table(columns: &[Column]) -> Table {
    let mut table = Table::new(columns.iter().map(|column| column.title.clone()));
    for row in 0..columns.iter().map(|column| column.cells.len()).max().unwrap_or(0) {
        let cell = |column: &Column| json!(column.cells.get(row).map_or("", String::as_str));
        table.push(columns.iter().map(cell).collect());
    }
    table
}

/// Items behind a mark, on as many lines of this width as they need.
pub(crate) fn wrapped(mark: &str, items: &[String], between: &str, width: usize) -> String {
    let indent = " ".repeat(mark.chars().count());
    let (mut text, mut used) = (mark.to_owned(), indent.len());
    for (place, item) in items.iter().enumerate() {
        let last = place + 1 == items.len();
        let own = item.chars().count() + between.len();
        if place > 0 && used + own > width {
            text = format!("{}\n{indent}", text.trim_end());
            used = indent.len();
        }
        text += item;
        text += if last { "" } else { between };
        used += own;
    }
    text
}

/// The squared weights of levels, without their factor; of many levels, those with the largest and the smallest.
pub(crate) fn weights(mut levels: Vec<(&str, f64)>) -> Vec<String> {
    let mut more = None;
    if levels.len() > LEVELS {
        levels.sort_by(|a, b| b.1.total_cmp(&a.1));
        let left = levels.len() - 2 * LEVELS_AT_END;
        levels.drain(LEVELS_AT_END..LEVELS_AT_END + left);
        more = Some(format!("… {left} in between …"));
    }
    let short = |name: &str| name.split_once('=').map_or(name, |(_, name)| name).to_owned();
    let mut told: Vec<String> =
        levels.iter().map(|(name, square)| format!("{} {square:.2}", short(name))).collect();
    if let Some(more) = more {
        told.insert(LEVELS_AT_END, more);
    }
    told
}
