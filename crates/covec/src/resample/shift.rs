//! How far the company that a word keeps in a level is from what its company elsewhere leads one to
//! expect.
//!
//! With u_j the words' vectors at length 1 and g(A) = ln(1 + A), by which a phrase that is repeated a
//! hundred times does not count a hundredfold, word i keeps in level k the company
//!
//! ```text
//! m_ik = Σ_j g(A_ijk) u_j / s_ik,    s_ik = Σ_j g(A_ijk)
//! ```
//!
//! and in all other levels of the factor together m_i¬k = Σ_l≠k s_il m_il / s_i¬k, s_i¬k = Σ_l≠k s_il. A level that talks of other things moves all
//! words alike: that is a linear map, found by least squares over all words. What is left is the word's own:
//!
//! ```text
//! r_ik = m_ik − B_k (m_i¬k, 1)        size²_ik = r' (M + 3 m̄ I)⁻¹ r        T_ik = n_ik size²_ik
//! ```
//!
//! with M the covariance of u over all words met, m̄ its mean variance, and 1/n = 1/s_ik + 1/s_i¬k, so that T
//! has the same size for rare words and for common ones if nothing but chance moved them. Words that differ
//! from level to level anyway (names, the news of a year) say little by differing in one more:
//!
//! ```text
//! score_ik = T_ik / (median_j T_jk + mean_l≠k T_il)
//! ```
//!
//! Cost: a sum of vectors for every entry of the tensor and factor, and a regression for every level.

use faer::linalg::solvers::{DenseSolveCore, Solve};
use faer::{Mat, Side};

use crate::analyse::levels_of;
use crate::error::Error;
use crate::model::Model;
use crate::parallel;
use crate::tensor::{Entries, Tensor};
use crate::work::Work;

/// The part of the mean variance that is added to the metric.
const FLOOR: f64 = 3.0;
/// The ridge of the maps, relative to the data of the average word.
const RIDGE: f64 = 1e-3;

/// How far words' company is off, by level and word; not a number where a word is too rare to say.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shifts {
    /// The squared size: level × words + word.
    pub(crate) squares: Vec<f32>,
    /// What words are ranked by.
    pub(crate) scores: Vec<f32>,
}

/// A word's company in a level and in all others.
#[derive(Debug, Clone)]
struct Company {
    word: u32,
    level: u32,
    /// Sums of g · u, and of g.
    own: Vec<f32>,
    own_sum: f64,
    rest: Vec<f32>,
    rest_sum: f64,
}

/// The shifts of all words that occur `least` times in a level, by the model's counts, in the levels of
/// a tensor with the model's words and levels.
pub(crate) fn shifts(
    model: &Model,
    tensor: &Tensor,
    least: u64,
    work: &Work<'_>,
) -> Result<Shifts, Error> {
    let (words, levels) = (model.vocabulary.len(), model.levels());
    let units = directions(model);
    let flat = tensor.covariates.flat_levels();
    let reader = Reader { model, units: &units, flat: &flat, least };
    let mut desks = Vec::new();
    let found = parallel::map(
        work.threads,
        tensor.groups(),
        &mut desks,
        || Desk { counts: vec![0.0; words], met: Vec::new() },
        |desk, group| {
            work.proceed()?;
            reader.group(tensor, group, desk)
        },
    )?;
    let mut by_level: Vec<Vec<Company>> = vec![Vec::new(); levels];
    for company in found.into_iter().flatten() {
        by_level[company.level as usize].push(company);
    }
    let metric = metric(model, &units);
    let solved = parallel::tasks(work.threads, levels, |level| {
        work.proceed()?;
        Ok(sizes(&by_level[level], model.dim, &metric))
    })?;
    let mut squares = vec![f32::NAN; levels * words];
    let mut tests = vec![f32::NAN; levels * words];
    for (level, (companies, sizes)) in by_level.iter().zip(&solved).enumerate() {
        for (company, &size) in companies.iter().zip(sizes) {
            let place = level * words + company.word as usize;
            let n = 1.0 / (1.0 / company.own_sum + 1.0 / company.rest_sum);
            squares[place] = size as f32;
            tests[place] = (size * n) as f32;
        }
    }
    let scores = scores(model, &tests);
    Ok(Shifts { squares, scores })
}

/// T against what is usual for the level, and for the word in other levels.
fn scores(model: &Model, tests: &[f32]) -> Vec<f32> {
    let words = model.vocabulary.len();
    let mut scores = vec![f32::NAN; tests.len()];
    for factor in 0..model.covariates.factors.len() {
        let levels = levels_of(model, factor);
        for level in levels.clone() {
            let own = &tests[level * words..(level + 1) * words];
            let mut known: Vec<f32> = own.iter().copied().filter(|x| !x.is_nan()).collect();
            if known.is_empty() {
                continue;
            }
            let middle = known.len() / 2;
            let median = f64::from(*known.select_nth_unstable_by(middle, f32::total_cmp).1);
            for word in 0..words {
                let others = levels.clone().filter(|other| *other != level);
                let others = others.map(|other| f64::from(tests[other * words + word]));
                let (sum, count) = others
                    .filter(|test| !test.is_nan())
                    .fold((0.0, 0.0), |(sum, count), test| (sum + test, count + 1.0));
                let usual = if count > 0.0 { sum / count } else { median };
                let score = f64::from(own[word]) / (median + usual).max(f64::MIN_POSITIVE);
                scores[level * words + word] = score as f32;
            }
        }
    }
    scores
}

/// The vectors at length 1.
fn directions(model: &Model) -> Vec<f32> {
    let mut units = model.vectors.to_vec();
    units.chunks_exact_mut(model.dim).for_each(crate::analyse::normalise);
    units
}

/// (M + floor)⁻¹.
fn metric(model: &Model, units: &[f32]) -> Mat<f64> {
    let dim = model.dim;
    let total: u64 = model.vocabulary.counts.iter().sum();
    let (mut mean, mut second) = (vec![0.0; dim], Mat::<f64>::zeros(dim, dim));
    for (unit, &count) in units.chunks_exact(dim).zip(&model.vocabulary.counts) {
        let share = count as f64 / total.max(1) as f64;
        for s in 0..dim {
            let x = share * f64::from(unit[s]);
            mean[s] += x;
            for t in 0..=s {
                second[(s, t)] += x * f64::from(unit[t]);
            }
        }
    }
    let covariance = |s: usize, t: usize| {
        let (s, t) = (s.max(t), s.min(t));
        second[(s, t)] - mean[s] * mean[t]
    };
    let variance = (0..dim).map(|s| covariance(s, s)).sum::<f64>() / dim as f64;
    let floor = (FLOOR * variance).max(f64::MIN_POSITIVE);
    let floored =
        Mat::from_fn(dim, dim, |s, t| covariance(s, t) + if s == t { floor } else { 0.0 });
    floored.llt(Side::Lower).map_or_else(|_| Mat::identity(dim, dim), |llt| llt.inverse())
}

/// The squared sizes of what a level's map leaves.
fn sizes(companies: &[Company], dim: usize, metric: &Mat<f64>) -> Vec<f64> {
    let n = companies.len();
    if n == 0 {
        return Vec::new();
    }
    let mean = |sums: &[f32], sum: f64, t: usize| f64::from(sums[t]) / sum;
    let from = Mat::from_fn(n, dim + 1, |i, t| {
        let company = &companies[i];
        if t == dim { 1.0 } else { mean(&company.rest, company.rest_sum, t) }
    });
    let to = Mat::from_fn(n, dim, |i, t| mean(&companies[i].own, companies[i].own_sum, t));
    let weighted = Mat::from_fn(n, dim + 1, |i, t| companies[i].own_sum * from[(i, t)]);
    let average = companies.iter().map(|company| company.own_sum).sum::<f64>() / n as f64;
    let mut gram = weighted.transpose() * &from;
    for t in 0..=dim {
        gram[(t, t)] += RIDGE * average;
    }
    let Ok(solver) = gram.llt(Side::Lower) else { return vec![0.0; n] };
    let map = solver.solve(weighted.transpose() * &to);
    let left = to - from * map;
    let scaled = &left * metric;
    (0..n).map(|i| (0..dim).map(|t| left[(i, t)] * scaled[(i, t)]).sum::<f64>().max(0.0)).collect()
}

/// What the rows are read with.
struct Reader<'a> {
    model: &'a Model,
    units: &'a [f32],
    /// The levels of every cell.
    flat: &'a [Vec<usize>],
    least: u64,
}

/// What a thread needs: the counts of a level by column, and which columns have any.
struct Desk {
    counts: Vec<f64>,
    met: Vec<u32>,
}

impl Reader<'_> {
    /// All rows of a group.
    fn group(&self, tensor: &Tensor, group: usize, desk: &mut Desk) -> Result<Vec<Company>, Error> {
        let mut found = Vec::new();
        let mut row = Entries::default();
        for entries in tensor.group(group)? {
            let entries = entries?;
            let mut start = 0;
            while start < entries.rows.len() {
                let word = entries.rows[start];
                let len = entries.rows[start..].partition_point(|&other| other == word);
                if row.rows.first().is_some_and(|&other| other != word) {
                    self.row(&row, desk, &mut found);
                    row = Entries::default();
                }
                row.append(&entries, start..start + len);
                start += len;
            }
        }
        self.row(&row, desk, &mut found);
        Ok(found)
    }

    fn row(&self, row: &Entries, desk: &mut Desk, found: &mut Vec<Company>) {
        let Some(&word) = row.rows.first() else { return };
        for factor in 0..self.model.covariates.factors.len() {
            let levels = levels_of(self.model, factor);
            let least = |level: &usize| self.model.count_in(word as usize, &[*level]) >= self.least;
            if !levels.clone().any(|level| least(&level)) {
                continue;
            }
            let kept: Vec<(Vec<f32>, f64)> =
                levels.clone().map(|level| self.company(row, word, level, desk)).collect();
            for (level, (own, own_sum)) in levels.clone().zip(&kept).filter(|(k, _)| least(k)) {
                let mut rest = vec![0.0; self.model.dim];
                let mut rest_sum = 0.0;
                for (_, (other, sum)) in levels.clone().zip(&kept).filter(|(k, _)| *k != level) {
                    rest.iter_mut().zip(other).for_each(|(rest, x)| *rest += x);
                    rest_sum += sum;
                }
                if *own_sum > 0.0 && rest_sum > 0.0 {
                    let (level, own, own_sum) = (level as u32, own.clone(), *own_sum);
                    found.push(Company { word, level, own, own_sum, rest, rest_sum });
                }
            }
        }
    }

    /// The sums of g · u and of g over a word's companions in a level.
    fn company(&self, row: &Entries, word: u32, level: usize, desk: &mut Desk) -> (Vec<f32>, f64) {
        let Desk { counts, met } = desk;
        let mut start = 0;
        // Entries of a row are sorted by cell.
        while let Some(&cell) = row.cells.get(start) {
            let range = start..start + row.cells[start..].partition_point(|&c| c == cell);
            start = range.end;
            if self.flat[cell as usize].contains(&level) {
                for (&col, &value) in row.cols[range.clone()].iter().zip(&row.values[range]) {
                    if col != word {
                        if counts[col as usize] == 0.0 {
                            met.push(col);
                        }
                        counts[col as usize] += value;
                    }
                }
            }
        }
        let (mut sum, mut total) = (vec![0.0; self.model.dim], 0.0);
        for col in met.drain(..) {
            let count = std::mem::take(&mut counts[col as usize]);
            total += self.add(&mut sum, col, libm::log1p(count));
        }
        (sum, total)
    }

    /// Adds a word's direction so many times, and returns how many.
    fn add(&self, sum: &mut [f32], col: u32, times: f64) -> f64 {
        let dim = self.model.dim;
        let unit = &self.units[col as usize * dim..(col as usize + 1) * dim];
        let factor = times as f32;
        sum.iter_mut().zip(unit).for_each(|(sum, x)| *sum += factor * x);
        times
    }
}
