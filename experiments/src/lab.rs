//! What every study has: data, a place to work, results kept, and the time that is left.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use covec::Work;
use serde_json::Value;

use crate::kept::Kept;

pub struct Lab {
    /// The corpus of real text, where there is one.
    pub real: Option<PathBuf>,
    pub quick: bool,
    pub work: Work<'static>,
    kept: Kept,
    until: Option<Instant>,
}

impl Lab {
    pub fn new(
        data: Option<PathBuf>,
        quick: bool,
        minutes: f64,
        keep: &Path,
    ) -> Result<Self, String> {
        let real = data.map(|data| data.join("politics/congress6_small.jsonl"));
        if let Some(missing) = real.as_ref().filter(|real| !real.is_file()) {
            return Err(format!(
                "there is no {}; without --data synthetic text is used",
                missing.display()
            ));
        }
        let work = Work { force: true, checkpoint: Duration::ZERO, ..Work::default() };
        let until =
            Duration::try_from_secs_f64(60.0 * minutes).ok().map(|left| Instant::now() + left);
        Ok(Self { real, quick, work, kept: Kept::open(keep)?, until })
    }

    /// What text a study stands on.
    pub fn text(&self) -> &'static str {
        match (&self.real, self.quick) {
            (Some(_), false) => "tweets of members of Congress",
            _ => "text of covec synth, in place of real text",
        }
    }

    /// The results of all corpora of a study, in order; those that time did not allow are missing.
    pub fn each(
        &mut self,
        study: &str,
        names: &[String],
        one: impl Fn(&Lab, usize, &Path) -> Result<Value, String>,
    ) -> Result<Vec<(String, Value)>, String> {
        let mut results = Vec::new();
        for (number, name) in names.iter().enumerate() {
            let size = if self.quick { "quick" } else { "full" };
            let text = if self.real.is_some() && !self.quick { "real" } else { "synth" };
            let key = format!("{study} {size} {text} {name}");
            if self.kept.get(&key).is_none() {
                if self.until.is_some_and(|until| Instant::now() > until) {
                    continue;
                }
                let home = tempfile::tempdir().map_err(|e| e.to_string())?;
                let begun = Instant::now();
                let result = one(self, number, home.path()).map_err(|e| format!("{key}: {e}"))?;
                eprintln!("{key}: {:.0} s", begun.elapsed().as_secs_f64());
                self.kept.put(&key, result)?;
            }
            results.extend(self.kept.get(&key).map(|result| (name.clone(), result.clone())));
        }
        Ok(results)
    }
}
