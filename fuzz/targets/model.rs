//! Any bytes as one of the files of a model: opened and used, or refused.
#![no_main]

use std::path::PathBuf;
use std::sync::OnceLock;

use covec::Work;
use covec::model::Model;
use covec::tensor::{CountParameters, count};
use covec::train::{TrainParameters, train};
use libfuzzer_sys::fuzz_target;

const FILES: [&str; 4] = ["model.safetensors", "vocabulary.parquet", "covariates.json", "run.json"];

/// A small whole model, to put a bad file into.
fn whole() -> &'static PathBuf {
    static WHOLE: OnceLock<PathBuf> = OnceLock::new();
    WHOLE.get_or_init(|| {
        let home = tempfile::tempdir().expect("a temporary folder").keep();
        let corpus = home.join("c.jsonl");
        let text = "{\"text\": \"one two three one\", \"g\": \"x\"}\n{\"text\": \"two three two\", \"g\": \"y\"}\n";
        std::fs::write(&corpus, text).expect("a temporary file");
        let mut counting = CountParameters::default();
        counting.set("by", "g").expect("a known parameter");
        counting.set("min_count", "1").expect("a known parameter");
        let checked = counting.check().expect("good parameters");
        let tensor = count(&[corpus], checked, &home.join("t"), &Work::default()).expect("a tensor");
        let mut training = TrainParameters::default();
        for (name, value) in [("dim", "2"), ("sweeps", "2"), ("ridge", "0.01"), ("held_out", "0")] {
            training.set(name, value).expect("a known parameter");
        }
        let model = home.join("m");
        train(&tensor, training.checked().expect("good parameters"), &model, &Work::default()).expect("a model");
        model
    })
}

fuzz_target!(|input: &[u8]| {
    let [choice, content @ ..] = input else { return };
    let home = tempfile::tempdir().expect("a temporary folder");
    for file in FILES {
        std::fs::copy(whole().join(file), home.path().join(file)).expect("a copy");
    }
    std::fs::write(home.path().join(FILES[usize::from(*choice) % 4]), content).expect("a file");
    match Model::open(home.path()) {
        Ok(model) => drop(model.vectors_in(&[0])),
        Err(error) => assert!(error.is_refusal(), "{error}"),
    }
});
