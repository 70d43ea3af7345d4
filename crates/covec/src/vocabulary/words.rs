//! Distinct words, numbered in the order they are met.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// A growing set of words, each with a number.
///
/// Most words of a text are short and have been met a moment ago: a small cache of short words,
/// each packed into one number, answers for them with a single look.
#[derive(Debug)]
pub(crate) struct Words {
    /// All words, one after the other.
    bytes: Vec<u8>,
    ends: Vec<u64>,
    numbers: HashTable<u32>,
    hasher: RandomState,
    recent: Vec<(u128, u32)>,
}

const RECENT: usize = 1 << 13;

impl Default for Words {
    fn default() -> Self {
        Self {
            bytes: Vec::new(),
            ends: Vec::new(),
            numbers: HashTable::new(),
            hasher: RandomState::default(),
            // No packed word is 0: its length is in it, and there is no empty word.
            recent: vec![(0, 0); RECENT],
        }
    }
}

/// A word of up to 15 bytes as one number; its length keeps apart what is padded with zeros.
fn packed(word: &[u8]) -> Option<u128> {
    let mut key = [0; 16];
    key.get_mut(..word.len()).filter(|_| word.len() < 16)?.copy_from_slice(word);
    key[15] = word.len() as u8;
    Some(u128::from_le_bytes(key))
}

impl Words {
    /// The word's number; a new one if it has none yet.
    pub(crate) fn number(&mut self, word: &[u8]) -> u32 {
        let Some(key) = packed(word) else {
            let hash = self.hasher.hash_one(word);
            return self.look_up(word, hash);
        };
        let hash = self.hasher.hash_one(key);
        let slot = hash as usize % RECENT;
        match self.recent.get(slot) {
            Some(&(known, number)) if known == key && key != 0 => number,
            _ => {
                let number = self.look_up(word, hash);
                if let Some(slot) = self.recent.get_mut(slot) {
                    *slot = (key, number);
                }
                number
            }
        }
    }

    fn look_up(&mut self, word: &[u8], hash: u64) -> u32 {
        let (bytes, ends, hasher) = (&self.bytes, &self.ends, &self.hasher);
        let found = self.numbers.find(hash, |&n| slice(bytes, ends, n as usize) == word);
        if let Some(&number) = found {
            return number;
        }
        let number = u32::try_from(ends.len()).unwrap_or(u32::MAX);
        let rehash = |&n: &u32| {
            let word = slice(bytes, ends, n as usize);
            packed(word).map_or_else(|| hasher.hash_one(word), |key| hasher.hash_one(key))
        };
        self.numbers.insert_unique(hash, number, rehash);
        self.bytes.extend_from_slice(word);
        self.ends.push(self.bytes.len() as u64);
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
        self.recent = Vec::new();
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

fn slice<'a>(bytes: &'a [u8], ends: &[u64], number: usize) -> &'a [u8] {
    let start = if number == 0 { 0 } else { ends[number - 1] as usize };
    &bytes[start..ends[number] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_word_has_one_number_whatever_its_length(words in prop::collection::vec("[ab\0]{0,18}", 0..300)) {
            let mut numbers = Words::default();
            let mut expected: Vec<&str> = Vec::new();
            for word in &words {
                let number = expected.iter().position(|w| w == word).unwrap_or_else(|| {
                    expected.push(word);
                    expected.len() - 1
                });
                prop_assert_eq!(numbers.number(word.as_bytes()) as usize, number);
            }
            for (number, word) in expected.iter().enumerate() {
                prop_assert_eq!(numbers.get(number), word.as_bytes());
            }
        }
    }
}
