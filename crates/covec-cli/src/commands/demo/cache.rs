//! The cache folder: files that were made once, each with its SHA-256 beside it.

use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::failure::Failure;

/// The user's cache folder, or none where the system names no home.
pub(super) fn folder() -> Option<PathBuf> {
    let path =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(own) = path("COVEC_CACHE") {
        return Some(own);
    }
    let base = if cfg!(windows) {
        path("LOCALAPPDATA")
    } else if let Some(xdg) = path("XDG_CACHE_HOME") {
        Some(xdg)
    } else {
        let below = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
        path("HOME").map(|home| home.join(below))
    };
    base.map(|base| base.join("covec"))
}

/// A file in the cache.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) path: PathBuf,
    /// How it is made; a file of another recipe is made anew.
    recipe: &'static str,
}

/// How a kept file was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum State {
    /// As it was written.
    Whole,
    /// Not there, or of another recipe.
    Missing,
    /// There, but not as it was written.
    Damaged,
}

impl Kept {
    pub(super) fn new(folder: &Path, name: &str, recipe: &'static str) -> Self {
        Self { path: folder.join(name), recipe }
    }

    /// Reads the file and compares it with its digest.
    pub(super) fn state(&self) -> State {
        let (Ok(content), Ok(noted)) =
            (std::fs::read(&self.path), std::fs::read_to_string(self.sidecar()))
        else {
            return State::Missing;
        };
        match noted.split_once("  ") {
            Some((_, recipe)) if recipe.trim_end() != self.recipe => State::Missing,
            Some((sum, _)) if sum == digest(&content) => State::Whole,
            _ => State::Damaged,
        }
    }

    /// Writes the file, then its digest, each beside its place and renamed. Whoever is killed in
    /// between leaves a file that does not fit its digest, which is noticed.
    pub(super) fn write(&self, content: &[u8]) -> Result<(), Failure> {
        let note = format!("{}  {}\n", digest(content), self.recipe);
        replace(&self.path, content)
            .and_then(|()| replace(&self.sidecar(), note.as_bytes()))
            .map_err(|error| {
                let path = self.path.display();
                Failure::Other(format!(
                    "cannot write {path}: {error}\n  way out: set COVEC_CACHE to another folder"
                ))
            })
    }

    fn sidecar(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".sha256");
        name.into()
    }
}

fn replace(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// SHA-256, as people write it.
pub(super) fn digest(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_and_another_recipe_are_noticed() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("cache");
        let kept = Kept::new(&folder, "a.jsonl", "recipe 1");
        assert_eq!(kept.state(), State::Missing);
        kept.write(b"text").unwrap();
        assert_eq!(kept.state(), State::Whole);
        assert_eq!(Kept::new(&folder, "a.jsonl", "recipe 2").state(), State::Missing);
        std::fs::write(&kept.path, "tex").unwrap();
        assert_eq!(kept.state(), State::Damaged);
        kept.write(b"text").unwrap();
        assert_eq!(kept.state(), State::Whole);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    }

    #[test]
    fn digests_are_those_of_other_tools() {
        assert_eq!(digest(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
