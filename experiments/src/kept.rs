//! What each corpus gave, a line of JSON each, written as soon as it is known.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// Results by name.
pub struct Kept {
    path: PathBuf,
    found: BTreeMap<String, Value>,
}

impl Kept {
    /// Opens what was kept earlier, if anything.
    pub fn open(folder: &Path) -> Result<Self, String> {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let path = folder.join("results.jsonl");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        // A line that was cut short is computed again.
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let found = lines
            .filter_map(|line| Some((line["name"].as_str()?.to_owned(), line["result"].clone())));
        Ok(Self { path, found: found.collect() })
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        self.found.get(name)
    }

    pub fn put(&mut self, name: &str, result: Value) -> Result<(), String> {
        let failed = |e: std::io::Error| format!("{}: {e}", self.path.display());
        let mut file =
            std::fs::File::options().create(true).append(true).open(&self.path).map_err(failed)?;
        writeln!(file, "{}", json!({"name": name, "result": result})).map_err(failed)?;
        self.found.insert(name.to_owned(), result);
        Ok(())
    }
}
