//! The tensor as training reads it: a row for every word, its entries grouped by cell, each with
//! the logarithm of its count, which says its weight too. 8 bytes an entry, in memory, or in a
//! temporary file where they do not fit: the same bits either way.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use zerocopy::IntoBytes;

use super::loading::{Loaded, Part, Reader};
use super::met::Met;
use super::parameters::TrainParameters;
use super::state::{Layout, State, independence};
use super::table::Table;
use super::weighting::Weighting;
use crate::error::Error;
use crate::parallel;
use crate::scratch::ScratchFile;
use crate::tensor::{Tensor, TensorError};
use crate::work::{Progress, Work};

/// Bytes an entry takes.
const BYTES: u64 = 8;

/// A run of entries of one row that share their cell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Group {
    pub(crate) cell: u32,
    /// Where it ends among the row's entries.
    pub(crate) end: u32,
}

/// The entries of one row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) groups: &'a [Group],
    pub(crate) cols: &'a [u32],
    /// ln(count).
    pub(crate) targets: &'a [f32],
    pub(crate) weighting: Weighting,
}

impl<'a> Row<'a> {
    /// The groups: cell and entries.
    pub(crate) fn iter(self) -> impl Iterator<Item = (usize, Run<'a>)> {
        let mut start = 0;
        self.groups.iter().map(move |group| {
            let range = start..group.end as usize;
            start = range.end;
            let run = Run {
                cols: &self.cols[range.clone()],
                targets: &self.targets[range],
                weighting: self.weighting,
            };
            (group.cell as usize, run)
        })
    }
}

/// Entries of one row and cell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) cols: &'a [u32],
    pub(crate) targets: &'a [f32],
    pub(crate) weighting: Weighting,
}

impl Run<'_> {
    /// f(count) of every entry, behind what is in `weights` already.
    #[inline(always)]
    pub(crate) fn weigh(self, weights: &mut Vec<f32>) {
        weights.clear();
        self.weigh_more(weights);
    }

    /// The same, behind those that are there.
    #[inline(always)]
    pub(crate) fn weigh_more(self, weights: &mut Vec<f32>) {
        let start = weights.len();
        weights.resize(start + self.targets.len(), 0.0);
        for (weight, &target) in weights[start..].iter_mut().zip(self.targets) {
            *weight = self.weighting.of(target);
        }
    }

    /// What is left of the targets once the biases are taken away.
    #[inline(always)]
    pub(crate) fn without_biases(
        self,
        state: &State,
        word: usize,
        cell: usize,
        left: &mut Vec<f32>,
    ) {
        let own = state.bias(word, cell);
        let words = state.words();
        let targets = self.cols.iter().zip(self.targets);
        left.clear();
        match state.layout.cells[cell][..] {
            // By far the most common, and in the innermost loops.
            [level] => {
                let biases = &state.biases[level * words..(level + 1) * words];
                left.extend(targets.map(|(&col, target)| target - own - biases[col as usize]));
            }
            _ => left.extend(
                targets.map(|(&col, target)| target - own - state.bias(col as usize, cell)),
            ),
        }
    }

    /// Those whose column is at most `row`: every unordered pair once. They are counted, not searched for: memory that is
    /// walked through comes by itself.
    #[inline(always)]
    pub(crate) fn lower(self, row: u32) -> Self {
        let len = self.cols.iter().map(|&col| u32::from(col <= row)).sum::<u32>() as usize;
        Self { cols: &self.cols[..len], targets: &self.targets[..len], ..self }
    }

    /// Those whose column is in the range.
    pub(crate) fn within(self, cols: std::ops::Range<u32>) -> Self {
        let range = self.cols.partition_point(|&col| col < cols.start)
            ..self.cols.partition_point(|&col| col < cols.end);
        Self {
            cols: &self.cols[range.clone()],
            targets: &self.targets[range],
            weighting: self.weighting,
        }
    }
}

/// A pair that is kept out of training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Held {
    pub(crate) row: u32,
    pub(crate) col: u32,
    pub(crate) cell: u32,
    pub(crate) weight: f32,
    pub(crate) target: f32,
}

impl Held {
    /// The weighted square of its residual, and its weight; the vectors are the state's own or those
    /// of one level.
    #[inline(always)]
    pub(crate) fn missed(&self, state: &State, vectors: &Table, met: &Met) -> (f64, f64) {
        self.missed_by(state, [vectors.row(self.row as usize), vectors.row(self.col as usize)], met)
    }

    /// The same with these vectors of the two words.
    #[inline(always)]
    pub(crate) fn missed_by(&self, state: &State, pair: [&[f32]; 2], met: &Met) -> (f64, f64) {
        let (row, col, cell) = (self.row as usize, self.col as usize, self.cell as usize);
        let residual = f64::from(self.target) - met.read(state.predict_by(pair, row, col, cell));
        let weight = f64::from(self.weight);
        (weight * residual * residual, weight)
    }
}

/// All that is learnt from.
#[derive(Debug)]
pub(crate) struct Examples {
    /// Where every row is: its first entry and number of entries.
    places: Vec<(usize, u32)>,
    group_starts: Vec<usize>,
    groups: Vec<Group>,
    store: Store,
    weighting: Weighting,
    /// Pairs that are kept out, each once, sorted by row.
    pub(crate) held: Vec<Held>,
    /// Sum of the weights of every row.
    pub(crate) row_weights: Vec<f32>,
    /// Sum of the weights of every cell.
    pub(crate) cell_weights: Vec<f64>,
    /// Of all pairs of words in a cell, each with the shares of its words, those that never met there.
    pub(crate) unmet: Vec<f64>,
    /// Whether pairs that are not there never met; not where small counts were left out.
    pub(crate) complete: bool,
    /// Factors that the cells are combinations of.
    pub(crate) factors: usize,
    /// Sum of the counts of every word in every level: level × words + word.
    pub(crate) sums: Vec<f32>,
    /// Entries to learn from, both orders of a pair.
    pub(crate) entries: u64,
}

#[derive(Debug)]
enum Store {
    /// Columns and targets of all entries.
    Memory(Vec<u32>, Vec<f32>),
    /// Row after row, its columns and then its targets.
    Disk(ScratchFile),
}

impl Store {
    fn append(&mut self, own_cols: &[u32], own_targets: &[f32]) -> Result<(), Error> {
        match self {
            Self::Memory(cols, targets) => {
                cols.extend_from_slice(own_cols);
                targets.extend_from_slice(own_targets);
            }
            Self::Disk(file) => {
                file.append(own_cols)?;
                file.append(own_targets)?;
            }
        }
        Ok(())
    }
}

/// Room for a row that comes from the disk.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    cols: Vec<u32>,
    targets: Vec<f32>,
}

impl Examples {
    /// Reads the tensor. Where it does not fit into half of the memory it goes to a temporary file
    /// in `scratch`.
    pub(crate) fn load(
        tensor: &Tensor,
        parameters: &TrainParameters,
        scratch: &Path,
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        Self::load_holding_out(0, tensor, parameters, scratch, work)
    }

    /// The same with other pairs held out than those of all models, which are lot 0.
    pub(crate) fn load_holding_out(
        lot: u64,
        tensor: &Tensor,
        parameters: &TrainParameters,
        scratch: &Path,
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        let layout = Layout::new(&tensor.covariates);
        let stored = tensor.record.entries.stored;
        let reader = Reader::holding_out(lot, tensor, parameters);
        Self::read(tensor, &reader, &layout, stored, scratch, work)
    }

    /// The same of some cells only, as one level.
    pub(crate) fn part(
        tensor: &Tensor,
        part: Part<'_>,
        parameters: &TrainParameters,
        scratch: &Path,
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        let by_cell = &tensor.record.entries.by_cell;
        let most = by_cell.iter().zip(part.cells).filter(|(_, own)| **own).map(|(n, _)| n).sum();
        let reader = Reader::of(tensor, part, parameters);
        Self::read(tensor, &reader, &Layout::one(), most, scratch, work)
    }

    fn read(
        tensor: &Tensor,
        reader: &Reader<'_>,
        layout: &Layout,
        stored: u64,
        scratch: &Path,
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        let words = tensor.vocabulary.len();
        let store = if stored.saturating_mul(BYTES) <= work.memory.0 / 2 {
            // At once: room that grows would be copied, and left behind in pieces.
            let room = stored as usize;
            Store::Memory(Vec::with_capacity(room), Vec::with_capacity(room))
        } else {
            Store::Disk(ScratchFile::new(scratch)?)
        };
        let mut this = Self {
            places: vec![(0, 0); words],
            group_starts: Vec::with_capacity(words + 1),
            groups: Vec::new(),
            store,
            weighting: reader.weighting(),
            held: Vec::new(),
            row_weights: vec![0.0; words],
            cell_weights: vec![0.0; layout.cells.len()],
            unmet: vec![1.0; layout.cells.len()],
            complete: tensor.record.entries.dropped == 0,
            factors: layout.factors.len(),
            sums: vec![0.0; layout.levels() * words],
            entries: 0,
        };
        let spare: Mutex<Vec<Loaded>> = Mutex::default();
        let total = tensor.groups();
        let mut done = 0;
        while done < total {
            work.proceed()?;
            let share = done as f64 / total as f64;
            work.observer.progress(Progress { stage: "loading", share: Some(share), words: 0 });
            let batch = work.threads.get().min(total - done);
            let loaded = parallel::tasks(work.threads, batch, |task| {
                let room = spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
                reader.group(done + task, room.unwrap_or_default())
            })?;
            for group in loaded {
                this.add(&group, &layout.cells, tensor)?;
                spare.lock().unwrap_or_else(PoisonError::into_inner).push(group);
            }
            done += batch;
        }
        this.group_starts.resize(words + 1, this.groups.len());
        this.groups.shrink_to_fit();
        this.held.shrink_to_fit();
        if reader.knows_of_unmet() {
            this.unmet = this.find_unmet(work)?;
        }
        Ok(this)
    }

    fn add(
        &mut self,
        loaded: &Loaded,
        levels: &[Vec<usize>],
        tensor: &Tensor,
    ) -> Result<(), Error> {
        let words = self.places.len();
        let (mut start, mut group) = (0, 0);
        for &(row, entries, groups) in &loaded.rows {
            if self.group_starts.len() > row as usize {
                let problem = format!("row {row} stands in two row groups");
                return Err(TensorError::Damaged { path: tensor.path.clone(), problem }.into());
            }
            self.group_starts.resize(row as usize + 1, self.groups.len());
            self.places[row as usize] = (self.entries as usize, entries);
            let own = group..group + groups as usize;
            for (g, sum) in loaded.groups[own.clone()].iter().zip(&loaded.weights[own.clone()]) {
                self.cell_weights[g.cell as usize] += sum;
                self.row_weights[row as usize] += *sum as f32;
            }
            self.groups.extend_from_slice(&loaded.groups[own.clone()]);
            let range = start..start + entries as usize;
            (start, group) = (range.end, own.end);
            self.entries += u64::from(entries);
            let (own_cols, own_targets) = (&loaded.cols[range.clone()], &loaded.targets[range]);
            self.store.append(own_cols, own_targets)?;
        }
        for &(row, cell, sum) in &loaded.sums {
            for &level in &levels[cell as usize] {
                self.sums[level * words + row as usize] += sum as f32;
            }
        }
        self.held.extend_from_slice(&loaded.held);
        Ok(())
    }

    /// The share of every word in all data.
    pub(crate) fn shares(&self) -> Vec<f32> {
        let all: f64 = self.row_weights.iter().map(|&weight| f64::from(weight)).sum();
        let share = |&weight: &f32| (f64::from(weight) / all.max(f64::MIN_POSITIVE)) as f32;
        self.row_weights.iter().map(share).collect()
    }

    /// See [`Examples::unmet`]. Pairs that are held out have met, and a word needs not meet itself.
    fn find_unmet(&self, work: &Work<'_>) -> Result<Vec<f64>, Error> {
        let shares = self.shares();
        let share = |word: u32| f64::from(shares[word as usize]);
        let cells = self.cell_weights.len();
        let stretches = self.stretches();
        let parts = parallel::map(
            work.threads,
            stretches.len(),
            &mut Vec::new(),
            Buffer::default,
            |buffer, task| {
                let mut met = vec![0.0; cells];
                for word in stretches[task].clone() {
                    for (cell, run) in self.row(word, buffer)?.iter() {
                        let others = run.cols.iter().filter(|col| **col as usize != word);
                        let sum: f64 = others.map(|&col| share(col)).sum();
                        met[cell] += f64::from(shares[word]) * sum;
                    }
                }
                Ok(met)
            },
        )?;
        let with_itself: f64 = (0..shares.len() as u32).map(|word| share(word) * share(word)).sum();
        let mut met = vec![with_itself; cells];
        for part in parts {
            met.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        for held in self.held.iter().filter(|held| held.row != held.col) {
            met[held.cell as usize] += 2.0 * share(held.row) * share(held.col);
        }
        Ok(met.into_iter().map(|met| (1.0 - met).max(0.0)).collect())
    }

    /// As many rows as are to come, kept where these are kept.
    pub(super) fn empty(&self, words: usize, scratch: &Path) -> Result<Self, Error> {
        let store = match &self.store {
            Store::Memory(..) => Store::Memory(Vec::new(), Vec::new()),
            Store::Disk(_) => Store::Disk(ScratchFile::new(scratch)?),
        };
        Ok(Self {
            places: vec![(0, 0); words],
            group_starts: vec![0],
            groups: Vec::new(),
            store,
            weighting: self.weighting,
            held: Vec::new(),
            row_weights: vec![0.0; words],
            cell_weights: vec![0.0; self.cell_weights.len()],
            unmet: vec![1.0; self.cell_weights.len()],
            complete: self.complete,
            factors: self.factors,
            sums: Vec::new(),
            entries: 0,
        })
    }

    /// Adds the next row.
    pub(super) fn push(
        &mut self,
        row: usize,
        groups: &[Group],
        own_cols: &[u32],
        own_targets: &[f32],
    ) -> Result<(), Error> {
        self.places[row] = (self.entries as usize, own_cols.len() as u32);
        self.groups.extend_from_slice(groups);
        self.group_starts.push(self.groups.len());
        self.entries += own_cols.len() as u64;
        self.store.append(own_cols, own_targets)
    }

    /// What the biases are drawn to; the sums are not needed after.
    pub(crate) fn take_prior(&mut self, layout: &Layout) -> Arc<[f32]> {
        independence(layout, &std::mem::take(&mut self.sums), self.words())
    }

    pub(crate) fn words(&self) -> usize {
        self.places.len()
    }

    /// Entries of a row.
    pub(crate) fn len(&self, row: usize) -> usize {
        self.places[row].1 as usize
    }

    /// The groups of a row.
    pub(crate) fn groups(&self, row: usize) -> &[Group] {
        &self.groups[self.group_starts[row]..self.group_starts[row + 1]]
    }

    /// A row; `buffer` holds it where it comes from the disk.
    pub(crate) fn row<'a>(&'a self, row: usize, buffer: &'a mut Buffer) -> Result<Row<'a>, Error> {
        let (start, len) = (self.places[row].0, self.len(row));
        let (groups, weighting) = (self.groups(row), self.weighting);
        let (cols, targets) = match &self.store {
            Store::Memory(cols, targets) => {
                (&cols[start..start + len], &targets[start..start + len])
            }
            Store::Disk(file) => {
                buffer.cols.resize(len, 0);
                buffer.targets.resize(len, 0.0);
                let at = start as u64 * BYTES;
                file.read(at, &mut buffer.cols)?;
                file.read(at + buffer.cols.as_bytes().len() as u64, &mut buffer.targets)?;
                (&*buffer.cols, &*buffer.targets)
            }
        };
        Ok(Row { groups, cols, targets, weighting })
    }

    /// Ranges of rows of about equal work: the same for any number of threads, so that sums over
    /// them are too.
    pub(crate) fn stretches(&self) -> Vec<std::ops::Range<usize>> {
        let most = (self.entries / 96).max(1 << 14);
        let mut stretches = Vec::new();
        let (mut first, mut sum) = (0, 0);
        for row in 0..self.words() {
            sum += self.len(row) as u64;
            if sum >= most || row + 1 == self.words() {
                stretches.push(first..row + 1);
                (first, sum) = (row + 1, 0);
            }
        }
        stretches
    }
}

#[cfg(test)]
impl Examples {
    /// One level whose counts are this table, symmetric; 0 where there is no entry.
    pub(crate) fn of_counts(counts: &[Vec<f64>], parameters: &TrainParameters) -> Self {
        let mut this = Self::of_cells(&[counts], parameters);
        this.sums = counts.iter().map(|counts| counts.iter().sum::<f64>() as f32).collect();
        this
    }

    /// Cells, each with such a table. Sums by level are left out.
    pub(crate) fn of_cells(cells: &[&[Vec<f64>]], parameters: &TrainParameters) -> Self {
        let weighting = Weighting::new(parameters);
        let none = Self {
            places: Vec::new(),
            group_starts: vec![0],
            groups: Vec::new(),
            store: Store::Memory(Vec::new(), Vec::new()),
            weighting,
            held: Vec::new(),
            row_weights: Vec::new(),
            cell_weights: vec![0.0; cells.len()],
            unmet: vec![1.0; cells.len()],
            complete: true,
            factors: 1,
            sums: Vec::new(),
            entries: 0,
        };
        let words = cells[0].len();
        let Ok(mut this) = none.empty(words, Path::new(".")) else { return none };
        for row in 0..words {
            let (mut groups, mut cols, mut targets) = (Vec::new(), Vec::new(), Vec::new());
            for (cell, counts) in cells.iter().enumerate() {
                let there = (0..words).filter(|&col| counts[row][col] > 0.0);
                let start = cols.len();
                cols.extend(there.map(|col| col as u32));
                targets.extend(
                    cols[start..].iter().map(|&col| libm::log(counts[row][col as usize]) as f32),
                );
                if cols.len() > start {
                    groups.push(Group { cell: cell as u32, end: cols.len() as u32 });
                }
                let own: f32 = targets[start..].iter().map(|&target| weighting.of(target)).sum();
                this.row_weights[row] += own;
                this.cell_weights[cell] += f64::from(own);
            }
            if this.push(row, &groups, &cols, &targets).is_err() {
                return this;
            }
        }
        this
    }
}
