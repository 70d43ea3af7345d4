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

/// Runs that are kept apart at most. Each is an open file, of which a process may have few, and a place for every
/// row in memory.
const MOST: usize = 64;

/// Keeps a run beside others; where there are too many, one is made of them, in which their rows are added up. As that
/// one then is the first, amounts are still added in the order of the runs, and the sums are the same to the last bit.
pub(crate) fn keep<A: Amount>(
    runs: &mut Vec<Run>,
    run: Run,
    scratch: &Path,
    work: &Work<'_>,
    told: Progress,
) -> Result<(), Error> {
    runs.push(run);
    if runs.len() >= MOST {
        let columns = runs.iter().map(|run| run.rows.len()).max().unwrap_or_default();
        let all = Merged::<A>::new(std::mem::take(runs), columns);
        runs.push(Run::write(&all, scratch, work, &|_| told)?);
    }
    Ok(())
}

/// The same for runs whose rows may have several entries of a column: nothing is added up, each entry stays, those of a
/// column in the order of the runs.
pub(crate) fn keep_apart<A: Amount>(
    runs: &mut Vec<Run>,
    run: Run,
    scratch: &Path,
    work: &Work<'_>,
) -> Result<(), Error> {
    runs.push(run);
    if runs.len() < MOST {
        return Ok(());
    }
    let rows = runs.iter().map(|run| run.rows.len()).max().unwrap_or_default();
    let mut all = Run::new(rows, scratch)?;
    let mut buffer = Vec::new();
    for row in 0..rows {
        work.proceed()?;
        let mut entries: Vec<(u32, u32, A)> = Vec::new();
        for run in runs.iter() {
            for (cell, columns, amounts) in run.read::<A>(row, &mut buffer)?.view().iter() {
                let pairs = columns.iter().zip(amounts);
                entries.extend(pairs.map(|(&column, &amount)| (cell, column, amount)));
            }
        }
        entries.sort_by_key(|&(cell, column, _)| (cell, column));
        let mut made = Row::default();
        for group in entries.chunk_by(|a, b| a.0 == b.0) {
            made.group(group[0].0, |columns, amounts| {
                columns.extend(group.iter().map(|entry| entry.1));
                amounts.extend(group.iter().map(|entry| entry.2));
            });
        }
        all.push(row, made.view())?;
    }
    *runs = vec![all];
    Ok(())
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

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    /// A run of 5 rows and 4 columns, some of them twice in a row if `twice`.
    fn run(seed: u64, twice: bool, scratch: &Path) -> Run {
        let mut run = Run::new(5, scratch).unwrap();
        for row in 0..5 {
            let mut made = Row::<f64>::default();
            for cell in 0..2 {
                let number = seed.wrapping_mul(2_654_435_761).wrapping_add(row * 7 + cell) >> 3;
                let columns: Vec<u32> = (0..4).filter(|c| number >> c & 1 == 1).collect();
                if columns.is_empty() {
                    continue;
                }
                made.group(cell as u32, |to, amounts| {
                    for column in columns {
                        for part in 0..1 + u64::from(twice) {
                            to.push(column);
                            amounts.push(0.1 + (number % 1000) as f64 / 7.0 + part as f64 / 3.0);
                        }
                    }
                });
            }
            run.push(row as usize, made.view()).unwrap();
        }
        run
    }

    fn rows(runs: Vec<Run>) -> Vec<Row<f64>> {
        let merged = Merged::<f64>::new(runs, 5);
        let mut desk = merged.desk();
        let row = |row| {
            let mut made = Row::default();
            merged.row(row, &mut desk, &mut made).unwrap();
            made
        };
        (0..5).map(row).collect()
    }

    #[test]
    fn any_number_of_runs_is_few_files_and_the_same_sums() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = folder.path();
        let work = Work { threads: NonZeroUsize::MIN, ..Work::default() };
        let bits = |rows: Vec<Row<f64>>| -> Vec<_> {
            let bits = |row: &Row<f64>| row.amounts.iter().map(|a| a.to_bits()).collect::<Vec<_>>();
            rows.iter().map(|r| (r.groups.clone(), r.columns.clone(), bits(r))).collect()
        };
        for twice in [false, true] {
            let all = || (0..3 * MOST as u64 + 5).map(|seed| run(seed, twice, scratch));
            let mut kept = Vec::new();
            for run in all() {
                if twice {
                    keep_apart::<f64>(&mut kept, run, scratch, &work).unwrap();
                } else {
                    let told = Progress { stage: "counting", share: None, words: 0 };
                    keep::<f64>(&mut kept, run, scratch, &work, told).unwrap();
                }
                assert!(kept.len() < MOST);
            }
            assert_eq!(bits(rows(kept)), bits(rows(all().collect())));
        }
    }
}
