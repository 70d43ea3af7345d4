//! The first pass: how often every word occurs in the level and elsewhere, and how many documents there
//! are before each batch.

use std::collections::BTreeSet;
use std::path::Path;

use super::level::Target;
use crate::Work;
use crate::corpus::tokens::Tokenizer;
use crate::corpus::{Batch, CorpusError, Feeder, Ids, Plan, Source, Tally, each_batch};
use crate::error::Error;
use crate::suggest::did_you_mean;
use crate::tensor::TensorError;
use crate::vocabulary::Words;

/// What the first pass leaves.
#[derive(Debug, Default)]
pub(super) struct Census {
    words: Words,
    /// For every word: how often it occurs in the level, and elsewhere.
    counts: Vec<[u64; 2]>,
    /// For every batch, in the order of the corpus: the number of its first document, and of the one
    /// after its last.
    pub(super) batches: Vec<(u64, u64)>,
    pub(super) documents: u64,
    pub(super) tokens: u64,
    pub(super) tally: Tally,
}

/// Levels that a message lists at most.
const SHOWN: usize = 30;

impl Census {
    pub(super) fn take(
        plan: &Plan,
        sources: &[Source],
        scratch: &Path,
        target: &Target,
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        let mut desks: Vec<Desk> = (0..work.threads.get()).map(|_| Desk::new(plan)).collect();
        let feeder = Feeder::new(plan, sources, scratch);
        let (_, tokens) = each_batch(feeder, &mut desks, "counting", work, |desk, batch| {
            desk.read(plan, target, batch)
        })?;
        Ids::refuse_duplicates(desks.iter_mut().map(|desk| std::mem::take(&mut desk.ids)))?;
        let (mut levels, mut batches, mut here) = (BTreeSet::new(), Vec::new(), false);
        let mut census = Self { tokens, ..Self::default() };
        for mut desk in desks {
            census.add(&desk.words, &desk.counts);
            census.tally.skipped += desk.tally.skipped;
            census.tally.replaced += desk.tally.replaced;
            levels.append(&mut desk.levels);
            batches.append(&mut desk.batches);
            here |= desk.here;
        }
        batches.sort_unstable();
        for (_, documents) in batches {
            census.batches.push((census.documents, census.documents + documents));
            census.documents += documents;
        }
        if tokens == 0 {
            let way_out = "check the inputs, and --text";
            return Err(CorpusError::Empty { documents: census.documents, way_out }.into());
        }
        if !here {
            return Err(unknown(target, &levels).into());
        }
        Ok(census)
    }

    /// Adds what a thread counted, by its own numbers.
    fn add(&mut self, words: &Words, counts: &[[u64; 2]]) {
        for (number, [here, elsewhere]) in counts.iter().enumerate() {
            let sum = slot(&mut self.counts, self.words.number(words.get(number)));
            sum[0] += here;
            sum[1] += elsewhere;
        }
    }

    /// Every word with its count in the level and elsewhere, in no order that means anything.
    pub(super) fn words(&self) -> impl Iterator<Item = (&str, [u64; 2])> {
        let word = |number: usize| std::str::from_utf8(self.words.get(number)).unwrap_or_default();
        self.counts.iter().enumerate().map(move |(number, counts)| (word(number), *counts))
    }
}

fn slot(counts: &mut Vec<[u64; 2]>, number: u32) -> &mut [u64; 2] {
    let number = number as usize;
    if counts.len() <= number {
        counts.resize(number + 1, [0; 2]);
    }
    &mut counts[number]
}

/// A level that no document has.
fn unknown(target: &Target, levels: &BTreeSet<String>) -> TensorError {
    let names: Vec<String> = levels.iter().map(|l| format!("{}={l}", target.factor)).collect();
    let suggestion = did_you_mean(&target.name, names.iter().map(String::as_str));
    let mut there = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN {
        there += &format!(" and {} more", names.len() - SHOWN);
    }
    TensorError::UnknownLevel { given: target.name.clone(), suggestion, there }
}

/// What a thread counts with.
struct Desk {
    tokenizer: Tokenizer,
    words: Words,
    counts: Vec<[u64; 2]>,
    levels: BTreeSet<String>,
    /// Whether a document of the level was met.
    here: bool,
    /// Number of a batch, and documents in it.
    batches: Vec<(u64, u64)>,
    ids: Ids,
    tally: Tally,
}

impl Desk {
    fn new(plan: &Plan) -> Self {
        Self {
            tokenizer: Tokenizer::new(&plan.parameters),
            words: Words::default(),
            counts: Vec::new(),
            levels: BTreeSet::new(),
            here: false,
            batches: Vec::new(),
            ids: Ids::default(),
            tally: Tally::default(),
        }
    }

    /// Counts the words of a batch, and says how many there are.
    fn read(&mut self, plan: &Plan, target: &Target, batch: &Batch<'_>) -> Result<u64, Error> {
        let Self { tokenizer, words, counts, levels, here, batches, ids, tally } = self;
        let (mut documents, mut tokens) = (0, 0);
        batch.each(plan, tally, |document| {
            let (level, inside) = target.look(plan, &document)?;
            if !levels.contains(&level) {
                levels.insert(level);
            }
            *here |= inside;
            ids.add(batch.sequence, &document);
            tokenizer.each(&document.text, |word| {
                slot(counts, words.number(word))[usize::from(!inside)] += 1;
                tokens += 1;
            });
            documents += 1;
            Ok(())
        })?;
        batches.push((batch.sequence, documents));
        Ok(tokens)
    }
}
