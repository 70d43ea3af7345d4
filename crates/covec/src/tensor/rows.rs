//! Rows of the tensor, wherever they come from: counted just now, or merged from the disk.

use super::accumulator::{Amount, Id};
use crate::error::Error;

/// The entries of a row, or of several one after the other, each sorted by cell, then column.
#[derive(Debug, PartialEq)]
pub(crate) struct Row<A, I = u32> {
    /// Cell and number of entries of every group of entries.
    pub(crate) groups: Vec<(u32, u32)>,
    pub(crate) columns: Vec<I>,
    pub(crate) amounts: Vec<A>,
}

impl<A, I> Default for Row<A, I> {
    fn default() -> Self {
        Self { groups: Vec::new(), columns: Vec::new(), amounts: Vec::new() }
    }
}

impl<A: Amount, I: Id> Row<A, I> {
    /// Adds a group: `fill` pushes its columns and amounts.
    pub(crate) fn group(&mut self, cell: u32, fill: impl FnOnce(&mut Vec<I>, &mut Vec<A>)) {
        let before = self.columns.len();
        fill(&mut self.columns, &mut self.amounts);
        let len = self.columns.len() - before;
        if len > 0 {
            self.groups.push((cell, len as u32));
        }
    }

    pub(crate) fn clear(&mut self) {
        self.groups.clear();
        self.columns.clear();
        self.amounts.clear();
    }

    /// All of it.
    pub(crate) fn view(&self) -> View<'_, A, I> {
        View { groups: &self.groups, columns: &self.columns, amounts: &self.amounts }
    }

    /// Drops the entries whose amounts are not `wanted`, of all groups from `group` on, which begin
    /// with the entry `start`.
    fn retain(&mut self, group: usize, start: usize, wanted: impl Fn(A) -> bool) {
        let (mut from, mut to) = (start, start);
        for (_, len) in &mut self.groups[group..] {
            let (end, before) = (from + *len as usize, to);
            while from < end {
                self.columns[to] = self.columns[from];
                self.amounts[to] = self.amounts[from];
                to += usize::from(wanted(self.amounts[from]));
                from += 1;
            }
            *len = (to - before) as u32;
        }
        self.columns.truncate(to);
        self.amounts.truncate(to);
        let mut index = 0;
        self.groups.retain(|&(_, len)| {
            index += 1;
            index <= group || len > 0
        });
    }
}

/// Entries that lie somewhere else.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a, A, I = u32> {
    pub(crate) groups: &'a [(u32, u32)],
    pub(crate) columns: &'a [I],
    pub(crate) amounts: &'a [A],
}

impl<'a, A, I> View<'a, A, I> {
    pub(crate) fn len(self) -> usize {
        self.columns.len()
    }

    /// The groups: cell, columns, amounts.
    pub(crate) fn iter(self) -> impl Iterator<Item = (u32, &'a [I], &'a [A])> {
        let mut start = 0;
        self.groups.iter().map(move |&(cell, len)| {
            let range = start..start + len as usize;
            start = range.end;
            (cell, &self.columns[range.clone()], &self.amounts[range])
        })
    }
}

/// Several rows. A block is made to be used again: rows are many and mostly small, and memory that
/// one thread asks for and another gives back costs more than filling it.
#[derive(Debug)]
pub(crate) struct Block<A, I = u32> {
    entries: Row<A, I>,
    /// The rows that have entries: id, number of groups, number of entries.
    rows: Vec<(u32, u32, u32)>,
}

impl<A, I> Default for Block<A, I> {
    fn default() -> Self {
        Self { entries: Row::default(), rows: Vec::new() }
    }
}

impl<A: Amount, I: Id> Block<A, I> {
    /// Nothing yet, with room for so many entries. At once: room that grows is copied, and what is not
    /// written to costs nothing.
    pub(crate) fn with_room(entries: usize) -> Self {
        let mut this = Self::default();
        this.entries.columns.reserve(entries);
        this.entries.amounts.reserve(entries);
        this
    }

    /// Makes these rows, instead of those it holds. Returns how many entries were not `wanted`.
    pub(crate) fn fill<R: Rows<Amount = A, Column = I>>(
        &mut self,
        rows: &R,
        range: std::ops::Range<usize>,
        desk: &mut R::Desk,
        wanted: Option<&dyn Fn(A) -> bool>,
    ) -> Result<u64, Error> {
        self.rows.clear();
        self.entries.clear();
        let mut dropped = 0;
        for row in range {
            let (groups, start) = (self.entries.groups.len(), self.entries.columns.len());
            rows.row(row, desk, &mut self.entries)?;
            if let Some(wanted) = wanted {
                let made = self.entries.columns.len();
                self.entries.retain(groups, start, wanted);
                dropped += (made - self.entries.columns.len()) as u64;
            }
            let groups = self.entries.groups.len() - groups;
            if groups > 0 {
                let entries = self.entries.columns.len() - start;
                self.rows.push((row as u32, groups as u32, entries as u32));
            }
        }
        Ok(dropped)
    }

    /// Number of rows that have entries.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// How many entries each of them has.
    pub(crate) fn lengths(&self) -> impl Iterator<Item = usize> {
        self.rows.iter().map(|&(_, _, entries)| entries as usize)
    }

    /// The rows that have entries, with their ids.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (u32, View<'_, A, I>)> {
        let View { mut groups, mut columns, mut amounts } = self.entries.view();
        self.rows.iter().map(move |&(id, own_groups, own_entries)| {
            let view = View {
                groups: take(&mut groups, own_groups as usize),
                columns: take(&mut columns, own_entries as usize),
                amounts: take(&mut amounts, own_entries as usize),
            };
            (id, view)
        })
    }
}

/// Cuts off the first `len`.
fn take<'a, T>(rest: &mut &'a [T], len: usize) -> &'a [T] {
    let (first, later) = rest.split_at(len);
    *rest = later;
    first
}

/// Can make any row of a tensor.
pub(crate) trait Rows: Sync {
    /// What entries are measured in.
    type Amount: Amount;
    /// What columns are numbered in.
    type Column: Id;
    /// What a thread needs to make rows.
    type Desk: Send;
    /// Makes a desk.
    fn desk(&self) -> Self::Desk;
    /// Number of rows.
    fn len(&self) -> usize;
    /// How much work a row is, in entries touched.
    fn work(&self, row: usize) -> u64;
    /// Makes a row, and adds its entries to those that are there.
    fn row(
        &self,
        row: usize,
        desk: &mut Self::Desk,
        made: &mut Row<Self::Amount, Self::Column>,
    ) -> Result<(), Error>;
}

/// Rows from `start` on that are so much work together, at least one, or none if there are none.
pub(crate) fn task<R: Rows>(rows: &R, start: usize, work: u64) -> std::ops::Range<usize> {
    let mut sum = 0;
    let mut end = start;
    while end < rows.len() && (end == start || sum + rows.work(end) <= work) {
        sum += rows.work(end);
        end += 1;
    }
    start..end
}
