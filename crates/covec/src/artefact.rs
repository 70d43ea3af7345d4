//! Folders and files that are either whole or not there.
//!
//! An artefact is written into a hidden folder beside its target (`.NAME.covec-partial-…`), which
//! also holds every temporary file of the run, and is renamed when it is complete. A killed run
//! leaves that folder behind; the next run to the same target removes it, but never one whose owner
//! still lives: the owner holds a lock on a file inside, which the system frees with the process.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::error::{Error, IoContext};

/// Why an output place was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArtefactError {
    /// Something is there already.
    #[error("{} exists already\n  way out: choose another output, or replace it with --force", .0.display())]
    Exists(PathBuf),
    /// Something is there that covec did not make: never deleted.
    #[error("{} exists and holds {found}, which covec did not make; it is left alone even with --force\n  way out: choose another output", path.display())]
    Foreign {
        /// The output asked for.
        path: PathBuf,
        /// A thing inside that is not covec's.
        found: String,
    },
    /// The folder that should hold the output does not exist.
    #[error("{} cannot be made: there is no folder {}\n  way out: mkdir -p {}", path.display(), parent.display(), parent.display())]
    NoParent {
        /// The output asked for.
        path: PathBuf,
        /// The folder that is missing.
        parent: PathBuf,
    },
    /// Something came there while the run went on: it stays, and what was made lies beside it.
    #[error("{} holds what it did not when this began; it is left alone\n  what was made is in {}", path.display(), kept.display())]
    Appeared {
        /// The output asked for.
        path: PathBuf,
        /// Where it is instead.
        kept: PathBuf,
    },
    /// A device, a socket: never replaced.
    #[error("{} is neither a file nor a folder, so nothing can take its place\n  way out: choose another output", .0.display())]
    Special(PathBuf),
    /// The path has no last part, like `/` or `..`.
    #[error("{} cannot be an output: expected the name of a folder or file to make", .0.display())]
    NoName(PathBuf),
}

const PARTIAL: &str = "covec-partial-";
const REPLACED: &str = "covec-replaced-";
const LOCK: &str = "lock";
/// Every artefact says in this file that covec made it.
const RUN: &str = "run.json";
/// A folder without a lock this old was left by a run that died before it could lock it.
const UNLOCKED: std::time::Duration = std::time::Duration::from_secs(60);

/// What a folder lacks to hold all of `files`, in words; none if it has them.
pub(crate) fn lacks(path: &Path, files: &[&str]) -> Option<String> {
    if !path.is_dir() {
        let problem = if path.exists() { "it is a file" } else { "there is nothing there" };
        return Some(problem.to_owned());
    }
    let missing = files.iter().find(|name| !path.join(name).is_file())?;
    Some(format!("no {missing} in it"))
}

/// An output that is being written.
#[derive(Debug)]
pub(crate) struct Artefact {
    target: PathBuf,
    /// What may be replaced at the target.
    known: Vec<String>,
    force: bool,
    partial: tempfile::TempDir,
    content: PathBuf,
    _lock: File,
}

impl Artefact {
    /// Makes the hidden folder beside `target`, after removing what dead runs left there.
    ///
    /// `known` are the file names that covec itself puts at this target: with `force` only such a
    /// target is replaced.
    pub(crate) fn begin(target: &Path, known: &[&str], force: bool) -> Result<Self, Error> {
        let (parent, name) = place(target)?;
        let target = parent.join(&name);
        recover(&target)?;
        refuse_occupied(&target, known, force)?;
        let partial = tempfile::Builder::new()
            .prefix(&hidden(&name, PARTIAL))
            .tempdir_in(&parent)
            .at("make a folder in", &parent)?;
        let lock_path = partial.path().join(LOCK);
        let lock = File::create(&lock_path).at("create", &lock_path)?;
        lock.lock().at("lock", &lock_path)?;
        let content = partial.path().join("content");
        let known = known.iter().map(|&name| name.to_owned()).collect();
        Ok(Self { target, known, force, partial, content, _lock: lock })
    }

    /// Where the artefact's own folder or file is written; the caller makes it.
    pub(crate) fn content(&self) -> &Path {
        &self.content
    }

    /// A folder for temporary files, on the output's disk, gone when the run ends.
    pub(crate) fn scratch(&self) -> &Path {
        self.partial.path()
    }

    /// The content becomes the target, in one step.
    pub(crate) fn finish(self) -> Result<(), Error> {
        sync_tree(&self.content)?;
        let name = self.target.file_name().unwrap_or_default().to_owned();
        let parent = self.target.parent().unwrap_or(Path::new("."));
        // A run can take hours, in which somebody else may have come.
        let known: Vec<&str> = self.known.iter().map(String::as_str).collect();
        if refuse_occupied(&self.target, &known, self.force).is_err() {
            let with = |end: String| {
                let mut own = name.clone();
                own.push(end);
                parent.join(own)
            };
            let beside = (2..).map(|number| with(format!("-{number}")));
            let mut free = beside.filter(|path| path.symlink_metadata().is_err());
            let kept = free.next().unwrap_or_else(|| with("-kept".to_owned()));
            fs::rename(&self.content, &kept).at("rename into", &kept)?;
            return Err(ArtefactError::Appeared { path: self.target, kept }.into());
        }
        if self.target.symlink_metadata().is_ok() {
            // The old one is kept aside until the new one stands, and put back by `remove_dead` if
            // we are killed in between.
            let aside = tempfile::Builder::new()
                .prefix(&hidden(&name, REPLACED))
                .tempdir_in(parent)
                .at("make a folder in", parent)?;
            let old = aside.path().join("content");
            fs::rename(&self.target, &old).at("move aside", &self.target)?;
            if let Err(error) = fs::rename(&self.content, &self.target) {
                fs::rename(&old, &self.target).at("put back", &self.target)?;
                return Err(Error::io("rename into", &self.target, error));
            }
        } else {
            fs::rename(&self.content, &self.target).at("rename into", &self.target)?;
        }
        if let Ok(folder) = File::open(parent) {
            // Makes the rename itself survive a power cut; not every file system can.
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

/// Brings `target` back to what the last whole run left, whatever killed runs did after.
pub(crate) fn recover(target: &Path) -> Result<(), Error> {
    let (parent, name) = place(target)?;
    remove_dead(&parent, &name)
}

/// Removes a folder, if it is covec's own.
pub(crate) fn remove(target: &Path, known: &[&str]) -> Result<(), Error> {
    recover(target)?;
    refuse_occupied(target, known, true)?;
    if target.exists() { fs::remove_dir_all(target).at("remove", target) } else { Ok(()) }
}

/// How the hidden folders of a target begin. Names need not be UTF-8, so this is no text.
fn hidden(name: &OsStr, what: &str) -> OsString {
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(".");
    hidden.push(what);
    hidden
}

/// Splits an output path into its folder, which must exist, and its name.
fn place(target: &Path) -> Result<(PathBuf, OsString), Error> {
    let name =
        target.file_name().ok_or_else(|| ArtefactError::NoName(target.to_owned()))?.to_owned();
    let parent = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    if !parent.is_dir() {
        return Err(ArtefactError::NoParent { path: target.to_owned(), parent }.into());
    }
    Ok((parent, name))
}

/// Refuses a target that is in the way, or with `force` one that covec did not make.
pub(crate) fn refuse_occupied(target: &Path, known: &[&str], force: bool) -> Result<(), Error> {
    let Ok(metadata) = target.symlink_metadata() else { return Ok(()) };
    let kind = metadata.file_type();
    if !(kind.is_file() || kind.is_dir() || kind.is_symlink()) {
        return Err(ArtefactError::Special(target.to_owned()).into());
    }
    if !force {
        return Err(ArtefactError::Exists(target.to_owned()).into());
    }
    let foreign = |found: String| ArtefactError::Foreign { path: target.to_owned(), found };
    if !metadata.is_dir() {
        // A file is replaced by a file, a folder by a folder.
        return if known.is_empty() { Ok(()) } else { Err(foreign("a file".to_owned()).into()) };
    }
    if known.is_empty() {
        return Err(foreign("a folder".to_owned()).into());
    }
    let mut empty = true;
    for entry in fs::read_dir(target).at("read", target)? {
        let entry = entry.at("read", target)?;
        empty = false;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !known.contains(&name.as_str()) || !is_file {
            return Err(foreign(name).into());
        }
    }
    // Files may have our names and still be somebody else's.
    let run = target.join(RUN);
    if known.contains(&RUN) && !empty && !run.exists() {
        return Err(foreign(format!("files but no {RUN}")).into());
    }
    if run.exists() {
        let text = fs::read(&run).at("read", &run)?;
        let ours = serde_json::from_slice::<serde_json::Value>(&text)
            .is_ok_and(|run| run.get("covec").is_some() && run.get("format").is_some());
        if !ours {
            return Err(foreign(format!("a {RUN}")).into());
        }
    }
    Ok(())
}

/// Removes what dead runs to this target left behind; an old artefact that was moved aside by a run
/// that died before the new one stood is put back.
fn remove_dead(parent: &Path, name: &OsStr) -> Result<(), Error> {
    let partial = hidden(name, PARTIAL);
    let replaced = hidden(name, REPLACED);
    let is_of = |path: &Path, begin: &OsStr| {
        let name = path.file_name().unwrap_or_default();
        name.as_encoded_bytes().starts_with(begin.as_encoded_bytes())
    };
    for entry in fs::read_dir(parent).at("read", parent)? {
        let path = entry.at("read", parent)?.path();
        if is_of(&path, &partial) {
            let owner_is_dead = match File::open(path.join(LOCK)) {
                Ok(lock) => lock.try_lock().is_ok(),
                Err(_) => {
                    let made = path.metadata().and_then(|folder| folder.modified());
                    made.is_ok_and(|made| made.elapsed().is_ok_and(|age| age > UNLOCKED))
                }
            };
            if owner_is_dead {
                fs::remove_dir_all(&path).at("remove", &path)?;
            }
        } else if is_of(&path, &replaced) {
            let target = parent.join(name);
            let old = path.join("content");
            if old.exists() && target.symlink_metadata().is_err() {
                fs::rename(&old, &target).at("put back", &target)?;
            }
            let _ = fs::remove_dir_all(&path);
        }
    }
    Ok(())
}

/// Everything below `path` on the disk, not only in the system's memory.
fn sync_tree(path: &Path) -> Result<(), Error> {
    if path.is_dir() {
        for entry in fs::read_dir(path).at("read", path)? {
            sync_tree(&entry.at("read", path)?.path())?;
        }
    }
    File::open(path).and_then(|file| file.sync_all()).at("write", path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    fn write(target: &Path, text: &str, force: bool) -> Result<(), Error> {
        let artefact = Artefact::begin(target, &["a.txt"], force)?;
        fs::create_dir(artefact.content()).unwrap();
        fs::write(artefact.content().join("a.txt"), text).unwrap();
        artefact.finish()
    }

    #[test]
    fn appears_whole_and_is_replaced_only_when_forced() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("t");
        write(&target, "one", false).unwrap();
        assert!(matches!(
            write(&target, "two", false),
            Err(Error::Artefact(ArtefactError::Exists(_)))
        ));
        write(&target, "two", true).unwrap();
        assert_eq!(fs::read_to_string(target.join("a.txt")).unwrap(), "two");
        assert_eq!(names(home.path()), ["t"]);
    }

    #[test]
    fn a_name_of_ours_is_not_enough_to_be_ours() {
        let home = tempfile::tempdir().unwrap();
        let begin = |name: &str| Artefact::begin(&home.path().join(name), &["run.json"], true);
        fs::create_dir_all(home.path().join("deep/run.json")).unwrap();
        assert!(begin("deep").is_err(), "a folder inside");
        fs::create_dir(home.path().join("other")).unwrap();
        fs::write(home.path().join("other/run.json"), "{}").unwrap();
        assert!(begin("other").is_err(), "another tool's run.json");
        fs::write(home.path().join("other/run.json"), r#"{"covec": "1", "format": 1}"#).unwrap();
        begin("other").unwrap();
    }

    #[test]
    fn a_folder_of_somebody_else_is_never_replaced() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("t");
        fs::create_dir(&target).unwrap();
        fs::write(target.join("thesis.doc"), "years of work").unwrap();
        let refused = write(&target, "two", true).unwrap_err().to_string();
        assert!(refused.contains("thesis.doc"), "{refused}");
        assert_eq!(names(&target), ["thesis.doc"]);
    }

    #[test]
    fn what_came_while_a_run_went_on_stays_and_so_does_what_was_made() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("t");
        for force in [false, true] {
            let artefact = Artefact::begin(&target, &["a.txt"], force).unwrap();
            fs::create_dir(artefact.content()).unwrap();
            fs::write(artefact.content().join("a.txt"), "made").unwrap();
            fs::create_dir(&target).unwrap();
            fs::write(target.join("thesis.doc"), "years of work").unwrap();
            let told = artefact.finish().unwrap_err().to_string();
            assert!(told.contains("t-2"), "{told}");
            assert_eq!(names(home.path()), ["t", "t-2"]);
            assert_eq!(names(&target), ["thesis.doc"]);
            assert_eq!(fs::read_to_string(home.path().join("t-2/a.txt")).unwrap(), "made");
            fs::remove_dir_all(&target).unwrap();
            fs::remove_dir_all(home.path().join("t-2")).unwrap();
        }
        // What another run of covec made may be replaced, if that was asked for.
        let artefact = Artefact::begin(&target, &["a.txt"], true).unwrap();
        fs::create_dir(artefact.content()).unwrap();
        write(&target, "theirs", false).unwrap();
        artefact.finish().unwrap();
        assert_eq!(names(&target), [""; 0]);
    }

    #[cfg(unix)]
    #[test]
    fn a_thing_that_is_no_file_is_never_replaced() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("s");
        let _socket = std::os::unix::net::UnixListener::bind(&target).unwrap();
        for force in [false, true] {
            let told = Artefact::begin(&target, &[], force).unwrap_err().to_string();
            assert!(told.contains("neither a file nor a folder"), "{told}");
        }
    }

    #[test]
    fn what_a_dead_run_left_is_removed_and_a_living_one_is_not() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("t");
        let living = Artefact::begin(&target, &[], false).unwrap();
        let dead = home.path().join(".t.covec-partial-dead");
        fs::create_dir(&dead).unwrap();
        fs::write(dead.join(LOCK), "").unwrap();
        let other = Artefact::begin(&target, &[], false).unwrap();
        assert!(!dead.exists());
        assert!(living.scratch().exists() && other.scratch().exists());
    }

    #[test]
    fn an_old_artefact_left_aside_by_a_killed_run_is_put_back() {
        let home = tempfile::tempdir().unwrap();
        let aside = home.path().join(".t.covec-replaced-x/content");
        fs::create_dir_all(&aside).unwrap();
        fs::write(aside.join("a.txt"), "old").unwrap();
        let target = home.path().join("t");
        assert!(write(&target, "new", false).is_err(), "the old one is back, and in the way");
        assert_eq!(fs::read_to_string(target.join("a.txt")).unwrap(), "old");
    }

    #[test]
    fn a_missing_parent_folder_is_named() {
        let home = tempfile::tempdir().unwrap();
        let refused = write(&home.path().join("no/t"), "x", false).unwrap_err();
        assert!(matches!(refused, Error::Artefact(ArtefactError::NoParent { .. })), "{refused}");
    }
}
