//! Documents told apart by their ids: 16 bytes of digest and a place for each.

use sha2::{Digest, Sha256};

use super::{CorpusError, Document, Place};
use crate::error::Error;

/// Digest, batch and place of the documents a thread has read, where ids are asked for.
#[derive(Debug, Default)]
pub(crate) struct Ids(Vec<([u8; 16], u64, Place)>);

impl Ids {
    /// Adds a document of a batch.
    pub(crate) fn add(&mut self, batch: u64, document: &Document<'_>) {
        if let Some(id) = &document.id {
            let digest = Sha256::digest(id.as_bytes());
            let mut short = [0; 16];
            short.copy_from_slice(&digest[..16]);
            self.0.push((short, batch, document.spot.place()));
        }
    }

    /// Refuses the first document, in the order of the corpus, whose id was there before.
    pub(crate) fn refuse_duplicates(all: impl Iterator<Item = Self>) -> Result<(), Error> {
        let mut ids: Vec<_> = all.flat_map(|ids| ids.0).collect();
        ids.sort_unstable();
        let twice = ids.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        match twice.min_by_key(|pair| (pair[1].1, pair[1].2.line)) {
            None => Ok(()),
            Some(pair) => {
                let (first, second) = (pair[0].2.clone(), pair[1].2.clone());
                Err(CorpusError::DuplicateId { first, second }.into())
            }
        }
    }
}
