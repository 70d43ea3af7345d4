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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::covariates::Level;

    /// Decades and parties; a cell for every pair that is named.
    fn covariates(decades: &[u32], parties: &[&str], cells: &[[u32; 2]]) -> Covariates {
        let level = |name: String, from| Level { name, documents: 1, tokens: 9, from };
        let decade = |&year: &u32| level(format!("{year}s"), Some(f64::from(year)));
        let party = |name: &&str| level((*name).to_owned(), None);
        let factor =
            |name: &str, ordered, levels| Factor { name: name.to_owned(), ordered, levels };
        let cell = |levels: &[u32; 2]| Cell { levels: levels.to_vec(), documents: 1, tokens: 9 };
        Covariates {
            factors: vec![
                factor("year", true, decades.iter().map(decade).collect()),
                factor("party", false, parties.iter().map(party).collect()),
            ],
            cells: cells.iter().map(cell).collect(),
        }
    }

    #[test]
    fn new_ranges_stand_by_their_numbers_and_new_names_at_the_end() {
        let model = covariates(&[1980, 2000], &["D", "R"], &[[0, 0], [1, 1]]);
        let corpus = covariates(&[1990, 2000], &["C", "R"], &[[0, 1], [1, 0]]);
        let union = Union::new(&model, &corpus).unwrap();
        let names = ["year=1980s", "year=1990s", "year=2000s", "party=D", "party=R", "party=C"];
        assert_eq!(union.covariates.level_names(), names);
        assert_eq!(union.old, [0, 2, 3, 4]);
        assert_eq!(union.own, [1, 2, 5, 4]);
        assert_eq!(union.new, [false, true, false, false, false, true]);
        let cells: Vec<_> = union.covariates.cells.iter().map(|c| c.levels.clone()).collect();
        assert_eq!(cells, [[0, 0], [1, 1], [2, 1], [2, 2]]);
        assert_eq!(union.old_cells, [0, 2]);
        assert_eq!(union.covariates.factors[0].levels[2].documents, 2);
        union.covariates.check().unwrap();
    }

    #[test]
    fn documents_of_old_levels_alone_are_refused() {
        let model = covariates(&[1980, 2000], &["D", "R"], &[[0, 0], [1, 1]]);
        let corpus = covariates(&[1980, 1990], &["R"], &[[0, 0], [1, 0]]);
        let refused = Union::new(&model, &corpus).unwrap_err().to_string();
        assert!(refused.contains("year=1980s,party=R"), "{refused}");
    }
}
