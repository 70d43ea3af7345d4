//! How often an epoch uses each row, in the mean.

use super::stretches::Draw;
use crate::vocabulary::Vocabulary;

/// By what a row's uses in a batch are divided to know how much of its prior counts there.
#[derive(Debug)]
pub(super) struct Expected {
    words: usize,
    /// Level after level, word after word: as target, or drawn against one.
    items: Vec<f32>,
    /// By word: the same over all levels.
    pub(super) common: Vec<f32>,
    /// By word: as context.
    pub(super) contexts: Vec<f32>,
    /// By level: targets.
    pub(super) targets: Vec<f32>,
}

impl Expected {
    pub(super) fn new(vocabulary: &Vocabulary, draw: &Draw<'_>) -> Self {
        let words = vocabulary.len();
        let mut this = Self {
            words,
            items: Vec::with_capacity(words * vocabulary.level_counts.len()),
            common: vec![0.0; words],
            contexts: vec![0.0; words],
            targets: Vec::new(),
        };
        for counts in &vocabulary.level_counts {
            let seen: Vec<f64> =
                counts.iter().zip(&draw.kept).map(|(&n, kept)| n as f64 * kept).collect();
            let targets: f64 = seen.iter().sum();
            let against = targets * draw.negatives as f64;
            for (word, seen) in seen.into_iter().enumerate() {
                let items = (seen + against * draw.noise.shares[word]) as f32;
                this.items.push(items);
                this.common[word] += items;
                this.contexts[word] += seen as f32;
            }
            this.targets.push(targets as f32);
        }
        this
    }

    pub(super) fn items(&self, level: usize, word: usize) -> f32 {
        self.items[level * self.words + word]
    }
}
