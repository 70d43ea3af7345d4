//! Any bytes as one of the files of a model: opened and used, or refused.
#![no_main]

mod small;

use std::path::PathBuf;
use std::sync::OnceLock;

use covec::Work;
use covec::model::Model;
use covec::train::{TrainParameters, train};
use libfuzzer_sys::fuzz_target;

const FILES: [&str; 4] = ["model.safetensors", "vocabulary.parquet", "covariates.json", "run.json"];

fn whole() -> &'static PathBuf {
    static WHOLE: OnceLock<PathBuf> = OnceLock::new();
    WHOLE.get_or_init(|| {
        let (home, tensor) = small::tensor();
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
    let Some(home) = small::damaged(whole(), FILES, input) else { return };
    match Model::open(home.path()) {
        Ok(model) => drop(model.vectors_in(&[0])),
        Err(error) => assert!(error.is_refusal(), "{error}"),
    }
});
