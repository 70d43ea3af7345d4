//! What a method found in each level, and how it becomes a model.
//!
//! All weights are 1. A word's base vector is the mean of its vectors in the levels, by how often it occurs there; what its
//! vector in a level is beyond that is its deviation there. So the vector under a level is the method's own, up to the
//! rounding of deviations to half precision, and a word that a level does not have is there what it is elsewhere.
//!
//! Where every level has a space of its own a mean would mean nothing: then the base is 0, and a word without a vector in a
//! level has none.

use crate::model::{self, Baseline, Deviations, Model, Spaces};
use crate::tensor::{self, Covariates, Tensor};
use crate::train::{TrainParameters, Training};
use crate::vocabulary::Vocabulary;

/// Whose words and levels a model has.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    /// The words.
    pub vocabulary: &'a Vocabulary,
    /// Factors, levels and cells.
    pub covariates: &'a Covariates,
    /// How the counts came to be.
    pub record: &'a tensor::Record,
}

impl<'a> From<&'a Tensor> for Origin<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        let Tensor { vocabulary, covariates, record, .. } = tensor;
        Self { vocabulary, covariates, record }
    }
}

impl Origin<'_> {
    /// Levels of all factors; one where there are no factors.
    pub fn levels(&self) -> usize {
        self.covariates.level_names().len().max(1)
    }

    /// How often a word occurs in a level.
    fn count(&self, word: usize, level: usize) -> u64 {
        self.vocabulary.level_counts.get(level).unwrap_or(&self.vocabulary.counts)[word]
    }
}

/// The vectors of one level.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Slice {
    /// The words that have one there, in the order of the vocabulary.
    pub words: Vec<u32>,
    /// Their vectors, one after the other.
    pub vectors: Vec<f32>,
    /// Where words are told from contexts and `vectors` are the sums of both: the differences, word − context.
    pub contexts: Option<Vec<f32>>,
}

impl Slice {
    /// Writes the vectors to where their words are among all words.
    pub(super) fn spread(&self, all: &mut [f32]) {
        let dim = self.vectors.len() / self.words.len().max(1);
        for (&word, vector) in self.words.iter().zip(self.vectors.chunks_exact(dim.max(1))) {
            all[word as usize * dim..(word as usize + 1) * dim].copy_from_slice(vector);
        }
    }
}

/// What a method found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Slices {
    /// Dimensions.
    pub dim: usize,
    /// Vectors that hold for all levels, word after word; none where they follow from those of the levels.
    pub base: Option<Vec<f32>>,
    /// A slice for every level (all factors' levels in a row; one without factors); none where words have one vector,
    /// whatever the level.
    pub levels: Vec<Slice>,
    /// Biases: level after level, in each word after word; empty where the method has none.
    pub biases: Vec<f32>,
    /// Vectors of words as context, word after word, where all levels share them.
    pub contexts: Vec<f32>,
}

impl Slices {
    /// The model, which `baseline` and `parameters` say the origin of.
    pub fn into_model(
        self,
        origin: &Origin<'_>,
        parameters: &TrainParameters,
        mut baseline: Baseline,
    ) -> Model {
        let (words, levels, dim) = (origin.vocabulary.len(), origin.levels(), self.dim);
        if levels < 2 {
            baseline.levels = Spaces::One;
        }
        let base = match self.base {
            Some(base) => base,
            None if baseline.levels == Spaces::Apart => vec![0.0; words * dim],
            None => middle(origin, &self.levels, dim),
        };
        let mut deviations = Deviations::none(dim);
        let told = levels > 1 || self.levels.iter().any(|slice| slice.contexts.is_some());
        for (level, slice) in self.levels.iter().enumerate().filter(|_| told) {
            for (place, &word) in slice.words.iter().enumerate() {
                let word = word as usize;
                let own = slice.vectors[place * dim..(place + 1) * dim].iter();
                let beyond = own.zip(&base[word * dim..(word + 1) * dim]).map(|(x, base)| x - base);
                deviations.push(level, word, &beyond.collect::<Vec<f32>>());
                if let Some(contexts) = &slice.contexts {
                    deviations.push_context(&contexts[place * dim..(place + 1) * dim]);
                }
            }
        }
        let biases = match self.biases.is_empty() {
            true => vec![0.0; levels * words],
            false => self.biases,
        };
        // What was fitted stands with the baseline, level by level.
        let training = Training { stopped: baseline.method.clone(), ..Training::default() };
        let mut model = Model {
            vocabulary: origin.vocabulary.clone(),
            covariates: origin.covariates.clone(),
            record: model::Record {
                covec: env!("CARGO_PKG_VERSION").to_owned(),
                format: model::FORMAT,
                stage: "baseline".to_owned(),
                fingerprint: String::new(),
                parameters: parameters.clone(),
                tensor: origin.record.clone(),
                training,
                extensions: Vec::new(),
                baseline: Some(baseline),
            },
            dim,
            vectors: base.into(),
            weights: vec![1.0; levels * dim].into(),
            biases: biases.into(),
            deviations,
            contexts: self.contexts.into(),
        };
        model.record.fingerprint = model.fingerprint();
        model
    }
}

/// The mean of every word's vectors, by how often it occurs in each level; 0 for words that have none.
fn middle(origin: &Origin<'_>, levels: &[Slice], dim: usize) -> Vec<f32> {
    let words = origin.vocabulary.len();
    let (mut sums, mut weights) = (vec![0.0_f64; words * dim], vec![0.0_f64; words]);
    for (level, slice) in levels.iter().enumerate() {
        for (&word, vector) in slice.words.iter().zip(slice.vectors.chunks_exact(dim.max(1))) {
            let word = word as usize;
            // Counts that somebody else made may not say how often words occur.
            let weight = origin.count(word, level).max(1) as f64;
            weights[word] += weight;
            let sums = &mut sums[word * dim..(word + 1) * dim];
            sums.iter_mut().zip(vector).for_each(|(sum, x)| *sum += weight * f64::from(*x));
        }
    }
    let mean = |(place, sum): (usize, f64)| match weights[place / dim.max(1)] {
        weight if weight > 0.0 => (sum / weight) as f32,
        _ => 0.0,
    };
    sums.into_iter().enumerate().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::covariates::{Cell, Factor, Level};

    /// Two words in two levels; the second word is not in the second level.
    fn known() -> (Vocabulary, Covariates, tensor::Record) {
        let vocabulary = Vocabulary {
            words: vec!["a".to_owned(), "b".to_owned()],
            counts: vec![4, 2],
            documents: vec![1, 1],
            level_counts: vec![vec![3, 2], vec![1, 0]],
        };
        let level =
            |name: &str| Level { name: name.to_owned(), documents: 1, tokens: 1, from: None };
        let cell = |level: u32| Cell { levels: vec![level], documents: 1, tokens: 1 };
        let factors = vec![Factor {
            name: "g".to_owned(),
            ordered: false,
            levels: vec![level("x"), level("y")],
        }];
        let covariates = Covariates { factors, cells: vec![cell(0), cell(1)] };
        let record = tensor::Record::new("count", None, tensor::folder::Written::default());
        (vocabulary, covariates, record)
    }

    fn found() -> Slices {
        let first = Slice { words: vec![0, 1], vectors: vec![1.0, 2.0, -1.0, 0.5], contexts: None };
        let second = Slice { words: vec![0], vectors: vec![5.0, -2.0], contexts: None };
        Slices { dim: 2, levels: vec![first, second], ..Slices::default() }
    }

    fn baseline(levels: Spaces) -> Baseline {
        Baseline {
            method: "m".to_owned(),
            parameters: Default::default(),
            levels,
            topics: false,
            counts: false,
            fits: Vec::new(),
        }
    }

    #[test]
    fn vectors_under_levels_are_the_methods_own_and_the_base_is_in_their_middle() {
        let (vocabulary, covariates, record) = known();
        let origin = Origin { vocabulary: &vocabulary, covariates: &covariates, record: &record };
        let parameters = TrainParameters::default();
        let model = found().into_model(&origin, &parameters, baseline(Spaces::Shared));
        assert_eq!(model.vector(0), [2.0, 1.0]);
        assert_eq!(model.vector_in(0, &[0]), [1.0, 2.0]);
        assert_eq!(model.vector_in(0, &[1]), [5.0, -2.0]);
        // Where a word does not occur it is what it is elsewhere.
        assert_eq!(model.vector_in(1, &[1]), model.vector(1));
        assert_eq!(model.deviations.len(), 3);
    }

    #[test]
    fn levels_with_spaces_of_their_own_have_no_base() {
        let (vocabulary, covariates, record) = known();
        let origin = Origin { vocabulary: &vocabulary, covariates: &covariates, record: &record };
        let parameters = TrainParameters::default();
        let model = found().into_model(&origin, &parameters, baseline(Spaces::Apart));
        assert!(!model.has_base());
        assert_eq!(model.vector(0), [0.0, 0.0]);
        assert_eq!(model.vector_in(0, &[0]), [1.0, 2.0]);
        assert_eq!(model.vector_in(1, &[1]), [0.0, 0.0]);
    }
}
