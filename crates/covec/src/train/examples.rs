//! The tensor as training reads it: a row for every word, its entries grouped by cell, each with
//! the weight and the logarithm of its count. 12 bytes an entry, in memory, or in a temporary file
//! where they do not fit: the same bits either way.

use std::path::Path;
use std::sync::Arc;

use zerocopy::IntoBytes;

use super::parameters::{Diagonal, TrainParameters};
use super::state::{Layout, State, independence};
use super::table::Table;
use crate::error::Error;
use crate::lots::{End, Lots, PairLots, Stream};
use crate::parallel;
use crate::scratch::ScratchFile;
use crate::tensor::{Entries, Tensor, TensorError};
use crate::work::{Progress, Work};

/// Bytes an entry takes.
const BYTES: u64 = 12;

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
    /// f(count).
    pub(crate) weights: &'a [f32],
    /// ln(count).
    pub(crate) targets: &'a [f32],
}

impl<'a> Row<'a> {
    /// The groups: cell, columns, weights, targets.
    pub(crate) fn iter(self) -> impl Iterator<Item = (usize, Run<'a>)> {
        let mut start = 0;
        self.groups.iter().map(move |group| {
            let range = start..group.end as usize;
            start = range.end;
            let run = Run {
                cols: &self.cols[range.clone()],
                weights: &self.weights[range.clone()],
                targets: &self.targets[range],
            };
            (group.cell as usize, run)
        })
    }
}

/// Entries of one row and cell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) cols: &'a [u32],
    pub(crate) weights: &'a [f32],
    pub(crate) targets: &'a [f32],
}

impl Run<'_> {
    /// What is left of the targets once the biases are taken away.
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

    /// Those whose column is at most `row`: every unordered pair once.
    pub(crate) fn lower(self, row: u32) -> Self {
        self.within(0..row + 1)
    }

    /// Those whose column is in the range.
    pub(crate) fn within(self, cols: std::ops::Range<u32>) -> Self {
        let range = self.cols.partition_point(|&col| col < cols.start)
            ..self.cols.partition_point(|&col| col < cols.end);
        Self {
            cols: &self.cols[range.clone()],
            weights: &self.weights[range.clone()],
            targets: &self.targets[range],
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
    pub(crate) fn missed(&self, state: &State, vectors: &Table) -> (f64, f64) {
        let (row, col, cell) = (self.row as usize, self.col as usize, self.cell as usize);
        let residual = f64::from(self.target) - state.predict(vectors, row, col, cell);
        let weight = f64::from(self.weight);
        (weight * residual * residual, weight)
    }
}

/// All that is learnt from.
#[derive(Debug)]
pub(crate) struct Examples {
    /// Where every row is: its part, first entry and number of entries.
    places: Vec<(u32, u32, u32)>,
    group_starts: Vec<usize>,
    groups: Vec<Group>,
    store: Store,
    /// Pairs that are kept out, each once, sorted by row.
    pub(crate) held: Vec<Held>,
    /// Sum of the weights of every row.
    pub(crate) row_weights: Vec<f32>,
    /// Sum of the weights of every cell.
    pub(crate) cell_weights: Vec<f64>,
    /// Sum of the counts of every word in every level: level × words + word.
    pub(crate) sums: Vec<f32>,
    /// Entries to learn from, both orders of a pair.
    pub(crate) entries: u64,
}

#[derive(Debug)]
enum Store {
    Memory(Vec<Part>),
    Disk(ScratchFile, Vec<u64>),
}

/// The rows of one row group of the file.
#[derive(Debug, Default)]
struct Part {
    cols: Vec<u32>,
    weights: Vec<f32>,
    targets: Vec<f32>,
}

/// Room for a row that comes from the disk.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    cols: Vec<u32>,
    weights: Vec<f32>,
    targets: Vec<f32>,
}

/// What a task makes of a row group.
#[derive(Default)]
struct Loaded {
    part: Part,
    /// Row, entries, groups.
    rows: Vec<(u32, u32, u32)>,
    groups: Vec<Group>,
    held: Vec<Held>,
    /// Row, cell, sum of counts.
    sums: Vec<(u32, u32, f64)>,
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
        let words = tensor.vocabulary.len();
        let layout = Layout::new(&tensor.covariates);
        let fits = tensor.record.entries.stored * BYTES <= work.memory.0 / 2;
        let store = if fits {
            Store::Memory(Vec::new())
        } else {
            Store::Disk(ScratchFile::new(scratch)?, Vec::new())
        };
        let mut this = Self {
            places: vec![(0, 0, 0); words],
            group_starts: Vec::with_capacity(words + 1),
            groups: Vec::new(),
            store,
            held: Vec::new(),
            row_weights: vec![0.0; words],
            cell_weights: vec![0.0; tensor.covariates.cells.len()],
            sums: vec![0.0; layout.levels() * words],
            entries: 0,
        };
        let reader = Reader { tensor, parameters, key: Stream::new(0, End::HeldOut, 0).bits() };
        let total = tensor.groups();
        let mut done = 0;
        while done < total {
            work.proceed()?;
            let share = done as f64 / total as f64;
            work.observer.progress(Progress { stage: "loading", share: Some(share), words: 0 });
            let batch = work.threads.get().min(total - done);
            let loaded = parallel::tasks(work.threads, batch, |task| reader.group(done + task))?;
            for group in loaded {
                this.add(group, &layout.cells, tensor)?;
            }
            done += batch;
        }
        this.group_starts.resize(words + 1, this.groups.len());
        this.groups.shrink_to_fit();
        this.held.shrink_to_fit();
        Ok(this)
    }

    fn add(&mut self, loaded: Loaded, levels: &[Vec<usize>], tensor: &Tensor) -> Result<(), Error> {
        let words = self.places.len();
        let (mut start, mut group) = (0_u32, 0_usize);
        for &(row, entries, groups) in &loaded.rows {
            if self.group_starts.len() > row as usize {
                let problem = format!("row {row} stands in two row groups");
                return Err(TensorError::Damaged { path: tensor.path.clone(), problem }.into());
            }
            self.group_starts.resize(row as usize + 1, self.groups.len());
            self.places[row as usize] = (self.parts() as u32, start, entries);
            let weights = &loaded.part.weights[start as usize..(start + entries) as usize];
            let mut from = 0;
            for g in &loaded.groups[group..group + groups as usize] {
                let sum: f64 = weights[from..g.end as usize].iter().map(|&w| f64::from(w)).sum();
                self.cell_weights[g.cell as usize] += sum;
                self.row_weights[row as usize] += sum as f32;
                from = g.end as usize;
            }
            self.groups.extend_from_slice(&loaded.groups[group..group + groups as usize]);
            start += entries;
            group += groups as usize;
        }
        for (row, cell, sum) in loaded.sums {
            for &level in &levels[cell as usize] {
                self.sums[level * words + row as usize] += sum as f32;
            }
        }
        self.entries += loaded.part.cols.len() as u64;
        self.held.extend(loaded.held);
        match &mut self.store {
            Store::Memory(parts) => parts.push(loaded.part),
            Store::Disk(file, starts) => {
                starts.push(file.end());
                let mut start = 0;
                for &(_, entries, _) in &loaded.rows {
                    let range = start..start + entries as usize;
                    start = range.end;
                    file.append(&loaded.part.cols[range.clone()])?;
                    file.append(&loaded.part.weights[range.clone()])?;
                    file.append(&loaded.part.targets[range])?;
                }
            }
        }
        Ok(())
    }

    /// What the biases are drawn to; the sums are not needed after.
    pub(crate) fn take_prior(&mut self, layout: &Layout) -> Arc<[f32]> {
        independence(layout, &std::mem::take(&mut self.sums), self.words())
    }

    fn parts(&self) -> usize {
        match &self.store {
            Store::Memory(parts) => parts.len(),
            Store::Disk(_, starts) => starts.len(),
        }
    }

    pub(crate) fn words(&self) -> usize {
        self.places.len()
    }

    /// Entries of a row.
    pub(crate) fn len(&self, row: usize) -> usize {
        self.places[row].2 as usize
    }

    /// The groups of a row.
    pub(crate) fn groups(&self, row: usize) -> &[Group] {
        &self.groups[self.group_starts[row]..self.group_starts[row + 1]]
    }

    /// A row; `buffer` holds it where it comes from the disk.
    pub(crate) fn row<'a>(&'a self, row: usize, buffer: &'a mut Buffer) -> Result<Row<'a>, Error> {
        let (part, start, len) = self.places[row];
        let (start, len) = (start as usize, len as usize);
        let groups = self.groups(row);
        match &self.store {
            Store::Memory(parts) => {
                let range = start..start + len;
                let Some(part) = parts.get(part as usize) else {
                    return Ok(Row { groups, cols: &[], weights: &[], targets: &[] });
                };
                Ok(Row {
                    groups,
                    cols: &part.cols[range.clone()],
                    weights: &part.weights[range.clone()],
                    targets: &part.targets[range],
                })
            }
            Store::Disk(file, starts) => {
                buffer.cols.resize(len, 0);
                buffer.weights.resize(len, 0.0);
                buffer.targets.resize(len, 0.0);
                if len > 0 {
                    let at = starts[part as usize] + start as u64 * BYTES;
                    file.read(at, &mut buffer.cols)?;
                    let bytes = buffer.cols.as_bytes().len() as u64;
                    file.read(at + bytes, &mut buffer.weights)?;
                    file.read(at + 2 * bytes, &mut buffer.targets)?;
                }
                Ok(Row {
                    groups,
                    cols: &buffer.cols,
                    weights: &buffer.weights,
                    targets: &buffer.targets,
                })
            }
        }
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

/// Turns entries into examples.
struct Reader<'a> {
    tensor: &'a Tensor,
    parameters: &'a TrainParameters,
    /// The same for every seed: models of several seeds are judged by the same pairs.
    key: u64,
}

impl Reader<'_> {
    fn group(&self, group: usize) -> Result<Loaded, Error> {
        let mut loaded = Loaded::default();
        let mut memory = Memory::new(self.parameters);
        let mut last: Option<(u32, u32)> = None;
        for entries in self.tensor.group(group)? {
            self.take(&entries?, &mut loaded, &mut memory, &mut last);
        }
        // Of all that is kept this is by far the most.
        loaded.part.cols.shrink_to_fit();
        loaded.part.weights.shrink_to_fit();
        loaded.part.targets.shrink_to_fit();
        Ok(loaded)
    }

    fn take(
        &self,
        entries: &Entries,
        loaded: &mut Loaded,
        memory: &mut Memory,
        last: &mut Option<(u32, u32)>,
    ) {
        let threshold = (self.parameters.held_out * (1_u64 << 32) as f64) as u64;
        for i in 0..entries.values.len() {
            let (row, col, cell) = (entries.rows[i], entries.cols[i], entries.cells[i]);
            if last.is_none_or(|(r, _)| r != row) {
                loaded.rows.push((row, 0, 0));
            }
            if *last != Some((row, cell)) {
                loaded.sums.push((row, cell, 0.0));
            }
            *last = Some((row, cell));
            if let Some(sum) = loaded.sums.last_mut() {
                sum.2 += entries.values[i];
            }
            if row == col && self.parameters.diagonal == Diagonal::Drop {
                continue;
            }
            let (weight, target) = memory.of(entries.values[i]);
            let lot = PairLots::new(self.key ^ u64::from(cell), row, col).bits() >> 32;
            if lot < threshold {
                if col <= row {
                    loaded.held.push(Held { row, col, cell, weight, target });
                }
                continue;
            }
            loaded.part.cols.push(col);
            loaded.part.weights.push(weight);
            loaded.part.targets.push(target);
            let Some((_, entries, groups)) = loaded.rows.last_mut() else { continue };
            *entries += 1;
            match loaded.groups.last_mut() {
                Some(group) if *groups > 0 && group.cell == cell => group.end += 1,
                _ => {
                    *groups += 1;
                    loaded.groups.push(Group { cell, end: *entries });
                }
            }
        }
    }
}

/// Weights and logarithms of counts that were just met: most counts are met again and again.
struct Memory<'a> {
    parameters: &'a TrainParameters,
    slots: Vec<(f64, f32, f32)>,
}

impl<'a> Memory<'a> {
    fn new(parameters: &'a TrainParameters) -> Self {
        Self { parameters, slots: vec![(0.0, 0.0, 0.0); 1 << 12] }
    }

    fn of(&mut self, count: f64) -> (f32, f32) {
        let hash = (count.to_bits() ^ (count.to_bits() >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = &mut self.slots[(hash >> 52) as usize];
        if slot.0 != count {
            let share = count.min(self.parameters.x_max) / self.parameters.x_max;
            let weight = libm::pow(share, self.parameters.alpha) as f32;
            *slot = (count, weight.max(f32::MIN_POSITIVE), libm::log(count) as f32);
        }
        (slot.1, slot.2)
    }
}
