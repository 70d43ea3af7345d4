//! The one table of parameters, and what was given of it.

use std::collections::BTreeMap;

use covec::corpus::{By, CorpusParameters};
use covec::parameters::TABLES;
use covec_answers::Asked;
use pyo3::prelude::*;

use crate::error::exception;

/// What was asked, as Python hands it over: every name with its texts.
pub(crate) type Texts = BTreeMap<String, Vec<String>>;

/// Named texts as the library's users know them.
pub(crate) fn asked(texts: Texts) -> Asked {
    let mut asked = Asked::new();
    for (name, texts) in texts {
        // A word of the language cannot be a name.
        let name = name.strip_suffix('_').unwrap_or(&name);
        texts.into_iter().for_each(|text| asked.add(name, text));
    }
    asked
}

/// A row of the table: name, value, default, range, meaning, whether it repeats.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str, bool);

/// Every stage's parameters.
#[pyfunction]
pub(crate) fn parameters() -> Vec<(&'static str, Vec<Row>)> {
    let row = |p: &covec::parameters::Parameter| {
        (p.name, p.value, p.default, p.range, p.meaning, p.repeats)
    };
    TABLES.iter().map(|(stage, table)| (*stage, table.iter().map(row).collect())).collect()
}

/// The columns of a table that will be read: text, covariates, ids and what is drawn together.
#[pyfunction]
pub(crate) fn columns(py: Python<'_>, texts: Texts) -> PyResult<Vec<String>> {
    let asked = asked(texts);
    let mut rules = CorpusParameters::default();
    asked
        .take(CorpusParameters::TABLE, |name, text| rules.set(name, text))
        .map_err(|error| exception(py, &error))?;
    let mut units = CorpusParameters::default();
    for unit in asked.texts("unit") {
        units.set("by", unit).map_err(|error| exception(py, &error.into()))?;
    }
    Ok(columns_of(&rules, &units.by))
}

/// The columns that rules speak of, and further ones.
pub(crate) fn columns_of(rules: &CorpusParameters, further: &[By]) -> Vec<String> {
    let mut names = vec![rules.text.clone()];
    names.extend(rules.by.iter().chain(further).filter_map(|by| match by {
        By::Field { name, .. } => Some(name.clone()),
        // Of paths, which a table has none of.
        By::Folder | By::Name(_) => None,
    }));
    names.extend(rules.id.clone());
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}
