//! Numbers with a name for every row: whatever of a model is written, it is one of these.

use super::{ExportParameters, Exported, Format, What, label, refused};
use crate::error::Error;
use crate::model::{Model, Need};
use crate::train::Switch;

/// Rows of numbers.
#[derive(Debug)]
pub(super) struct Matrix {
    /// What the numbers are: `vectors`, `weights`.
    pub(super) what: &'static str,
    /// Under which levels: `party=R`; `base` without.
    pub(super) levels: String,
    /// Names of the rows: what they are (`word`, `level`), and one a row. Rows that are about words
    /// in several levels have both.
    pub(super) names: Vec<(&'static str, Vec<String>)>,
    /// How often a row's word occurs there, where rows are words.
    pub(super) counts: Vec<u64>,
    /// Names of the columns.
    pub(super) columns: Vec<String>,
    /// Row after row.
    pub(super) numbers: Vec<f32>,
}

const BASE: &str = "base";

impl Matrix {
    /// A matrix for each of the levels asked for; one where there are none.
    pub(super) fn all(
        model: &Model,
        levels: &[String],
        parameters: &ExportParameters,
    ) -> Result<Vec<Self>, Error> {
        let mut all = Vec::new();
        match parameters.what {
            What::Vectors if levels.is_empty() => all.push(vectors(model, &[], parameters)?),
            What::Deviations if levels.is_empty() => all.push(deviations(model, None, parameters)?),
            What::Vectors | What::Deviations => {
                for text in levels {
                    let levels = model.levels_named(text)?;
                    all.push(match (parameters.what, levels.as_slice()) {
                        (What::Vectors, levels) => vectors(model, levels, parameters)?,
                        (_, &[level]) => deviations(model, Some(level), parameters)?,
                        _ => {
                            let problem = format!("--in {text}: deviations are of one level each");
                            return Err(refused(problem, "repeat --in for each level").into());
                        }
                    });
                }
            }
            What::Weights | What::Biases if !levels.is_empty() => {
                let problem =
                    format!("--in {}: weights and biases are written for all levels", levels[0]);
                return Err(refused(problem, "leave --in away").into());
            }
            What::Weights => all.push(weights(model)),
            What::Biases => all.push(biases(model, parameters)?),
        }
        for matrix in &mut all {
            matrix.fit(parameters)?;
        }
        Ok(all)
    }

    /// Makes the names fit the format.
    fn fit(&mut self, parameters: &ExportParameters) -> Result<(), Error> {
        let format = parameters.format;
        let words_alone =
            matches!(format, Format::Word2vec | Format::Word2vecBinary | Format::Glove);
        if self.names.len() > 1 && words_alone {
            return Err(refused(
                "a word has a deviation for each level, and this format has one row a word",
                "--in LEVEL, or --format csv, numpy or projector",
            )
            .into());
        }
        // With two names a row, each of them may well repeat.
        let distinct = self.names.len() == 1;
        for (_, names) in &mut self.names {
            label::fit(names, distinct, format, parameters.spaces)?;
        }
        Ok(())
    }

    /// Names of the row, one of each kind.
    pub(super) fn name(&self, row: usize) -> impl Iterator<Item = &str> {
        self.names.iter().map(move |(_, names)| names[row].as_str())
    }

    /// How many rows.
    pub(super) fn len(&self) -> usize {
        self.names.first().map_or(0, |(_, names)| names.len())
    }

    /// The rows: a name and the numbers.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&str, &[f32])> {
        let names = self.names.iter().take(1).flat_map(|(_, names)| names);
        names.map(String::as_str).zip(self.numbers.chunks_exact(self.columns.len()))
    }

    pub(super) fn told(&self) -> Exported {
        Exported { levels: self.levels.clone(), rows: self.len(), columns: self.columns.len() }
    }
}

/// Names of the levels; a model without factors has one.
fn level_names(model: &Model) -> Vec<String> {
    let names = model.covariates.level_names();
    if names.is_empty() { vec!["all".to_owned()] } else { names }
}

fn dimensions(model: &Model) -> Vec<String> {
    (0..model.dim).map(|dimension| format!("d{dimension}")).collect()
}

/// The words that occur often enough under levels.
fn supported(
    model: &Model,
    levels: &[usize],
    name: &str,
    parameters: &ExportParameters,
) -> Result<Vec<usize>, Error> {
    let least = parameters.min_support.0;
    let count = |word: &usize| model.count_in(*word, levels);
    let all = 0..model.vocabulary.len();
    let words: Vec<usize> = all.clone().filter(|word| count(word) >= least).collect();
    if words.is_empty() {
        let most = all.map(|word| count(&word)).max().unwrap_or(0);
        return Err(refused(
            format!(
                "no word occurs {least} times in {name}; the most common one occurs {most} times"
            ),
            "lower --min-support",
        )
        .into());
    }
    Ok(words)
}

fn vectors(
    model: &Model,
    levels: &[usize],
    parameters: &ExportParameters,
) -> Result<Matrix, Error> {
    match levels.len() {
        0 => model.gives(Need::Base, "export")?,
        1 => (),
        _ => model.gives(Need::Combination, "export")?,
    }
    let names = level_names(model);
    let name = match levels {
        [] => BASE.to_owned(),
        levels => levels.iter().map(|&l| names[l].as_str()).collect::<Vec<_>>().join(","),
    };
    let words = supported(model, levels, &name, parameters)?;
    let mut numbers = Vec::with_capacity(words.len() * model.dim);
    for &word in &words {
        numbers.extend(match parameters.deviations {
            Switch::On => model.vector_in(word, levels),
            Switch::Off => model.reweighted(word, levels),
        });
    }
    Ok(Matrix {
        what: "vectors",
        levels: name,
        names: vec![("word", words.iter().map(|&w| model.vocabulary.words[w].clone()).collect())],
        counts: words.iter().map(|&word| model.count_in(word, levels)).collect(),
        columns: dimensions(model),
        numbers,
    })
}

/// The deviations of one level, or of all.
fn deviations(
    model: &Model,
    level: Option<usize>,
    parameters: &ExportParameters,
) -> Result<Matrix, Error> {
    let own = &model.deviations;
    let least = parameters.min_support.0;
    let of = |row: usize| (own.levels[row] as usize, own.words[row] as usize);
    let rows: Vec<usize> = (0..own.len())
        .filter(|&row| level.is_none_or(|level| of(row).0 == level))
        .filter(|&row| model.count_in(of(row).1, &[of(row).0]) >= least)
        .collect();
    let names = level_names(model);
    let name = level.map_or_else(|| BASE.to_owned(), |level| names[level].clone());
    if rows.is_empty() {
        let whose = level.map_or_else(|| "the model".to_owned(), |_| name.clone());
        let problem = if least > 0 {
            format!("no word that occurs {least} times deviates in {whose}")
        } else {
            format!("no word deviates in {whose}")
        };
        return Err(refused(problem, "covec info MODEL --show levels says where words do").into());
    }
    let words = rows.iter().map(|&row| model.vocabulary.words[of(row).1].clone()).collect();
    let mut labels = vec![("word", words)];
    if level.is_none() {
        labels.push(("level", rows.iter().map(|&row| names[of(row).0].clone()).collect()));
    }
    Ok(Matrix {
        what: "deviations",
        levels: name,
        names: labels,
        counts: rows.iter().map(|&row| model.count_in(of(row).1, &[of(row).0])).collect(),
        columns: dimensions(model),
        numbers: rows
            .iter()
            .flat_map(|&row| &own.numbers[row * model.dim..(row + 1) * model.dim])
            .map(|x| x.to_f32())
            .collect(),
    })
}

fn weights(model: &Model) -> Matrix {
    Matrix {
        what: "weights",
        levels: BASE.to_owned(),
        names: vec![("level", level_names(model))],
        counts: Vec::new(),
        columns: dimensions(model),
        numbers: model.weights.to_vec(),
    }
}

/// A row for every word, a column for every level.
fn biases(model: &Model, parameters: &ExportParameters) -> Result<Matrix, Error> {
    let words = supported(model, &[], "the corpus", parameters)?;
    let (levels, all) = (model.levels(), model.vocabulary.len());
    let of = |word: usize| (0..levels).map(move |level| model.biases[level * all + word]);
    Ok(Matrix {
        what: "biases",
        levels: BASE.to_owned(),
        names: vec![("word", words.iter().map(|&w| model.vocabulary.words[w].clone()).collect())],
        counts: words.iter().map(|&word| model.vocabulary.counts[word]).collect(),
        columns: level_names(model),
        numbers: words.iter().flat_map(|&word| of(word)).collect(),
    })
}
