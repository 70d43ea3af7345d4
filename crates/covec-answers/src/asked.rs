//! What was asked: named texts, as a user writes them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use covec::Error;
use covec::parameters::{Parameter, ParameterError};

use crate::question::refused;

/// Named texts, some of them several times.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked(BTreeMap<String, Vec<String>>);

impl Asked {
    /// Nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with one text more.
    #[must_use]
    pub fn with(mut self, name: &str, text: impl Into<String>) -> Self {
        self.add(name, text);
        self
    }

    /// Adds a text.
    pub fn add(&mut self, name: &str, text: impl Into<String>) {
        self.0.entry(name.to_owned()).or_default().push(text.into());
    }

    /// Whether anything was given under a name.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// All texts that were given under a name.
    pub fn texts(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// The text that was given under a name; of several the last.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts(name).last().map(String::as_str)
    }

    /// One of some texts; the first of them where none was given.
    pub fn choice<'a>(&'a self, name: &str, choices: &[&'a str]) -> Result<&'a str, Error> {
        match self.text(name) {
            None => Ok(choices.first().copied().unwrap_or_default()),
            Some(text) if choices.contains(&text) => Ok(text),
            Some(text) => Err(wrong(name, text, &choices.join(", "))),
        }
    }

    /// Two texts that were given together.
    pub fn two(&self, name: &str) -> Result<Option<[&str; 2]>, Error> {
        match self.texts(name) {
            [] => Ok(None),
            [a, b] => Ok(Some([a, b])),
            other => Err(wrong(name, &other.join(" "), "two levels")),
        }
    }

    /// A whole number.
    pub fn number(&self, name: &str) -> Result<Option<usize>, Error> {
        let read =
            |text| str::parse(text).map_err(|_| wrong(name, text, "a whole number, 0 or more"));
        self.text(name).map(read).transpose()
    }

    /// Whether a switch is on.
    pub fn is_on(&self, name: &str) -> bool {
        self.text(name) == Some("true")
    }

    /// Paths that were given under a name.
    pub fn paths(&self, name: &str) -> Vec<PathBuf> {
        self.texts(name).iter().map(PathBuf::from).collect()
    }

    /// Hands what was given of a table of parameters to `set`.
    pub fn take(
        &self,
        table: &[Parameter],
        mut set: impl FnMut(&str, &str) -> Result<(), ParameterError>,
    ) -> Result<(), Error> {
        for row in table {
            for text in self.texts(row.name) {
                if !row.is_switch() || text == "true" {
                    set(row.name, text)?;
                }
            }
        }
        Ok(())
    }
}

fn wrong(name: &str, given: &str, expected: &str) -> Error {
    ParameterError {
        flag: format!("--{}", name.replace('_', "-")),
        given: given.to_owned(),
        problem: String::new(),
        expected: expected.to_owned(),
    }
    .into()
}

/// Something that must be given.
pub(crate) fn lacking(name: &str, expected: &str) -> Error {
    refused(format!("no {name} was given"), expected, format!("give one as {name}"))
}
