//! The planted world: words, their vectors, and the levels' weights, all from the seed.

use super::differing::{self, Differing};
use super::names;
use super::parameters::SynthParameters;
use super::weights::Factor;
use crate::lots::{End, Lots, Stream};

/// What is planted. In canonical form: the squares of a factor's weights have mean 1, dimensions are
/// sorted by energy, each has its largest loading positive, and the vectors' mean is 0.
#[derive(Debug, Clone)]
pub(super) struct World {
    pub(super) names: Vec<String>,
    /// The logarithm of about how frequent a word is meant to be.
    pub(super) rates: Vec<f64>,
    /// By word, then dimension.
    pub(super) vectors: Vec<Vec<f64>>,
    pub(super) factors: Vec<Factor>,
    /// The levels of every cell, sorted.
    pub(super) cells: Vec<Vec<u32>>,
    pub(super) differing: Vec<Differing>,
    /// The number a word was planted under; it stays when words are put in another order.
    pub(super) origins: Vec<u32>,
}

impl World {
    pub(super) fn new(parameters: &SynthParameters) -> Self {
        let words = parameters.words.0 as usize;
        let dim = parameters.dim as usize;
        let mut lots = Stream::new(parameters.seed.0, End::Weights, 0);
        let levels = parameters.levels.0.iter().enumerate();
        let mut factors: Vec<Factor> = levels
            .map(|(place, &n)| Factor::new(place, n as usize, dim, parameters.zeros, &mut lots))
            .collect();
        let mut vectors = vectors(parameters.seed.0, words, dim);
        canonical(&mut vectors, &mut factors);
        let differing = differing::choose(parameters, &vectors, &factors[0].weights);
        Self {
            names: (0..words).map(names::word).collect(),
            rates: (0..words).map(|i| -parameters.zipf * libm::log(i as f64 + 2.7)).collect(),
            vectors,
            cells: cells(&parameters.levels.0),
            factors,
            differing,
            origins: (0..words as u32).collect(),
        }
    }

    /// A cell's weights: the product of its levels'.
    pub(super) fn weights(&self, cell: usize) -> Vec<f64> {
        let mut weights = vec![1.0; self.vectors[0].len()];
        for (factor, &level) in self.factors.iter().zip(&self.cells[cell]) {
            for (weight, by) in weights.iter_mut().zip(&factor.weights[level as usize]) {
                *weight *= by;
            }
        }
        weights
    }

    /// The vectors in a cell, where some words differ.
    pub(super) fn vectors_in(&self, cell: usize) -> Vec<&[f64]> {
        let mut vectors: Vec<&[f64]> = self.vectors.iter().map(Vec::as_slice).collect();
        let level = self.cells[cell][0] as usize;
        for word in self.differing.iter().filter(|word| word.level == level) {
            vectors[word.word] = &word.vector;
        }
        vectors
    }

    /// `group=group-1,period=period-2`.
    pub(super) fn cell_name(&self, cell: usize) -> String {
        let levels = self.factors.iter().zip(&self.cells[cell]);
        let names: Vec<String> =
            levels.map(|(f, &level)| format!("{}={}", f.name, f.levels[level as usize])).collect();
        names.join(",")
    }

    /// The same world with the words in another order: `order[new]` is the old number.
    pub(super) fn reordered(self, order: &[usize]) -> Self {
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
        let moved = |word: Differing| Differing {
            word: place[word.word],
            partner: place[word.partner],
            ..word
        };
        Self {
            names: order.iter().map(|&old| self.names[old].clone()).collect(),
            rates: order.iter().map(|&old| self.rates[old]).collect(),
            vectors: order.iter().map(|&old| self.vectors[old].clone()).collect(),
            differing: self.differing.into_iter().map(moved).collect(),
            origins: order.iter().map(|&old| self.origins[old]).collect(),
            ..self
        }
    }
}

/// How much a dimension explains: Σ_i v_it².
pub(super) fn energies(vectors: &[Vec<f64>]) -> Vec<f64> {
    let dim = vectors.first().map_or(0, Vec::len);
    (0..dim).map(|t| vectors.iter().map(|v| v[t] * v[t]).sum()).collect()
}

/// Each word belongs to one, two or three topics, a little to all; squared length 1.5 to 2.5.
fn vectors(seed: u64, words: usize, dim: usize) -> Vec<Vec<f64>> {
    let mut lots = Stream::new(seed, End::Vectors, 0);
    // Topics differ in size, the first twice the last, so their order is no accident.
    let sizes: Vec<f64> = (0..dim).map(|t| 1.0 - 0.5 * t as f64 / dim as f64).collect();
    // The most common words belong to no topic, like real ones; else they would swamp it.
    let common = (words as f64 / 20.0).min(30.0);
    let mut vectors: Vec<Vec<f64>> = (0..words)
        .map(|rank| {
            let mut vector: Vec<f64> = (0..dim).map(|_| 0.05 * lots.normal()).collect();
            let topics = match lots.below(10) {
                0..5 => 1,
                5..8 => 2,
                _ => 3,
            };
            let mut own = vec![0.0; dim];
            for _ in 0..topics {
                let sign = if lots.below(4) == 0 { -1.0 } else { 1.0 };
                own[pick(&sizes, &mut lots)] = sign * lots.between(0.6, 1.4);
            }
            let length: f64 = own.iter().map(|x| x * x).sum();
            let scale = libm::sqrt(lots.between(1.5, 2.5) / length);
            let rank = rank as f64 + 1.0;
            let damp = libm::sqrt(rank / (rank + common));
            vector.iter_mut().zip(&own).for_each(|(x, own)| *x = damp * (*x + scale * own));
            vector
        })
        .collect();
    // A shift common to all words could as well stand in the biases: b_ik + b_jk takes up
    // s c_k² (v_i + v_j). Mean 0 is the shift with the shortest vectors.
    for t in 0..dim {
        let mean = vectors.iter().map(|v| v[t]).sum::<f64>() / words as f64;
        vectors.iter_mut().for_each(|v| v[t] -= mean);
    }
    vectors
}

/// Draws an index with these odds.
fn pick(odds: &[f64], lots: &mut impl Lots) -> usize {
    let mut left = lots.share() * odds.iter().sum::<f64>();
    for (index, odds) in odds.iter().enumerate() {
        left -= odds;
        if left < 0.0 {
            return index;
        }
    }
    odds.len() - 1
}

/// Sorts the dimensions by energy and makes the largest loading of each positive.
fn canonical(vectors: &mut [Vec<f64>], factors: &mut [Factor]) {
    let energies = energies(vectors);
    let mut order: Vec<usize> = (0..energies.len()).collect();
    order.sort_by(|&a, &b| energies[b].total_cmp(&energies[a]).then(a.cmp(&b)));
    let largest = |t: usize| {
        let loadings = vectors.iter().map(|v| v[t]);
        loadings.fold(0.0, |most: f64, x| if x.abs() > most.abs() { x } else { most })
    };
    let signs: Vec<f64> =
        order.iter().map(|&t| if largest(t) < 0.0 { -1.0 } else { 1.0 }).collect();
    for vector in vectors {
        *vector = order.iter().zip(&signs).map(|(&t, sign)| sign * vector[t]).collect();
    }
    for weights in factors.iter_mut().flat_map(|factor| &mut factor.weights) {
        *weights = order.iter().map(|&t| weights[t]).collect();
    }
}

/// Every combination of levels, sorted.
fn cells(levels: &[u32]) -> Vec<Vec<u32>> {
    levels.iter().fold(vec![Vec::new()], |cells, &n| {
        let longer = |cell: Vec<u32>| {
            (0..n).map(move |level| cell.iter().copied().chain([level]).collect::<Vec<u32>>())
        };
        cells.into_iter().flat_map(longer).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Whole;
    use crate::synth::parameters::Levels;

    fn world(levels: &[u32], strength: f64) -> World {
        World::new(&SynthParameters {
            words: Whole(400),
            levels: Levels(levels.to_vec()),
            dim: 8,
            strength,
            ..SynthParameters::default()
        })
    }

    #[test]
    fn the_world_is_in_canonical_form() {
        let world = world(&[5, 3], 1.0);
        assert!(energies(&world.vectors).is_sorted_by(|a, b| a >= b));
        for t in 0..8 {
            let loadings: Vec<f64> = world.vectors.iter().map(|v| v[t]).collect();
            let largest = loadings.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs()));
            assert!(largest.unwrap() > 0.0);
            assert!(loadings.iter().sum::<f64>().abs() < 1e-11);
            for factor in &world.factors {
                let mean = factor.weights.iter().map(|w| w[t] * w[t]).sum::<f64>()
                    / factor.levels.len() as f64;
                assert!((mean - 1.0).abs() < 1e-12);
            }
        }
        assert_eq!(world.cells.len(), 15);
        assert!(world.cells.is_sorted());
        assert_eq!(world.cell_name(4), "group=group-2,period=period-2");
    }

    #[test]
    fn differing_words_swap_vectors_in_one_level_alone() {
        let world = world(&[3, 2], 1.0);
        assert_eq!(world.differing.len(), 20);
        let words: std::collections::BTreeSet<_> = world.differing.iter().map(|d| d.word).collect();
        assert_eq!(words.len(), 20);
        for word in &world.differing {
            let other = &world.vectors[word.partner];
            assert!(word.vector.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-14));
            for cell in 0..world.cells.len() {
                let here = world.vectors_in(cell)[word.word];
                let differs = world.cells[cell][0] as usize == word.level;
                assert_eq!(here == word.vector, differs);
                assert_eq!(here == world.vectors[word.word], !differs);
            }
        }
        assert!(world.differing.iter().all(|d| d.word.abs_diff(d.partner) <= 20));
    }

    #[test]
    fn another_order_keeps_what_belongs_to_a_word() {
        let before = world(&[2], 0.5);
        let order: Vec<usize> = (0..400).rev().collect();
        let after = before.clone().reordered(&order);
        assert_eq!(after.names[0], before.names[399]);
        assert_eq!(after.vectors[0], before.vectors[399]);
        assert_eq!(after.origins[0], 399);
        let (a, b) = (&after.differing[3], &before.differing[3]);
        assert_eq!(
            (&after.names[a.word], &after.names[a.partner]),
            (&before.names[b.word], &before.names[b.partner])
        );
    }
}
