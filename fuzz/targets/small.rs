//! A small whole artefact, to put a bad file into.

use std::path::{Path, PathBuf};

use covec::Work;
use covec::tensor::{CountParameters, Tensor, count};

/// A tensor in a folder of its own, which stays; the folder has room for more.
pub fn tensor() -> (PathBuf, Tensor) {
    let home = tempfile::tempdir().expect("a temporary folder").keep();
    let corpus = home.join("c.jsonl");
    let text = "{\"text\": \"one two three one\", \"g\": \"x\"}\n{\"text\": \"two three two\", \"g\": \"y\"}\n";
    std::fs::write(&corpus, text).expect("a temporary file");
    let mut parameters = CountParameters::default();
    parameters.set("by", "g").expect("a known parameter");
    parameters.set("min_count", "1").expect("a known parameter");
    let checked = parameters.check().expect("good parameters");
    let tensor = count(&[corpus], checked, &home.join("t"), &Work::default()).expect("a tensor");
    (home, tensor)
}

/// A copy of the artefact in which the first byte of the input chooses the file that the others
/// replace; none for no input.
pub fn damaged(whole: &Path, files: [&str; 4], input: &[u8]) -> Option<tempfile::TempDir> {
    let [choice, content @ ..] = input else { return None };
    let home = tempfile::tempdir().expect("a temporary folder");
    for file in files {
        std::fs::copy(whole.join(file), home.path().join(file)).expect("a copy");
    }
    std::fs::write(home.path().join(files[usize::from(*choice) % 4]), content).expect("a file");
    Some(home)
}
