//! A part of the words, with all that is learned of them.
//!
//! Words are dealt out to parts in turn, so that each has its share of common ones. In a step every
//! part is changed by one thread, which adds up each row's slopes in the order of the text: the parts
//! are the same at any number of threads, and so are the sums.

use super::learned::Learned;
use super::stretches::Drawn;
use super::{SEfeParameters, Sharing};
use crate::lots::{End, Lots, Stream};
use crate::train::table::Table;

/// Parts there are.
pub(super) const PARTS: usize = 16;
/// A row that the batch does not use.
const NONE: u32 = u32::MAX;
/// How far from 0 vectors start.
const START: f64 = 0.1;

/// The part of a word, and its row there.
pub(super) fn place(word: u32) -> (usize, usize) {
    (word as usize % PARTS, word as usize / PARTS)
}

/// What is learned of some words.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) number: usize,
    /// Words it has.
    pub(super) rows: usize,
    /// Vectors of words as context, for all levels: α.
    pub(super) contexts: Learned,
    /// Vectors that the levels have in common: ρ.
    pub(super) common: Learned,
    /// What a level's vectors have beyond them, level after level; without rows where networks say it.
    pub(super) own: Learned,
    /// For every level and row: which of the batch's vectors it is.
    slots: Vec<u32>,
    context_slots: Vec<u32>,
}

/// Which rows of a part a batch uses, and where.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Level and row of every vector that is used.
    pub(super) vectors: Vec<(usize, usize)>,
    /// By vector: stretch and item.
    pub(super) items: Uses,
    /// Rows of every context vector that is used.
    pub(super) contexts: Vec<usize>,
    /// By context vector: stretch and place.
    pub(super) places: Uses,
}

/// Uses, in the order of the text, by what is used.
#[derive(Debug, Default)]
pub(super) struct Uses {
    starts: Vec<usize>,
    all: Vec<(u32, u32)>,
}

impl Uses {
    /// From uses in the order of the text, each with what it uses.
    fn new(things: usize, found: &[(u32, u32, u32)]) -> Self {
        let mut starts = vec![0; things + 1];
        for (thing, ..) in found {
            starts[*thing as usize + 1] += 1;
        }
        for thing in 0..things {
            starts[thing + 1] += starts[thing];
        }
        let (mut next, mut all) = (starts.clone(), vec![(0, 0); found.len()]);
        for &(thing, stretch, at) in found {
            all[next[thing as usize]] = (stretch, at);
            next[thing as usize] += 1;
        }
        Self { starts, all }
    }

    pub(super) fn of(&self, thing: usize) -> &[(u32, u32)] {
        &self.all[self.starts[thing]..self.starts[thing + 1]]
    }
}

impl Part {
    /// At the start: context vectors and common vectors at random, each word's from a stream of its own.
    pub(super) fn start(
        number: usize,
        words: usize,
        levels: usize,
        parameters: &SEfeParameters,
    ) -> Self {
        let dim = parameters.dim as usize;
        let rows = (words + PARTS - 1 - number) / PARTS;
        let (mut contexts, mut common) = (Table::new(rows, dim), Table::new(rows, dim));
        for row in 0..rows {
            let word = (row * PARTS + number) as u64;
            let mut lots = Stream::new(parameters.seed.0, End::Start, word);
            let scale = START / (dim as f64).sqrt();
            for table in [&mut contexts, &mut common] {
                table.row_mut(row)[..dim].fill_with(|| (scale * lots.normal()) as f32);
            }
        }
        let own = if parameters.sharing == Sharing::Hierarchical { levels * rows } else { 0 };
        Self {
            number,
            rows,
            contexts: Learned::of(contexts),
            common: Learned::of(common),
            own: Learned::of(Table::new(own, dim)),
            slots: vec![NONE; levels * rows],
            context_slots: vec![NONE; rows],
        }
    }

    /// The word of a row.
    pub(super) fn word(&self, row: usize) -> usize {
        row * PARTS + self.number
    }

    /// Which of the batch's vectors a row is in a level; the batch must use it.
    pub(super) fn slot(&self, level: usize, row: usize) -> usize {
        self.slots[level * self.rows + row] as usize
    }

    /// Finds what a batch uses of this part.
    pub(super) fn index(&mut self, batch: &[Drawn], outside: u32) -> Index {
        let mut index = Index::default();
        let (mut items, mut places) = (Vec::new(), Vec::new());
        for (stretch, drawn) in batch.iter().enumerate() {
            for (item, &word) in drawn.items.iter().enumerate() {
                let (part, row) = place(word);
                if part != self.number || word == outside {
                    continue;
                }
                let slot = &mut self.slots[drawn.level * self.rows + row];
                if *slot == NONE {
                    *slot = index.vectors.len() as u32;
                    index.vectors.push((drawn.level, row));
                }
                items.push((*slot, stretch as u32, item as u32));
            }
            for (at, &word) in drawn.words.iter().enumerate() {
                let (part, row) = place(word);
                if part != self.number || word == outside {
                    continue;
                }
                let slot = &mut self.context_slots[row];
                if *slot == NONE {
                    *slot = index.contexts.len() as u32;
                    index.contexts.push(row);
                }
                places.push((*slot, stretch as u32, at as u32));
            }
        }
        index.items = Uses::new(index.vectors.len(), &items);
        index.places = Uses::new(index.contexts.len(), &places);
        index
    }

    /// Forgets the batch.
    pub(super) fn forget(&mut self, index: &Index) {
        for &(level, row) in &index.vectors {
            self.slots[level * self.rows + row] = NONE;
        }
        for &row in &index.contexts {
            self.context_slots[row] = NONE;
        }
    }
}
