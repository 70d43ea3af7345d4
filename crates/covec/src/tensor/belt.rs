//! What lies between the rows and the file: blocks of rows, groups of them, encoded groups.
//!
//! It says what there is to do; the threads of the [`super::conveyor`] do it.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::accumulator::{Amount, Id};
use super::entries::GROUP;
use super::rows::{Block, Rows, task};
use crate::parquet_file::column::Encoded;
use crate::parquet_file::groups::GroupWriter;

/// Work that a thread takes at a time, in pairs of words: so little that rows stay in the caches
/// until they are encoded.
pub(super) const WORK: u64 = 1 << 16;

/// Rows of some blocks that are written together.
pub(super) type Group<A, I> = Vec<(Arc<Block<A, I>>, Range<usize>)>;

/// What a thread takes from the belt.
pub(super) enum Job<A, I> {
    /// One of the jobs beside the entries.
    Beside(usize),
    Write(GroupWriter, Vec<Encoded>),
    Encode(usize, Group<A, I>),
    Make(usize, Range<usize>, Option<Block<A, I>>),
}

/// What it puts back.
pub(super) enum Done<A, I> {
    Beside,
    Written(GroupWriter),
    /// A group's columns and the sum of its values.
    Encoded(usize, Group<A, I>, Vec<Encoded>, f64),
    /// Rows, and how many of their entries were dropped.
    Made(usize, Block<A, I>, u64),
}

pub(super) struct Belt<A, I> {
    /// Jobs beside the entries that nobody has begun.
    beside: Range<usize>,
    /// Rows that nobody makes yet.
    rows: Range<usize>,
    blocks: Line<Block<A, I>>,
    /// So many blocks wait for one before them, at most.
    ahead: usize,
    /// The group that is not complete yet, and its entries.
    open: Group<A, I>,
    entries: usize,
    /// Groups that nobody encodes yet.
    groups: VecDeque<Group<A, I>>,
    encoded: Line<(Vec<Encoded>, f64)>,
    /// None while somebody writes.
    pub(super) writer: Option<GroupWriter>,
    /// Entries that were dropped, and the sum of the values that were written.
    pub(super) dropped: u64,
    pub(super) total: f64,
    /// Memory to be used again.
    spare: Vec<Block<A, I>>,
}

impl<A: Amount, I: Id> Belt<A, I> {
    pub(super) fn new(beside: usize, rows: usize, ahead: usize, writer: GroupWriter) -> Self {
        Self {
            beside: 0..beside,
            rows: 0..rows,
            blocks: Line::default(),
            ahead,
            open: Vec::new(),
            entries: 0,
            groups: VecDeque::new(),
            encoded: Line::default(),
            writer: Some(writer),
            dropped: 0,
            total: 0.0,
            spare: Vec::new(),
        }
    }

    /// What share of the rows somebody has begun.
    pub(super) fn share(&self) -> f64 {
        self.rows.start as f64 / self.rows.end.max(1) as f64
    }

    /// What stands nearest to the end.
    pub(super) fn take(&mut self, rows: &impl Rows<Amount = A, Column = I>) -> Option<Job<A, I>> {
        // These first: towards the end there is less to do than there are threads.
        if let Some(job) = self.beside.next() {
            return Some(Job::Beside(job));
        }
        if let Some(writer) = self.writer.take() {
            if let Some((columns, total)) = self.encoded.leave() {
                self.total += total;
                return Some(Job::Write(writer, columns));
            }
            self.writer = Some(writer);
        }
        if let Some(group) = self.groups.pop_front() {
            return Some(Job::Encode(self.encoded.enter(), group));
        }
        if self.blocks.len() < self.ahead && !self.rows.is_empty() {
            let range = task(rows, self.rows.start, WORK);
            self.rows.start = range.end;
            return Some(Job::Make(self.blocks.enter(), range, self.spare.pop()));
        }
        None
    }

    pub(super) fn put(&mut self, done: Done<A, I>) {
        match done {
            Done::Beside => {}
            Done::Written(writer) => self.writer = Some(writer),
            Done::Encoded(number, group, columns, total) => {
                self.encoded.fill(number, (columns, total));
                // A block may have rows in two groups.
                self.spare
                    .extend(group.into_iter().filter_map(|(block, _)| Arc::into_inner(block)));
            }
            Done::Made(number, block, dropped) => {
                self.dropped += dropped;
                self.blocks.fill(number, block);
                while let Some(block) = self.blocks.leave() {
                    self.cut(block);
                }
                if self.rows.is_empty() && self.blocks.len() == 0 && self.entries > 0 {
                    self.close();
                }
            }
        }
    }

    /// Adds the rows of a block to the open group. A group is complete with the first row that makes
    /// it large enough.
    fn cut(&mut self, block: Block<A, I>) {
        let block = Arc::new(block);
        let mut start = 0;
        for (index, entries) in block.lengths().enumerate() {
            self.entries += entries;
            if self.entries >= GROUP {
                self.open.push((Arc::clone(&block), start..index + 1));
                self.close();
                start = index + 1;
            }
        }
        if start < block.len() {
            let rest = start..block.len();
            self.open.push((block, rest));
        } else {
            self.spare.extend(Arc::into_inner(block));
        }
    }

    fn close(&mut self) {
        self.groups.push_back(std::mem::take(&mut self.open));
        self.entries = 0;
    }
}

/// Things that are begun in order, done in any order, and leave in order.
struct Line<T> {
    /// None while somebody is at it.
    places: VecDeque<Option<T>>,
    /// The number of the first.
    first: usize,
}

impl<T> Default for Line<T> {
    fn default() -> Self {
        Self { places: VecDeque::new(), first: 0 }
    }
}

impl<T> Line<T> {
    fn len(&self) -> usize {
        self.places.len()
    }

    /// A place at the end, for a thing that is begun now.
    fn enter(&mut self) -> usize {
        self.places.push_back(None);
        self.first + self.places.len() - 1
    }

    fn fill(&mut self, number: usize, thing: T) {
        self.places[number - self.first] = Some(thing);
    }

    /// The first, if it is done.
    fn leave(&mut self) -> Option<T> {
        let thing = self.places.front_mut()?.take()?;
        self.places.pop_front();
        self.first += 1;
        Some(thing)
    }
}
