//! The digest that ties the files of a tensor folder together.

use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use super::covariates::Covariates;
use crate::corpus::digest_text;
use crate::vocabulary::Vocabulary;

/// A digest of vocabulary, covariates and the totals of the entries. With many levels the counts of the vocabulary are tens of
/// megabytes, so they can be digested beside the last entries, on a thread that has nothing else to do.
#[derive(Debug)]
pub(crate) struct Seal<'a> {
    vocabulary: &'a Vocabulary,
    covariates: &'a Covariates,
    begun: OnceLock<Sha256>,
}

impl<'a> Seal<'a> {
    pub(crate) fn new(vocabulary: &'a Vocabulary, covariates: &'a Covariates) -> Self {
        Self { vocabulary, covariates, begun: OnceLock::new() }
    }

    /// Digests all that is known before the entries are.
    pub(crate) fn begin(&self) -> &Sha256 {
        self.begun.get_or_init(|| {
            let mut digest = Sha256::new();
            for (word, count) in self.vocabulary.words.iter().zip(&self.vocabulary.counts) {
                digest.update(format!("{word}\0{count}\n"));
            }
            // In pieces that stay in the cache.
            for counts in self.vocabulary.level_counts.iter().flat_map(|counts| counts.chunks(512))
            {
                let mut bytes = [[0; 8]; 512];
                bytes.iter_mut().zip(counts).for_each(|(bytes, n)| *bytes = n.to_le_bytes());
                digest.update(bytes[..counts.len()].as_flattened());
            }
            digest.update(serde_json::to_string(self.covariates).unwrap_or_default());
            digest
        })
    }

    /// The digest of a folder with so many entries and this sum of their values.
    pub(crate) fn of(&self, entries: u64, total: f64) -> String {
        let mut digest = self.begin().clone();
        digest.update(entries.to_le_bytes());
        digest.update(total.to_le_bytes());
        digest_text(digest)
    }
}
