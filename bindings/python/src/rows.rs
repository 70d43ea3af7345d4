//! Answers as columns of Python values.

use covec_answers::{Table, Told};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::Value;

/// A column: its name, what it holds (`int`, `float`, `bool`, `str` or `object`), and its values.
type Column = (String, &'static str, Py<PyList>);

/// An answer: its columns, how many words were left out, what is to be known beside it.
pub(crate) type Answer = (Vec<Column>, usize, Vec<String>);

pub(crate) fn answer(py: Python<'_>, told: &Told) -> PyResult<Answer> {
    let Table { columns, rows, like } = &told.table;
    let mut made = Vec::with_capacity(columns.len());
    for (at, name) in columns.iter().enumerate() {
        let kind = match rows.is_empty() {
            true => kind(like.get(at).into_iter()),
            false => kind(rows.iter().map(|row| &row[at])),
        };
        let values = PyList::empty(py);
        for row in rows {
            values.append(value(py, &row[at])?)?;
        }
        made.push((name.clone(), kind, values.unbind()));
    }
    Ok((made, told.left_out, told.notes.clone()))
}

/// What a column holds, by its values.
fn kind<'a>(values: impl Iterator<Item = &'a Value>) -> &'static str {
    let mut found = None;
    for value in values {
        let own = match value {
            Value::Null => continue,
            Value::Bool(_) => "bool",
            Value::Number(number) if number.is_f64() => "float",
            Value::Number(_) => "int",
            Value::String(_) => "str",
            Value::Array(_) | Value::Object(_) => "object",
        };
        found = match (found, own) {
            (None, own) => Some(own),
            (Some(known), own) if known == own => Some(known),
            (Some("int" | "float"), "int" | "float") => Some("float"),
            _ => return "object",
        };
    }
    found.unwrap_or("object")
}

fn value(py: Python<'_>, value: &Value) -> PyResult<Py<PyAny>> {
    match value {
        Value::Null => Ok(py.None()),
        Value::Bool(truth) => truth.into_py_any(py),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => whole.into_py_any(py),
            (None, Some(whole)) => whole.into_py_any(py),
            (None, None) => number.as_f64().unwrap_or(f64::NAN).into_py_any(py),
        },
        Value::String(text) => text.into_py_any(py),
        Value::Array(values) => {
            let list = PyList::empty(py);
            for own in values {
                list.append(self::value(py, own)?)?;
            }
            list.into_py_any(py)
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (name, own) in fields {
                dict.set_item(name, self::value(py, own)?)?;
            }
            dict.into_py_any(py)
        }
    }
}
