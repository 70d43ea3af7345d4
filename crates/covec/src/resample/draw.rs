//! What a replicate is made of: documents drawn again, or labels shuffled.
//!
//! * **Bootstrap:** of every stratum as many units are drawn as it has, with replacement; a document
//!   is counted as often as its unit was drawn. Strata are the cells, so that every level keeps its size;
//!   with `--within nothing` there is one stratum, units may lie in many levels, and a level that
//!   a draw leaves without text gets one of its units back.
//! * **Permutation:** the units of a stratum exchange their levels of one factor. Strata are the cells of
//!   the other factors, so that what is tested is this factor alone.
//!
//! A replicate's lots depend on seed and number alone, not on which others are drawn, or where.

use std::collections::{BTreeMap, BTreeSet};

use super::ResampleError;
use crate::lots::{End, Lots, Stream};
use crate::tensor::covariates::{Cell, Covariates};
use crate::tensor::placement::Drawn;
use crate::tensor::recount::Kept;

/// How replicates are drawn.
#[derive(Debug)]
pub(crate) struct Draw {
    kind: Kind,
    seed: u64,
    /// For every document: its cell, unless it is left out, and its unit.
    documents: Vec<(Option<u32>, u32)>,
    /// Units that are drawn, or exchange labels, among each other.
    strata: Vec<Vec<u32>>,
    units: usize,
    /// For every level its units, where a draw may miss all of them.
    needed: Vec<Vec<u32>>,
}

#[derive(Debug)]
enum Kind {
    Bootstrap,
    Permutation {
        factor: usize,
        /// The level of every unit.
        levels: Vec<u32>,
    },
}

/// What a replicate counts.
pub(crate) struct Sample {
    /// For every document.
    pub(crate) drawn: Vec<Drawn>,
    /// With the cells that occur in it.
    pub(crate) covariates: Covariates,
}

impl Draw {
    /// Draws units with replacement, within cells or within nothing.
    pub(crate) fn bootstrap(
        kept: &Kept,
        covariates: &Covariates,
        within_levels: bool,
        seed: u64,
    ) -> Result<Self, ResampleError> {
        let (documents, units) = documents(kept);
        let cells: Vec<u32> = (0..covariates.cells.len() as u32).collect();
        let strata = if within_levels {
            let what = "be drawn within its level";
            let way_out = "--within nothing, to draw units whole, wherever they lie";
            let name = |cell: u32| covariates.cell_name(cell as usize);
            let of = places(&documents, units, &cells, kept, &name, (what, way_out))?;
            gather(&of)
        } else {
            let mut there = vec![None; units];
            for (cell, unit) in &documents {
                if cell.is_some() {
                    there[*unit as usize] = Some(0);
                }
            }
            gather(&there)
        };
        let of_levels = units_by_level(covariates, &documents);
        let free: BTreeSet<u32> =
            strata.iter().filter(|own| own.len() > 1).flatten().copied().collect();
        refuse_few(kept, covariates, &of_levels, &free)?;
        let needed = if within_levels { Vec::new() } else { of_levels };
        Ok(Self { kind: Kind::Bootstrap, seed, documents, strata, units, needed })
    }

    /// Units that are in every draw: nothing else can be drawn in their place.
    pub(crate) fn fixed(&self) -> usize {
        match self.kind {
            Kind::Bootstrap => self.strata.iter().filter(|own| own.len() == 1).count(),
            Kind::Permutation { .. } => 0,
        }
    }

    /// Shuffles the levels of a factor between units, within the levels of other factors.
    pub(crate) fn permutation(
        kept: &Kept,
        covariates: &Covariates,
        factor: usize,
        within: &[usize],
        seed: u64,
    ) -> Result<Self, ResampleError> {
        let (documents, units) = documents(kept);
        let level = |cell: &Cell, factor: usize| cell.levels[factor];
        let own: Vec<u32> = covariates.cells.iter().map(|cell| level(cell, factor)).collect();
        let names = &covariates.factors[factor];
        let name = |level: u32| format!("{}={}", names.name, names.levels[level as usize].name);
        let way_out = "a --unit that lies in one level of the factor";
        let what = "change its level as a whole";
        let levels = places(&documents, units, &own, kept, &name, (what, way_out))?;
        // Strata are numbered by the levels of the factors they are within.
        let mut numbers: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        for cell in &covariates.cells {
            let next = numbers.len() as u32;
            numbers.entry(within.iter().map(|&f| level(cell, f)).collect()).or_insert(next);
        }
        let of_cell = |cell: &Cell| {
            let key: Vec<u32> = within.iter().map(|&f| level(cell, f)).collect();
            numbers.get(&key).copied().unwrap_or(0)
        };
        let strata: Vec<u32> = covariates.cells.iter().map(of_cell).collect();
        let stratum = |number: u32| {
            let cell = strata.iter().position(|own| *own == number).unwrap_or(0);
            let parts = within.iter().map(|&f| {
                let factor = &covariates.factors[f];
                let level = covariates.cells[cell].levels[f] as usize;
                format!("{}={}", factor.name, factor.levels[level].name)
            });
            parts.collect::<Vec<_>>().join(",")
        };
        let way_out = "--within nothing, or a smaller --unit";
        let what = "be exchanged within them";
        let of = places(&documents, units, &strata, kept, &stratum, (what, way_out))?;
        let strata = gather(&of);
        let levels: Vec<u32> = levels.into_iter().map(Option::unwrap_or_default).collect();
        let differ = |units: &Vec<u32>| {
            units.iter().any(|&unit| levels[unit as usize] != levels[units[0] as usize])
        };
        if !strata.iter().any(differ) {
            return Err(ResampleError::NothingToShuffle { factor: names.name.clone() });
        }
        let (kind, needed) = (Kind::Permutation { factor, levels }, Vec::new());
        Ok(Self { kind, seed, documents, strata, units, needed })
    }

    /// Units that can be drawn.
    pub(crate) fn units(&self) -> usize {
        self.strata.iter().map(Vec::len).sum()
    }

    /// The corpus as it is: every document once, in its own cell.
    pub(crate) fn reference(&self, covariates: &Covariates) -> Sample {
        let drawn = self.documents.iter().map(|(cell, _)| match cell {
            Some(cell) => Drawn { cell: *cell, times: 1 },
            None => Drawn { cell: 0, times: 0 },
        });
        Sample { drawn: drawn.collect(), covariates: covariates.clone() }
    }

    /// The replicate of this number.
    pub(crate) fn replicate(&self, number: u64, covariates: &Covariates) -> Sample {
        match &self.kind {
            Kind::Bootstrap => {
                let mut lots = Stream::new(self.seed, End::Bootstrap, number);
                let mut times = vec![0_u32; self.units];
                for stratum in &self.strata {
                    for _ in 0..stratum.len() {
                        times[stratum[lots.below(stratum.len())] as usize] += 1;
                    }
                }
                // What a level without text would say is anybody's guess.
                for units in &self.needed {
                    if units.iter().all(|&unit| times[unit as usize] == 0) {
                        times[units[lots.below(units.len())] as usize] += 1;
                    }
                }
                let drawn = self.documents.iter().map(|(cell, unit)| match cell {
                    Some(cell) => Drawn { cell: *cell, times: times[*unit as usize] },
                    None => Drawn { cell: 0, times: 0 },
                });
                Sample { drawn: drawn.collect(), covariates: covariates.clone() }
            }
            Kind::Permutation { factor, levels } => {
                let mut lots = Stream::new(self.seed, End::Permutation, number);
                let mut shuffled = levels.clone();
                for stratum in &self.strata {
                    let mut own: Vec<u32> =
                        stratum.iter().map(|&unit| levels[unit as usize]).collect();
                    lots.shuffle(&mut own);
                    for (&unit, level) in stratum.iter().zip(own) {
                        shuffled[unit as usize] = level;
                    }
                }
                self.relabelled(*factor, &shuffled, covariates)
            }
        }
    }

    /// Every document once, in the cell that its unit's new level makes of its own.
    fn relabelled(&self, factor: usize, levels: &[u32], covariates: &Covariates) -> Sample {
        let place = |cell: u32, unit: u32| {
            let mut place = covariates.cells[cell as usize].levels.clone();
            place[factor] = levels[unit as usize];
            place
        };
        let mut counts: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
        for &(cell, unit) in &self.documents {
            if let Some(cell) = cell {
                *counts.entry(place(cell, unit)).or_default() += 1;
            }
        }
        let numbers: BTreeMap<&Vec<u32>, u32> = counts.keys().zip(0..).collect();
        let drawn = self.documents.iter().map(|&(cell, unit)| match cell {
            Some(cell) => Drawn { cell: numbers[&place(cell, unit)], times: 1 },
            None => Drawn { cell: 0, times: 0 },
        });
        let drawn = drawn.collect();
        let cells = counts.iter().map(|(levels, &documents)| Cell {
            levels: levels.clone(),
            documents,
            tokens: 0,
        });
        Sample { drawn, covariates: Covariates { cells: cells.collect(), ..covariates.clone() } }
    }
}

/// The documents' cells and units, and how many units there are.
fn documents(kept: &Kept) -> (Vec<(Option<u32>, u32)>, usize) {
    let documents: Vec<_> = kept.documents.iter().map(|d| (d.cell, d.unit)).collect();
    let units = documents.iter().map(|(_, unit)| *unit as usize + 1).max().unwrap_or(0);
    (documents, units)
}

/// The place of every unit, where `of_cell` says the place of every cell; a unit in two is refused.
fn places(
    documents: &[(Option<u32>, u32)],
    units: usize,
    of_cell: &[u32],
    kept: &Kept,
    name: &dyn Fn(u32) -> String,
    (what, way_out): (&'static str, &'static str),
) -> Result<Vec<Option<u32>>, ResampleError> {
    let mut places = vec![None; units];
    for &(cell, unit) in documents {
        let Some(cell) = cell else { continue };
        let here = of_cell[cell as usize];
        match places[unit as usize].replace(here) {
            Some(there) if there != here => {
                let unit = kept.units.get(unit as usize).cloned().unwrap_or_default();
                let (first, second) = (name(there), name(here));
                return Err(ResampleError::Crosses { unit, first, second, what, way_out });
            }
            _ => {}
        }
    }
    Ok(places)
}

/// Units by their place.
fn gather(places: &[Option<u32>]) -> Vec<Vec<u32>> {
    let mut strata: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (place, unit) in places.iter().zip(0..) {
        if let Some(place) = place {
            strata.entry(*place).or_default().push(unit);
        }
    }
    strata.into_values().collect()
}

/// The units of every level, each once.
fn units_by_level(covariates: &Covariates, documents: &[(Option<u32>, u32)]) -> Vec<Vec<u32>> {
    let flat = covariates.flat_levels();
    let mut units = vec![BTreeSet::new(); covariates.level_names().len()];
    for &(cell, unit) in documents {
        for &level in cell.map_or(&[][..], |cell| &flat[cell as usize]) {
            units[level].insert(unit);
        }
    }
    units.into_iter().map(|units| units.into_iter().collect()).collect()
}

/// Refuses a level that would be the same in every draw: none of its units is `free` to be drawn more than once, or not at all.
fn refuse_few(
    kept: &Kept,
    covariates: &Covariates,
    of_levels: &[Vec<u32>],
    free: &BTreeSet<u32>,
) -> Result<(), ResampleError> {
    let few = |units: &Vec<u32>| units.len() < 2 || !units.iter().any(|unit| free.contains(unit));
    let Some(level) = of_levels.iter().position(few) else { return Ok(()) };
    let units = of_levels[level].len();
    let what = if kept.units.is_empty() { "document" } else { "unit" };
    let level = covariates.level_names()[level].clone();
    Err(if units < 2 {
        let what = if units == 1 { what.to_owned() } else { format!("{what}s") };
        ResampleError::TooFewUnits { level, units, what }
    } else {
        ResampleError::Alone { level, units, what }
    })
}
