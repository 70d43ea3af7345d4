//! Distinct words, numbered in the order they are met.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// A growing set of words, each with a number.
#[derive(Debug, Default)]
pub(crate) struct Words {
    /// All words, one after the other.
    bytes: Vec<u8>,
    ends: Vec<u64>,
    numbers: HashTable<u32>,
    hasher: RandomState,
}

impl Words {
    /// The word's number; a new one if it has none yet.
    pub(crate) fn number(&mut self, word: &[u8]) -> u32 {
        let hash = self.hasher.hash_one(word);
        let (bytes, ends) = (&self.bytes, &self.ends);
        let found = self.numbers.find(hash, |&n| slice(bytes, ends, n as usize) == word);
        if let Some(&number) = found {
            return number;
        }
        let number = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        self.bytes.extend_from_slice(word);
        self.ends.push(self.bytes.len() as u64);
        let (bytes, ends, hasher) = (&self.bytes, &self.ends, &self.hasher);
        self.numbers.insert_unique(hash, number, |&n| hasher.hash_one(slice(bytes, ends, n as usize)));
        number
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, number: usize) -> &[u8] {
        slice(&self.bytes, &self.ends, number)
    }

    /// Frees what is only needed while words are added.
    pub(crate) fn freeze(&mut self) {
        self.numbers = HashTable::new();
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

fn slice<'a>(bytes: &'a [u8], ends: &[u64], number: usize) -> &'a [u8] {
    let start = if number == 0 { 0 } else { ends[number - 1] as usize };
    &bytes[start..ends[number] as usize]
}
