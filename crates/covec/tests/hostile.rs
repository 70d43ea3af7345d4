//! Damaged and hostile files: refused or read, never a panic. The fuzz targets knock at the same
//! doors for longer.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;

use common::{corpus, counted, parameters, tiny_model, work};
use covec::model::Model;
use covec::tensor::{Tensor, count};
use proptest::prelude::*;

const FILES: [&str; 4] = ["entries.parquet", "vocabulary.parquet", "covariates.json", "run.json"];
const MODEL_FILES: [&str; 4] =
    ["model.safetensors", "vocabulary.parquet", "covariates.json", "run.json"];

fn tensor(home: &Path) -> std::path::PathBuf {
    let text = "one two three four two three one five";
    let documents: Vec<_> =
        ["x", "y", "z"].iter().map(|level| (text.to_owned(), (*level).to_owned())).collect();
    let file = corpus(&home.join("c.jsonl"), &documents);
    counted(&[file], &[("by", "g"), ("min_count", "1")], &home.join("t")).path
}

/// Reads all there is; how far it gets does not matter.
fn read_all(folder: &Path) -> Result<(), covec::Error> {
    let tensor = Tensor::open(folder)?;
    for entries in tensor.entries()? {
        entries?;
    }
    for word in 0..tensor.vocabulary.len() as u32 {
        tensor.row(word)?;
    }
    Ok(())
}

/// Bytes to write over a file, and where to cut it.
fn damage() -> impl Strategy<Value = (Vec<(prop::sample::Index, u8)>, Option<prop::sample::Index>)>
{
    (
        prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        prop::option::weighted(0.2, any::<prop::sample::Index>()),
    )
}

fn damaged(path: &Path, changes: Vec<(prop::sample::Index, u8)>, cut: Option<prop::sample::Index>) {
    let mut bytes = std::fs::read(path).unwrap();
    for (index, byte) in changes {
        let at = index.index(bytes.len());
        bytes[at] = byte;
    }
    if let Some(cut) = cut {
        bytes.truncate(cut.index(bytes.len()));
    }
    std::fs::write(path, &bytes).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_damaged_tensor_never_panics(which in 0_usize..4, (changes, cut) in damage()) {
        let home = tempfile::tempdir().unwrap();
        let folder = tensor(home.path());
        let path = folder.join(FILES[which]);
        damaged(&path, changes, cut);
        if let Err(error) = read_all(&folder) {
            prop_assert!(error.is_refusal(), "{}", error);
        }
    }

    #[test]
    fn a_damaged_model_never_panics(which in 0_usize..4, (changes, cut) in damage()) {
        let home = tempfile::tempdir().unwrap();
        let folder = tiny_model(home.path(), 1);
        let path = folder.join(MODEL_FILES[which]);
        damaged(&path, changes, cut);
        match Model::open(&folder) {
            Ok(model) => drop(model.vectors_in(&[0])),
            Err(error) => prop_assert!(error.is_refusal(), "{}", error),
        }
    }

    #[test]
    fn a_damaged_corpus_never_panics(
        kind in prop::sample::select(vec!["jsonl", "csv", "tsv", "txt", "parquet"]),
        text in prop::collection::vec(
            prop_oneof![
                Just(b"{\"text\": \"a b\", \"g\": \"x\"}\n".to_vec()),
                Just(b"text,g\na b,x\n\"q\"\"\n\",y\n".to_vec()),
                Just(b"PAR1".to_vec()),
                Just(b"\x1f\x8b\x08\x00".to_vec()),
                Just(b"\x28\xb5\x2f\xfd".to_vec()),
                prop::collection::vec(any::<u8>(), 0..40),
            ],
            0..6,
        ),
        replace: bool,
    ) {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join(format!("c.{kind}"));
        std::fs::write(&file, text.concat()).unwrap();
        let rule = if replace { "replace" } else { "refuse" };
        let pairs = [("by", "g"), ("min_count", "1"), ("missing", "skip"), ("invalid_utf8", rule)];
        let made = count(&[file], parameters(&pairs).check().unwrap(), &home.path().join("t"), &work(2, 1 << 20));
        if let Err(error) = made {
            prop_assert!(error.is_refusal(), "{}", error);
            prop_assert!(!home.path().join("t").exists());
        }
    }
}
