//! Slopes against differences of a slow, plain objective; AdaGrad against a slow, plain GloVe.

use super::*;
use crate::synth::{SynthParameters, truth_beside, write_tensor};
use crate::tensor::Tensor;
use crate::train::TrainParameters;
use crate::work::Work;

/// A small world to train on.
struct World {
    examples: Examples,
    parameters: TrainParameters,
    work: Work<'static>,
    state: State,
}

impl World {
    fn new(levels: &str, given: &[(&str, &str)]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut synth = SynthParameters::default();
        let world = [("words", "40"), ("dim", "3"), ("levels", levels), ("differing", "0")];
        for (name, text) in [&world[..], &[("density", "0.7"), ("tensor", "true")]].concat() {
            synth.set(name, text).unwrap();
        }
        let path = home.path().join("tensor");
        let work = Work::default();
        write_tensor(synth.checked().unwrap(), &path, &truth_beside(&path), &work).unwrap();
        let tensor = Tensor::open(&path).unwrap();
        let mut parameters = TrainParameters::default();
        for (name, text) in [&[("dim", "5")], given].concat() {
            parameters.set(name, text).unwrap();
        }
        let mut examples = Examples::load(&tensor, &parameters, home.path(), &work).unwrap();
        let layout = Layout::new(&tensor.covariates);
        let prior = examples.take_prior(&layout);
        let mut state = State::start(layout, prior, &parameters);
        state.scatter(parameters.seed.0);
        Self { examples, parameters, work, state }
    }

    fn trainer(&self) -> Trainer<'_> {
        Trainer { examples: &self.examples, parameters: &self.parameters, work: &self.work }
    }

    fn run(&self) -> Run {
        Run::start(self.state.clone(), &self.parameters)
    }

    /// Every entry: row, column, cell, weight, target.
    fn entries(&self) -> Vec<(usize, usize, usize, f64, f64)> {
        let mut all = Vec::new();
        for row in 0..self.examples.words() {
            let mut buffer = Default::default();
            for (cell, run) in self.examples.row(row, &mut buffer).unwrap().iter() {
                let mut weights = Vec::new();
                run.weigh(&mut weights);
                all.extend((0..run.cols.len()).map(|at| {
                    let (weight, target) = (weights[at].into(), run.targets[at].into());
                    (row, run.cols[at] as usize, cell, weight, target)
                }));
            }
        }
        all
    }
}

/// All parameters, as plain numbers: vectors, biases, weights.
#[derive(Clone)]
struct Plain {
    vectors: Vec<Vec<f64>>,
    biases: Vec<Vec<f64>>,
    weights: Vec<Vec<f64>>,
}

impl Plain {
    fn new(state: &State) -> Self {
        let rows = |table: &Table, f: &dyn Fn(f64) -> f64| -> Vec<Vec<f64>> {
            let row = |row| table.row(row)[..state.dim()].iter().map(|&x| f(x.into())).collect();
            (0..table.rows()).map(row).collect()
        };
        let levels = state.biases.chunks(state.words());
        Self {
            vectors: rows(&state.vectors, &|x| x),
            biases: levels.map(|level| level.iter().map(|&x| x.into()).collect()).collect(),
            weights: rows(&state.squares, &f64::sqrt),
        }
    }

    fn residual(
        &self,
        layout: &Layout,
        (i, j, cell, _, target): (usize, usize, usize, f64, f64),
    ) -> f64 {
        let levels = &layout.cells[cell];
        let topic = |t: usize| -> f64 {
            let squares: f64 = levels.iter().map(|&l| self.weights[l][t].powi(2)).product();
            self.vectors[i][t] * self.vectors[j][t] * squares
        };
        let biases: f64 = levels.iter().map(|&l| self.biases[l][i] + self.biases[l][j]).sum();
        target - biases - (0..self.vectors[i].len()).map(topic).sum::<f64>()
    }
}

#[test]
fn slopes_are_those_of_the_objective() {
    for levels in ["3", "3,2"] {
        let mut world = World::new(levels, &[("diagonal", "keep"), ("start", "unit")]);
        let mut lots = Stream::new(5, End::Start, 0);
        world.state.biases.iter_mut().for_each(|bias| *bias += lots.normal() as f32);
        for (_, ordered) in &mut world.state.layout.factors {
            *ordered = true;
        }
        let (state, trainer) = (&world.state, world.trainer());
        let meeting = Meeting {
            examples: &world.examples,
            layout: &state.layout,
            squares: &state.cell_squares,
            strengths: trainer.strengths(0.3 / STRATA as f64),
            step: 1,
        };
        let mut moments = Memory::<2>::start(state, 0.0);
        let memory = Memory::<2>::of(&mut moments);
        let cut = strata::cut(&world.examples);
        let mut found = Found::nothing(&meeting);
        let zeros = |rows: &Vec<Vec<f64>>| vec![vec![0.0; rows[0].len()]; rows.len()];
        let plain = Plain::new(state);
        let (mut vectors, mut biases) = (zeros(&plain.vectors), zeros(&plain.biases));
        for (a, b) in strata::rounds().concat() {
            let mut team: Vec<Stratum<2>> =
                [a, b].map(|s| Stratum::take(cut[s].clone(), state, &memory)).into();
            team.truncate(if a == b { 1 } else { 2 });
            let (part, slopes) = adam::slopes(&meeting, &team).unwrap();
            found.add(&part);
            for (stratum, slopes) in team.iter().zip(&slopes) {
                for (place, word) in stratum.words.clone().enumerate() {
                    for (sum, x) in vectors[word].iter_mut().zip(slopes.vectors.row(place)) {
                        *sum += f64::from(*x);
                    }
                    for (level, sums) in biases.iter_mut().enumerate() {
                        sums[word] += f64::from(slopes.biases[level * stratum.words.len() + place]);
                    }
                }
            }
        }
        let draw = Draw { ridge: 7.0, tie: 3.0 };
        let of_weights = Plain::new(state).weights;
        let weights: Vec<Vec<f64>> = {
            let table = super::slopes(state, &found, draw);
            (0..of_weights.len())
                .map(|level| table.row(level)[..5].iter().map(|&x| x.into()).collect())
                .collect()
        };

        let entries = world.entries();
        assert_eq!(found.entries, entries.len() as u64);
        let noise = found.squares / entries.len() as f64 / STRATA as f64;
        let strengths = trainer.strengths(0.3);
        let square = |x: f64| x * x;
        let objective = |plain: &Plain| -> f64 {
            let data: f64 =
                entries.iter().map(|&e| e.3 * square(plain.residual(&state.layout, e))).sum();
            let vectors: f64 = plain.vectors.iter().flatten().map(|x| x * x).sum();
            let biases = plain.biases.iter().flatten().zip(&*state.prior);
            let biases: f64 = biases.map(|(b, &p)| square(b - f64::from(p))).sum();
            let mut pulls = 0.0;
            for (levels, _) in &state.layout.factors {
                for (level, t) in levels.clone().flat_map(|level| (0..5).map(move |t| (level, t))) {
                    let w = |level: usize| square(plain.weights[level][t]);
                    pulls += draw.ridge * square(w(level) - 1.0);
                    if level > levels.start {
                        pulls += draw.tie * square(w(level) - w(level - 1));
                    }
                }
            }
            let penalty =
                f64::from(strengths.vectors) * vectors + f64::from(strengths.biases) * biases;
            (data + 2.0 * penalty + noise * pulls) / 4.0
        };
        let check = |what: &str,
                     slopes: &[Vec<f64>],
                     part: fn(&mut Plain) -> &mut Vec<Vec<f64>>| {
            let largest = slopes.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
            for row in (0..slopes.len()).step_by(slopes.len() / 3) {
                for column in (0..slopes[row].len()).step_by(slopes[row].len() / 4 + 1) {
                    let moved = |by: f64| {
                        let mut plain = plain.clone();
                        part(&mut plain)[row][column] += by;
                        objective(&plain)
                    };
                    let expected = (moved(1e-4) - moved(-1e-4)) / 2e-4;
                    let apart = (slopes[row][column] - expected).abs();
                    assert!(apart < 1e-4 * largest, "{what} {row} {column}: {apart} of {largest}");
                }
            }
        };
        check("vectors", &vectors, |plain| &mut plain.vectors);
        check("biases", &biases, |plain| &mut plain.biases);
        check("weights", &weights, |plain| &mut plain.weights);
    }
}

#[test]
fn one_level_is_glove_with_tied_vectors() {
    let world = World::new("1", &[("ridge", "0"), ("seed", "3")]);
    let mut run = world.run();
    run.moments = Memory::<1>::start(&run.state, Adagrad::START);
    epoch(&world.trainer(), &Adagrad { rate: 0.05 }, &mut run).unwrap();

    // GloVe's inner loop, with one vector and bias for both sides of a pair.
    let mut plain = Plain::new(&world.state);
    let mut sums = vec![vec![1.0; 5]; 40];
    let mut bias_sums = vec![1.0; 40];
    let mut rounds = strata::rounds();
    Stream::new(3, End::Order, 1).shuffle(&mut rounds);
    let cut = strata::cut(&world.examples);
    let entries = world.entries();
    for (a, b) in rounds.concat() {
        let here = |&&(i, j, ..): &&(usize, usize, usize, f64, f64)| {
            cut[a].contains(&i) && cut[b].contains(&j) && (a != b || j <= i)
        };
        for &entry in entries.iter().filter(here) {
            let (i, j, _, weight, _) = entry;
            let step = 0.05 * weight * plain.residual(&world.state.layout, entry);
            #[allow(clippy::needless_range_loop)]
            for t in 0..5 {
                let (by_i, by_j) = (step * plain.vectors[j][t], step * plain.vectors[i][t]);
                plain.vectors[i][t] += by_i / f64::sqrt(sums[i][t]);
                plain.vectors[j][t] += by_j / f64::sqrt(sums[j][t]);
                sums[i][t] += by_i * by_i;
                sums[j][t] += by_j * by_j;
            }
            for word in [i, j] {
                plain.biases[0][word] += step / f64::sqrt(bias_sums[word]);
                bias_sums[word] += step * step;
            }
        }
    }
    let apart = |own: &[f32], plain: &[Vec<f64>]| {
        own.iter()
            .zip(plain.iter().flatten())
            .map(|(a, b)| (f64::from(*a) - b).abs())
            .fold(0.0, f64::max)
    };
    assert!(apart(&run.state.vectors.packed(), &plain.vectors) < 1e-4);
    assert!(apart(&run.state.biases, &plain.biases) < 1e-4);
    assert!(apart(&world.state.vectors.packed(), &plain.vectors) > 0.05);
}

#[test]
fn an_epoch_needs_nothing_but_the_run() {
    fn resumes<const M: usize>(world: &World, rule: &impl Rule<M>) {
        let mut kept = None;
        let mut whole = world.run();
        let keep = |run: &Run| {
            if run.record.sweeps.len() == 2 {
                kept = Some(run.clone());
            }
            Ok(())
        };
        train(&world.trainer(), rule, &mut whole, keep).unwrap();
        let mut rest = kept.unwrap();
        train(&world.trainer(), rule, &mut rest, |_| Ok(())).unwrap();
        assert_eq!(whole.record, rest.record);
        assert_eq!(whole.moments, rest.moments);
        assert_eq!(whole.state.vectors.packed(), rest.state.vectors.packed());
        assert_eq!(whole.state.squares.packed(), rest.state.squares.packed());
        assert_eq!(whole.state.biases, rest.state.biases);
    }
    let world = World::new("3", &[("sweeps", "4")]);
    resumes(&world, &Adam { rate: 0.01 });
    resumes(&world, &Adagrad { rate: 0.05 });
}
