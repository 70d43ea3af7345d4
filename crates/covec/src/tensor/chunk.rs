//! A part of the corpus, counted in memory.
//!
//! The words lie in one array, document after document, the documents sorted by cell and kept apart
//! by as many marks as the window is wide: a window then never needs to ask where its document
//! ends. Beside it stands an index: the places of every word, which are sorted by cell because the
//! documents are. A row of the tensor is made by walking through the places of its word and adding
//! up what stands around them, one cell after the other; so rows come out sorted, without a sort,
//! and no two threads ever touch the same sum.

use super::accumulator::Accumulator;
use super::rows::{Row, Rows};
use super::spool::{Spool, documents};
use super::window::{Gaps, WindowParameters};
use crate::Work;
use crate::error::Error;
use crate::parallel;

/// Bytes a chunk needs for each word: the piece it comes from, its place in the array, the index.
pub(crate) const BYTES_PER_WORD: u64 = 12;

/// A part of the corpus.
#[derive(Debug)]
pub(crate) struct Chunk {
    /// Words by id; `vocabulary` marks what is not in the vocabulary and the ends of documents.
    words: Vec<u32>,
    /// For every cell that occurs, its first place in `words`.
    cells: Vec<(u32, u32)>,
    /// All places of word 0, then of word 1, and so on.
    places: Vec<u32>,
    /// Where the places of each word end.
    ends: Vec<usize>,
    weights: Vec<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Placed {
    cell: u32,
    piece: u32,
    /// Index in the piece's numbers.
    start: u32,
    len: u32,
}

impl Chunk {
    /// Lays out the documents of some pieces.
    pub(crate) fn new(
        spool: &Spool,
        pieces: std::ops::Range<usize>,
        ids: &[Vec<u32>],
        cells: &[Vec<Option<u32>>],
        vocabulary: usize,
        window: &WindowParameters,
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        let numbers = pieces.clone().map(|piece| spool.numbers(piece)).collect::<Result<Vec<_>, _>>()?;
        let mut placed = Vec::new();
        for (piece, numbers) in pieces.clone().zip(&numbers) {
            let reader = spool.pieces[piece].reader;
            let mut start = 0;
            for (cell, words) in documents(numbers) {
                start += 2;
                if let Some(cell) = cells[reader][cell as usize] {
                    let piece = (piece - pieces.start) as u32;
                    placed.push(Placed { cell, piece, start: start as u32, len: words.len() as u32 });
                }
                start += words.len();
            }
        }
        placed.sort_by_key(|document| document.cell);
        let margin = window.window as usize;
        let outside = vocabulary as u32;
        // Threads lay out documents side by side, each a run of about as many words.
        let total: u64 = placed.iter().map(|d| u64::from(d.len) + margin as u64).sum();
        let share = total / (work.threads.get() as u64 * 4) + 1;
        let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
        let mut sum = 0;
        for (index, document) in placed.iter().enumerate() {
            if sum == 0 {
                runs.push(index..index);
            }
            if let Some(run) = runs.last_mut() {
                run.end = index + 1;
            }
            sum += u64::from(document.len) + margin as u64;
            if sum >= share {
                sum = 0;
            }
        }
        let laid = parallel::map(work.threads, runs.len(), &mut Vec::new(), || (), |(), run| {
            let mut words = Vec::new();
            let mut cells: Vec<(u32, usize)> = Vec::new();
            for document in &placed[runs[run].clone()] {
                if cells.last().is_none_or(|(cell, _)| *cell != document.cell) {
                    cells.push((document.cell, words.len()));
                }
                let reader = spool.pieces[pieces.start + document.piece as usize].reader;
                let text = &numbers[document.piece as usize][document.start as usize..][..document.len as usize];
                let ids = text.iter().map(|&number| ids[reader][number as usize]);
                match window.gaps {
                    Gaps::Keep => words.extend(ids),
                    Gaps::Close => words.extend(ids.filter(|&id| id != outside)),
                }
                words.extend(std::iter::repeat_n(outside, margin));
            }
            Ok((words, cells))
        })?;
        drop(numbers);
        let mut words = Vec::with_capacity(laid.iter().map(|(w, _)| w.len()).sum::<usize>() + margin);
        words.extend(std::iter::repeat_n(outside, margin));
        let mut cells: Vec<(u32, u32)> = Vec::new();
        for (part, part_cells) in laid {
            for (cell, start) in part_cells {
                if cells.last().is_none_or(|(last, _)| *last != cell) {
                    cells.push((cell, (words.len() + start) as u32));
                }
            }
            words.extend_from_slice(&part);
        }
        let (places, ends) = index(&words, vocabulary, work)?;
        Ok(Self { words, cells, places, ends, weights: window.units_by_distance() })
    }

    fn places(&self, word: usize) -> &[u32] {
        let start = if word == 0 { 0 } else { self.ends[word - 1] };
        &self.places[start..self.ends[word]]
    }
}

/// The places of every word, and where they end.
fn index(words: &[u32], vocabulary: usize, work: &Work<'_>) -> Result<(Vec<u32>, Vec<usize>), Error> {
    // Each thread indexes a range of the vocabulary with about as many places, into its own part.
    let mut counts = vec![0_usize; vocabulary + 1];
    for &word in words {
        counts[word as usize] += 1;
    }
    counts.truncate(vocabulary);
    let mut ends = counts;
    let mut total = 0;
    for end in &mut ends {
        total += *end;
        *end = total;
    }
    let threads = work.threads.get();
    let mut bounds = vec![0];
    for part in 1..threads {
        bounds.push(ends.partition_point(|&end| end < total * part / threads));
    }
    bounds.push(vocabulary);
    let mut places = vec![0_u32; total];
    let mut parts = Vec::new();
    let mut rest = &mut places[..];
    let mut before = 0;
    for bound in bounds.windows(2) {
        let end = if bound[1] == 0 { 0 } else { ends[bound[1] - 1] };
        let (part, tail) = rest.split_at_mut(end - before);
        parts.push((bound[0]..bound[1], before, part));
        rest = tail;
        before = end;
    }
    let ends_ref = &ends;
    parallel::each(&mut parts, |(range, offset, part)| {
        let mut next: Vec<usize> = range
            .clone()
            .map(|word| if word == 0 { 0 } else { ends_ref[word - 1] } - *offset)
            .collect();
        for (place, &word) in words.iter().enumerate() {
            if let Some(next) = (word as usize).checked_sub(range.start).and_then(|w| next.get_mut(w)) {
                part[*next] = place as u32;
                *next += 1;
            }
        }
        Vec::<()>::new()
    });
    Ok((places, ends))
}

impl Rows for Chunk {
    type Amount = u64;
    type Desk = Accumulator<u64>;

    fn desk(&self) -> Accumulator<u64> {
        Accumulator::new(self.ends.len())
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn work(&self, row: usize) -> u64 {
        self.places(row).len() as u64 * 2 * self.weights.len() as u64
    }

    fn row(&self, row: usize, sums: &mut Accumulator<u64>) -> Result<Row<u64>, Error> {
        let mut made = Row::default();
        let mut places = self.places(row);
        let mut cell = 0;
        while let Some(&first) = places.first() {
            // The last cell that starts at or before this place.
            cell += self.cells[cell..].partition_point(|&(_, start)| start <= first) - 1;
            let next = self.cells.get(cell + 1).map_or(u32::MAX, |&(_, start)| start);
            let (group, rest) = places.split_at(places.partition_point(|&place| place < next));
            places = rest;
            made.group(self.cells[cell].0, |columns, amounts| {
                let mut emit = |column, amount| {
                    columns.push(column);
                    amounts.push(amount);
                };
                if group.len() * 2 * self.weights.len() > self.ends.len() / 4 {
                    self.around(group, |word, weight| sums.add_unmarked(word, weight));
                    sums.drain_all(&mut emit);
                } else {
                    self.around(group, |word, weight| sums.add(word, weight));
                    sums.drain(&mut emit);
                }
            });
        }
        Ok(made)
    }
}

impl Chunk {
    /// Every word around these places, with its weight.
    #[inline]
    fn around(&self, places: &[u32], mut add: impl FnMut(u32, u64)) {
        let width = self.weights.len();
        for &place in places {
            let place = place as usize;
            let left = &self.words[place - width..place];
            let right = &self.words[place + 1..place + 1 + width];
            for ((&weight, &before), &after) in self.weights.iter().zip(left.iter().rev()).zip(right) {
                add(before, weight);
                add(after, weight);
            }
        }
    }
}
