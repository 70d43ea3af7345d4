//! Documents as vectors, each under its own levels.
//!
//! With `x_i` the vector of word i under the levels of the document ([`super::Lens`]), `n_i` how often
//! the document has it and `p_i` its share of all words of the corpus, the document's vector is
//!
//! ```text
//! Σ_i n_i s_i x_i / Σ_i n_i s_i      s_i = a / (a + p_i)
//! ```
//!
//! the mean of its words with common ones turned down (Arora et al. 2017, without the last step, which
//! would make a document's vector depend on what else is asked). `a = ∞` makes it the plain mean. Words
//! the model does not have count for nothing; a document with none that it has is all zeros.
//!
//! Cost: one pass over the corpus; memory for the vectors.

use std::collections::HashMap;
use std::path::PathBuf;

use super::reread::{Levels, rules};
use super::{Lens, question};
use crate::corpus::tokens::Tokenizer;
use crate::corpus::{Batch, Document, Feeder, Plan, Tally, each_batch, expand};
use crate::error::{Error, IoContext};
use crate::model::{Model, Need};
use crate::work::Work;

/// Documents' vectors, in the order of the corpus.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Documents {
    /// A row of the model's dimensions for each.
    pub vectors: Vec<f32>,
    /// How many words of each the model has.
    pub words: Vec<u64>,
}

/// Reads documents by the rules of the model. `smooth` is the `a` above; with `unknown_as_base`, a level
/// that the model does not have changes nothing, else it is refused.
pub fn documents(
    model: &Model,
    corpus: &[PathBuf],
    smooth: f64,
    unknown_as_base: bool,
    work: &Work<'_>,
) -> Result<Documents, Error> {
    if smooth.is_nan() || smooth <= 0.0 {
        return Err(question(
            format!("documents are smoothed by {smooth}"),
            "a positive number, or infinity for none",
            "leave it at 0.001",
        )
        .into());
    }
    model.gives(Need::Base, "documents")?;
    if model.covariates.factors.len() > 1 {
        model.gives(Need::Combination, "documents")?;
    }
    let rules = rules(model)?;
    let plan = Plan::new(&rules.corpus)?;
    let sources = expand(corpus, rules.corpus.input_format, &mut |note| work.observer.note(&note))?;
    let here = std::env::temp_dir();
    let scratch = tempfile::tempdir_in(&here).at("make a temporary folder in", &here)?;
    let all: u64 = model.vocabulary.counts.iter().sum();
    let share = |count: &u64| *count as f64 / all.max(1) as f64;
    let smoothed = |p: f64| if smooth.is_finite() { smooth / (smooth + p) } else { 1.0 };
    let reading = Reading {
        model,
        plan: &plan,
        places: model.vocabulary.words.iter().map(String::as_bytes).zip(0..).collect(),
        weights: model.vocabulary.counts.iter().map(|count| smoothed(share(count))).collect(),
        unknown_as_base,
    };
    let mut desks: Vec<Desk<'_>> = (0..work.threads.get()).map(|_| reading.desk()).collect();
    let feeder = Feeder::new(&plan, &sources, scratch.path());
    each_batch(feeder, &mut desks, "reading documents", work, |desk, batch| {
        reading.batch(batch, desk)
    })?;
    let mut rows: Vec<Row> = desks.into_iter().flat_map(|desk| desk.rows).collect();
    rows.sort_unstable_by_key(|row| row.spot);
    Ok(Documents {
        words: rows.iter().map(|row| row.words).collect(),
        vectors: rows.into_iter().flat_map(|row| row.vector).collect(),
    })
}

struct Reading<'a> {
    model: &'a Model,
    plan: &'a Plan,
    places: HashMap<&'a [u8], usize>,
    /// What an occurrence of a word counts.
    weights: Vec<f64>,
    unknown_as_base: bool,
}

/// A document: where it stands, how many known words it has, its vector.
struct Row {
    spot: (u64, u32),
    words: u64,
    vector: Vec<f32>,
}

/// What a thread has of its own.
struct Desk<'a> {
    tokenizer: Tokenizer,
    tally: Tally,
    levels: Levels<'a>,
    rows: Vec<Row>,
}

impl<'a> Reading<'a> {
    fn desk(&self) -> Desk<'a> {
        Desk {
            tokenizer: Tokenizer::new(&self.plan.parameters),
            tally: Tally::default(),
            levels: Levels::new(self.model, self.plan),
            rows: Vec::new(),
        }
    }

    /// Reads a batch; returns its words.
    fn batch(&self, batch: &Batch<'_>, desk: &mut Desk<'a>) -> Result<u64, Error> {
        let (mut number, mut words) = (0, 0);
        let mut tally = std::mem::take(&mut desk.tally);
        let read = batch.each(self.plan, &mut tally, |document| {
            let row = self.document(&document, (batch.sequence, number), desk)?;
            words += row.words;
            number += 1;
            desk.rows.push(row);
            Ok(())
        });
        desk.tally = tally;
        read.map(|_| words)
    }

    fn document(
        &self,
        document: &Document<'_>,
        spot: (u64, u32),
        desk: &mut Desk<'a>,
    ) -> Result<Row, Error> {
        let mut levels = Vec::new();
        for (f, level) in desk.levels.of(self.plan, document)?.into_iter().enumerate() {
            match level {
                Some(level) => levels.push(level),
                None if self.unknown_as_base => {}
                None => return Err(self.unknown(document, f)),
            }
        }
        let mut known = Vec::new();
        desk.tokenizer.each_at(&document.text, |word, _| {
            known.extend(self.places.get(word).copied());
        });
        let words = known.len() as u64;
        // In the order of the vocabulary, so that the sum does not depend on that of the text.
        known.sort_unstable();
        let lens = Lens::mixed(self.model, &levels, &levels);
        let mut sums = vec![0.0_f64; self.model.dim];
        let (mut vector, mut whole) = (vec![0.0; self.model.dim], 0.0);
        for same in known.chunk_by(|a, b| a == b) {
            let weight = same.len() as f64 * self.weights[same[0]];
            lens.write(same[0], &mut vector);
            sums.iter_mut().zip(&vector).for_each(|(sum, x)| *sum += weight * f64::from(*x));
            whole += weight;
        }
        if whole > 0.0 {
            vector.iter_mut().zip(&sums).for_each(|(x, sum)| *x = (sum / whole) as f32);
        }
        Ok(Row { spot, words, vector })
    }

    fn unknown(&self, document: &Document<'_>, factor: usize) -> Error {
        let factor = &self.plan.factors[factor].name;
        let known = self.model.covariates.factors.iter().find(|own| own.name == *factor);
        let known = known.into_iter().flat_map(|own| &own.levels).take(20);
        let known: Vec<&str> = known.map(|level| level.name.as_str()).collect();
        question(
            format!("{}: the model does not know this level of {factor}", document.spot.place()),
            known.join(", "),
            "extend the model by it, or take such documents under the base",
        )
        .into()
    }
}
