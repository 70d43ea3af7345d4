//! Any bytes as one of the files of a tensor: opened and read, or refused.
#![no_main]

mod small;

use std::path::PathBuf;
use std::sync::OnceLock;

use covec::tensor::Tensor;
use libfuzzer_sys::fuzz_target;

const FILES: [&str; 4] = ["entries.parquet", "vocabulary.parquet", "covariates.json", "run.json"];

fn whole() -> &'static PathBuf {
    static WHOLE: OnceLock<PathBuf> = OnceLock::new();
    WHOLE.get_or_init(|| small::tensor().1.path)
}

fuzz_target!(|input: &[u8]| {
    let Some(home) = small::damaged(whole(), FILES, input) else { return };
    let read = Tensor::open(home.path()).and_then(|tensor| tensor.entries()?.try_for_each(|e| e.map(drop)));
    if let Err(error) = read {
        assert!(error.is_refusal(), "{error}");
    }
});
