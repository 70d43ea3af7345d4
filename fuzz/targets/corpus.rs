//! Any bytes as a corpus of any kind: counted or refused, nothing else.
#![no_main]

use covec::Work;
use covec::parameters::Bytes;
use covec::tensor::{CountParameters, count};
use libfuzzer_sys::fuzz_target;

const KINDS: [&str; 5] = ["jsonl", "csv", "tsv", "text", "parquet"];

fuzz_target!(|input: &[u8]| {
    let [choice, content @ ..] = input else { return };
    let home = tempfile::tempdir().expect("a temporary folder");
    let file = home.path().join("corpus");
    std::fs::write(&file, content).expect("a temporary file");
    let mut parameters = CountParameters::default();
    let mut set = |name: &str, value: &str| parameters.set(name, value).expect("a known parameter");
    set("input_format", KINDS[usize::from(*choice) % KINDS.len()]);
    set("min_count", "1");
    set("max_document", "64K");
    if choice & 0x20 != 0 {
        set("by", if choice & 0x08 != 0 { "g" } else { "g:10" });
        set("missing", "skip");
    }
    if choice & 0x40 != 0 {
        set("invalid_utf8", "replace");
    }
    if choice & 0x80 != 0 {
        set("id", "id");
    }
    let work = Work { memory: Bytes(1 << 20), ..Work::default() };
    let output = home.path().join("t");
    match count(&[file], parameters.check().expect("good parameters"), &output, &work) {
        Ok(tensor) => tensor.entries().expect("entries").for_each(|e| drop(e.expect("whole entries"))),
        Err(error) => assert!(error.is_refusal() && !output.exists(), "{error}"),
    }
});
