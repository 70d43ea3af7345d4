//! A picture's file: whole or not there.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::ChartError;

/// What can be written.
pub(crate) enum Ending {
    Svg,
    Png,
    Html,
}

impl Ending {
    pub(crate) fn of(path: &Path) -> Result<Self, ChartError> {
        let ending = path.extension().map(|e| e.to_string_lossy().into_owned());
        match ending.as_deref().map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            Some("html" | "htm") => Ok(Self::Html),
            _ => Err(ChartError::Ending { path: path.to_owned(), ending }),
        }
    }
}

/// The folder that holds `path`, which must be there.
pub(crate) fn parent(path: &Path) -> Result<PathBuf, ChartError> {
    if path.is_dir() {
        return Err(ChartError::IsFolder(path.to_owned()));
    }
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    if parent.is_dir() {
        Ok(parent)
    } else {
        Err(ChartError::NoParent { path: path.to_owned(), parent })
    }
}

/// Writes beside `path` and renames.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<(), ChartError> {
    let parent = parent(path)?;
    let fail = |source| ChartError::Write { path: path.to_owned(), source };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".covec-partial-");
    // Temporary files are private; a picture is as readable as any other file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(parent).map_err(fail)?;
    file.write_all(content).map_err(fail)?;
    file.as_file().sync_all().map_err(fail)?;
    file.persist(path).map_err(|error| fail(error.error))?;
    Ok(())
}
