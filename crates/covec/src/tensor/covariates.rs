//! Factors, their levels, and the cells they make together: `covariates.json`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::TensorError;
use crate::corpus::{CorpusError, LevelKey, Order, Plan};
use crate::error::Error;

/// What the documents can be told apart by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Covariates {
    /// The factors, in the order they were named.
    pub factors: Vec<Factor>,
    /// The combinations of levels that occur, sorted by level.
    pub cells: Vec<Cell>,
}

/// One covariate, e.g. `party`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Factor {
    /// Its name.
    pub name: String,
    /// Whether its levels have an order.
    pub ordered: bool,
    /// Its values.
    pub levels: Vec<Level>,
}

/// One value of a covariate, e.g. `Whig`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// Its name.
    pub name: String,
    /// Documents that have it.
    pub documents: u64,
    /// Words in them, inside the vocabulary or not.
    pub tokens: u64,
    /// Lower end, where the level is a range of numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
}

/// A combination of levels, one of each factor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The level of each factor, by its index.
    pub levels: Vec<u32>,
    /// Documents in it.
    pub documents: u64,
    /// Words in them.
    pub tokens: u64,
}

/// A level that `--min-level-tokens` left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The factor.
    pub factor: String,
    /// The level.
    pub level: String,
    /// Words it had when it was left out.
    pub tokens: u64,
}

/// Levels and cells as they were met, before they are put in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    pub(crate) factors: Vec<FoundFactor>,
    /// By the names of its levels: documents and words.
    pub(crate) cells: BTreeMap<Vec<String>, (u64, u64)>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct FoundFactor {
    pub(crate) name: String,
    pub(crate) ordered: bool,
    pub(crate) levels: BTreeMap<String, Option<f64>>,
}

impl Found {
    /// The factors of a plan, without levels yet.
    pub(crate) fn new(plan: &Plan) -> Self {
        let factors = plan.factors.iter().map(|factor| FoundFactor {
            name: factor.name.clone(),
            ordered: factor.bins.is_some(),
            ..FoundFactor::default()
        });
        Self { factors: factors.collect(), ..Self::default() }
    }
}

impl FoundFactor {
    pub(crate) fn add(&mut self, level: &LevelKey) {
        self.levels.insert(level.name.clone(), level.from);
    }
}

impl Covariates {
    /// Puts what was found in order and leaves out levels with fewer than `least` words. Every
    /// level that remains has at least `least` words among the documents that remain.
    pub(crate) fn settle(
        mut found: Found,
        orders: &[Order],
        least: u64,
    ) -> Result<(Self, Vec<LeftOut>), Error> {
        let mut left_out = Vec::new();
        loop {
            let mut tokens: Vec<BTreeMap<&str, u64>> = vec![BTreeMap::new(); found.factors.len()];
            for (levels, (_, words)) in &found.cells {
                for (sums, level) in tokens.iter_mut().zip(levels) {
                    *sums.entry(level).or_default() += words;
                }
            }
            let mut dropped: Vec<(usize, String, u64)> = Vec::new();
            for (factor, sums) in tokens.iter().enumerate() {
                let small = sums.iter().filter(|(_, words)| **words < least);
                dropped.extend(small.map(|(level, &words)| (factor, (*level).to_owned(), words)));
                if let Some(&largest) = sums.values().max()
                    && largest < least
                {
                    let factor = found.factors[factor].name.clone();
                    return Err(CorpusError::NoLevelLeft { factor, least, largest }.into());
                }
            }
            if dropped.is_empty() {
                break;
            }
            for (factor, level, tokens) in dropped {
                found.cells.retain(|levels, _| levels[factor] != level);
                found.factors[factor].levels.remove(&level);
                left_out.push(LeftOut {
                    factor: found.factors[factor].name.clone(),
                    level,
                    tokens,
                });
            }
            if found.cells.is_empty() {
                let factor = found.factors[0].name.clone();
                return Err(CorpusError::NoLevelLeft { factor, least, largest: 0 }.into());
            }
        }
        // A level may also have lost its last document to another factor's rule.
        for (place, factor) in found.factors.iter_mut().enumerate() {
            let left: BTreeSet<&str> =
                found.cells.keys().map(|levels| levels[place].as_str()).collect();
            factor.levels.retain(|name, _| left.contains(name.as_str()));
        }
        let mut factors = Vec::new();
        for factor in &found.factors {
            factors.push(in_order(factor, orders.iter().find(|o| o.factor == factor.name))?);
        }
        let mut this = Self { factors, cells: Vec::new() };
        let mut names = this.level_names();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let problem = "two factors have a level that is written so; rename one".to_owned();
            return Err(CorpusError::By { given: twice[0].clone(), problem }.into());
        }
        let mut cells: Vec<Cell> = Vec::with_capacity(found.cells.len());
        for (names, (documents, tokens)) in found.cells {
            let levels = this.level_indices(&names);
            for (factor, &level) in this.factors.iter_mut().zip(&levels) {
                factor.levels[level as usize].documents += documents;
                factor.levels[level as usize].tokens += tokens;
            }
            cells.push(Cell { levels, documents, tokens });
        }
        if cells.len() >= u32::MAX as usize {
            return Err(TensorError::TooManyCells(cells.len()).into());
        }
        cells.sort_by(|a, b| a.levels.cmp(&b.levels));
        this.cells = cells;
        Ok((this, left_out))
    }

    fn level_indices(&self, names: &[String]) -> Vec<u32> {
        self.factors
            .iter()
            .zip(names)
            .map(|(factor, name)| {
                factor.levels.iter().position(|l| l.name == *name).unwrap_or_default() as u32
            })
            .collect()
    }

    /// The cell of these level names, unless it was left out.
    pub(crate) fn cell_of(&self, names: &[String]) -> Option<u32> {
        let known =
            self.factors.iter().zip(names).all(|(f, n)| f.levels.iter().any(|l| l.name == *n));
        if !known {
            return None;
        }
        let levels = self.level_indices(names);
        self.cells.binary_search_by(|cell| cell.levels.cmp(&levels)).ok().map(|i| i as u32)
    }

    /// `factor=level` for every level of every factor, in order.
    pub fn level_names(&self) -> Vec<String> {
        self.factors
            .iter()
            .flat_map(|factor| {
                factor.levels.iter().map(|level| format!("{}={}", factor.name, level.name))
            })
            .collect()
    }

    /// The name of a cell: `party=Whig,year=1840s`; `all` where there are no factors.
    pub fn cell_name(&self, cell: usize) -> String {
        let names: Vec<_> = self
            .factors
            .iter()
            .zip(&self.cells[cell].levels)
            .map(|(factor, &level)| {
                format!("{}={}", factor.name, factor.levels[level as usize].name)
            })
            .collect();
        if names.is_empty() { "all".to_owned() } else { names.join(",") }
    }

    /// What a file that was read must fulfil.
    pub(crate) fn check(&self) -> Result<(), String> {
        for (index, factor) in self.factors.iter().enumerate() {
            if self.factors[..index].iter().any(|f| f.name == factor.name) {
                return Err(format!("factor '{}' stands twice", factor.name));
            }
            let mut names: Vec<&str> = factor.levels.iter().map(|l| l.name.as_str()).collect();
            names.sort_unstable();
            if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(format!("level '{}={}' stands twice", factor.name, twice[0]));
            }
        }
        for (index, cell) in self.cells.iter().enumerate() {
            let fits = cell.levels.len() == self.factors.len()
                && cell
                    .levels
                    .iter()
                    .zip(&self.factors)
                    .all(|(&l, f)| (l as usize) < f.levels.len());
            if !fits {
                return Err(format!("cell {index} names a level that is not there"));
            }
        }
        if self.cells.windows(2).any(|pair| pair[0].levels >= pair[1].levels) {
            return Err("cells are not sorted by their levels".to_owned());
        }
        Ok(())
    }

    /// For every cell, its levels as indices into [`Self::level_names`].
    pub(crate) fn flat_levels(&self) -> Vec<Vec<usize>> {
        let mut starts = Vec::new();
        let mut next = 0;
        for factor in &self.factors {
            starts.push(next);
            next += factor.levels.len();
        }
        self.cells
            .iter()
            .map(|cell| cell.levels.iter().zip(&starts).map(|(&l, &s)| s + l as usize).collect())
            .collect()
    }

    /// What a user means by `factor=level`, `level`, or several of them joined by commas: the cells
    /// in which all of them hold.
    pub fn cells_in(&self, text: &str) -> Result<Vec<u32>, TensorError> {
        let wanted = self.named(text)?;
        let holds =
            |cell: &Cell| wanted.iter().all(|&(factor, level)| cell.levels[factor] == level);
        Ok((0..self.cells.len() as u32).filter(|&c| holds(&self.cells[c as usize])).collect())
    }

    /// The same as indices into [`Self::level_names`].
    pub fn levels_named(&self, text: &str) -> Result<Vec<usize>, TensorError> {
        let before = |factor: usize| -> usize {
            self.factors[..factor].iter().map(|f| f.levels.len()).sum()
        };
        let named = self.named(text)?;
        Ok(named.into_iter().map(|(factor, level)| before(factor) + level as usize).collect())
    }

    /// The levels a text names, as factor and level.
    fn named(&self, text: &str) -> Result<Vec<(usize, u32)>, TensorError> {
        // A whole name first: levels may hold commas themselves.
        match self.level(text) {
            Ok(level) => Ok(vec![level]),
            Err(error) if text.contains(',') => {
                let parts: Result<Vec<_>, _> =
                    text.split(',').map(|part| self.level(part.trim())).collect();
                parts.map_err(|_| error)
            }
            Err(error) => Err(error),
        }
    }

    /// A level by `factor=level`, or by its name alone where only one factor has it.
    fn level(&self, text: &str) -> Result<(usize, u32), TensorError> {
        let mut found = Vec::new();
        for (f, factor) in self.factors.iter().enumerate() {
            for (l, level) in factor.levels.iter().enumerate() {
                if text == level.name
                    || text.strip_prefix(&factor.name).and_then(|t| t.strip_prefix('='))
                        == Some(&level.name)
                {
                    found.push((f, l as u32));
                }
            }
        }
        let names = self.level_names();
        match found[..] {
            [only] => Ok(only),
            [] => Err(TensorError::UnknownLevel {
                given: text.to_owned(),
                suggestion: crate::suggest::did_you_mean(text, names.iter().map(String::as_str)),
                there: names.join(", "),
            }),
            _ => Err(TensorError::UnknownLevel {
                given: text.to_owned(),
                suggestion: " alone: several factors have it, so write factor=level".to_owned(),
                there: names.join(", "),
            }),
        }
    }
}

/// A factor with its levels in order: by their numbers, by the user's word, or by name.
fn in_order(found: &FoundFactor, order: Option<&Order>) -> Result<Factor, Error> {
    let mut levels: Vec<Level> = found
        .levels
        .iter()
        .map(|(name, from)| Level { name: name.clone(), documents: 0, tokens: 0, from: *from })
        .collect();
    if let Some(order) = order {
        let refuse = |problem: String| CorpusError::Order { factor: order.factor.clone(), problem };
        for level in &levels {
            if !order.levels.contains(&level.name) {
                return Err(refuse(format!("level '{}' is not in the list", level.name)).into());
            }
        }
        levels.sort_by_key(|level| order.levels.iter().position(|name| *name == level.name));
        return Ok(Factor { name: found.name.clone(), ordered: true, levels });
    }
    if found.ordered {
        levels.sort_by(|a, b| a.from.unwrap_or(f64::MIN).total_cmp(&b.from.unwrap_or(f64::MIN)));
    } else if levels.iter().all(|level| level.name.parse::<f64>().is_ok()) {
        // 2 before 10, though nobody said that the numbers mean an order.
        let number = |level: &Level| level.name.parse::<f64>().unwrap_or(0.0);
        levels.sort_by(|a, b| number(a).total_cmp(&number(b)).then_with(|| a.name.cmp(&b.name)));
    }
    Ok(Factor { name: found.name.clone(), ordered: found.ordered, levels })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(cells: &[(&str, &str, u64)]) -> Found {
        let mut found = Found {
            factors: ["party", "era"]
                .map(|n| FoundFactor { name: n.into(), ..Default::default() })
                .into(),
            ..Default::default()
        };
        for (party, era, tokens) in cells {
            for (factor, name) in found.factors.iter_mut().zip([party, era]) {
                factor.add(&LevelKey { name: (*name).to_owned(), from: None });
            }
            found.cells.insert(vec![(*party).to_owned(), (*era).to_owned()], (1, *tokens));
        }
        found
    }

    #[test]
    fn every_level_that_remains_has_enough_words() {
        let cells =
            [("D", "2", 100), ("D", "10", 100), ("R", "10", 100), ("W", "1", 90), ("R", "1", 5)];
        let (covariates, left_out) = Covariates::settle(found(&cells), &[], 95).unwrap();
        // W falls, and then era 1 with it, which had enough only together with W.
        assert_eq!(covariates.level_names(), ["party=D", "party=R", "era=2", "era=10"]);
        let names: Vec<_> = left_out.iter().map(|l| (l.level.as_str(), l.tokens)).collect();
        assert_eq!(names, [("W", 90), ("1", 95 - 90)]);
        assert_eq!(covariates.factors[0].levels[0].tokens, 200);
    }

    #[test]
    fn a_rule_that_leaves_nothing_is_refused() {
        let refused =
            Covariates::settle(found(&[("D", "1", 10)]), &[], 11).unwrap_err().to_string();
        assert!(refused.contains("'party'") && refused.contains("10 tokens"), "{refused}");
    }

    #[test]
    fn levels_are_found_by_name_and_misspellings_are_met() {
        let (covariates, _) =
            Covariates::settle(found(&[("Whig", "1", 9), ("R", "1", 9), ("R", "2", 9)]), &[], 0)
                .unwrap();
        assert_eq!(covariates.cells_in("party=R").unwrap(), [0, 1]);
        assert_eq!(covariates.cells_in("Whig").unwrap(), [2]);
        assert_eq!(covariates.cells_in("R,era=2").unwrap(), [1]);
        let refused = covariates.cells_in("Wig").unwrap_err().to_string();
        assert!(
            refused.contains("did you mean 'Whig'") || refused.contains("party=Whig"),
            "{refused}"
        );
    }

    #[test]
    fn an_order_must_name_every_level() {
        let order = |text: &str| text.parse::<Order>().unwrap();
        let cells = [("D", "late", 9), ("D", "early", 9)];
        let (covariates, _) =
            Covariates::settle(found(&cells), &[order("era=early,late")], 0).unwrap();
        assert!(covariates.factors[1].ordered);
        assert_eq!(covariates.level_names()[1..], ["era=early", "era=late"]);
        assert!(Covariates::settle(found(&cells), &[order("era=early")], 0).is_err());
    }
}
