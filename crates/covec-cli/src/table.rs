//! Rows, as an aligned table, JSON or CSV.

use std::io::Write;

pub(crate) use covec_report::thousands;
use serde_json::{Map, Value};

use crate::failure::Failure;

/// How rows are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Table,
    Json,
    Csv,
}

/// Rows of named columns.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
}

impl Table {
    pub(crate) fn new<S: Into<String>>(columns: impl IntoIterator<Item = S>) -> Self {
        Self { columns: columns.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// A row for each of these, a column for each of their fields; an empty row names the columns where there are
    /// no others.
    pub(crate) fn of<R: serde::Serialize + Default>(rows: &[R]) -> Result<Self, Failure> {
        if rows.is_empty() {
            return Ok(Self::new(fields(&R::default())?.keys().cloned()));
        }
        Self::of_some(rows)
    }

    /// The same of rows that there are.
    pub(crate) fn of_some<R: serde::Serialize>(rows: &[R]) -> Result<Self, Failure> {
        let mut table = Self { columns: Vec::new(), rows: Vec::new() };
        for row in rows {
            let fields = fields(row)?;
            table.columns = fields.keys().cloned().collect();
            table.push(fields.into_iter().map(|(_, value)| value).collect());
        }
        Ok(table)
    }

    /// The same without some columns.
    pub(crate) fn without(mut self, columns: &[&str]) -> Self {
        for name in columns {
            if let Some(at) = self.columns.iter().position(|column| column == name) {
                self.columns.remove(at);
                self.rows.iter_mut().for_each(|row| drop(row.remove(at)));
            }
        }
        self
    }

    /// The same for the eye: a measure and its interval in one cell, of distances the corrected value.
    pub(crate) fn barred(mut self) -> Self {
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

    pub(crate) fn push(&mut self, row: Vec<Value>) {
        self.rows.push(row);
    }

    /// Prints at most `most` rows to standard output.
    pub(crate) fn print(&self, format: Format, most: usize) -> Result<(), Failure> {
        print(&self.text(format, most)?)
    }

    /// The rows as they would be printed.
    pub(crate) fn text(&self, format: Format, most: usize) -> Result<String, Failure> {
        let rows = &self.rows[..self.rows.len().min(most)];
        let broken = |error: &dyn std::fmt::Display| Failure::Other(error.to_string());
        match format {
            Format::Table => Ok(self.aligned(rows)),
            Format::Json => {
                let objects: Vec<Object<'_>> =
                    rows.iter().map(|row| Object { columns: &self.columns, row }).collect();
                let mut text = serde_json::to_string_pretty(&objects).map_err(|e| broken(&e))?;
                text.push('\n');
                Ok(text)
            }
            Format::Csv => {
                let mut writer = csv::Writer::from_writer(Vec::new());
                writer.write_record(&self.columns).map_err(|e| broken(&e))?;
                for row in rows {
                    writer.write_record(row.iter().map(exact)).map_err(|e| broken(&e))?;
                }
                let bytes = writer.into_inner().map_err(|e| broken(&e))?;
                String::from_utf8(bytes).map_err(|e| broken(&e))
            }
        }
    }

    fn aligned(&self, rows: &[Vec<Value>]) -> String {
        let cells: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(readable).collect()).collect();
        let width = |column: usize| {
            let cells = cells.iter().map(|row| row[column].chars().count());
            cells.chain([self.columns[column].chars().count()]).max().unwrap_or(0)
        };
        let right: Vec<bool> = (0..self.columns.len())
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
        let rule: Vec<String> =
            (0..self.columns.len()).map(|column| "─".repeat(width(column))).collect();
        let mut text = line(&self.columns) + &line(&rule);
        cells.iter().for_each(|row| text += &line(row));
        text
    }
}

/// A row's columns with what stands in them.
fn fields(row: &impl serde::Serialize) -> Result<Map<String, Value>, Failure> {
    match serde_json::to_value(row) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(other) => Err(Failure::Other(format!("not a row: {other}"))),
        Err(error) => Err(Failure::Other(error.to_string())),
    }
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

/// A value for a program.
fn exact(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
