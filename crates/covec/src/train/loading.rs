//! From the row groups of a tensor to examples: weights, logarithms, and which pairs are held out.

use super::examples::{Group, Held};
use super::parameters::{Diagonal, TrainParameters};
use super::weighting::Weighting;
use crate::error::Error;
use crate::lots::{End, Lots, PairLots, Stream};
use crate::tensor::{Entries, Tensor};

/// What becomes of a row group; used again for the next.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    pub(crate) cols: Vec<u32>,
    pub(crate) targets: Vec<f32>,
    /// Row, entries, groups.
    pub(crate) rows: Vec<(u32, u32, u32)>,
    pub(crate) groups: Vec<Group>,
    /// Sum of the weights of every group.
    pub(crate) weights: Vec<f64>,
    pub(crate) held: Vec<Held>,
    /// Row, cell, sum of counts.
    pub(crate) sums: Vec<(u32, u32, f64)>,
}

impl Loaded {
    fn clear(&mut self) {
        let Self { cols, targets, rows, groups, weights, held, sums } = self;
        cols.clear();
        targets.clear();
        rows.clear();
        groups.clear();
        weights.clear();
        held.clear();
        sums.clear();
    }
}

/// Turns entries into examples.
pub(crate) struct Reader<'a> {
    tensor: &'a Tensor,
    parameters: &'a TrainParameters,
    /// The same for every seed: models of several seeds are judged by the same pairs.
    key: u64,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(tensor: &'a Tensor, parameters: &'a TrainParameters) -> Self {
        Self { tensor, parameters, key: Stream::new(0, End::HeldOut, 0).bits() }
    }

    /// A row group; what is in `loaded` gives way to it.
    pub(crate) fn group(&self, group: usize, mut loaded: Loaded) -> Result<Loaded, Error> {
        loaded.clear();
        let mut memory = Memory::new(self.parameters);
        let mut last: Option<(u32, u32)> = None;
        for entries in self.tensor.group(group)? {
            self.take(&entries?, &mut loaded, &mut memory, &mut last);
        }
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
            loaded.cols.push(col);
            loaded.targets.push(target);
            let Some((_, entries, groups)) = loaded.rows.last_mut() else { continue };
            *entries += 1;
            match loaded.groups.last_mut() {
                Some(group) if *groups > 0 && group.cell == cell => group.end += 1,
                _ => {
                    *groups += 1;
                    loaded.groups.push(Group { cell, end: *entries });
                    loaded.weights.push(0.0);
                }
            }
            if let Some(sum) = loaded.weights.last_mut() {
                *sum += f64::from(weight);
            }
        }
    }
}

/// Weights and logarithms of counts that were just met: most counts are met again and again.
struct Memory {
    weighting: Weighting,
    /// Count, weight, logarithm.
    slots: Vec<(f64, f32, f32)>,
}

impl Memory {
    fn new(parameters: &TrainParameters) -> Self {
        Self { weighting: Weighting::new(parameters), slots: vec![(0.0, 0.0, 0.0); 1 << 12] }
    }

    fn of(&mut self, count: f64) -> (f32, f32) {
        let hash = (count.to_bits() ^ (count.to_bits() >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = &mut self.slots[(hash >> 52) as usize];
        if slot.0 != count {
            let target = libm::log(count) as f32;
            *slot = (count, self.weighting.of(target), target);
        }
        (slot.1, slot.2)
    }
}
