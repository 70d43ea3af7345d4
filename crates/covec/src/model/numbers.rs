//! The numbers of a model: mapped from its file, or held in memory.
//!
//! A model is opened to ask it a question, and most of its numbers are looked at once or never: so they are
//! mapped, not copied.

use std::fmt;
use std::fs::File;
use std::ops::{Deref, DerefMut, Range};
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;
use zerocopy::{FromBytes, Immutable, IntoBytes};

use crate::error::{Error, IoContext};

/// Numbers, as a slice.
#[derive(Clone)]
pub struct Numbers<T>(Kind<T>);

#[derive(Clone)]
enum Kind<T> {
    Held(Vec<T>),
    /// Bytes of a file; whole numbers of this kind, aligned: checked when it is made.
    Mapped(Arc<Mmap>, Range<usize>),
}

/// Maps a file. Whoever overwrites it in place while it is mapped changes the numbers under us; covec never
/// does, it writes beside and renames.
#[allow(unsafe_code)]
pub(super) fn map(path: &Path) -> Result<Arc<Mmap>, Error> {
    let file = File::open(path).at("read", path)?;
    // SAFETY: the map is private and only read, as plain numbers, for which any bytes will do. That no other
    // program cuts the file short in place while a command runs is what every reader of mapped files trusts in.
    let map = unsafe { Mmap::map(&file) }.at("map", path)?;
    Ok(Arc::new(map))
}

impl<T: FromBytes + IntoBytes + Immutable + Clone> Numbers<T> {
    /// Numbers out of a mapped file; copied where the file has not put them in line.
    pub(super) fn mapped(map: &Arc<Mmap>, bytes: Range<usize>) -> Self {
        match <[T]>::ref_from_bytes(&map[bytes.clone()]) {
            Ok(_) => Self(Kind::Mapped(Arc::clone(map), bytes)),
            Err(_) => Self(Kind::Held(super::file::cast(&map[bytes]))),
        }
    }

    /// To be changed; copied first where they are mapped.
    pub(crate) fn held(&mut self) -> &mut Vec<T> {
        if let Kind::Mapped(..) = self.0 {
            self.0 = Kind::Held(self.to_vec());
        }
        match &mut self.0 {
            Kind::Held(numbers) => numbers,
            Kind::Mapped(..) => unreachable!("held a moment ago"),
        }
    }
}

impl<T: FromBytes + Immutable> Deref for Numbers<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Kind::Held(numbers) => numbers,
            // Checked when it was made, so this cannot fail.
            Kind::Mapped(map, bytes) => {
                <[T]>::ref_from_bytes(&map[bytes.clone()]).unwrap_or_default()
            }
        }
    }
}

/// What is mapped is copied before it is changed; the file stays as it is.
impl<T: FromBytes + IntoBytes + Immutable + Clone> DerefMut for Numbers<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.held()
    }
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self(Kind::Held(Vec::new()))
    }
}

impl<T> From<Vec<T>> for Numbers<T> {
    fn from(numbers: Vec<T>) -> Self {
        Self(Kind::Held(numbers))
    }
}

impl<T> FromIterator<T> for Numbers<T> {
    fn from_iter<I: IntoIterator<Item = T>>(numbers: I) -> Self {
        Self(Kind::Held(numbers.into_iter().collect()))
    }
}

impl<T: FromBytes + Immutable + PartialEq> PartialEq for Numbers<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: FromBytes + Immutable + fmt::Debug> fmt::Debug for Numbers<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
