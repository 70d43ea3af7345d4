//! A list a user wrote, one thing a line: read as a corpus is, packed or not, with or without a mark at its beginning.

use std::path::Path;
use std::sync::Arc;

use super::compressed::Unpacked;
use super::source::whole;
use super::{CorpusError, Place};
use crate::error::Error;

/// No list is as long as this; something that is not a list may be.
const MOST: u64 = 1 << 32;

/// The text of a list.
pub(crate) fn read_list(path: &Path) -> Result<String, Error> {
    let bytes = Unpacked::open(&whole(path), &Arc::default())?.read_all(MOST)?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => {
            let before = &bytes[..error.valid_up_to()];
            let line = 1 + memchr::memchr_iter(b'\n', before).count() as u64;
            let place = Place { file: path.display().to_string(), line, unit: "line" };
            let detail = "it is not UTF-8\n  way out: convert the file (iconv -f latin1 -t utf8)";
            Err(CorpusError::Malformed {
                place,
                expected: "a list in UTF-8, one a line, plain or packed",
                detail: detail.to_owned(),
            }
            .into())
        }
    }
}
