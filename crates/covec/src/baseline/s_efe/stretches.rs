//! The corpus in stretches of text, and what is drawn of a stretch.
//!
//! A stretch is a piece of one document. Windows reach beyond its ends, to those of the document, so
//! where documents are cut changes nothing. What is drawn at a place depends on seed, epoch and place
//! alone.

use std::ops::Range;

use super::noise::Noise;
use crate::baseline::texts::Texts;
use crate::lots::{End, Lots, PlaceLots, Stream};

/// Words of a stretch at most: enough of them in a batch for any number of threads.
const LONGEST: usize = 256;

/// A piece of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) level: usize,
    document: Range<usize>,
    pub(super) own: Range<usize>,
}

/// Cuts all documents, once for each level of their cells.
pub(super) fn cut(texts: &Texts, levels: &[Vec<usize>]) -> Vec<Stretch> {
    let mut all = Vec::new();
    for text in &texts.documents {
        for &level in &levels[text.cell as usize] {
            let document = text.words.clone();
            all.extend(document.clone().step_by(LONGEST).map(|start| {
                let own = start..document.end.min(start + LONGEST);
                Stretch { level, document: document.clone(), own }
            }));
        }
    }
    all
}

/// The stretches of an epoch in random order, in batches of at least `size` words.
pub(super) fn batches(
    stretches: &[Stretch],
    size: usize,
    seed: u64,
    epoch: u32,
) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..stretches.len()).collect();
    Stream::new(seed, End::Order, u64::from(epoch)).shuffle(&mut order);
    let mut batches = vec![Vec::new()];
    let mut words = 0;
    for stretch in order {
        if words >= size {
            batches.push(Vec::new());
            words = 0;
        }
        words += stretches[stretch].own.len();
        if let Some(batch) = batches.last_mut() {
            batch.push(stretch);
        }
    }
    batches
}

/// A stretch as an epoch sees it.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) level: usize,
    /// Its words and those its windows reach; `outside` for those that are not looked at.
    pub(super) words: Vec<u32>,
    /// The places in `words` that are predicted from what is around them.
    pub(super) targets: Vec<u32>,
    /// For every target its word, then those drawn against it; `outside` for one that is the word itself.
    pub(super) items: Vec<u32>,
}

/// What does not change from epoch to epoch.
#[derive(Debug)]
pub(super) struct Draw<'a> {
    pub(super) texts: &'a Texts,
    pub(super) window: usize,
    pub(super) negatives: usize,
    /// How likely a word is looked at.
    pub(super) kept: Vec<f64>,
    pub(super) noise: Noise,
}

/// The key of an epoch's lots.
pub(super) fn key(seed: u64, epoch: u32) -> u64 {
    Stream::new(seed, End::Places, u64::from(epoch)).bits()
}

/// How likely each word is looked at: always, unless it is more than `frequent` of the corpus.
pub(super) fn kept(counts: &[u64], frequent: f64) -> Vec<f64> {
    let all = counts.iter().sum::<u64>() as f64;
    let kept = |count: &u64| libm::sqrt(frequent * all / (*count).max(1) as f64).min(1.0);
    counts.iter().map(|count| if frequent > 0.0 { kept(count) } else { 1.0 }).collect()
}

impl Draw<'_> {
    pub(super) fn outside(&self) -> u32 {
        self.kept.len() as u32
    }

    pub(super) fn draw(&self, stretch: &Stretch, key: u64) -> Drawn {
        let Stretch { document, own, .. } = stretch;
        let reach = own.start.saturating_sub(self.window).max(document.start)
            ..(own.end + self.window).min(document.end);
        let outside = self.outside();
        let seen = |place: usize| {
            let word = self.texts.words[place];
            let mut lots = PlaceLots::new(key, place as u64);
            let looked_at = self.kept.get(word as usize).is_some_and(|kept| lots.share() < *kept);
            (if looked_at { word } else { outside }, lots)
        };
        let words: Vec<u32> = reach.clone().map(|place| seen(place).0).collect();
        let (mut targets, mut items) = (Vec::new(), Vec::new());
        for place in own.clone() {
            let (word, mut lots) = seen(place);
            let at = place - reach.start;
            let around = at.saturating_sub(self.window)..(at + self.window + 1).min(words.len());
            let company = around.clone().any(|other| other != at && words[other] != outside);
            if word == outside || !company {
                continue;
            }
            targets.push(at as u32);
            items.push(word);
            items.extend((0..self.negatives).map(|_| {
                let other = self.noise.draw(&mut lots);
                if other == word { outside } else { other }
            }));
        }
        Drawn { level: stretch.level, words, targets, items }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::texts::Text;

    fn texts(lengths: &[usize]) -> Texts {
        let mut words = Vec::new();
        let mut documents = Vec::new();
        for (cell, &length) in lengths.iter().enumerate() {
            let start = words.len();
            words.extend((0..length).map(|at| (at % 7) as u32));
            documents.push(Text { cell: cell as u32, words: start..words.len() });
        }
        Texts { documents, words }
    }

    #[test]
    fn every_word_is_drawn_once_an_epoch_with_the_same_windows_wherever_documents_are_cut() {
        let texts = texts(&[700, 3, 1, 256]);
        let stretches = cut(&texts, &[vec![0], vec![1], vec![0], vec![1]]);
        let counts = [100; 7];
        let noise = Noise::new(&counts);
        let draw = Draw { texts: &texts, window: 4, negatives: 2, kept: vec![0.6; 7], noise };
        let key = key(1, 2);
        let whole = Stretch { level: 0, document: 0..700, own: 0..700 };
        let whole = draw.draw(&whole, key);
        let parts: Vec<Drawn> = stretches[..3].iter().map(|part| draw.draw(part, key)).collect();
        let items: Vec<u32> = parts.iter().flat_map(|part| part.items.clone()).collect();
        assert_eq!(items, whole.items);
        let kept = whole.words.iter().filter(|word| **word < 7).count();
        assert!((350..490).contains(&kept), "{kept}");
        let mut seen: Vec<usize> = batches(&stretches, 300, 1, 5).concat();
        assert_ne!(seen, (0..stretches.len()).collect::<Vec<_>>());
        seen.sort_unstable();
        assert_eq!(seen, (0..stretches.len()).collect::<Vec<_>>());
        // A document of one word has nothing around it.
        assert!(draw.draw(&stretches[4], key).targets.is_empty());
    }
}
