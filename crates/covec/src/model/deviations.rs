//! How words deviate from their base vectors in levels, where they occur often enough.

use half::f16;
use half::slice::HalfFloatSliceExt;

use super::Numbers;

/// Deviations, sorted by level, then word; in half precision, for there can be many.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Deviations {
    /// The words.
    pub words: Vec<u32>,
    /// The levels, among all factors' levels in a row.
    pub levels: Vec<u32>,
    /// The numbers, deviation after deviation.
    pub numbers: Numbers<f16>,
    /// Where a method tells words from contexts, and vectors are the sums of both: the differences, word − context,
    /// deviation after deviation. Empty otherwise.
    pub contexts: Numbers<f16>,
    dim: usize,
}

impl Deviations {
    /// None yet, of this many dimensions.
    pub(crate) fn none(dim: usize) -> Self {
        Self { dim, ..Self::default() }
    }

    /// Deviations of this many dimensions, sorted by level, then word.
    pub fn new(
        dim: usize,
        words: Vec<u32>,
        levels: Vec<u32>,
        numbers: impl Into<Numbers<f16>>,
    ) -> Self {
        Self { words, levels, numbers: numbers.into(), contexts: Numbers::default(), dim }
    }

    /// The same with the differences of words and contexts.
    #[must_use]
    pub(crate) fn with_contexts(self, contexts: Numbers<f16>) -> Self {
        Self { contexts, ..self }
    }

    /// Adds the deviation of a word; in order.
    pub(crate) fn push(&mut self, level: usize, word: usize, numbers: &[f32]) {
        self.levels.push(level as u32);
        self.words.push(word as u32);
        halved(numbers, self.numbers.held());
    }

    /// Adds the difference of word and context to the deviation that was added last.
    pub(crate) fn push_context(&mut self, numbers: &[f32]) {
        halved(numbers, self.contexts.held());
    }

    /// Adds those of a later level.
    pub(crate) fn append(&mut self, mut later: Self) {
        self.words.append(&mut later.words);
        self.levels.append(&mut later.levels);
        self.numbers.held().append(later.numbers.held());
        self.contexts.held().append(later.contexts.held());
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether no word deviates.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether some word deviates in a level.
    pub fn any_in(&self, level: usize) -> bool {
        self.levels.binary_search(&(level as u32)).is_ok()
    }

    /// The deviation of a word in a level.
    pub fn of(&self, word: usize, level: usize) -> Option<&[f16]> {
        self.place(word, level).map(|at| &self.numbers[at * self.dim..(at + 1) * self.dim])
    }

    /// The difference of word and context of a word in a level.
    pub fn context_of(&self, word: usize, level: usize) -> Option<&[f16]> {
        let at = self.place(word, level).filter(|_| !self.contexts.is_empty())?;
        Some(&self.contexts[at * self.dim..(at + 1) * self.dim])
    }

    fn place(&self, word: usize, level: usize) -> Option<usize> {
        let key = (level as u32, word as u32);
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = (low + high) / 2;
            if (self.levels[middle], self.words[middle]) < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < self.len() && (self.levels[low], self.words[low]) == key).then_some(low)
    }

    pub(super) fn check(&self, words: usize, levels: usize, dim: usize) -> Result<(), String> {
        let whole = [0, self.numbers.len()].contains(&self.contexts.len());
        if self.levels.len() != self.len() || self.numbers.len() != self.len() * dim || !whole {
            return Err("deviations: words, levels and numbers do not fit together".to_owned());
        }
        let keys: Vec<_> = self.levels.iter().zip(&self.words).collect();
        if keys.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err("deviations are not sorted by level, then word".to_owned());
        }
        if keys.iter().any(|(l, w)| **l as usize >= levels || **w as usize >= words) {
            return Err("deviations speak of words or levels that are not there".to_owned());
        }
        if let Some(place) = self.numbers.iter().chain(&*self.contexts).position(|x| !x.is_finite())
        {
            return Err(format!("deviations: number {place} is not finite"));
        }
        Ok(())
    }
}

/// Adds numbers in half precision: many at once, where the machine can.
fn halved(numbers: &[f32], to: &mut Vec<f16>) {
    let start = to.len();
    to.resize(start + numbers.len(), f16::ZERO);
    to[start..].convert_from_f32_slice(numbers);
}
