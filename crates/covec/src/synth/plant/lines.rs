//! The second pass: every document as a line of JSON, words swapped where the lot says so.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::PlantError;
use super::level::Target;
use super::parameters::PlantParameters;
use super::truth::PlantedPair;
use crate::Work;
use crate::corpus::tokens::Tokenizer;
use crate::corpus::{Batch, Document, Feeder, Plan, Source, Tally};
use crate::error::{Error, IoContext};
use crate::lots::{End, Lots, PairLots, Stream};
use crate::parallel;
use crate::work::Progress;

/// Batches of a thread that are held at a time, so that none waits long for the slowest.
const AHEAD: usize = 4;

/// Writes documents.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    plan: &'a Plan,
    target: &'a Target,
    /// For every word that is swapped: its number, two to a pair, and the word to put in its place.
    others: HashMap<&'a [u8], (usize, &'a str)>,
    probability: f64,
    seed: u64,
}

/// What a thread writes with.
struct Desk {
    tokenizer: Tokenizer,
    /// By the words' numbers.
    swapped: Vec<u64>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        target: &'a Target,
        pairs: &'a [PlantedPair],
        parameters: &PlantParameters,
    ) -> Self {
        let mut others = HashMap::new();
        for (n, PlantedPair { first, second }) in pairs.iter().enumerate() {
            others.insert(first.word.as_bytes(), (2 * n, second.word.as_str()));
            others.insert(second.word.as_bytes(), (2 * n + 1, first.word.as_str()));
        }
        let (probability, seed) = (parameters.probability, parameters.seed.0);
        Self { plan, target, others, probability, seed }
    }

    /// Writes all documents in the order of the corpus, and says how often every word was swapped.
    pub(super) fn write(
        &self,
        sources: &[Source],
        scratch: &Path,
        batches: &[(u64, u64)],
        path: &Path,
        work: &Work<'_>,
    ) -> Result<Vec<u64>, Error> {
        let mut file = BufWriter::new(File::create(path).at("create", path)?);
        let mut feeder = Feeder::new(self.plan, sources, scratch);
        let mut desks = Vec::new();
        let mut done = 0;
        loop {
            work.proceed()?;
            let mut round = Vec::new();
            while round.len() < work.threads.get() * AHEAD
                && let Some(batch) = feeder.next()?
            {
                round.push(batch);
            }
            if round.is_empty() {
                break;
            }
            done += round.len();
            let lines = parallel::map(
                work.threads,
                round.len(),
                &mut desks,
                || self.desk(),
                |desk, i| self.batch(&round[i], batches, desk),
            )?;
            for lines in lines {
                file.write_all(&lines).at("write", path)?;
            }
            work.observer.progress(Progress { stage: "writing", share: feeder.share(), words: 0 });
        }
        if done != batches.len() {
            return Err(PlantError::Changed.into());
        }
        file.flush().at("write", path)?;
        let sum = |n: usize| desks.iter().map(|desk: &Desk| desk.swapped[n]).sum();
        Ok((0..self.others.len()).map(sum).collect())
    }

    fn desk(&self) -> Desk {
        let tokenizer = Tokenizer::new(&self.plan.parameters);
        Desk { tokenizer, swapped: vec![0; self.others.len()] }
    }

    /// The lines of a batch.
    fn batch(
        &self,
        batch: &Batch<'_>,
        batches: &[(u64, u64)],
        desk: &mut Desk,
    ) -> Result<Vec<u8>, Error> {
        let place = batch.sequence as usize - 1;
        let &(mut number, end) = batches.get(place).ok_or(PlantError::Changed)?;
        let mut lines = Vec::new();
        batch.each(self.plan, &mut Tally::default(), |document| {
            let (_, inside) = self.target.look(self.plan, &document)?;
            let swapped = inside.then(|| self.swap(&document.text, number, desk));
            self.line(&document, swapped.as_deref().unwrap_or(&document.text), &mut lines);
            number += 1;
            Ok(())
        })?;
        if number == end { Ok(lines) } else { Err(PlantError::Changed.into()) }
    }

    /// The text of a document with words swapped.
    fn swap(&self, text: &str, document: u64, desk: &mut Desk) -> String {
        let key = Stream::new(self.seed, End::Swaps, document).bits();
        let Desk { tokenizer, swapped } = desk;
        let mut new = String::with_capacity(text.len());
        let (mut place, mut copied) = (0, 0);
        tokenizer.each_at(text, |word, written| {
            if let Some(&(number, other)) = self.others.get(word)
                && PairLots::new(key, place, u32::MAX).share() < self.probability
            {
                new.push_str(&text[copied..written.start]);
                new.push_str(other);
                copied = written.end;
                swapped[number] += 1;
            }
            place += 1;
        });
        new.push_str(&text[copied..]);
        new
    }

    /// A document as a line: its id, its text, its covariates as they were read.
    fn line(&self, document: &Document<'_>, text: &str, lines: &mut Vec<u8>) {
        let parameters = &self.plan.parameters;
        let id = parameters.id.as_deref();
        let own = id.zip(document.id.as_deref()).filter(|(name, _)| *name != parameters.text);
        let covariates = self.plan.factors.iter().zip(&document.covariates);
        let covariates = covariates
            .map(|(factor, value)| (factor.name.as_str(), &**value))
            .filter(|(name, _)| Some(*name) != id);
        let fields = own.into_iter().chain([(parameters.text.as_str(), text)]).chain(covariates);
        for (n, (name, value)) in fields.enumerate() {
            lines.push(if n == 0 { b'{' } else { b',' });
            quote(name, lines);
            lines.push(b':');
            quote(value, lines);
        }
        lines.extend_from_slice(b"}\n");
    }
}

/// A text in JSON.
fn quote(text: &str, lines: &mut Vec<u8>) {
    // Memory takes every byte, and a text has no keys that could be refused.
    let _ = serde_json::to_writer(lines, text);
}
