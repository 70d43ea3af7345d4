//! How far the company that a word keeps in a level is from what its company elsewhere leads one to
//! expect.
//!
//! With u_j the words' vectors at length 1, g(A) = ln(1 + A), by which a phrase that is repeated a
//! hundred times does not count a hundredfold, and f_j = a / (a + p_j), a = 0.001, by which words that stand
//! near everything (p_j is their share of all words) count for little (Arora et al. 2017), word i keeps
//! in level k the company
//!
//! ```text
//! m_ik = Σ_j x_ijk u_j / s_ik,    x_ijk = f_j g(A_ijk),    s_ik = Σ_j x_ijk
//! ```
//!
//! and in all other levels of the factor together m_i¬k = Σ_l≠k s_il m_il / s_i¬k, s_i¬k = Σ_l≠k s_il. A level that talks of other things moves all
//! words alike: that is a linear map, found by least squares over all words. What is left is the word's own:
//!
//! ```text
//! r_ik = m_ik − B_k (m_i¬k, 1)        size²_ik = r' (M + 3 m̄ I)⁻¹ r        T_ik = n_ik size²_ik
//! ```
//!
//! with M the covariance of u over all words met, m̄ its mean variance, and 1/n = Σ_j x²_ijk / s²_ik + Σ_l≠k Σ_j x²_ijl / s²_i¬k:
//! by Kish, companions that count for much are as few as they are, so that T has the same size for words that meet many others and
//! for words that meet few if nothing but chance moved them. A map is never quite
//! right, and that shows the more the more often a word occurs; so a word is ranked by how far it is beyond
//! others of its frequency:
//!
//! ```text
//! score_ik = T_ik / median T_jk over the words j whose n_jk is nearest
//! ```
//!
//! Cost: a sum of vectors for every entry of the tensor and factor, and a regression for every level.

use faer::linalg::solvers::{DenseSolveCore, Solve};
use faer::{Mat, Side};
use pulp::{Simd, WithSimd};

use crate::analyse::levels_of;
use crate::error::Error;
use crate::memo::Memo;
use crate::model::Model;
use crate::parallel;
use crate::tensor::{Entries, Tensor};
use crate::train::simd::{self, Rows};
use crate::train::table::Table;
use crate::work::Work;

/// A companion with this share of all words counts half.
const COMMON: f64 = 1e-3;
/// The part of the mean variance that is added to the metric.
const FLOOR: f64 = 3.0;
/// Words of like frequency.
const LIKE: usize = 200;
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
    own: Sums,
    rest: Sums,
}

/// Sums over companions, x being how much each counts.
#[derive(Debug, Clone)]
struct Sums {
    /// Of x · u.
    vector: Vec<f32>,
    /// Of x.
    sum: f64,
    /// Of x².
    squares: f64,
}

impl Sums {
    fn new(dim: usize) -> Self {
        Self { vector: vec![0.0; dim], sum: 0.0, squares: 0.0 }
    }

    fn add(&mut self, other: &Self) {
        self.vector.iter_mut().zip(&other.vector).for_each(|(sum, x)| *sum += x);
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// 1/n.
    fn spread(&self) -> f64 {
        self.squares / (self.sum * self.sum)
    }

    fn mean(&self, t: usize) -> f64 {
        f64::from(self.vector[t]) / self.sum
    }
}

/// What is the same for all tensors with a model's words and levels.
#[derive(Debug)]
pub(crate) struct Shifter<'a> {
    model: &'a Model,
    /// The vectors at length 1.
    units: Table,
    factors: Vec<f64>,
    metric: Mat<f64>,
}

impl<'a> Shifter<'a> {
    pub(crate) fn new(model: &'a Model) -> Self {
        let mut units = Table::unpack(&model.vectors, model.dim);
        for word in 0..units.rows() {
            crate::analyse::normalise(&mut units.row_mut(word)[..model.dim]);
        }
        let metric = metric(model, &units);
        Self { model, units, factors: factors(model), metric }
    }

    /// The shifts of all words that occur `least` times in a level, by the model's counts, in the levels of a tensor.
    pub(crate) fn shifts(
        &self,
        tensor: &Tensor,
        least: u64,
        work: &Work<'_>,
    ) -> Result<Shifts, Error> {
        let (words, levels) = (self.model.vocabulary.len(), self.model.levels());
        let reader = Reader { shifter: self, flat: &tensor.covariates.flat_levels(), least };
        let found = parallel::map(
            work.threads,
            tensor.groups(),
            &mut Vec::new(),
            || Desk::new(self.model),
            |desk, group| {
                work.proceed()?;
                reader.group(tensor, group, desk)
            },
        )?;
        let mut by_level: Vec<Vec<Company>> = vec![Vec::new(); levels];
        for company in found.into_iter().flatten() {
            by_level[company.level as usize].push(company);
        }
        let solved = parallel::tasks(work.threads, levels, |level| {
            work.proceed()?;
            let sizes = sizes(&by_level[level], self.model.dim, &self.metric);
            let scores = ranked(&by_level[level], &sizes);
            Ok((sizes, scores))
        })?;
        let mut squares = vec![f32::NAN; levels * words];
        let mut scores = vec![f32::NAN; levels * words];
        for (level, (companies, (sizes, ranked))) in by_level.iter().zip(&solved).enumerate() {
            for ((company, size), score) in companies.iter().zip(sizes).zip(ranked) {
                let place = level * words + company.word as usize;
                squares[place] = *size as f32;
                scores[place] = *score as f32;
            }
        }
        Ok(Shifts { squares, scores })
    }
}

/// The scores of a level's words.
fn ranked(companies: &[Company], sizes: &[f64]) -> Vec<f64> {
    let n = |company: &Company| 1.0 / (company.own.spread() + company.rest.spread());
    let mut order: Vec<usize> = (0..companies.len()).collect();
    order.sort_by(|&a, &b| n(&companies[a]).total_cmp(&n(&companies[b])).then(a.cmp(&b)));
    let tests: Vec<f64> = order.iter().map(|&i| sizes[i] * n(&companies[i])).collect();
    let mut scores = vec![0.0; companies.len()];
    for (place, &i) in order.iter().enumerate() {
        let first = place.saturating_sub(LIKE / 2).min(tests.len().saturating_sub(LIKE));
        let mut like = tests[first..tests.len().min(first + LIKE)].to_vec();
        let middle = like.len() / 2;
        let median = *like.select_nth_unstable_by(middle, f64::total_cmp).1;
        scores[i] = tests[place] / median.max(f64::MIN_POSITIVE);
    }
    scores
}

/// How much a companion counts by how common it is.
fn factors(model: &Model) -> Vec<f64> {
    let counts = &model.vocabulary.counts;
    let total = counts.iter().sum::<u64>().max(1) as f64;
    counts.iter().map(|&count| COMMON / (COMMON + count as f64 / total)).collect()
}

/// (M + floor)⁻¹.
fn metric(model: &Model, units: &Table) -> Mat<f64> {
    let dim = model.dim;
    let total: u64 = model.vocabulary.counts.iter().sum();
    let (mut mean, mut second) = (vec![0.0; dim], Mat::<f64>::zeros(dim, dim));
    for (word, &count) in model.vocabulary.counts.iter().enumerate() {
        let (unit, share) = (units.row(word), count as f64 / total.max(1) as f64);
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
    let from =
        Mat::from_fn(n, dim + 1, |i, t| if t == dim { 1.0 } else { companies[i].rest.mean(t) });
    let to = Mat::from_fn(n, dim, |i, t| companies[i].own.mean(t));
    let weighted = Mat::from_fn(n, dim + 1, |i, t| companies[i].own.sum * from[(i, t)]);
    let average = companies.iter().map(|company| company.own.sum).sum::<f64>() / n as f64;
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
    shifter: &'a Shifter<'a>,
    /// The levels of every cell.
    flat: &'a [Vec<usize>],
    least: u64,
}

/// What a thread needs.
struct Desk {
    /// The counts of a level by column, and which columns have any.
    counts: Vec<f64>,
    met: Vec<u32>,
    /// How much each of those counts.
    much: Vec<f32>,
    sum: Table,
    /// ln(1 + count).
    logarithms: Memo<f64>,
}

impl Desk {
    fn new(model: &Model) -> Self {
        Self {
            counts: vec![0.0; model.vocabulary.len()],
            met: Vec::new(),
            much: Vec::new(),
            sum: Table::new(1, model.dim),
            logarithms: Memo::new(),
        }
    }
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
        let model = self.shifter.model;
        for factor in 0..model.covariates.factors.len() {
            let levels = levels_of(model, factor);
            let least = |level: &usize| model.count_in(word as usize, &[*level]) >= self.least;
            if !levels.clone().any(|level| least(&level)) {
                continue;
            }
            let kept: Vec<Sums> =
                levels.clone().map(|level| self.company(row, word, level, desk)).collect();
            for (level, own) in levels.clone().zip(&kept).filter(|(k, _)| least(k)) {
                let mut rest = Sums::new(model.dim);
                for (_, other) in levels.clone().zip(&kept).filter(|(k, _)| *k != level) {
                    rest.add(other);
                }
                if own.sum > 0.0 && rest.sum > 0.0 {
                    found.push(Company { word, level: level as u32, own: own.clone(), rest });
                }
            }
        }
    }

    /// The sums over a word's companions in a level.
    fn company(&self, row: &Entries, word: u32, level: usize, desk: &mut Desk) -> Sums {
        let Desk { counts, met, much, sum, logarithms } = desk;
        met.clear();
        much.clear();
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
        let Shifter { model, units, factors, .. } = self.shifter;
        let mut sums = Sums::new(model.dim);
        for &col in met.iter() {
            let count = std::mem::take(&mut counts[col as usize]);
            let own = factors[col as usize] * logarithms.of(count, libm::log1p);
            much.push(own as f32);
            sums.sum += own;
            sums.squares += own * own;
        }
        sum.row_mut(0).fill(0.0);
        pulp::Arch::new().dispatch(Add { units, cols: met, factors: much, sum });
        sums.vector.copy_from_slice(&sum.row(0)[..model.dim]);
        sums
    }
}

/// Adds up companions' vectors, each times how much it counts.
struct Add<'a> {
    units: &'a Table,
    cols: &'a [u32],
    factors: &'a [f32],
    sum: &'a mut Table,
}

impl WithSimd for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let table = Rows::<S>::new(self.units.all(), self.units.stride());
        let sum = S::as_mut_simd_f32s(self.sum.all_mut()).0;
        simd::add_rows(simd, table, self.cols, self.factors, sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synth::{self, SynthParameters};
    use crate::train::{self, TrainParameters};

    /// All by the formulas of the header, one number at a time.
    fn naive(model: &Model, tensor: &Tensor, least: u64) -> [Vec<f64>; 2] {
        let (words, levels, dim) = (model.vocabulary.len(), model.levels(), model.dim);
        let unit = |j: usize| -> Vec<f64> {
            let v: Vec<f64> = model.vector(j).iter().map(|x| f64::from(*x)).collect();
            let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
            v.into_iter().map(|x| x / length).collect()
        };
        let mut counts = vec![vec![vec![0.0; words]; words]; levels];
        for batch in tensor.entries().unwrap() {
            let batch = batch.unwrap();
            for i in 0..batch.values.len() {
                let (row, col) = (batch.rows[i] as usize, batch.cols[i] as usize);
                if row != col {
                    for &level in &tensor.covariates.flat_levels()[batch.cells[i] as usize] {
                        counts[level][row][col] += batch.values[i];
                    }
                }
            }
        }
        let total: u64 = model.vocabulary.counts.iter().sum();
        let share = |j: usize| model.vocabulary.counts[j] as f64 / total as f64;
        let company = |level: usize, i: usize| -> (Vec<f64>, f64, f64) {
            let mut sum = (vec![0.0; dim], 0.0, 0.0);
            for (j, count) in counts[level][i].iter().enumerate() {
                let x = (1.0_f64 + count).ln() * 0.001 / (0.001 + share(j));
                sum.0.iter_mut().zip(unit(j)).for_each(|(sum, u)| *sum += x * u);
                sum.1 += x;
                sum.2 += x * x;
            }
            sum
        };
        let mean: Vec<f64> =
            (0..dim).map(|t| (0..words).map(|j| share(j) * unit(j)[t]).sum()).collect();
        let mut metric = Mat::from_fn(dim, dim, |s, t| {
            let product = |j: usize| (unit(j)[s] - mean[s]) * (unit(j)[t] - mean[t]);
            (0..words).map(|j| share(j) * product(j)).sum::<f64>()
        });
        let floor = 3.0 * (0..dim).map(|t| metric[(t, t)]).sum::<f64>() / dim as f64;
        (0..dim).for_each(|t| metric[(t, t)] += floor);
        let inverse = metric.partial_piv_lu().inverse();
        let mut squares = vec![f64::NAN; levels * words];
        let mut scores = squares.clone();
        for level in 0..levels {
            let known: Vec<usize> =
                (0..words).filter(|&i| model.vocabulary.level_counts[level][i] >= least).collect();
            let mut from = Mat::zeros(known.len(), dim + 1);
            let mut to = Mat::zeros(known.len(), dim);
            let (mut weights, mut sizes) = (Vec::new(), Vec::new());
            for (row, &i) in known.iter().enumerate() {
                let (own, sum, square) = company(level, i);
                let mut rest = (vec![0.0; dim], 0.0, 0.0);
                for other in (0..levels).filter(|other| *other != level) {
                    let (x, s, square) = company(other, i);
                    rest.0.iter_mut().zip(x).for_each(|(rest, x)| *rest += x);
                    rest.1 += s;
                    rest.2 += square;
                }
                for t in 0..dim {
                    to[(row, t)] = own[t] / sum;
                    from[(row, t)] = rest.0[t] / rest.1;
                }
                from[(row, dim)] = 1.0;
                weights.push(sum);
                sizes.push(1.0 / (square / sum.powi(2) + rest.2 / rest.1.powi(2)));
            }
            let average = weights.iter().sum::<f64>() / weights.len() as f64;
            let scaled = Mat::from_fn(known.len(), dim + 1, |i, t| weights[i] * from[(i, t)]);
            let mut gram = scaled.transpose() * &from;
            (0..=dim).for_each(|t| gram[(t, t)] += 1e-3 * average);
            let map = gram.partial_piv_lu().inverse() * (scaled.transpose() * &to);
            let left = &to - &from * map;
            for (row, &i) in known.iter().enumerate() {
                let mut size = 0.0;
                for s in 0..dim {
                    for t in 0..dim {
                        size += left[(row, s)] * inverse[(s, t)] * left[(row, t)];
                    }
                }
                squares[level * words + i] = size;
            }
            // All words are fewer than those of like frequency would be: one median serves all.
            assert!(known.len() <= LIKE);
            let test = |row: usize| sizes[row] * squares[level * words + known[row]];
            let mut tests: Vec<f64> = (0..known.len()).map(test).collect();
            tests.sort_by(f64::total_cmp);
            for (row, &i) in known.iter().enumerate() {
                scores[level * words + i] = test(row) / tests[known.len() / 2];
            }
        }
        [squares, scores]
    }

    fn world(home: &std::path::Path, pairs: &[(&str, &str)]) -> (Model, Tensor) {
        let mut parameters = SynthParameters::default();
        for (name, value) in pairs {
            parameters.set(name, value).unwrap();
        }
        let work = Work { force: true, ..Work::default() };
        let (corpus, truth) = (home.join("c.jsonl"), home.join("truth.json"));
        synth::write_corpus(parameters.checked().unwrap(), &corpus, &truth, &work).unwrap();
        let mut rules = crate::tensor::CountParameters::default();
        rules.set("by", "group").unwrap();
        let tensor =
            crate::tensor::count(&[corpus], rules.check().unwrap(), &home.join("t"), &work)
                .unwrap();
        let parameters = TrainParameters { dim: 8, sweeps: 6, ..TrainParameters::default() };
        let model =
            train::train(&tensor, parameters.checked().unwrap(), &home.join("m"), &work).unwrap();
        (model, tensor)
    }

    #[test]
    fn shifts_are_those_of_the_formulas_at_any_number_of_threads() {
        let home = tempfile::tempdir().unwrap();
        let settings = [("words", "120"), ("tokens", "40000"), ("levels", "3"), ("dim", "4")];
        let (model, tensor) = world(home.path(), &settings);
        let least = 20;
        let of = |threads: usize| {
            let threads = std::num::NonZeroUsize::new(threads).unwrap();
            Shifter::new(&model)
                .shifts(&tensor, least, &Work { threads, ..Work::default() })
                .unwrap()
        };
        let found = of(1);
        for threads in [2, 5] {
            let bits = |shifts: &Shifts| -> Vec<u32> {
                shifts.squares.iter().chain(&shifts.scores).map(|x| x.to_bits()).collect()
            };
            assert_eq!(bits(&found), bits(&of(threads)));
        }
        let mut compared = 0;
        let expected = naive(&model, &tensor, least);
        for (found, expected) in [&found.squares, &found.scores].into_iter().zip(&expected) {
            for (found, expected) in found.iter().zip(expected) {
                assert_eq!(found.is_nan(), expected.is_nan());
                if !expected.is_nan() {
                    let off = (f64::from(*found) - expected).abs();
                    assert!(off < 1e-4 * expected.max(1e-3), "{found} {expected}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 200, "{compared}");
    }

    #[test]
    fn words_that_differ_in_a_level_are_at_the_top_there() {
        let home = tempfile::tempdir().unwrap();
        let settings = [
            ("words", "800"),
            ("tokens", "800000"),
            ("levels", "3"),
            ("dim", "6"),
            ("differing", "24"),
        ];
        let (model, tensor) = world(home.path(), &settings);
        let found = Shifter::new(&model).shifts(&tensor, 20, &Work::default()).unwrap();
        let truth = std::fs::read_to_string(home.path().join("truth.json")).unwrap();
        let truth: serde_json::Value = serde_json::from_str(&truth).unwrap();
        let names = model.covariates.level_names();
        let words = model.vocabulary.len();
        let score = |&(level, word): &(usize, usize)| f64::from(found.scores[level * words + word]);
        let planted: Vec<(usize, usize)> = truth["differing"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|own| {
                let level = names.iter().position(|name| own["level"] == name.as_str())?;
                Some((level, model.word(own["word"].as_str()?).ok()?))
            })
            .filter(|place| !score(place).is_nan())
            .collect();
        // Words as frequent, in the same levels, to which nothing was done anywhere.
        let count = |level: usize, word: usize| model.vocabulary.level_counts[level][word];
        let range = planted.iter().map(|&(level, word)| count(level, word));
        let range = range.clone().min().unwrap()..=range.max().unwrap();
        let touched: Vec<usize> = planted.iter().map(|&(_, word)| word).collect();
        let others: Vec<(usize, usize)> = (0..model.levels())
            .flat_map(|level| (0..words).map(move |word| (level, word)))
            .filter(|&(level, word)| range.contains(&count(level, word)))
            .filter(|place| !touched.contains(&place.1) && !score(place).is_nan())
            .collect();
        let scores = |places: &[(usize, usize)]| places.iter().map(score).collect::<Vec<_>>();
        let auc = synth::auc(&scores(&planted), &scores(&others)).unwrap();
        assert!(auc > 0.9, "{auc} of {} and {}", planted.len(), others.len());
    }
}
