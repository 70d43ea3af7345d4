//! The digest that ties the files of a tensor folder together.

use sha2::{Digest, Sha256};

use super::covariates::Covariates;
use crate::corpus::digest_text;
use crate::vocabulary::Vocabulary;

/// A digest of vocabulary and covariates; what it lacks are the totals of the entries.
#[derive(Debug)]
pub(crate) struct Seal(Sha256);

impl Seal {
    pub(crate) fn new(vocabulary: &Vocabulary, covariates: &Covariates) -> Self {
        let mut digest = Sha256::new();
        for (word, count) in vocabulary.words.iter().zip(&vocabulary.counts) {
            digest.update(format!("{word}\0{count}\n"));
        }
        // In pieces that stay in the cache.
        for counts in vocabulary.level_counts.iter().flat_map(|counts| counts.chunks(512)) {
            let mut bytes = [[0; 8]; 512];
            bytes.iter_mut().zip(counts).for_each(|(bytes, n)| *bytes = n.to_le_bytes());
            digest.update(bytes[..counts.len()].as_flattened());
        }
        digest.update(serde_json::to_string(covariates).unwrap_or_default());
        Self(digest)
    }

    /// The digest of a folder with so many entries and this sum of their values.
    pub(crate) fn of(&self, entries: u64, total: f64) -> String {
        let mut digest = self.0.clone();
        digest.update(entries.to_le_bytes());
        digest.update(total.to_le_bytes());
        digest_text(digest)
    }
}
