//! The covariates of a model together with those of a corpus that brings new levels.

use super::TrainError;
use crate::tensor::Covariates;
use crate::tensor::covariates::{Cell, Factor};

/// Old and new levels in one numbering. Old levels keep their order among each other; new ones
/// stand where their numbers say, or after the old ones.
#[derive(Debug)]
pub(crate) struct Union {
    pub(crate) covariates: Covariates,
    /// The place of every level of the model, among all levels.
    pub(crate) old: Vec<usize>,
    /// The place of every level of the corpus.
    pub(crate) own: Vec<usize>,
    /// The place of every cell of the model.
    pub(crate) old_cells: Vec<u32>,
    /// Which levels are new.
    pub(crate) new: Vec<bool>,
}

impl Union {
    /// Refuses a corpus with documents that bring no new level.
    pub(crate) fn new(model: &Covariates, corpus: &Covariates) -> Result<Self, TrainError> {
        let mut union = Self {
            covariates: Covariates::default(),
            old: Vec::new(),
            own: Vec::new(),
            old_cells: Vec::new(),
            new: Vec::new(),
        };
        let known = |factor: usize, level: u32| {
            let name = &corpus.factors[factor].levels[level as usize].name;
            model.factors[factor].levels.iter().any(|old| old.name == *name)
        };
        for (index, cell) in corpus.cells.iter().enumerate() {
            if cell.levels.iter().enumerate().all(|(factor, &level)| known(factor, level)) {
                return Err(TrainError::KnownLevels {
                    cell: corpus.cell_name(index),
                    documents: cell.documents,
                });
            }
        }
        // By factor: where its old and its own levels are in it.
        let mut places: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
        for (old, own) in model.factors.iter().zip(&corpus.factors) {
            let first = union.new.len();
            let (factor, old_places, own_places) = unite(old, own);
            for place in 0..factor.levels.len() as u32 {
                union.new.push(!old_places.contains(&place));
            }
            union.old.extend(old_places.iter().map(|&place| first + place as usize));
            union.own.extend(own_places.iter().map(|&place| first + place as usize));
            union.covariates.factors.push(factor);
            places.push((old_places, own_places));
        }
        let moved = |cell: &Cell, old: bool| -> Cell {
            let levels = cell.levels.iter().zip(&places);
            let levels = levels.map(|(&level, (old_places, own_places))| {
                if old { old_places[level as usize] } else { own_places[level as usize] }
            });
            Cell { levels: levels.collect(), ..cell.clone() }
        };
        let old: Vec<Cell> = model.cells.iter().map(|cell| moved(cell, true)).collect();
        let mut cells = old.clone();
        cells.extend(corpus.cells.iter().map(|cell| moved(cell, false)));
        cells.sort_by(|a, b| a.levels.cmp(&b.levels));
        let place = |cell: &Cell| cells.partition_point(|other| other.levels < cell.levels) as u32;
        union.old_cells = old.iter().map(place).collect();
        union.covariates.cells = cells;
        Ok(union)
    }
}

/// One factor, with the places of the levels of both sides.
fn unite(old: &Factor, own: &Factor) -> (Factor, Vec<u32>, Vec<u32>) {
    let mut levels = old.levels.clone();
    for level in &own.levels {
        match levels.iter_mut().find(|known| known.name == level.name) {
            Some(known) => {
                known.documents += level.documents;
                known.tokens += level.tokens;
            }
            None => levels.push(level.clone()),
        }
    }
    if levels.iter().all(|level| level.from.is_some()) {
        let from = |number: Option<f64>| number.unwrap_or(f64::MIN);
        levels.sort_by(|a, b| from(a.from).total_cmp(&from(b.from)));
    }
    let places = |of: &Factor| -> Vec<u32> {
        let place = |name: &str| levels.iter().position(|level| level.name == name);
        of.levels.iter().map(|level| place(&level.name).unwrap_or_default() as u32).collect()
    };
    let (old_places, own_places) = (places(old), places(own));
    (Factor { levels, ..old.clone() }, old_places, own_places)
}
