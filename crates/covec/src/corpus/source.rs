//! Inputs as the user names them, expanded into the files they stand for.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::CorpusError;
use crate::error::{Error, IoContext};
use crate::parameters::choice;

choice! {
    /// What a file holds.
    pub enum InputFormat {
        /// One JSON object a line.
        Jsonl = "jsonl",
        /// Comma-separated, first line names the fields.
        Csv = "csv",
        /// Tab-separated, first line names the fields.
        Tsv = "tsv",
        /// Parquet.
        Parquet = "parquet",
        /// One document a line.
        Text = "text",
    }
}

/// How a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Records(InputFormat),
    /// The whole file is one document.
    Document,
}

/// One file to read, or standard input.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// None: standard input.
    pub(crate) path: Option<PathBuf>,
    pub(crate) kind: Kind,
    /// Which of the user's inputs it belongs to.
    pub(crate) input: usize,
    /// Path inside the user's folder, with `/`; the file's name if no folder was named.
    pub(crate) relative: String,
    /// The path that covariates and ids are read off: the same, below the name of the folder where the user named
    /// several.
    pub(crate) told: String,
    pub(crate) bytes: u64,
}

impl Source {
    /// What messages call it.
    pub(crate) fn name(&self) -> String {
        self.path.as_ref().map_or_else(|| "-".to_owned(), |path| path.display().to_string())
    }
}

/// What an input was: kept in `run.json`, so that a result can be traced to its text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Name of the file or folder, without the way to it.
    pub name: String,
    /// Files in it.
    pub files: u64,
    /// Bytes as they lie on the disk.
    pub bytes: u64,
    /// SHA-256 of the file; of the list of paths and their SHA-256 where there are several.
    pub sha256: String,
}

/// The hexadecimal form of a finished digest.
pub(crate) fn digest_text(digest: Sha256) -> String {
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Fingerprint {
    /// Joins the digests of an input's files, whatever order they were read in.
    pub(crate) fn join(name: String, mut files: Vec<(String, u64, String)>) -> Self {
        files.sort();
        let bytes = files.iter().map(|(_, bytes, _)| bytes).sum();
        let sha256 = if let [(_, _, sha256)] = &files[..] {
            sha256.clone()
        } else {
            let mut digest = Sha256::new();
            for (path, _, sha256) in &files {
                digest.update(format!("{path}\0{sha256}\n"));
            }
            digest_text(digest)
        };
        Self { name, files: files.len() as u64, bytes, sha256 }
    }
}

/// The kind a name tells, `.gz` and `.zst` aside.
fn format_of(path: &Path) -> Option<InputFormat> {
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    Some(match name.rsplit_once('.')?.1 {
        "jsonl" | "ndjson" | "json" => InputFormat::Jsonl,
        "csv" => InputFormat::Csv,
        "tsv" | "tab" => InputFormat::Tsv,
        "parquet" | "pq" => InputFormat::Parquet,
        "txt" | "text" => InputFormat::Text,
        _ => return None,
    })
}

/// One file that is read whole.
pub(crate) fn whole(path: &Path) -> Source {
    Source {
        path: Some(path.to_owned()),
        kind: Kind::Document,
        input: 0,
        relative: String::new(),
        told: String::new(),
        bytes: 0,
    }
}

/// Finds the files behind the user's inputs, and tells through `note` what is passed over.
pub(crate) fn expand(
    inputs: &[PathBuf],
    format: Option<InputFormat>,
    note: &mut dyn FnMut(String),
) -> Result<Vec<Source>, Error> {
    if inputs.is_empty() {
        return Err(CorpusError::NoInput.into());
    }
    let mut sources = Vec::new();
    let several = inputs.iter().filter(|path| path.is_dir()).count() > 1;
    for (input, path) in inputs.iter().enumerate() {
        if path.as_os_str() == "-" {
            let kind = Kind::Records(format.unwrap_or(InputFormat::Jsonl));
            let (relative, told) = ("-".to_owned(), "-".to_owned());
            sources.push(Source { path: None, kind, input, relative, told, bytes: 0 });
            continue;
        }
        let metadata = path.metadata().at("read", path)?;
        if metadata.is_dir() {
            let mut found = expand_folder(path, input, format, note)?;
            if several {
                let folder = folder_name(path);
                found.iter_mut().for_each(|file| file.told = format!("{folder}/{}", file.relative));
            }
            sources.append(&mut found);
        } else {
            let kind = format
                .or_else(|| format_of(path))
                .ok_or_else(|| CorpusError::UnknownType { path: path.display().to_string() })?;
            let relative = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            sources.push(Source {
                path: Some(path.clone()),
                kind: Kind::Records(kind),
                input,
                told: relative.clone(),
                relative,
                bytes: metadata.len(),
            });
        }
    }
    Ok(sources)
}

/// The last part of a folder's path, also where that is `.` or `..`.
fn folder_name(path: &Path) -> String {
    let whole = path.canonicalize();
    let own = path.file_name().or_else(|| whole.as_ref().ok()?.file_name());
    own.unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The files behind texts that each stand alone: every file is a text, also those of a folder. Plain
/// text, which is what a name without a known end stands for, is one document; of other files all
/// documents together are the text.
pub(crate) fn texts(
    inputs: &[PathBuf],
    note: &mut dyn FnMut(String),
) -> Result<Vec<Source>, Error> {
    let mut texts = Vec::new();
    for path in inputs {
        let format = if path.is_dir() || path.as_os_str() == "-" {
            None
        } else {
            Some(format_of(path).unwrap_or(InputFormat::Text))
        };
        texts.extend(expand(std::slice::from_ref(path), format, note)?);
    }
    for text in &mut texts {
        if text.path.is_none() || text.kind == Kind::Records(InputFormat::Text) {
            text.kind = Kind::Document;
        }
    }
    Ok(texts)
}

/// A folder with text files is a folder of texts, one document a file; a folder with files of one
/// other kind holds the shards of one table.
fn expand_folder(
    root: &Path,
    input: usize,
    format: Option<InputFormat>,
    note: &mut dyn FnMut(String),
) -> Result<Vec<Source>, Error> {
    let mut files = Vec::new();
    walk(root, root, &mut files)?;
    files.sort();
    let known: Vec<_> = files.iter().filter_map(|(_, path, _)| format_of(path)).collect();
    let wanted = if format.is_some_and(|f| f != InputFormat::Text) {
        format
    } else if known.contains(&InputFormat::Text) || format.is_some() {
        Some(InputFormat::Text)
    } else {
        known.first().copied().filter(|first| known.iter().all(|k| k == first))
    };
    let Some(wanted) = wanted else {
        return Err(CorpusError::EmptyFolder(root.to_owned()).into());
    };
    let kind = match wanted {
        InputFormat::Text => Kind::Document,
        other => Kind::Records(other),
    };
    // The user's word is for the files whose names say nothing.
    let (taken, passed): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|(_, path, _)| match format_of(path) {
            Some(known) => known == wanted,
            None => format.is_some(),
        });
    if taken.is_empty() {
        return Err(CorpusError::EmptyFolder(root.to_owned()).into());
    }
    if let Some((first, ..)) = passed.first() {
        note(format!(
            "{}: {} files read, {} passed over that are not of their kind ({first}{})",
            root.display(),
            taken.len(),
            passed.len(),
            if passed.len() > 1 { ", …" } else { "" }
        ));
    }
    Ok(taken
        .into_iter()
        .map(|(relative, path, bytes)| {
            let told = relative.clone();
            Source { path: Some(path), kind, input, relative, told, bytes }
        })
        .collect())
}

/// Every file below `folder`, hidden ones and the markers of other tools (`_SUCCESS`) left out.
fn walk(root: &Path, folder: &Path, files: &mut Vec<(String, PathBuf, u64)>) -> Result<(), Error> {
    for entry in std::fs::read_dir(folder).at("read", folder)? {
        let path = entry.at("read", folder)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(['.', '_']) {
            continue;
        }
        let metadata = path.metadata().at("read", &path)?;
        if metadata.is_dir() {
            walk(root, &path, files)?;
        } else if metadata.is_file() {
            let relative = path.strip_prefix(root).unwrap_or(&path).to_string_lossy();
            let relative = relative.replace(std::path::MAIN_SEPARATOR, "/");
            files.push((relative, path, metadata.len()));
        }
    }
    Ok(())
}
