//! Rows of the tensor, wherever they come from: counted just now, or merged from the disk.

use super::accumulator::Amount;
use crate::error::Error;

/// The entries of one row, sorted by cell, then column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row<A> {
    /// Cell and number of entries of every group of entries.
    pub(crate) groups: Vec<(u32, u32)>,
    pub(crate) columns: Vec<u32>,
    pub(crate) amounts: Vec<A>,
}

impl<A> Default for Row<A> {
    fn default() -> Self {
        Self { groups: Vec::new(), columns: Vec::new(), amounts: Vec::new() }
    }
}

impl<A: Amount> Row<A> {
    /// Adds a group: `fill` pushes its columns and amounts.
    pub(crate) fn group(&mut self, cell: u32, fill: impl FnOnce(&mut Vec<u32>, &mut Vec<A>)) {
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

    pub(crate) fn len(&self) -> usize {
        self.columns.len()
    }

    /// The groups: cell, columns, amounts.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &[u32], &[A])> {
        let mut start = 0;
        self.groups.iter().map(move |&(cell, len)| {
            let range = start..start + len as usize;
            start = range.end;
            (cell, &self.columns[range.clone()], &self.amounts[range])
        })
    }
}

/// Can make any row of a tensor.
pub(crate) trait Rows: Sync {
    /// What entries are measured in.
    type Amount: Amount;
    /// What a thread needs to make rows.
    type Desk: Send;
    /// Makes a desk.
    fn desk(&self) -> Self::Desk;
    /// Number of rows.
    fn len(&self) -> usize;
    /// How much work a row is, in entries touched.
    fn work(&self, row: usize) -> u64;
    /// Makes a row.
    fn row(&self, row: usize, desk: &mut Self::Desk) -> Result<Row<Self::Amount>, Error>;
}

/// Ranges of rows of about equal work, from `start` on, `most` of them.
pub(crate) fn tasks<R: Rows>(
    rows: &R,
    start: usize,
    most: usize,
    work: u64,
) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    let mut first = start;
    while first < rows.len() && ranges.len() < most {
        let mut sum = 0;
        let mut end = first;
        while end < rows.len() && (end == first || sum + rows.work(end) <= work) {
            sum += rows.work(end);
            end += 1;
        }
        ranges.push(first..end);
        first = end;
    }
    ranges
}
