//! Where text comes from: worlds of `covec synth`, real text, and both with labels that mean nothing.

use std::path::{Path, PathBuf};

use covec::Work;
use covec::synth::{self, SynthParameters};
use serde_json::Value;

use crate::lots::Lots;

/// A world's text.
pub fn world(
    settings: &[(&str, &str)],
    seed: u64,
    home: &Path,
    work: &Work<'_>,
) -> Result<PathBuf, String> {
    let mut parameters = SynthParameters::default();
    let seed = seed.to_string();
    for (name, value) in settings.iter().copied().chain([("seed", seed.as_str())]) {
        parameters.set(name, value).map_err(|e| e.to_string())?;
    }
    let (corpus, truth) = (home.join("world.jsonl"), home.join("world.json"));
    let checked = parameters.checked().map_err(|e| e.to_string())?;
    synth::write_corpus(checked, &corpus, &truth, work).map_err(|e| e.to_string())?;
    Ok(corpus)
}

pub fn lines(corpus: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(corpus).map_err(|e| format!("{}: {e}", corpus.display()))?;
    Ok(text.lines().map(str::to_owned).collect())
}

pub fn write(path: &Path, lines: &[String]) -> Result<(), String> {
    std::fs::write(path, lines.join("\n") + "\n").map_err(|e| format!("{}: {e}", path.display()))
}

/// Documents drawn from a corpus without replacement, with their labels shuffled among them.
pub fn relabelled(
    corpus: &Path,
    label: &str,
    most: usize,
    seed: u64,
    output: &Path,
) -> Result<(), String> {
    let mut lots = Lots::new(seed);
    let mut lines = lines(corpus)?;
    lots.shuffle(&mut lines);
    lines.truncate(most);
    let mut documents: Vec<Value> = lines
        .iter()
        .map(|line| serde_json::from_str(line).map_err(|e| e.to_string()))
        .collect::<Result<_, _>>()?;
    let mut labels: Vec<Value> = documents.iter().map(|document| document[label].clone()).collect();
    lots.shuffle(&mut labels);
    for (document, own) in documents.iter_mut().zip(labels) {
        document[label] = own;
    }
    write(output, &documents.iter().map(Value::to_string).collect::<Vec<_>>())
}
