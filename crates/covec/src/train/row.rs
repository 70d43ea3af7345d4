//! One word's equations: with everything else fixed, the objective is quadratic in the word's
//! vector and biases together. A few steps of conjugate gradients from where the word stands,
//! preconditioned by the [`Average`] word.
//!
//! A pair of a word with itself counts like any other, with the word's own vector on the other side
//! held where it stood.

use std::sync::OnceLock;

use faer::Mat;
use pulp::{Simd, WithSimd};

use super::absences::Absences;
use super::average::Average;
use super::chance::Chance;
use super::examples::{Buffer, Examples, Row};
use super::simd::{self, Rows};
use super::state::State;
use super::table::Table;
use crate::error::Error;
use crate::parallel;
use crate::work::Work;

/// How strongly what is drawn where; all in units of entry weights.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Strengths {
    /// Vectors to 0.
    pub(crate) vectors: f32,
    /// Biases to independence.
    pub(crate) biases: f32,
}

/// Everything that stays fixed while a row is solved.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Problem<'a> {
    pub(crate) state: &'a State,
    /// Where only one level is to be fitted.
    pub(crate) own: Option<Own<'a>>,
    pub(crate) average: &'a Average,
    /// Where pairs that never met count too.
    pub(crate) chance: Option<&'a Chance>,
    pub(crate) strengths: Strengths,
    /// Steps of conjugate gradients.
    pub(crate) steps: usize,
}

/// A level with vectors of its own, drawn to the state's; biases stay as they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Own<'a> {
    pub(crate) level: usize,
    pub(crate) vectors: &'a Table,
    /// Pairs that the level's cells do without, where these count.
    pub(crate) absences: Option<&'a Absences>,
}

impl<'a> Own<'a> {
    /// What a word does without in the level: cells and columns.
    fn absent(self, state: &'a State, word: usize) -> impl Iterator<Item = (usize, &'a [u32])> {
        let cells = state.layout.cells.iter().enumerate();
        let inside = cells.filter(move |(_, levels)| levels.contains(&self.level));
        inside.filter_map(move |(cell, _)| {
            let cols = self.absences?.of(cell, word);
            (!cols.is_empty()).then_some((cell, cols))
        })
    }
}

/// What came out.
#[derive(Debug, Clone)]
pub(crate) struct Solved {
    pub(crate) vector: Vec<f32>,
    /// Level and bias.
    pub(crate) biases: Vec<(u32, f32)>,
}

/// What a thread needs to solve rows.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) buffer: Buffer,
    vectors: [Table; 6],
    levels: [Vec<f32>; 5],
    touched: Vec<usize>,
    is_touched: Vec<bool>,
    factors: Vec<f32>,
    /// Of all entries of the row that take part, and of what it does without.
    weights: Vec<f32>,
    /// For what chance has to do with cells and dimensions.
    cells: Vec<f32>,
    dims: Table,
    /// The numbers of all dimensions.
    every: Vec<u32>,
}

impl Desk {
    pub(crate) fn new(state: &State) -> Self {
        let levels = state.layout.levels();
        Self {
            buffer: Buffer::default(),
            vectors: std::array::from_fn(|_| Table::new(1, state.dim())),
            levels: std::array::from_fn(|_| vec![0.0; levels]),
            touched: Vec::new(),
            is_touched: vec![false; levels],
            factors: Vec::new(),
            weights: Vec::new(),
            cells: vec![0.0; state.layout.cells.len()],
            dims: Table::new(1, state.dim()),
            every: (0..state.dim() as u32).collect(),
        }
    }
}

impl Problem<'_> {
    /// Solves the row of `word`.
    pub(crate) fn solve(
        &self,
        examples: &Examples,
        word: usize,
        desk: &mut Desk,
    ) -> Result<Solved, Error> {
        let mut buffer = std::mem::take(&mut desk.buffer);
        let row = examples.row(word, &mut buffer)?;
        let solved = self.solve_row(row, word, desk);
        desk.buffer = buffer;
        Ok(solved)
    }

    /// Solves the rows of these words, which it brings into another order, and none of which sees the others move; and beside them, what the words as they stand add to the
    /// sums over all pairs, if those count.
    pub(crate) fn solve_all(
        &self,
        examples: &Examples,
        words: &mut [usize],
        desks: &mut Vec<Desk>,
        work: &Work<'_>,
    ) -> Result<(Vec<Solved>, Option<Mat<f32>>), Error> {
        // Long rows first, so that no thread is left with one at the end.
        words.sort_by_key(|&word| std::cmp::Reverse((examples.len(word), word)));
        let words = &*words;
        let vectors = self.own.map_or(&self.state.vectors, |own| own.vectors);
        let sums = OnceLock::new();
        let beside = usize::from(self.chance.is_some());
        let solved = parallel::map(
            work.threads,
            beside + words.len(),
            desks,
            || Desk::new(self.state),
            |desk, task| match task.checked_sub(beside) {
                Some(i) => self.solve(examples, words[i], desk).map(Some),
                None => {
                    let of = |chance: &Chance| chance.of(self.state, vectors, words);
                    sums.get_or_init(|| self.chance.map(of));
                    Ok(None)
                }
            },
        )?;
        Ok((solved.into_iter().flatten().collect(), sums.into_inner().flatten()))
    }

    /// Solves for `word` by these entries alone.
    pub(crate) fn solve_row(&self, row: Row<'_>, word: usize, desk: &mut Desk) -> Solved {
        pulp::Arch::new().dispatch(Solve { problem: self, row, word, desk })
    }
}

struct Solve<'a> {
    problem: &'a Problem<'a>,
    row: Row<'a>,
    word: usize,
    desk: &'a mut Desk,
}

impl WithSimd for Solve<'_> {
    type Output = Solved;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Solved {
        let Solve { problem, row, word, desk } = self;
        let Problem { state, own, average, chance, strengths, steps } = *problem;
        let layout = &state.layout;
        let words = state.words();
        let free = own.is_none();
        let groups = || {
            row.iter()
                .filter(|(cell, _)| own.is_none_or(|own| layout.cells[*cell].contains(&own.level)))
        };
        touch(desk, row, state, free);
        let Desk {
            vectors, levels, touched, is_touched, factors, weights, cells, dims, every, ..
        } = desk;
        let dims = dims.all_mut();
        weights.clear();
        let [theta, rest, direction, image, scaled, sum] = vectors.each_mut().map(Table::all_mut);
        let regs = |numbers| S::as_mut_simd_f32s(numbers).0;
        let (theta, rest, direction) = (regs(theta), regs(rest), regs(direction));
        let (image, scaled, sum) = (regs(image), regs(scaled), regs(sum));
        let [bias, bias_rest, bias_direction, bias_image, level_weight] =
            levels.each_mut().map(Vec::as_mut_slice);
        let zero = simd.splat_f32s(0.0);
        let stride = state.vectors.stride();
        let all = own.map_or(&state.vectors, |own| own.vectors);
        let table = Rows::<S>::new(all.all(), stride);
        let squares = Rows::<S>::new(state.cell_squares.all(), stride);

        // Where the word stands, and the downhill side of the objective there.
        theta.copy_from_slice(table.row(word));
        rest.fill(zero);
        for &level in touched.iter() {
            bias[level] = state.biases[level * words + word];
            bias_rest[level] = 0.0;
            level_weight[level] = 0.0;
        }
        let mut weight = 0.0;
        for (cell, run) in groups() {
            simd::times(simd, theta, squares.row(cell), scaled);
            sum.fill(zero);
            let cell_levels = &layout.cells[cell][..];
            run.without_biases(state, word, cell, factors);
            let start = weights.len();
            run.weigh_more(weights);
            let weights = &weights[start..];
            let (mut total, mut pull) = (0.0, 0.0);
            simd::fold(simd, table, run.cols, scaled, sum, |at, dot| {
                let factor = weights[at] * (factors[at] - dot);
                total += weights[at];
                pull += factor;
                factor
            });
            simd::add_times(simd, squares.row(cell), sum, rest);
            weight += total;
            for &level in cell_levels.iter().filter(|_| free) {
                bias_rest[level] += pull;
                level_weight[level] += total;
            }
        }
        let absent = || own.into_iter().flat_map(|own| own.absent(state, word));
        for (cell, cols) in absent() {
            let (never, most) = Absences::targets();
            simd::times(simd, theta, squares.row(cell), scaled);
            sum.fill(zero);
            let own_bias = state.bias(word, cell);
            simd::fold(simd, table, cols, scaled, sum, |at, dot| {
                let told = dot + own_bias + state.bias(cols[at] as usize, cell);
                let beyond = told - never;
                // Nothing is missed that nobody predicts.
                let own = if beyond > 0.0 { row.weighting.of(told.min(most)) } else { 0.0 };
                weights.push(own);
                weight += own;
                -own * beyond
            });
            simd::add_times(simd, squares.row(cell), sum, rest);
        }
        simd::add_scaled(simd, -strengths.vectors, theta, rest);
        if own.is_some() {
            let home = S::as_simd_f32s(state.vectors.row(word)).0;
            simd::add_scaled(simd, strengths.vectors, home, rest);
        }
        for &level in touched.iter() {
            let at = level * words + word;
            bias_rest[level] -= strengths.biases * (bias[level] - state.prior[at]);
        }

        if let Some(chance) = chance {
            let share = chance.share(word);
            for (cell, excess) in cells.iter_mut().enumerate() {
                *excess = state.excess(word, cell);
            }
            image.fill(zero);
            chance.image(simd, share, every, theta, cells, dims, image);
            simd::add_scaled(simd, -1.0, image, rest);
            simd::add_scaled(simd, -share, chance.pull::<S>(), rest);
            for (cell, levels) in layout.cells.iter().enumerate() {
                let own = share * chance.weight(cell);
                weight += own;
                for &level in levels.iter().filter(|level| is_touched[**level]) {
                    bias_rest[level] -= cells[cell] + share * chance.excess(cell);
                    level_weight[level] += own;
                }
            }
        }

        let precondition = Precondition::new(average, strengths, weight, every, factors);
        let mut before = 0.0;
        for step in 0..steps {
            // The preconditioned rest, then made conjugate to the direction before.
            precondition.apply(
                simd,
                rest,
                bias_rest,
                level_weight,
                touched,
                scaled,
                sum,
                bias_image,
            );
            let now = simd::dot(simd, rest, sum)
                + touched.iter().map(|&level| bias_rest[level] * bias_image[level]).sum::<f32>();
            // Not a number is for the loss to tell.
            if now.is_nan() || now <= 0.0 {
                break;
            }
            if step == 0 {
                direction.copy_from_slice(sum);
                for &level in touched.iter() {
                    bias_direction[level] = bias_image[level];
                }
            } else {
                let ratio = now / before;
                simd::scale_add(simd, ratio, sum, direction);
                for &level in touched.iter() {
                    bias_direction[level] = bias_image[level] + ratio * bias_direction[level];
                }
            }
            before = now;

            // The system times the direction; of the last step only how it bends along it is needed,
            // which takes the dot products alone. What is left after it nobody asks.
            let last = step + 1 == steps;
            let mut bend = 0.0;
            image.fill(zero);
            for &level in touched.iter() {
                bias_image[level] = 0.0;
            }
            let mut rest_of_weights = &weights[..];
            for (cell, run) in groups() {
                let (weights, others) = rest_of_weights.split_at(run.cols.len());
                rest_of_weights = others;
                simd::times(simd, direction, squares.row(cell), scaled);
                let cell_levels = &layout.cells[cell][..];
                let own: f32 = if free {
                    cell_levels.iter().map(|&level| bias_direction[level]).sum()
                } else {
                    0.0
                };
                if last {
                    simd::each_dot(simd, table, run.cols, scaled, |at, dot| {
                        bend += weights[at] * (own + dot) * (own + dot);
                    });
                    continue;
                }
                sum.fill(zero);
                let mut pull = 0.0;
                simd::fold(simd, table, run.cols, scaled, sum, |at, dot| {
                    let factor = weights[at] * (own + dot);
                    pull += factor;
                    factor
                });
                simd::add_times(simd, squares.row(cell), sum, image);
                for &level in cell_levels.iter().filter(|_| free) {
                    bias_image[level] += pull;
                }
            }
            for (cell, cols) in absent() {
                let (weights, others) = rest_of_weights.split_at(cols.len());
                rest_of_weights = others;
                simd::times(simd, direction, squares.row(cell), scaled);
                sum.fill(zero);
                simd::fold(simd, table, cols, scaled, sum, |at, dot| weights[at] * dot);
                simd::add_times(simd, squares.row(cell), sum, image);
            }
            if let Some(chance) = chance {
                let share = chance.share(word);
                let there = |level: &&usize| is_touched[**level];
                for (cell, bias) in cells.iter_mut().enumerate() {
                    let levels = layout.cells[cell].iter().filter(there);
                    *bias = levels.map(|&level| bias_direction[level]).sum();
                }
                chance.image(simd, share, every, direction, cells, dims, image);
                for (cell, pull) in cells.iter().enumerate() {
                    for &level in layout.cells[cell].iter().filter(there) {
                        bias_image[level] += pull;
                    }
                }
            }
            simd::add_scaled(simd, strengths.vectors, direction, image);
            for &level in touched.iter() {
                bias_image[level] += strengths.biases * bias_direction[level];
            }
            let curvature = bend
                + simd::dot(simd, direction, image)
                + touched.iter().map(|&l| bias_direction[l] * bias_image[l]).sum::<f32>();
            if curvature.is_nan() || curvature <= 0.0 {
                break;
            }
            let length = now / curvature;
            simd::add_scaled(simd, length, direction, theta);
            simd::add_scaled(simd, -length, image, rest);
            for &level in touched.iter() {
                bias[level] += length * bias_direction[level];
                bias_rest[level] -= length * bias_image[level];
            }
        }
        let biases = touched.iter().map(|&level| (level as u32, bias[level])).collect();
        Solved { vector: vectors[0].row(0).to_vec(), biases }
    }
}

/// The levels this row speaks of; none where biases stay as they are.
fn touch(desk: &mut Desk, row: Row<'_>, state: &State, free: bool) {
    for level in desk.touched.drain(..) {
        desk.is_touched[level] = false;
    }
    if !free {
        return;
    }
    let layout = &state.layout;
    let seen =
        row.groups.iter().flat_map(|group| layout.cells[group.cell as usize].iter().copied());
    for level in seen {
        if !desk.is_touched[level] {
            desk.is_touched[level] = true;
            desk.touched.push(level);
        }
    }
    desk.touched.sort_unstable();
}

/// The average word's system, with this word's amount of data, solved exactly: biases are
/// eliminated by way of the mean vector, what is left is diagonal in the principal directions.
struct Precondition<'a> {
    average: &'a Average,
    strengths: Strengths,
    /// The numbers of all principal directions.
    every: &'a [u32],
    /// What is left, inverted, along every principal direction.
    inverse: &'a [f32],
}

impl<'a> Precondition<'a> {
    #[inline(always)]
    fn new(
        average: &'a Average,
        strengths: Strengths,
        weight: f32,
        every: &'a [u32],
        inverse: &'a mut Vec<f32>,
    ) -> Self {
        let floor = 1e-6 * weight + f32::MIN_POSITIVE;
        let along = |variance: &f32| 1.0 / (weight * variance + strengths.vectors + floor);
        inverse.clear();
        inverse.extend(average.variances.iter().map(along));
        Self { average, strengths, every, inverse }
    }

    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn apply<S: Simd>(
        &self,
        simd: S,
        rest: &[S::f32s],
        bias_rest: &[f32],
        level_weight: &[f32],
        touched: &[usize],
        room: &mut [S::f32s],
        out: &mut [S::f32s],
        bias_out: &mut [f32],
    ) {
        let mean = S::as_simd_f32s(self.average.mean.row(0)).0;
        let share = |level: usize| {
            level_weight[level]
                / (level_weight[level] + self.strengths.biases).max(f32::MIN_POSITIVE)
        };
        let pull: f32 = touched.iter().map(|&level| share(level) * bias_rest[level]).sum();
        room.copy_from_slice(rest);
        simd::add_scaled(simd, -pull, mean, room);
        out.fill(simd.splat_f32s(0.0));
        let directions = &self.average.directions;
        let directions = Rows::<S>::new(directions.all(), directions.stride());
        let inverse = self.inverse;
        simd::fold(simd, directions, self.every, room, out, |e, along| along * inverse[e]);
        let along = simd::dot(simd, mean, out);
        for &level in touched {
            let scale = (level_weight[level] + self.strengths.biases).max(f32::MIN_POSITIVE);
            bias_out[level] = bias_rest[level] / scale - share(level) * along;
        }
    }
}

#[cfg(test)]
mod tests {
    use faer::linalg::solvers::Solve as _;
    use faer::{Mat, Side};

    use super::*;
    use crate::lots::{End, Lots, Stream};
    use crate::train::average::Moments;
    use crate::train::examples::Group;
    use crate::train::parameters::TrainParameters;
    use crate::train::weighting::Weighting;

    #[test]
    fn a_row_solved_by_steps_is_the_row_solved_at_once() {
        agree(|_| None);
    }

    #[test]
    fn also_where_pairs_that_never_met_count() {
        agree(|state| {
            let weights = (0..6).map(|cell| 3.0 + cell as f32).collect();
            Some(Chance::of_state(
                state,
                weights,
                (0..60).map(|word| word as f32 / 1770.0).collect(),
            ))
        });
    }

    #[test]
    fn a_level_of_its_own_hears_what_it_does_without() {
        let (words, dim, cell, word) = (60, 9, 4, 7);
        let state = State::random(words, dim);
        let level = state.layout.cells[cell][0];
        let parameters = TrainParameters { x_max: 5.0, ..Default::default() };
        // All pairs met everywhere, but for some that one cell does without.
        let mut lots = Stream::new(2, End::Sample, 0);
        let mut tables = vec![vec![vec![0.0; words]; words]; 6];
        for (at, table) in tables.iter_mut().enumerate() {
            for (row, col) in (0..words).flat_map(|row| (0..row).map(move |col| (row, col))) {
                if at != cell || col % 3 > 0 {
                    let count = lots.between(5.0, 30.0);
                    (table[row][col], table[col][row]) = (count, count);
                }
            }
        }
        let tables: Vec<&[Vec<f64>]> = tables.iter().map(Vec::as_slice).collect();
        let examples = Examples::of_cells(&tables, &parameters);
        let work = crate::work::Work::default();
        let absences = Absences::find(&state, &examples, &|_, _| true, &work).unwrap();
        let absent = absences.of(cell, word);
        assert!(!absent.is_empty());
        let moments = Moments::new(&state, &vec![1.0; words], &work).unwrap();
        let average = Average::new(&moments);
        let problem = Problem {
            state: &state,
            own: Some(Own { level, vectors: &state.vectors, absences: Some(&absences) }),
            average: &average,
            chance: None,
            strengths: Strengths { vectors: 0.7, biases: 0.3 },
            steps: 60,
        };
        let solved = problem.solve(&examples, word, &mut Desk::new(&state)).unwrap();

        let mut matrix = Mat::<f64>::zeros(dim, dim);
        let mut right = Mat::<f64>::zeros(dim, 1);
        let weighting = Weighting::new(&parameters);
        let home = state.vectors.row(word);
        for t in 0..dim {
            matrix[(t, t)] = 0.7;
            right[(t, 0)] = 0.7 * f64::from(home[t]);
        }
        let mut missed = 0;
        let (never, most) = Absences::targets();
        for at in (0..6).filter(|&at| state.layout.cells[at].contains(&level)) {
            let lacking = absences.of(at, word);
            for col in (0..words).filter(|&col| col != word) {
                let told = state.predict(&state.vectors, word, col, at) as f32;
                let count = tables[at][word][col];
                let (weight, target) = if count > 0.0 {
                    let target = libm::log(count) as f32;
                    (weighting.of(target), target)
                } else if lacking.contains(&(col as u32)) && told > never {
                    missed += 1;
                    (weighting.of(told.min(most)), never)
                } else {
                    continue;
                };
                let biases = state.bias(word, at) + state.bias(col, at);
                let left = f64::from(weight) * f64::from(target - biases);
                let vector =
                    |t: usize| f64::from(state.vectors.row(col)[t] * state.cell_squares.row(at)[t]);
                for s in 0..dim {
                    right[(s, 0)] += left * vector(s);
                    for t in 0..dim {
                        matrix[(s, t)] += f64::from(weight) * vector(s) * vector(t);
                    }
                }
            }
        }
        assert!(missed > 0);
        let exact = matrix.llt(Side::Lower).unwrap().solve(&right);
        for t in 0..dim {
            assert!((f64::from(solved.vector[t]) - exact[(t, 0)]).abs() < 1e-4, "dimension {t}");
        }
    }

    /// Holds a row to its equations, solved at once.
    fn agree(chance: impl Fn(&State) -> Option<Chance>) {
        let (words, dim, levels) = (60, 9, 5);
        let state = State::random(words, dim);
        let chance = chance(&state);
        let mut lots = Stream::new(2, End::Sample, 0);
        let (mut groups, mut cols) = (Vec::new(), Vec::new());
        for cell in [0, 1, 3, 4, 5] {
            cols.extend((0..words as u32).filter(|_| lots.share() < 0.7));
            groups.push(Group { cell, end: cols.len() as u32 });
        }
        let targets: Vec<f32> = cols.iter().map(|_| lots.between(-2.0, 2.0) as f32).collect();
        let weighting = Weighting::new(&TrainParameters { x_max: 5.0, ..Default::default() });
        let row = Row { groups: &groups, cols: &cols, targets: &targets, weighting };
        let word = 7;
        let row_weights = vec![1.0; words];
        let moments = Moments::new(&state, &row_weights, &crate::work::Work::default()).unwrap();
        let average = Average::new(&moments);
        let strengths = Strengths { vectors: 0.7, biases: 0.3 };
        let problem = Problem {
            state: &state,
            own: None,
            average: &average,
            chance: chance.as_ref(),
            strengths,
            steps: 60,
        };
        let solved = problem.solve_row(row, word, &mut Desk::new(&state));

        // The normal equations of vector and biases together.
        let size = dim + levels;
        let mut matrix = Mat::<f64>::zeros(size, size);
        let mut right = Mat::<f64>::zeros(size, 1);
        let mut add = |of: &dyn Fn(usize) -> f32, cell: Option<usize>, weight: f64, target: f64| {
            let mut features = vec![0.0; size];
            features[..dim].iter_mut().enumerate().for_each(|(t, x)| *x = f64::from(of(t)));
            for &level in cell.iter().flat_map(|&cell| &state.layout.cells[cell]) {
                features[dim + level] = 1.0;
            }
            for a in 0..size {
                right[(a, 0)] += weight * target * features[a];
                for b in 0..size {
                    matrix[(a, b)] += weight * features[a] * features[b];
                }
            }
        };
        for (cell, run) in row.iter() {
            for (&col, &target) in run.cols.iter().zip(run.targets) {
                let (col, weight) = (col as usize, f64::from(weighting.of(target)));
                let vector = |t: usize| state.vectors.row(col)[t] * state.cell_squares.row(cell)[t];
                let target = f64::from(target) - f64::from(state.bias(col, cell));
                add(&vector, Some(cell), weight, target);
            }
        }
        if let Some(chance) = &chance {
            for (cell, col) in (0..6).flat_map(|cell| (0..words).map(move |col| (cell, col))) {
                let weight =
                    f64::from(chance.weight(cell) * chance.share(word) * chance.share(col));
                let own = state.bias(word, cell) - state.excess(word, cell);
                let vector = |t: usize| state.vectors.row(col)[t];
                add(&vector, Some(cell), weight, f64::from(own - state.excess(col, cell)));
                let apart = |t: usize| vector(t) * (state.cell_squares.row(cell)[t] - 1.0);
                add(&apart, None, weight, 0.0);
            }
        }
        let prior = |level: usize| f64::from(state.prior[level * words + word]);
        for t in 0..dim {
            matrix[(t, t)] += f64::from(strengths.vectors);
        }
        for level in 0..levels {
            matrix[(dim + level, dim + level)] += f64::from(strengths.biases);
            right[(dim + level, 0)] += f64::from(strengths.biases) * prior(level);
        }
        let exact = matrix.llt(Side::Lower).unwrap().solve(&right);
        for t in 0..dim {
            assert!((f64::from(solved.vector[t]) - exact[(t, 0)]).abs() < 1e-4, "dimension {t}");
        }
        assert_eq!(solved.biases.len(), levels);
        for &(level, bias) in &solved.biases {
            let exact = exact[(dim + level as usize, 0)];
            assert!((f64::from(bias) - exact).abs() < 1e-4, "level {level}: {bias} {exact}");
        }
    }
}
