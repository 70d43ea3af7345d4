//! Rows of named columns.

use serde::Serialize;
use serde_json::{Map, Value};

/// Rows of named columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// The columns' names.
    pub columns: Vec<String>,
    /// What stands in each, row after row.
    pub rows: Vec<Vec<Value>>,
    /// What a row looks like, where there is none to see it by.
    pub like: Vec<Value>,
}

impl Table {
    /// Columns without rows.
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = S>) -> Self {
        Self { columns: columns.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// A row for each of these, a column for each of their fields; an empty row names the columns where there are
    /// no others.
    pub fn of<R: Serialize + Default>(rows: &[R]) -> Self {
        if rows.is_empty() {
            let (columns, like) = fields(&R::default()).into_iter().unzip();
            return Self { columns, rows: Vec::new(), like };
        }
        Self::of_some(rows)
    }

    /// The same of rows that there are.
    pub fn of_some<R: Serialize>(rows: &[R]) -> Self {
        let mut table = Self::default();
        for row in rows {
            let fields = fields(row);
            table.columns = fields.keys().cloned().collect();
            table.push(fields.into_iter().map(|(_, value)| value).collect());
        }
        table
    }

    /// The same without some columns.
    #[must_use]
    pub fn without(mut self, columns: &[&str]) -> Self {
        for name in columns {
            if let Some(at) = self.columns.iter().position(|column| column == name) {
                self.columns.remove(at);
                self.rows.iter_mut().for_each(|row| drop(row.remove(at)));
            }
        }
        self
    }

    /// At most so many rows.
    #[must_use]
    pub fn first(mut self, most: usize) -> Self {
        self.rows.truncate(most);
        self
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<Value>) {
        self.rows.push(row);
    }
}

/// A row's columns with what stands in them. Rows are structures, which JSON always has an object for.
fn fields(row: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(row) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}
