//! What the tests of the command line share.
#![allow(dead_code, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Output;

/// A folder to work in, with `covec` at hand.
pub struct Home(pub tempfile::TempDir);

impl Home {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With a tensor `t` and a model `m` of it: 60 words, 4 dimensions, 3 groups and 2 periods.
    pub fn with_tensor() -> Self {
        let home = Self::new();
        home.ok("synth --tensor --words 60 --dim 4 --levels 3,2 --differing 0 -o t -q");
        home.ok("train t --dim 4 --sweeps 4 -o m -q");
        home
    }

    /// With a corpus `c.jsonl`, its tensor `t` and a model `m`.
    pub fn with_corpus() -> Self {
        let home = Self::new();
        home.ok(
            "synth -o c.jsonl --tokens 60000 --words 200 --dim 4 --levels 3,2 --differing 4 -q",
        );
        home.ok("count c.jsonl --by group --by period -o t -q");
        home.ok("train t --dim 6 --sweeps 3 --ridge 0.1 -o m -q");
        home
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub fn command(&self) -> assert_cmd::Command {
        let mut command = assert_cmd::Command::cargo_bin("covec").unwrap();
        command.current_dir(self.0.path());
        command
    }

    pub fn covec(&self, arguments: &str) -> Output {
        self.command().args(arguments.split(' ').filter(|a| !a.is_empty())).output().unwrap()
    }

    /// Runs and expects success; returns what was printed.
    pub fn ok(&self, arguments: &str) -> String {
        let output = self.covec(arguments);
        assert!(output.status.success(), "covec {arguments}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// Runs and expects to be refused with code 2 and a message that holds all of `told`, with
    /// nothing new left in the folder.
    pub fn refused(&self, arguments: &str, told: &[&str]) {
        let before = self.names();
        let output = self.covec(arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "covec {arguments}: {message}");
        for part in told {
            assert!(message.contains(part), "covec {arguments}: '{part}' is not in:\n{message}");
        }
        assert_eq!(message.matches("covec: ").count(), 1, "one message:\n{message}");
        assert_eq!(self.names(), before, "covec {arguments} left something behind");
    }

    pub fn names(&self) -> Vec<String> {
        names(self.0.path())
    }
}

pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The files that hold the counts; `run.json` also names the inputs.
pub fn counts(folder: &Path) -> Vec<Vec<u8>> {
    ["entries.parquet", "vocabulary.parquet", "covariates.json"]
        .iter()
        .map(|name| std::fs::read(folder.join(name)).unwrap())
        .collect()
}
