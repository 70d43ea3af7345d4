//! A part of the corpus, counted in memory.
//!
//! The words lie in one array, document after document, the documents sorted by cell and kept apart
//! by as many marks as the window is wide: a window then never needs to ask where its document
//! ends. Beside it stands an index: the places of every word, which are sorted by cell because the
//! documents are. A row of the tensor is made by walking through the places of its word and adding
//! up what stands around them, one cell after the other; so rows come out sorted, without a sort,
//! and no two threads ever touch the same sum.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use prefetch_index::prefetch_index;
use zerocopy::{FromBytes, IntoBytes};

use super::accumulator::{Accumulator, Amount, Id};
use super::placement::Placement;
use super::rows::{Row, Rows};
use super::spool::{Spool, documents};
use super::window::{Gaps, WindowParameters};
use crate::Work;
use crate::error::Error;
use crate::parallel;

/// Bytes a chunk needs for each word: the piece it comes from, its place in the array, the index.
pub(crate) const BYTES_PER_WORD: u64 = 12;

/// So many places ahead memory is asked for.
const AHEAD: usize = 24;
/// Of a document that comes later, so many words are asked for at most; of longer ones the machine
/// sees itself what follows.
const MOST_ASKED: u32 = 256;
/// Places between which cells are looked for.
const NEAR: usize = 1 << 12;

/// A part of the corpus.
#[derive(Debug)]
pub(crate) struct Chunk<I> {
    /// Words by id; `vocabulary` marks what is not in the vocabulary and the ends of documents.
    words: Vec<I>,
    /// For every cell that occurs, its first place in `words`.
    cells: Vec<(u32, u32)>,
    /// For every [`NEAR`] places, the last of those cells that starts at or before the first of them.
    near: Vec<u32>,
    /// All places of word 0, then of word 1, and so on.
    places: Vec<u32>,
    /// Where the places of each word end.
    ends: Vec<usize>,
    /// By distance, from 1 on.
    weights: Vec<u64>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Placed {
    cell: u32,
    piece: u32,
    /// Index in the piece's numbers.
    start: u32,
    len: u32,
    /// Words it has in the array: fewer where gaps close.
    room: u32,
}

impl<I: Id> Chunk<I> {
    /// Lays out the documents of some pieces.
    pub(crate) fn new(
        spool: &Spool,
        pieces: std::ops::Range<usize>,
        ids: &[Vec<u32>],
        placement: Placement<'_>,
        vocabulary: usize,
        window: &WindowParameters,
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        let numbers =
            pieces.clone().map(|piece| spool.numbers(piece)).collect::<Result<Vec<_>, _>>()?;
        let margin = window.window as usize;
        let outside = vocabulary as u32;
        let placed = parallel::tasks(work.threads, numbers.len(), |piece| {
            let reader = spool.pieces[pieces.start + piece].reader;
            let known = |number: &&u32| ids[reader][**number as usize] != outside;
            let mut placed = Vec::new();
            let mut start = 0;
            for (number, (cell, words)) in documents(&numbers[piece]).enumerate() {
                start += 2;
                let drawn = placement.of(pieces.start + piece, number, reader, cell);
                if drawn.times > 0 {
                    let len = words.len() as u32;
                    let room = match window.gaps {
                        Gaps::Keep => len,
                        Gaps::Close => words.iter().filter(known).count() as u32,
                    };
                    let (cell, piece, start) = (drawn.cell, piece as u32, start as u32);
                    for _ in 0..drawn.times {
                        placed.push(Placed { cell, piece, start, len, room });
                    }
                }
                start += words.len();
            }
            Ok(placed)
        })?;
        let placed = sorted_by_cell(&placed);
        // Zeros, so that the system makes room when the threads come to it.
        let len = margin + placed.iter().map(|d| d.room as usize + margin).sum::<usize>();
        let mut words = vec![I::default(); len];
        words[..margin].fill(I::new(outside));
        let mut cells: Vec<(u32, u32)> = Vec::new();
        let mut start = margin;
        for document in &placed {
            if cells.last().is_none_or(|(cell, _)| *cell != document.cell) {
                cells.push((document.cell, start as u32));
            }
            start += document.room as usize + margin;
        }
        // Threads lay out documents side by side, each a run of them with about as many words.
        let share = words.len() / work.threads.get() + 1;
        let mut runs: Vec<(&[Placed], &mut [I])> = Vec::new();
        let (mut rest, mut room) = (&placed[..], &mut words[margin..]);
        while !rest.is_empty() {
            let mut size = 0;
            let mut fits = |document: &Placed| {
                let fits = size == 0 || size < share;
                size += if fits { document.room as usize + margin } else { 0 };
                fits
            };
            let (run, later) = rest.split_at(rest.iter().take_while(|d| fits(d)).count());
            let (own, others) =
                room.split_at_mut(run.iter().map(|d| d.room as usize + margin).sum());
            runs.push((run, own));
            (rest, room) = (later, others);
        }
        parallel::each(&mut runs, |(run, room)| {
            let mut rest = &mut room[..];
            for (index, document) in run.iter().enumerate() {
                // Sorted by cell, they come from far apart.
                if let Some(later) = run.get(index + 2) {
                    let numbers = &numbers[later.piece as usize];
                    for line in (0..later.len.min(MOST_ASKED)).step_by(64 / size_of::<u32>()) {
                        prefetch_index(numbers, (later.start + line) as usize);
                    }
                }
                let ids = &ids[spool.pieces[pieces.start + document.piece as usize].reader];
                let text = &numbers[document.piece as usize][document.start as usize..]
                    [..document.len as usize];
                let translated = text.iter().map(|&number| ids[number as usize]);
                let (own, later) = rest.split_at_mut(document.room as usize);
                let (apart, later) = later.split_at_mut(margin);
                let own = own.iter_mut();
                match window.gaps {
                    Gaps::Keep => own.zip(translated).for_each(|(to, id)| *to = I::new(id)),
                    Gaps::Close => own
                        .zip(translated.filter(|&id| id != outside))
                        .for_each(|(to, id)| *to = I::new(id)),
                }
                apart.fill(I::new(outside));
                rest = later;
            }
            Vec::<()>::new()
        });
        drop(numbers);
        let (places, ends) = index(&words, vocabulary, work)?;
        let near = (0..words.len().div_ceil(NEAR))
            .map(|at| cells.partition_point(|&(_, start)| start as usize <= at * NEAR))
            .map(|cells| cells.saturating_sub(1) as u32)
            .collect();
        Ok(Self { words, cells, near, places, ends, weights: window.units_by_distance() })
    }

    /// Whether four bytes hold every sum, even where one word stands all around another.
    pub(crate) fn has_small_sums(&self) -> bool {
        let around = 2 * self.weights.iter().sum::<u64>();
        // One less: what lies outside begins with 1.
        let few = |places: &[u32]| places.len() as u64 <= u64::from(u32::MAX - 1) / around;
        (0..self.ends.len())
            .map(|word| self.places(word))
            .all(|places| few(places) || self.groups(places).all(|(_, in_cell)| few(in_cell)))
    }

    /// The rows.
    pub(crate) fn counts<A: Amount>(&self) -> Counts<'_, I, A> {
        let weights: Vec<A> = self.weights.iter().map(|&units| A::from_bits(units)).collect();
        let rising = weights.iter().rev().copied().collect();
        Counts { chunk: self, weights, rising }
    }

    /// How often every word occurs in each level: first by level, then by word. `levels` are those
    /// of every cell.
    pub(crate) fn level_counts(
        &self,
        levels: &[Vec<usize>],
        count: usize,
        work: &Work<'_>,
    ) -> Result<Vec<Vec<u64>>, Error> {
        let share = self.words.len() / (8 * work.threads.get()) + 1;
        let mut spans: Vec<(usize, &[I])> = Vec::new();
        for (index, &(cell, start)) in self.cells.iter().enumerate() {
            let end = self.cells.get(index + 1).map_or(self.words.len(), |next| next.1 as usize);
            let parts = self.words[start as usize..end].chunks(share);
            let levels = &levels[cell as usize];
            spans.extend(parts.flat_map(|part| levels.iter().map(move |&level| (level, part))));
        }
        // Each thread counts one level at a time, and adds it to the others' when it comes to the
        // next.
        spans.sort_by_key(|&(level, _)| level);
        let vocabulary = self.ends.len();
        let sums: Vec<_> = (0..count).map(|_| Mutex::new(Vec::new())).collect();
        let add = |level: usize, counts: &mut [u64]| {
            let Some(sums) = sums.get(level) else { return };
            let mut sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
            if sums.is_empty() {
                // Fresh memory is written to, never read before: the system would have to come twice.
                sums.extend_from_slice(&counts[..vocabulary]);
                counts.fill(0);
            } else {
                sums.iter_mut().zip(counts).for_each(|(sum, own)| *sum += std::mem::take(own));
            }
        };
        let mut states = Vec::new();
        parallel::map(
            work.threads,
            spans.len(),
            &mut states,
            || (0, vec![0; vocabulary + 1]),
            |(level, counts), span| {
                let (next, words) = spans[span];
                if next != *level {
                    add(*level, counts);
                    *level = next;
                }
                words.iter().for_each(|&word| counts[word.into() as usize] += 1);
                Ok(())
            },
        )?;
        states.iter_mut().for_each(|(level, counts)| add(*level, counts));
        Ok(sums
            .into_iter()
            .map(|s| s.into_inner().unwrap_or_else(PoisonError::into_inner))
            .map(|sums| if sums.is_empty() { vec![0; vocabulary] } else { sums })
            .collect())
    }

    /// The places of a word, cell by cell.
    fn groups<'a>(&'a self, mut places: &'a [u32]) -> impl Iterator<Item = (u32, &'a [u32])> {
        std::iter::from_fn(move || {
            let first = *places.first()?;
            // The last cell that starts at or before this place.
            let mut at = self.near[first as usize / NEAR] as usize;
            let start = |at: usize| self.cells.get(at).map_or(u32::MAX, |&(_, start)| start);
            let mut next = start(at + 1);
            while next <= first {
                at += 1;
                next = start(at + 1);
            }
            let (group, rest) = places.split_at(leading(places, |&place| place < next));
            places = rest;
            Some((self.cells[at].0, group))
        })
    }

    /// Where the places of a word start.
    fn start(&self, word: usize) -> usize {
        if word == 0 { 0 } else { self.ends[word - 1] }
    }

    fn places(&self, word: usize) -> &[u32] {
        &self.places[self.start(word)..self.ends[word]]
    }
}

/// All documents, those of a cell in the order in which they came.
fn sorted_by_cell(parts: &[Vec<Placed>]) -> Vec<Placed> {
    let all = || parts.iter().flatten();
    let cells = all().map(|document| document.cell as usize + 1).max().unwrap_or(0);
    let mut next = vec![0; cells];
    all().for_each(|document| next[document.cell as usize] += 1);
    let mut start = 0;
    for next in &mut next {
        start += std::mem::replace(next, start);
    }
    let mut sorted = vec![Placed::default(); start];
    for document in all() {
        let next = &mut next[document.cell as usize];
        sorted[*next] = *document;
        *next += 1;
    }
    sorted
}

/// How many fulfil this, where those that do come first. They are mostly few, so it is looked
/// farther and farther from the beginning.
fn leading<T>(all: &[T], fulfils: impl Fn(&T) -> bool) -> usize {
    let mut end = 1;
    while end < all.len() && fulfils(&all[end - 1]) {
        end *= 2;
    }
    let known = end / 2;
    known + all[known..end.min(all.len())].partition_point(fulfils)
}

/// The places of every word, and where they end.
fn index<I: Id>(
    words: &[I],
    vocabulary: usize,
    work: &Work<'_>,
) -> Result<(Vec<u32>, Vec<usize>), Error> {
    // Each thread takes a slice of the array: it counts the words there, then puts their places
    // behind those of the slices before.
    let share = words.len() / work.threads.get() + 1;
    let slices: Vec<&[I]> = words.chunks(share).collect();
    let mut next = parallel::tasks(work.threads, slices.len(), |slice| {
        let mut counts = vec![0_usize; vocabulary + 1];
        slices[slice].iter().for_each(|&word| counts[word.into() as usize] += 1);
        Ok(counts)
    })?;
    let mut total = 0;
    let mut ends = Vec::with_capacity(vocabulary);
    for word in 0..vocabulary {
        for counts in &mut next {
            total += std::mem::replace(&mut counts[word], total);
        }
        ends.push(total);
    }
    let mut places = vec![0_u32; total];
    // No two threads write to the same place, but their places lie between each other's.
    let shared = <[AtomicU32]>::mut_from_bytes(places.as_mut_bytes()).unwrap_or_default();
    let shared = &*shared;
    let mut parts: Vec<_> = slices.into_iter().zip(next).enumerate().collect();
    parallel::each(&mut parts, |(slice, (words, next))| {
        for (place, &word) in (*slice * share..).zip(*words) {
            let word = word.into() as usize;
            if word < vocabulary {
                shared[next[word]].store(place as u32, Ordering::Relaxed);
                next[word] += 1;
            }
        }
        Vec::<()>::new()
    });
    Ok((places, ends))
}

/// The rows of a chunk, in amounts that hold every sum of it.
#[derive(Debug)]
pub(crate) struct Counts<'c, I, A> {
    chunk: &'c Chunk<I>,
    /// By distance, from 1 on; and towards 1.
    weights: Vec<A>,
    rising: Vec<A>,
}

impl<I: Id, A: Amount> Rows for Counts<'_, I, A> {
    type Amount = A;
    type Column = I;
    type Desk = Accumulator<A, I>;

    fn desk(&self) -> Self::Desk {
        Accumulator::new(self.len())
    }

    fn len(&self) -> usize {
        self.chunk.ends.len()
    }

    fn work(&self, row: usize) -> u64 {
        self.chunk.places(row).len() as u64 * 2 * self.weights.len() as u64
    }

    fn row(&self, row: usize, sums: &mut Self::Desk, made: &mut Row<A, I>) -> Result<(), Error> {
        let mut start = self.chunk.start(row);
        for (cell, group) in self.chunk.groups(self.chunk.places(row)) {
            let coming = &self.chunk.places[start..];
            start += group.len();
            made.group(cell, |columns, amounts| {
                if group.len() * 2 * self.weights.len() > self.len() / 4 {
                    self.around(group.len(), coming, |word, weight| {
                        sums.add_unmarked(word, weight);
                    });
                    sums.drain_all(columns, amounts);
                } else {
                    self.around(group.len(), coming, |word, weight| sums.add(word, weight));
                    sums.drain(columns, amounts);
                }
            });
        }
        Ok(())
    }
}

impl<I: Id, A: Amount> Counts<'_, I, A> {
    /// Every word around the first `count` of the places that are `coming`, with its weight.
    #[inline]
    fn around(&self, count: usize, coming: &[u32], add: impl FnMut(I, A)) {
        // The width that all but all use, told while this is compiled, needs no loops.
        match self.weights.len() {
            8 => self.within(8, count, coming, add),
            width => self.within(width, count, coming, add),
        }
    }

    #[inline(always)]
    fn within(&self, width: usize, count: usize, coming: &[u32], mut add: impl FnMut(I, A)) {
        let words = &self.chunk.words;
        let (rising, falling) = (&self.rising[..width], &self.weights[..width]);
        for (index, &place) in coming[..count].iter().enumerate() {
            // Places of a word lie far apart in memory, so it is asked for them long before: also for
            // those of the next cell and the next word.
            if let Some(&later) = coming.get(index + AHEAD) {
                prefetch_index(words, later as usize - width);
                prefetch_index(words, later as usize + width);
            }
            let place = place as usize;
            let left = &words[place - width..place];
            let right = &words[place + 1..place + 1 + width];
            left.iter().zip(rising).for_each(|(&word, &weight)| add(word, weight));
            right.iter().zip(falling).for_each(|(&word, &weight)| add(word, weight));
        }
    }
}
