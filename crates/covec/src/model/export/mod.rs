//! Models for other tools: word2vec, GloVe, NumPy, the Embedding Projector, CSV.
//!
//! * **In:** a [`Model`], and the levels it is asked under.
//! * **Out:** a file for each of them (two files for the projector); several in a folder.
//! * **Invariants:** every number reads back as the very `f32` of the model; a name that a format
//!   cannot hold is refused, never bent silently; what is at the target is always whole.
//! * **Cost:** a copy of the numbers that are written.

mod file_name;
mod glove;
mod label;
mod matrix;
mod numpy;
mod projector;
mod table;
mod word2vec;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde::Serialize;

use super::{Model, ModelError};
use crate::artefact::Artefact;
use crate::error::{Error, IoContext};
use crate::parameters::{Whole, choice, parameters};
use crate::tensor::record::write_json;
use crate::train::Switch;
use crate::work::Work;
use matrix::Matrix;

parameters! {
    /// What is written of a model, and how.
    pub struct ExportParameters {
        format: Format = Format::Word2vec, "FORMAT", "word2vec",
            "word2vec, word2vec-binary, glove, numpy, projector or csv" if |_: &Format| true,
            "word2vec and word2vec-binary: gensim and others; glove: word2vec without its first line; numpy: .npz; projector: a folder with vectors.tsv and metadata.tsv; csv: with a header";
        what: What = What::Vectors, "WHAT", "vectors",
            "vectors, deviations, weights or biases" if |_: &What| true,
            "vectors of the words, their deviations in levels, the weights of the levels, or the biases of words in levels";
        deviations: Switch = Switch::On, "on|off", "on",
            "on or off" if |_: &Switch| true,
            "Whether vectors under levels take in the words' own deviations there; off: what the levels' weights alone make of them";
        min_support: Whole = Whole(0), "N", "0",
            "a whole number" if |_: &Whole| true,
            "Only words that occur at least so often there";
        spaces: Spaces = Spaces::Refuse, "refuse|underscore", "refuse",
            "refuse or underscore" if |_: &Spaces| true,
            "What becomes of a word with a space, tab or line end in it where the format has no place for one";
    }
}

choice! {
    /// Formats of other tools.
    pub enum Format {
        /// Text: a line with the number of words and dimensions, then a line a word.
        Word2vec = "word2vec",
        /// The same with numbers as bytes.
        Word2vecBinary = "word2vec-binary",
        /// Text: a line a word.
        Glove = "glove",
        /// A `.npz` file.
        Numpy = "numpy",
        /// The two tables that the TensorFlow Embedding Projector loads.
        Projector = "projector",
        /// A table with a header.
        Csv = "csv",
    }
}

choice! {
    /// What of a model is written.
    pub enum What {
        /// The words' vectors: base vectors, or those under levels.
        Vectors = "vectors",
        /// How words deviate from their base vectors in levels.
        Deviations = "deviations",
        /// The levels' weights.
        Weights = "weights",
        /// The words' biases in every level.
        Biases = "biases",
    }
}

choice! {
    /// What becomes of names that a format cannot hold.
    pub enum Spaces {
        /// They are refused.
        Refuse = "refuse",
        /// What cannot be held becomes an underscore.
        Underscore = "underscore",
    }
}

impl Format {
    /// How the name of a file ends.
    fn ending(self) -> &'static str {
        match self {
            Self::Word2vec | Self::Glove => "txt",
            Self::Word2vecBinary => "bin",
            Self::Numpy => "npz",
            Self::Projector => "tsv",
            Self::Csv => "csv",
        }
    }
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// Under which levels: `party=R`, or `base` where none were asked for.
    pub levels: String,
    /// Rows.
    pub rows: usize,
    /// Numbers a row.
    pub columns: usize,
}

/// `run.json` of a folder of exports.
#[derive(Debug, Serialize)]
struct Record<'a> {
    covec: &'static str,
    format: u32,
    stage: &'static str,
    /// The model's.
    fingerprint: &'a str,
    parameters: &'a ExportParameters,
    levels: Vec<&'a str>,
}

const RUN: &str = "run.json";

impl Model {
    /// Writes the model, or a part of it, for another tool.
    ///
    /// `levels` are what users write: `factor=level`, `level`, or several joined by commas. With
    /// none or one of them `output` is the file (the projector's is a folder); with several it is a
    /// folder with a file for each.
    pub fn export(
        &self,
        levels: &[String],
        parameters: &ExportParameters,
        output: &Path,
        work: &Work<'_>,
    ) -> Result<Vec<Exported>, Error> {
        parameters.check()?;
        let matrices = Matrix::all(self, levels, parameters)?;
        let single = matrices.len() == 1;
        let names = if single {
            vec![String::new()]
        } else {
            file_name::distinct(matrices.iter().map(|matrix| matrix.levels.as_str()))
        };
        let files: Vec<Vec<String>> =
            names.iter().map(|name| files(parameters.format, name)).collect();
        let folder = !single || parameters.format == Format::Projector;
        let mut known: Vec<&str> = Vec::new();
        if folder {
            known.extend(files.iter().flatten().map(String::as_str).chain([RUN]));
        }
        let artefact = Artefact::begin(output, &known, work.force)?;
        let content = artefact.content();
        if folder {
            std::fs::create_dir(content).at("make", content)?;
            let record = Record {
                covec: env!("CARGO_PKG_VERSION"),
                format: super::FORMAT,
                stage: "export",
                fingerprint: &self.record.fingerprint,
                parameters,
                levels: matrices.iter().map(|matrix| matrix.levels.as_str()).collect(),
            };
            write_json(&content.join(RUN), &record)?;
        }
        for (matrix, files) in matrices.iter().zip(&files) {
            let path = |file: usize| match folder {
                true => content.join(&files[file]),
                false => content.to_owned(),
            };
            match parameters.format {
                Format::Word2vec => word2vec::text(matrix, &path(0), work)?,
                Format::Word2vecBinary => word2vec::binary(matrix, &path(0), work)?,
                Format::Glove => glove::write(matrix, &path(0), work)?,
                Format::Numpy => numpy::write(matrix, &path(0), work)?,
                Format::Projector => projector::write(matrix, &path(0), &path(1), work)?,
                Format::Csv => table::write(matrix, &path(0), work)?,
            }
        }
        artefact.finish()?;
        Ok(matrices.iter().map(Matrix::told).collect())
    }
}

/// The files of one matrix inside a folder; a name sets those of several apart.
fn files(format: Format, name: &str) -> Vec<String> {
    match format {
        Format::Projector => ["vectors", "metadata"]
            .iter()
            .map(|what| match name {
                "" => format!("{what}.{}", format.ending()),
                name => format!("{name}.{what}.{}", format.ending()),
            })
            .collect(),
        _ => vec![format!("{name}.{}", format.ending())],
    }
}

/// A new file that is written in large pieces; whatever fails is told with its path.
fn written(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), Error>,
) -> Result<(), Error> {
    let file = File::create(path).at("create", path)?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    write(&mut out)?;
    out.flush().at("write", path)
}

/// A number that reads back as the same `f32`, in as few digits as that takes.
fn digits(x: f32) -> String {
    format!("{x:?}")
}

/// A refusal of what was asked for.
fn refused(problem: impl Into<String>, way_out: impl Into<String>) -> ModelError {
    ModelError::Export { problem: problem.into(), way_out: way_out.into() }
}
