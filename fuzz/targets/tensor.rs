//! Any bytes as one of the files of a tensor: opened and read, or refused.
#![no_main]

use std::path::PathBuf;
use std::sync::OnceLock;

use covec::Work;
use covec::tensor::{CountParameters, Tensor, count};
use libfuzzer_sys::fuzz_target;

const FILES: [&str; 4] = ["entries.parquet", "vocabulary.parquet", "covariates.json", "run.json"];

/// A small whole tensor, to put a bad file into.
fn whole() -> &'static PathBuf {
    static WHOLE: OnceLock<PathBuf> = OnceLock::new();
    WHOLE.get_or_init(|| {
        let home = tempfile::tempdir().expect("a temporary folder").keep();
        let corpus = home.join("c.jsonl");
        let text = "{\"text\": \"one two three one\", \"g\": \"x\"}\n{\"text\": \"two three two\", \"g\": \"y\"}\n";
        std::fs::write(&corpus, text).expect("a temporary file");
        let mut parameters = CountParameters::default();
        parameters.set("by", "g").expect("a known parameter");
        parameters.set("min_count", "1").expect("a known parameter");
        let checked = parameters.check().expect("good parameters");
        count(&[corpus], checked, &home.join("t"), &Work::default()).expect("a tensor").path
    })
}

fuzz_target!(|input: &[u8]| {
    let [choice, content @ ..] = input else { return };
    let home = tempfile::tempdir().expect("a temporary folder");
    for file in FILES {
        std::fs::copy(whole().join(file), home.path().join(file)).expect("a copy");
    }
    std::fs::write(home.path().join(FILES[usize::from(*choice) % 4]), content).expect("a file");
    let read = Tensor::open(home.path()).and_then(|tensor| tensor.entries()?.try_for_each(|e| e.map(drop)));
    if let Err(error) = read {
        assert!(error.is_refusal(), "{error}");
    }
});
