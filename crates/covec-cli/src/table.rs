//! Rows, as an aligned table, JSON or CSV.

use std::io::Write;

pub(crate) use covec_answers::Table;
use covec_report::rows::exact;
pub(crate) use covec_report::{counted, thousands};
use serde_json::Value;

use crate::failure::Failure;

/// How rows are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Table,
    Json,
    Csv,
}

/// Tables as they are printed.
pub(crate) trait Printed: Sized {
    /// The same for the eye: a measure and its interval in one cell, of distances the corrected value.
    fn barred(self) -> Self;
    /// Prints at most `most` rows to standard output.
    fn print(&self, format: Format, most: usize) -> Result<(), Failure>;
    /// The rows as they would be printed.
    fn text(&self, format: Format, most: usize) -> Result<String, Failure>;
}

impl Printed for Table {
    fn barred(mut self) -> Self {
        let measures: Vec<String> = self
            .columns
            .iter()
            .filter_map(|column| Some(column.strip_suffix("_low")?.to_owned()))
            .collect();
        for name in measures {
            let place = |columns: &[String], suffix: &str| {
                columns.iter().position(|column| *column == format!("{name}{suffix}"))
            };
            let at = |suffix: &str| place(&self.columns, suffix);
            let (Some(own), Some(low), Some(high)) = (at(""), at("_low"), at("_high")) else {
                continue;
            };
            let value = at("_corrected").unwrap_or(own);
            for row in &mut self.rows {
                if !row[low].is_null() {
                    let [value, low, high] = [value, low, high].map(|at| readable(&row[at]));
                    row[own] = Value::String(format!("{value} [{low}, {high}]"));
                }
            }
            let gone = ["_corrected", "_low", "_high"].map(|suffix| format!("{name}{suffix}"));
            self = self.without(&gone.each_ref().map(String::as_str));
        }
        self
    }

    fn print(&self, format: Format, most: usize) -> Result<(), Failure> {
        print(&self.text(format, most)?)
    }

    fn text(&self, format: Format, most: usize) -> Result<String, Failure> {
        let rows = &self.rows[..self.rows.len().min(most)];
        let broken = |error: &dyn std::fmt::Display| Failure::Other(error.to_string());
        match format {
            Format::Table => Ok(aligned(&self.columns, rows)),
            Format::Json => {
                let objects: Vec<Object<'_>> =
                    rows.iter().map(|row| Object { columns: &self.columns, row }).collect();
                let mut text = serde_json::to_string_pretty(&objects).map_err(|e| broken(&e))?;
                text.push('\n');
                Ok(text)
            }
            Format::Csv => {
                let rows = rows.iter().map(Vec::as_slice);
                covec_report::rows::csv(&self.columns, rows).map_err(|e| broken(&e))
            }
        }
    }
}

/// Rows below each other, numbers to the right.
fn aligned(columns: &[String], rows: &[Vec<Value>]) -> String {
    let cells: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(readable).collect()).collect();
    let width = |column: usize| {
        let cells = cells.iter().map(|row| row[column].chars().count());
        cells.chain([columns[column].chars().count()]).max().unwrap_or(0)
    };
    let right: Vec<bool> = (0..columns.len())
        .map(|column| {
            !rows.is_empty()
                && rows.iter().all(|row| row[column].is_number() || row[column].is_null())
        })
        .collect();
    let line = |row: &[String]| {
        let cells: Vec<String> = row
            .iter()
            .enumerate()
            .map(|(column, cell)| {
                let pad = " ".repeat(width(column) - cell.chars().count());
                if right[column] { format!("{pad}{cell}") } else { format!("{cell}{pad}") }
            })
            .collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    let rule: Vec<String> = (0..columns.len()).map(|column| "─".repeat(width(column))).collect();
    let mut text = line(columns) + &line(&rule);
    cells.iter().for_each(|row| text += &line(row));
    text
}

/// A row as a JSON object, its fields in the order of the columns.
struct Object<'a> {
    columns: &'a [String],
    row: &'a [Value],
}

impl serde::Serialize for Object<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.columns.iter().zip(self.row))
    }
}

/// Prints to standard output; a reader that has gone is no error of ours.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| Failure::output(&e))
}

/// A value for the eye.
fn readable(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::Number(number) => match number.as_u64() {
            Some(whole) => thousands(whole),
            None => number.as_f64().map_or_else(|| number.to_string(), decimal),
        },
        other => exact(other),
    }
}

/// Four digits that matter, without an exponent where it can be helped.
fn decimal(x: f64) -> String {
    let digits = if x == 0.0 { 0 } else { (3 - x.abs().log10().floor() as i32).clamp(0, 6) };
    format!("{x:.*}", digits as usize)
}
