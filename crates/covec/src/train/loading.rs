//! From the row groups of a tensor to examples: weights, logarithms, and which pairs are held out.
//!
//! Of some cells only, these become examples of one single level: a cell by itself with the pairs that are held out in it, so
//! that a fit to it alone is judged by the pairs a joint fit is judged by. Several cells are added up without what is held out
//! in any of them, and of the sums some are held out in turn.
//!
//! A sum that lacks a cell would tell of it by being small. So it is scaled to what it would be with that cell, were words
//! independent: by Σ E_c over all cells to Σ E_c over those that are left, E_c = S_ic S_jc / S_c. Where less than [`LEAST_LEFT`]
//! of that is left the pair is left out.

use super::examples::{Group, Held};
use super::parameters::{Diagonal, TrainParameters};
use super::weighting::Weighting;
use crate::error::Error;
use crate::lots::{End, Lots, PairLots, Stream};
use crate::memo::Memo;
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

/// Share of what is expected of a pair that must be left for its sum to stand.
const LEAST_LEFT: f64 = 0.25;

/// Some cells of a tensor, as one level.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'a> {
    /// Which cells.
    pub(crate) cells: &'a [bool],
    /// Sums of the counts of every word in every cell of the tensor, cell × words + word; needed where several cells are added
    /// up and some pairs are held out.
    pub(crate) sums: &'a [f32],
}

/// Turns entries into examples.
pub(crate) struct Reader<'a> {
    tensor: &'a Tensor,
    parameters: &'a TrainParameters,
    /// Decides which pairs are held out. The same for every seed: models of several seeds are judged by the same pairs.
    key: u64,
    /// The cells that are read, as one level; none for all of them, each by itself.
    part: Option<Part<'a>>,
    /// Whether that is but one cell.
    alone: bool,
    /// Sums of the counts of every cell, where those of words are known.
    totals: Vec<f64>,
}

/// Where the reading of a row group is.
struct Place {
    weighting: Weighting,
    /// Weight and logarithm of a count.
    memo: Memo<(f32, f32)>,
    /// Row and cell of the entry before.
    last: Option<(u32, u32)>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(tensor: &'a Tensor, parameters: &'a TrainParameters) -> Self {
        Self::holding_out(0, tensor, parameters)
    }

    /// With other pairs held out than those of all models, which are lot 0.
    pub(crate) fn holding_out(
        lot: u64,
        tensor: &'a Tensor,
        parameters: &'a TrainParameters,
    ) -> Self {
        let key = Stream::new(0, End::HeldOut, lot).bits();
        Self { tensor, parameters, key, part: None, alone: false, totals: Vec::new() }
    }

    /// Of these cells only, as one level.
    pub(crate) fn of(tensor: &'a Tensor, part: Part<'a>, parameters: &'a TrainParameters) -> Self {
        let alone = part.cells.iter().filter(|own| **own).count() == 1;
        let total = |own: &[f32]| own.iter().map(|&sum| f64::from(sum)).sum();
        let totals = part.sums.chunks_exact(tensor.vocabulary.len().max(1)).map(total).collect();
        Self { part: Some(part), alone, totals, ..Self::new(tensor, parameters) }
    }

    /// Whether pairs that never met count.
    pub(crate) fn knows_of_unmet(&self) -> bool {
        self.parameters.chance(1) > 0.0
    }

    /// What weighs the entries.
    pub(crate) fn weighting(&self) -> Weighting {
        Weighting::new(self.parameters)
    }

    /// A row group; what is in `loaded` gives way to it.
    pub(crate) fn group(&self, group: usize, mut loaded: Loaded) -> Result<Loaded, Error> {
        loaded.clear();
        let mut place = Place { weighting: self.weighting(), memo: Memo::new(), last: None };
        let mut row = PartRow::default();
        for entries in self.tensor.group(group)? {
            let entries = entries?;
            match self.part {
                None => self.take(&entries, &mut loaded, &mut place),
                Some(part) => {
                    self.take_part(&entries, part.cells, &mut row, &mut loaded, &mut place);
                }
            }
        }
        self.close(&mut row, &mut loaded, &mut place);
        Ok(loaded)
    }

    /// Whether a pair is held out in a cell.
    fn is_held(&self, row: u32, col: u32, cell: u64) -> bool {
        let threshold = (self.parameters.held_out * (1_u64 << 32) as f64) as u64;
        PairLots::new(self.key ^ cell, row, col).bits() >> 32 < threshold
    }

    fn take(&self, entries: &Entries, loaded: &mut Loaded, place: &mut Place) {
        for i in 0..entries.values.len() {
            let (row, col, cell) = (entries.rows[i], entries.cols[i], entries.cells[i]);
            loaded.add(row, cell, entries.values[i], place);
            let held = || self.is_held(row, col, u64::from(cell));
            self.learn([row, col, cell], entries.values[i], held, loaded, place);
        }
    }

    fn take_part(
        &self,
        entries: &Entries,
        cells: &[bool],
        row: &mut PartRow,
        loaded: &mut Loaded,
        place: &mut Place,
    ) {
        for i in 0..entries.values.len() {
            let cell = entries.cells[i];
            if !cells[cell as usize] {
                continue;
            }
            if row.row != entries.rows[i] {
                self.close(row, loaded, place);
                row.row = entries.rows[i];
            }
            row.entries.push((entries.cols[i], cell, entries.values[i]));
        }
    }

    /// A row of a part is complete.
    fn close(&self, own: &mut PartRow, loaded: &mut Loaded, place: &mut Place) {
        let (row, alone) = (own.row, self.alone);
        // Stable: the cells of a pair are added in the order of the file, from either side.
        own.entries.sort_by_key(|&(col, ..)| col);
        for pair in own.entries.chunk_by(|a, b| a.0 == b.0) {
            let col = pair[0].0;
            let (mut value, mut left, mut lacking) = (0.0, 0, 0.0);
            for &(_, cell, own) in pair {
                loaded.add(row, 0, own, place);
                if alone || !self.is_held(row, col, u64::from(cell)) {
                    value += own;
                    left += 1;
                } else {
                    lacking += self.expected(row, col, cell as usize);
                }
            }
            if lacking > 0.0 {
                let cells = self.part.map_or(&[][..], |part| part.cells);
                let inside = (0..cells.len()).filter(|&cell| cells[cell]);
                let all: f64 = inside.map(|cell| self.expected(row, col, cell)).sum();
                if all - lacking < LEAST_LEFT * all {
                    continue;
                }
                value *= all / (all - lacking);
            }
            // No cell has this number.
            let cell = if alone { u64::from(pair[0].1) } else { u64::MAX };
            if left > 0 {
                self.learn([row, col, 0], value, || self.is_held(row, col, cell), loaded, place);
            }
        }
        own.entries.clear();
    }

    /// What a cell would have of a pair, were words independent.
    fn expected(&self, row: u32, col: u32, cell: usize) -> f64 {
        let (Some(part), Some(&total)) = (self.part, self.totals.get(cell)) else { return 0.0 };
        let words = self.tensor.vocabulary.len();
        let sum = |word: u32| f64::from(part.sums[cell * words + word as usize]);
        if total > 0.0 { sum(row) * sum(col) / total } else { 0.0 }
    }

    /// An entry becomes an example, or is held out.
    #[inline(always)]
    fn learn(
        &self,
        [row, col, cell]: [u32; 3],
        value: f64,
        is_held: impl FnOnce() -> bool,
        loaded: &mut Loaded,
        place: &mut Place,
    ) {
        if row == col && self.parameters.diagonal == Diagonal::Drop {
            return;
        }
        let Place { weighting, memo, .. } = place;
        let (weight, target) = memo.of(value, |count| {
            let target = libm::log(count) as f32;
            (weighting.of(target), target)
        });
        if is_held() {
            if col <= row {
                loaded.held.push(Held { row, col, cell, weight, target });
            }
            return;
        }
        loaded.cols.push(col);
        loaded.targets.push(target);
        let Some((_, entries, groups)) = loaded.rows.last_mut() else { return };
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

/// A row of a part, as far as it was read.
#[derive(Default)]
struct PartRow {
    row: u32,
    /// Column, cell, count.
    entries: Vec<(u32, u32, f64)>,
}

impl Loaded {
    /// A count is added to the sums of its row, which it may be the first of.
    #[inline(always)]
    fn add(&mut self, row: u32, cell: u32, value: f64, place: &mut Place) {
        if place.last.is_none_or(|(before, _)| before != row) {
            self.rows.push((row, 0, 0));
        }
        if place.last != Some((row, cell)) {
            self.sums.push((row, cell, 0.0));
        }
        place.last = Some((row, cell));
        if let Some(sum) = self.sums.last_mut() {
            sum.2 += value;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use super::*;
    use crate::tensor::{CountParameters, count};
    use crate::train::examples::{Buffer, Examples};
    use crate::train::held_pairs;
    use crate::work::Work;

    /// Some documents of two groups and two periods.
    fn tensor(home: &Path) -> Tensor {
        let mut lots = Stream::new(4, End::Sample, 0);
        let mut text = String::new();
        for document in 0..80 {
            let words: Vec<String> = (0..12).map(|_| format!("w{}", lots.below(15))).collect();
            let (group, period) = (document % 2, document / 2 % 2);
            text += &format!(
                "{{\"text\": \"{}\", \"g\": \"{group}\", \"p\": \"{period}\"}}\n",
                words.join(" ")
            );
        }
        let corpus = home.join("c.jsonl");
        std::fs::write(&corpus, text).unwrap();
        let mut rules = CountParameters::default();
        for (name, value) in [("by", "g"), ("by", "p"), ("min_count", "1")] {
            rules.set(name, value).unwrap();
        }
        count(&[corpus], rules.check().unwrap(), &home.join("t"), &Work::default()).unwrap()
    }

    /// What is learnt from, and what is held out: (row, column) → ln(count).
    fn found(examples: &Examples) -> [BTreeMap<(u32, u32), f32>; 2] {
        let (mut learnt, mut held) = (BTreeMap::new(), BTreeMap::new());
        let mut buffer = Buffer::default();
        for row in 0..examples.words() {
            let own = examples.row(row, &mut buffer).unwrap();
            learnt.extend(own.cols.iter().zip(own.targets).map(|(&c, &t)| ((row as u32, c), t)));
        }
        held.extend(examples.held.iter().map(|held| ((held.row, held.col), held.target)));
        [learnt, held]
    }

    #[test]
    fn a_part_is_one_cell_with_its_own_held_out_pairs_or_the_sum_of_several_without_them() {
        let home = tempfile::tempdir().unwrap();
        let tensor = tensor(home.path());
        let parameters = TrainParameters { held_out: 0.3, ..TrainParameters::default() };
        let work = Work::default();
        let of_cells = held_pairs(&tensor, &parameters, &work).unwrap().sums;
        let part = |cells: &[bool]| {
            let part = Part { cells, sums: &of_cells };
            Examples::part(&tensor, part, &parameters, home.path(), &work).unwrap()
        };
        let all = Examples::load(&tensor, &parameters, home.path(), &work).unwrap();
        let mut counts: BTreeMap<(u32, u32, u32), f64> = BTreeMap::new();
        for entries in tensor.entries().unwrap() {
            let entries = entries.unwrap();
            for i in 0..entries.values.len() {
                counts.insert(
                    (entries.rows[i], entries.cols[i], entries.cells[i]),
                    entries.values[i],
                );
            }
        }
        let is_held = |row: u32, col: u32, cell: u32| {
            let key = (row.max(col), row.min(col));
            all.held.iter().any(|held| (held.row, held.col, held.cell) == (key.0, key.1, cell))
        };
        for cell in 0..4_u32 {
            let mut cells = [false; 4];
            cells[cell as usize] = true;
            let [learnt, held] = found(&part(&cells));
            for (&(row, col, own), count) in counts.iter().filter(|(key, _)| key.0 != key.1) {
                if own == cell {
                    let target = Some(libm::log(*count) as f32);
                    let expected =
                        if is_held(row, col, cell) { (None, target) } else { (target, None) };
                    let pair = (row.max(col), row.min(col));
                    let got = (learnt.get(&(row, col)).copied(), held.get(&pair).copied());
                    assert_eq!(got, expected, "{row} {col} {cell}");
                }
            }
        }
        let cells = [true, true, false, true];
        let examples = part(&cells);
        let [learnt, held] = found(&examples);
        // By cell and word, and by cell, diagonals included.
        let mut of_words: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        let mut totals = [0.0; 4];
        for (&(row, _, cell), count) in &counts {
            *of_words.entry((cell, row)).or_default() += count;
            totals[cell as usize] += count;
        }
        let expected = |row: u32, col: u32, cell: u32| {
            let sum = |word: u32| of_words.get(&(cell, word)).copied().unwrap_or(0.0);
            sum(row) * sum(col) / totals[cell as usize]
        };
        let mut sums: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        let mut of_rows = vec![0.0; examples.words()];
        for (&(row, col, cell), count) in &counts {
            if cells[cell as usize] {
                of_rows[row as usize] += count;
                if row != col && !is_held(row, col, cell) {
                    *sums.entry((row, col)).or_default() += count;
                }
            }
        }
        let mut scaled = 0;
        for (&(row, col), sum) in &mut sums {
            let inside = || (0..4_u32).filter(|cell| cells[*cell as usize]);
            let held =
                |cell: &u32| counts.contains_key(&(row, col, *cell)) && is_held(row, col, *cell);
            let all: f64 = inside().map(|cell| expected(row, col, cell)).sum();
            let left: f64 =
                inside().filter(|cell| !held(cell)).map(|cell| expected(row, col, cell)).sum();
            scaled += usize::from(left < all);
            *sum = if left < LEAST_LEFT * all { 0.0 } else { *sum * all / left };
        }
        assert!(scaled > 20, "{scaled}");
        sums.retain(|_, sum| *sum > 0.0);
        let mut kept_out = 0;
        for (&(row, col), count) in &sums {
            let got = learnt.get(&(row, col)).or(held.get(&(row.max(col), row.min(col)))).unwrap();
            assert!((f64::from(*got) - libm::log(*count)).abs() < 1e-5, "{row} {col}");
            assert_eq!(learnt.contains_key(&(row, col)), learnt.contains_key(&(col, row)));
            kept_out += usize::from(!learnt.contains_key(&(row, col)));
        }
        assert_eq!(kept_out, 2 * held.len());
        assert_eq!(learnt.len() + kept_out, sums.len());
        assert!(held.len() * 10 > sums.len() && held.len() * 5 < sums.len(), "{}", held.len());
        for (sum, expected) in examples.sums.iter().zip(&of_rows) {
            assert!((f64::from(*sum) - expected).abs() < 1e-3);
        }
    }
}
