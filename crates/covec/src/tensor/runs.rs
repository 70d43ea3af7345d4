//! Rows on the disk: what was counted of each part, to be added up row by row.

use std::path::Path;

use super::accumulator::{Accumulator, Amount, Id};
use super::rows::{Block, Row, Rows, View, task};
use crate::Work;
use crate::error::Error;
use crate::parallel;
use crate::scratch::ScratchFile;
use crate::work::Progress;

/// The rows of one part, in a temporary file. A row is its number of groups, the groups, the
/// columns, and the amounts in two halves each.
#[derive(Debug)]
pub(crate) struct Run {
    file: ScratchFile,
    /// Where each row stands: offset in bytes, length in numbers; no length if it is empty.
    rows: Vec<(u64, u32)>,
}

impl Run {
    /// A run without rows yet, for `rows` rows in any order.
    pub(crate) fn new(rows: usize, scratch: &Path) -> Result<Self, Error> {
        Ok(Self { file: ScratchFile::new(scratch)?, rows: vec![(0, 0); rows] })
    }

    /// Writes a row; its entries must be sorted by cell, then column.
    pub(crate) fn push<A: Amount, I: Id>(
        &mut self,
        row: usize,
        entries: View<'_, A, I>,
    ) -> Result<(), Error> {
        if entries.len() == 0 {
            return Ok(());
        }
        let mut numbers = Vec::with_capacity(1 + 2 * entries.groups.len() + 3 * entries.len());
        numbers.push(entries.groups.len() as u32);
        numbers.extend(entries.groups.iter().flat_map(|&(cell, len)| [cell, len]));
        numbers.extend(entries.columns.iter().map(|&column| column.into()));
        for amount in entries.amounts {
            let bits = amount.to_bits();
            numbers.extend([bits as u32, (bits >> 32) as u32]);
        }
        self.rows[row] = (self.file.end(), numbers.len() as u32);
        self.file.append(&numbers)
    }

    /// Counts every row of a part and writes it.
    pub(crate) fn write<R: Rows>(
        rows: &R,
        scratch: &Path,
        work: &Work<'_>,
        told: &dyn Fn(f64) -> Progress,
    ) -> Result<Self, Error> {
        const WORK: u64 = 1 << 20;
        let mut run = Self::new(rows.len(), scratch)?;
        let mut desks = Vec::new();
        let mut next = 0;
        while next < rows.len() {
            work.proceed()?;
            work.observer.progress(told(next as f64 / rows.len() as f64));
            let mut ranges = Vec::new();
            while next < rows.len() && ranges.len() < work.threads.get() * 8 {
                let range = task(rows, next, WORK);
                next = range.end;
                ranges.push(range);
            }
            let parts = parallel::map(
                work.threads,
                ranges.len(),
                &mut desks,
                || rows.desk(),
                |desk, task| {
                    let mut block = Block::default();
                    block.fill(rows, ranges[task].clone(), desk, None)?;
                    Ok(block)
                },
            )?;
            for (row, entries) in parts.iter().flat_map(Block::rows) {
                run.push(row as usize, entries)?;
            }
        }
        Ok(run)
    }

    /// Entries of a row, more or less.
    pub(crate) fn size(&self, row: usize) -> u64 {
        self.rows.get(row).map_or(0, |&(_, len)| u64::from(len) / 3)
    }

    /// A row; empty if it was never written.
    pub(crate) fn read<A: Amount>(
        &self,
        row: usize,
        buffer: &mut Vec<u32>,
    ) -> Result<Row<A>, Error> {
        let (offset, len) = self.rows.get(row).copied().unwrap_or_default();
        let mut made = Row::default();
        if len == 0 {
            return Ok(made);
        }
        buffer.resize(len as usize, 0);
        self.file.read(offset, &mut buffer[..])?;
        let groups = buffer[0] as usize;
        let (heads, rest) = buffer[1..].split_at(2 * groups);
        made.groups = heads.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
        let entries = rest.len() / 3;
        let (columns, halves) = rest.split_at(entries);
        made.columns = columns.to_vec();
        made.amounts = halves
            .chunks_exact(2)
            .map(|half| A::from_bits(u64::from(half[0]) | u64::from(half[1]) << 32))
            .collect();
        Ok(made)
    }
}

/// Several runs, added up.
#[derive(Debug)]
pub(crate) struct Merged<A> {
    runs: Vec<Run>,
    columns: usize,
    amount: std::marker::PhantomData<A>,
}

/// What a thread needs to add rows up.
#[derive(Debug)]
pub(crate) struct MergeDesk<A: Amount> {
    sums: Accumulator<A>,
    buffer: Vec<u32>,
}

impl<A: Amount> Merged<A> {
    /// The sum of the runs. Amounts that are not exact are added in the order of the runs.
    pub(crate) fn new(runs: Vec<Run>, columns: usize) -> Self {
        Self { runs, columns, amount: std::marker::PhantomData }
    }
}

impl<A: Amount> Rows for Merged<A> {
    type Amount = A;
    type Column = u32;
    type Desk = MergeDesk<A>;

    fn desk(&self) -> MergeDesk<A> {
        MergeDesk { sums: Accumulator::new(self.columns), buffer: Vec::new() }
    }

    fn len(&self) -> usize {
        self.columns
    }

    fn work(&self, row: usize) -> u64 {
        self.runs.iter().map(|run| run.size(row)).sum()
    }

    fn row(&self, row: usize, desk: &mut MergeDesk<A>, made: &mut Row<A>) -> Result<(), Error> {
        let mut parts = Vec::with_capacity(self.runs.len());
        for run in &self.runs {
            if run.size(row) > 0 {
                parts.push(run.read::<A>(row, &mut desk.buffer)?);
            }
        }
        let mut groups: Vec<_> = parts.iter().map(|part| part.view().iter().peekable()).collect();
        loop {
            let cell = groups.iter_mut().filter_map(|g| g.peek().map(|&(cell, ..)| cell)).min();
            let Some(cell) = cell else { return Ok(()) };
            let mut same: Vec<_> =
                groups.iter_mut().filter_map(|g| g.next_if(|&(c, ..)| c == cell)).collect();
            made.group(cell, |columns, amounts| {
                if same.len() == 1 {
                    columns.extend_from_slice(same[0].1);
                    amounts.extend_from_slice(same[0].2);
                    return;
                }
                for (_, from, values) in same.drain(..) {
                    from.iter()
                        .zip(values)
                        .for_each(|(&column, &value)| desk.sums.add(column, value));
                }
                desk.sums.drain(columns, amounts);
            });
        }
    }
}
