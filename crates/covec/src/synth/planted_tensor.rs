//! A tensor straight from the known factors.
//!
//! ln A_ijk = b_ik + b_jk + Σ_t v_ikt v_jkt c_kt², where b_ik adds up over the factors. What becomes
//! of a pair (whether it is seen, its noise) is drawn for the unordered pair, so the tensor is
//! symmetric bit for bit.

use super::cell::Cell;
use super::parameters::{Noise, SynthParameters};
use super::truth::{TrueCell, Truth};
use super::world::World;
use crate::Work;
use crate::error::Error;
use crate::lots::{End, Lots, PairLots, Stream};
use crate::parallel;
use crate::tensor::covariates::{self, Covariates};
use crate::tensor::rows::{Row, Rows};
use crate::vocabulary::Vocabulary;
use crate::work::Progress;

/// Spread of the biases from level to level.
const BIAS_SPREAD: f64 = 0.2;

/// Biases by factor, level, word.
type LevelBiases = Vec<Vec<Vec<f64>>>;

/// A planted tensor: makes any of its rows.
#[derive(Debug)]
pub(super) struct PlantedTensor {
    cells: Vec<Cell>,
    /// A key for every cell's lots.
    keys: Vec<u64>,
    origins: Vec<u32>,
    noise: Noise,
    density: f64,
}

impl PlantedTensor {
    fn new(world: &World, biases: &LevelBiases, parameters: &SynthParameters) -> Self {
        let key = |cell| Stream::new(parameters.seed.0, End::Pairs, cell as u64).bits();
        Self {
            cells: (0..world.cells.len()).map(|cell| cell_of(world, biases, cell)).collect(),
            keys: (0..world.cells.len()).map(key).collect(),
            origins: world.origins.clone(),
            noise: parameters.noise,
            density: parameters.density,
        }
    }

    /// What is seen of a pair whose value would be exp(log).
    fn value(&self, log: f64, lots: &mut PairLots) -> Option<f64> {
        if lots.share() >= self.density {
            return None;
        }
        let value = match self.noise {
            Noise::None => libm::exp(log),
            Noise::Log(spread) => libm::exp(log + spread * lots.normal()),
            Noise::Poisson => lots.poisson(libm::exp(log)),
        };
        // Values too small or large for a number are as good as not seen.
        (value > 0.0 && value.is_finite()).then_some(value)
    }

    /// The sum of every row's values: by cell, then word.
    fn sums(&self, work: &Work<'_>) -> Result<Vec<Vec<f64>>, Error> {
        let words = self.len();
        let rows = parallel::map(
            work.threads,
            words,
            &mut Vec::new(),
            || self.desk(),
            |desk, row| {
                work.proceed()?;
                let share = Some(row as f64 / words as f64);
                work.observer.progress(Progress { stage: "summing", share, words: 0 });
                let mut sums = vec![0.0; self.cells.len()];
                let mut made = Row::default();
                self.row(row, desk, &mut made)?;
                for (cell, _, values) in made.view().iter() {
                    sums[cell as usize] = values.iter().sum();
                }
                Ok(sums)
            },
        )?;
        Ok((0..self.cells.len()).map(|cell| rows.iter().map(|sums| sums[cell]).collect()).collect())
    }
}

impl Rows for PlantedTensor {
    type Amount = f64;
    type Column = u32;
    type Desk = Vec<f64>;

    fn desk(&self) -> Vec<f64> {
        vec![0.0; self.origins.len()]
    }

    fn len(&self) -> usize {
        self.origins.len()
    }

    fn work(&self, _: usize) -> u64 {
        (self.cells.len() * self.origins.len()) as u64
    }

    fn row(&self, row: usize, logs: &mut Vec<f64>, made: &mut Row<f64>) -> Result<(), Error> {
        for (number, (cell, &key)) in self.cells.iter().zip(&self.keys).enumerate() {
            cell.pairs(row, logs);
            made.group(number as u32, |columns, values| {
                for (column, &log) in logs.iter().enumerate() {
                    let mut lots = PairLots::new(key, self.origins[row], self.origins[column]);
                    if let Some(value) = self.value(log, &mut lots) {
                        columns.push(column as u32);
                        values.push(value);
                    }
                }
            });
        }
        Ok(())
    }
}

/// A planted tensor with all that stands beside it.
#[derive(Debug)]
pub(super) struct Planted {
    pub(super) tensor: PlantedTensor,
    pub(super) vocabulary: Vocabulary,
    pub(super) covariates: Covariates,
    pub(super) truth: Truth,
}

/// Plants a tensor and puts its words in the order of vocabularies.
pub(super) fn plant(
    parameters: &SynthParameters,
    world: World,
    work: &Work<'_>,
) -> Result<Planted, Error> {
    let mut biases = level_biases(&world, parameters);
    let ln_normalisers = normalise(&mut biases, &world, parameters.scale, work)?;
    let draft = PlantedTensor::new(&world, &biases, parameters);
    let sums = draft.sums(work)?;
    let counts = level_counts(&world, &sums);
    let total: Vec<u64> = (0..world.names.len())
        .map(|word| counts[..world.factors[0].levels.len()].iter().map(|level| level[word]).sum())
        .collect();
    let mut order: Vec<usize> = (0..world.names.len()).collect();
    let key = |word: usize| (total[word], world.names[word].as_bytes());
    order.sort_by(|&a, &b| Vocabulary::order(key(a), key(b)));
    let moved = |list: &Vec<u64>| -> Vec<u64> { order.iter().map(|&old| list[old]).collect() };
    let vocabulary = Vocabulary {
        words: order.iter().map(|&old| world.names[old].clone()).collect(),
        counts: moved(&total),
        documents: vec![0; order.len()],
        level_counts: counts.iter().map(moved).collect(),
    };
    for biases in biases.iter_mut().flatten() {
        *biases = order.iter().map(|&old| biases[old]).collect();
    }
    let world = world.reordered(&order);
    let tensor = PlantedTensor::new(&world, &biases, parameters);
    let covariates = covariates(&world, &sums);
    let truth = truth(parameters, &world, &tensor, biases, &ln_normalisers, work)?;
    Ok(Planted { tensor, vocabulary, covariates, truth })
}

fn cell_of(world: &World, biases: &LevelBiases, cell: usize) -> Cell {
    let levels =
        biases.iter().zip(&world.cells[cell]).map(|(factor, &level)| &factor[level as usize]);
    let mut sum = vec![0.0; world.names.len()];
    for level in levels {
        sum.iter_mut().zip(level).for_each(|(sum, b)| *sum += b);
    }
    Cell::new(world, cell, sum)
}

/// A word's rate in the first factor, and something of its own in every level.
fn level_biases(world: &World, parameters: &SynthParameters) -> LevelBiases {
    let mut lots = Stream::new(parameters.seed.0, End::Biases, 0);
    let mut biases = Vec::new();
    for (place, factor) in world.factors.iter().enumerate() {
        let mut level = |_: &String| -> Vec<f64> {
            let rate = |rate: &f64| if place == 0 { *rate } else { 0.0 };
            world.rates.iter().map(|r| rate(r) + BIAS_SPREAD * lots.normal()).collect()
        };
        biases.push(factor.levels.iter().map(&mut level).collect());
    }
    biases
}

/// Moves the first factor's biases so that cells sum to `scale`: every cell where there is one
/// factor, else the cells' mean. Returns what was ln of every cell's sum, and was taken out.
fn normalise(
    biases: &mut LevelBiases,
    world: &World,
    scale: f64,
    work: &Work<'_>,
) -> Result<Vec<f64>, Error> {
    let mut logs = Vec::new();
    for cell in 0..world.cells.len() {
        let (sums, most) =
            cell_of(world, biases, cell).sums(work, "planting", (cell, world.cells.len()))?;
        logs.push(most + libm::log(sums.iter().sum()));
    }
    if world.factors.len() > 1 {
        let most = logs.iter().copied().fold(f64::MIN, f64::max);
        let sum: f64 = logs.iter().map(|log| libm::exp(log - most)).sum();
        let mean = most + libm::log(sum / logs.len() as f64);
        logs.fill(mean);
    }
    // With one factor its levels are the cells; with several all moves are the same.
    for (level, biases) in biases[0].iter_mut().enumerate() {
        let shift = 0.5 * (libm::log(scale) - logs[level]);
        biases.iter_mut().for_each(|b| *b += shift);
    }
    Ok(logs)
}

/// By level of every factor in a row, then word: the row's sum in that level, rounded.
fn level_counts(world: &World, sums: &[Vec<f64>]) -> Vec<Vec<u64>> {
    let mut counts = Vec::new();
    for (place, factor) in world.factors.iter().enumerate() {
        for level in 0..factor.levels.len() {
            let cells =
                world.cells.iter().zip(sums).filter(|(cell, _)| cell[place] as usize == level);
            let mut row = vec![0.0; world.names.len()];
            for (_, sums) in cells {
                row.iter_mut().zip(sums).for_each(|(row, sum)| *row += sum);
            }
            counts.push(row.iter().map(|sum| sum.round() as u64).collect());
        }
    }
    counts
}

/// Nobody counted documents; a cell's words are the rounded sum of its values.
fn covariates(world: &World, sums: &[Vec<f64>]) -> Covariates {
    let factor = |factor: &super::weights::Factor| covariates::Factor {
        name: factor.name.clone(),
        ordered: false,
        levels: factor
            .levels
            .iter()
            .map(|name| covariates::Level {
                name: name.clone(),
                documents: 0,
                tokens: 0,
                from: None,
            })
            .collect(),
    };
    let mut covariates =
        Covariates { factors: world.factors.iter().map(factor).collect(), cells: Vec::new() };
    for (levels, sums) in world.cells.iter().zip(sums) {
        let tokens = sums.iter().sum::<f64>().round() as u64;
        for (factor, &level) in covariates.factors.iter_mut().zip(levels) {
            factor.levels[level as usize].tokens += tokens;
        }
        covariates.cells.push(covariates::Cell { levels: levels.clone(), documents: 0, tokens });
    }
    covariates
}

fn truth(
    parameters: &SynthParameters,
    world: &World,
    tensor: &PlantedTensor,
    biases: LevelBiases,
    ln_normalisers: &[f64],
    work: &Work<'_>,
) -> Result<Truth, Error> {
    let mut truth = Truth::new("tensor", parameters, world);
    for (factor, biases) in truth.factors.iter_mut().zip(biases) {
        factor.biases = Some(biases);
    }
    for (number, cell) in tensor.cells.iter().enumerate() {
        let (sums, most) = cell.sums(work, "summing up", (number, world.cells.len()))?;
        let marginals: Vec<f64> = sums.iter().map(|sum| sum * libm::exp(most)).collect();
        truth.cells.push(TrueCell {
            name: world.cell_name(number),
            levels: world.cells[number].clone(),
            documents: 0,
            tokens: 0,
            lengths: Vec::new(),
            ln_normaliser: ln_normalisers[number],
            total: marginals.iter().sum(),
            biases: cell.biases.clone(),
            marginals,
        });
    }
    Ok(truth)
}
