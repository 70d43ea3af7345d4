//! Errors of the library as exceptions of `covec.errors`, worded for Python.

use covec::Error;
use covec_report::report::ReportError;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// The exception for an error.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let kind = match error {
        Error::Parameter(wrong) => {
            let name = python_name(wrong.flag.trim_start_matches('-'));
            let text =
                format!("{name}={}: {}expected {}", wrong.given, wrong.problem, wrong.expected);
            return raise(py, "ParameterError", &text);
        }
        Error::Corpus(_) => "CorpusError",
        Error::Vocabulary(_) => "VocabularyError",
        Error::Tensor(_) => "TensorError",
        Error::Model(_) => "ModelError",
        Error::Train(_) => "TrainError",
        Error::Analyse(_) => "AnalyseError",
        Error::Resample(_) if !error.is_interruption() => "ResampleError",
        Error::Evaluate(_) => "EvaluateError",
        Error::Artefact(_) => "ArtefactError",
        other if other.is_interruption() => {
            return PyKeyboardInterrupt::new_err(in_python(&error.to_string()));
        }
        Error::Io { .. } => "FileError",
        _ => "Error",
    };
    raise(py, kind, &in_python(&error.to_string()))
}

/// The exception for what became of a report.
pub(crate) fn of_report(py: Python<'_>, error: &ReportError) -> PyErr {
    match error {
        ReportError::Covec(error) => exception(py, error),
        other => raise(py, "ArtefactError", &in_python(&other.to_string())),
    }
}

/// An exception of `covec.errors` by its name.
pub(crate) fn raise(py: Python<'_>, kind: &str, message: &str) -> PyErr {
    let made = py.import("covec.errors").and_then(|errors| errors.getattr(kind)?.call1((message,)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// A parameter's name in Python.
fn python_name(flag: &str) -> String {
    // A word of the language cannot be a name.
    if flag == "in" { "in_".to_owned() } else { flag.replace('-', "_") }
}

/// A message in which parameters have their names in Python: `--min-support 3` → `min_support=3`.
pub(crate) fn in_python(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find("--") {
        let (before, flag) = rest.split_at(at);
        text += before;
        let flag = &flag[2..];
        let end = flag.find(|c: char| !c.is_ascii_lowercase() && c != '-' && !c.is_ascii_digit());
        let (name, after) = flag.split_at(end.unwrap_or(flag.len()));
        let begins_anew = before.is_empty() || before.ends_with(|c: char| !c.is_alphanumeric());
        if name.is_empty() || name.starts_with('-') || !begins_anew {
            text += "--";
            rest = flag;
            continue;
        }
        text += &python_name(name);
        rest = after;
        if let Some(value) = after.strip_prefix(' ') {
            let end = value.find(|c: char| !c.is_alphanumeric()).unwrap_or(value.len());
            let value = &value[..end];
            let named = value.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
            if !value.is_empty() && (named || ["skip", "replace", "nothing"].contains(&value)) {
                text.push('=');
                rest = &after[1..];
            }
        }
    }
    text + rest
}
