//! What the tests of the library share.
#![allow(dead_code, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use covec::Work;
use covec::model::Model;
use covec::parameters::Bytes;
use covec::synth::{self, SynthParameters, Truth};
use covec::tensor::{CountParameters, Tensor, count};
use covec::train::{self, TrainParameters};

/// Work with this many threads and this much memory.
pub fn work(threads: usize, memory: u64) -> Work<'static> {
    Work {
        threads: NonZeroUsize::new(threads).unwrap(),
        memory: Bytes(memory),
        force: true,
        ..Work::default()
    }
}

/// Parameters from pairs of name and value.
pub fn parameters(pairs: &[(&str, &str)]) -> CountParameters {
    let mut parameters = CountParameters::default();
    for (name, value) in pairs {
        parameters.set(name, value).unwrap();
    }
    parameters
}

/// Writes a JSONL file of (text, level of factor g).
pub fn corpus(path: &Path, documents: &[(String, String)]) -> PathBuf {
    let lines: Vec<String> = documents
        .iter()
        .map(|(text, level)| format!("{{\"text\": {text:?}, \"g\": {level:?}}}\n"))
        .collect();
    std::fs::write(path, lines.concat()).unwrap();
    path.to_owned()
}

pub fn counted(inputs: &[PathBuf], pairs: &[(&str, &str)], output: &Path) -> Tensor {
    count(inputs, parameters(pairs).check().unwrap(), output, &work(1, 1 << 30)).unwrap()
}

/// Every file of a folder, byte for byte.
pub fn bytes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap())
        })
        .collect()
}

/// (word, cell name, word) → value.
pub fn entries(tensor: &Tensor) -> BTreeMap<(String, String, String), f64> {
    let word = |id: u32| tensor.vocabulary.words[id as usize].clone();
    let mut all = BTreeMap::new();
    for batch in tensor.entries().unwrap() {
        let batch = batch.unwrap();
        for i in 0..batch.values.len() {
            let cell = tensor.covariates.cell_name(batch.cells[i] as usize);
            all.insert((word(batch.rows[i]), cell, word(batch.cols[i])), batch.values[i]);
        }
    }
    all
}

/// The tensor of a planted world: 60 words, 4 dimensions, 3 levels.
pub fn tiny_tensor(home: &Path, seed: u32) -> PathBuf {
    let mut parameters = SynthParameters::default();
    let seed = seed.to_string();
    for (name, value) in [
        ("tensor", "true"),
        ("words", "60"),
        ("dim", "4"),
        ("levels", "3"),
        ("differing", "0"),
        ("seed", &seed),
    ] {
        parameters.set(name, value).unwrap();
    }
    let output = home.join(format!("t{seed}"));
    let truth = home.join(format!("truth{seed}.json"));
    synth::write_tensor(parameters.checked().unwrap(), &output, &truth, &work(1, 1 << 30)).unwrap();
    output
}

/// A model of it, after a few sweeps.
pub fn tiny_model(home: &Path, seed: u32) -> PathBuf {
    let tensor = Tensor::open(&tiny_tensor(home, seed)).unwrap();
    let mut parameters = TrainParameters::default();
    for (name, value) in [("dim", "4"), ("sweeps", "2"), ("ridge", "0.01")] {
        parameters.set(name, value).unwrap();
    }
    let output = home.join(format!("m{seed}"));
    train::train(&tensor, parameters.checked().unwrap(), &output, &work(1, 1 << 30)).unwrap();
    output
}

/// Memory that nothing here reaches.
pub const MEMORY: u64 = 1 << 30;

/// A planted tensor and its truth.
pub fn planted(home: &Path, given: &[(&str, &str)]) -> (Tensor, Truth) {
    let mut parameters = SynthParameters::default();
    for (name, text) in [("tensor", "true"), ("words", "200"), ("differing", "0")] {
        parameters.set(name, text).unwrap();
    }
    given.iter().for_each(|(name, text)| parameters.set(name, text).unwrap());
    let (output, truth) = (home.join("tensor"), home.join("truth.json"));
    synth::write_tensor(parameters.checked().unwrap(), &output, &truth, &work(2, MEMORY)).unwrap();
    (Tensor::open(&output).unwrap(), Truth::read(&truth).unwrap())
}

/// A model of it.
pub fn trained(tensor: &Tensor, home: &Path, given: &[(&str, &str)]) -> Model {
    let mut parameters = TrainParameters::default();
    given.iter().for_each(|(name, text)| parameters.set(name, text).unwrap());
    let output = home.join("model");
    train::train(tensor, parameters.checked().unwrap(), &output, &work(2, MEMORY)).unwrap();
    Model::open(&output).unwrap()
}

/// A planted corpus of 150 words with levels to be told apart.
pub fn planted_corpus(home: &Path, levels: &str) -> PathBuf {
    let mut parameters = SynthParameters::default();
    for (name, text) in [
        ("words", "150"),
        ("dim", "5"),
        ("levels", levels),
        ("differing", "0"),
        ("tokens", "600000"),
        ("zeros", "0.3"),
    ] {
        parameters.set(name, text).unwrap();
    }
    let path = home.join("corpus.jsonl");
    let truth = synth::truth_beside(&path);
    synth::write_corpus(parameters.checked().unwrap(), &path, &truth, &work(2, MEMORY)).unwrap();
    path
}
