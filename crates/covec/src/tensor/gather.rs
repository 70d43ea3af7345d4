//! The one pass over the corpus: documents become cells and word numbers.
//!
//! Every thread has word and cell numbers of its own, so that none waits for another; they are
//! brought together at the end.

use std::collections::HashMap;
use std::path::PathBuf;

use super::covariates::Found;
use super::spool::{Spool, SpoolWriter};
use crate::Work;
use crate::corpus::tokens::Tokenizer;
use crate::corpus::{
    Batch, Document, Feeder, Fingerprint, Ids, LevelKey, Plan, Source, Tally, each_batch,
};
use crate::error::Error;
use crate::vocabulary::Words;

/// What one pass over the corpus leaves.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) spool: Spool,
    /// The words and cells of every reading thread.
    pub(crate) readers: Vec<Reader>,
    pub(crate) inputs: Vec<Fingerprint>,
    pub(crate) documents: u64,
    pub(crate) empty: u64,
    pub(crate) words: u64,
    pub(crate) tally: Tally,
}

/// A thread's own numbering.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    pub(crate) words: Words,
    pub(crate) cells: Cells,
    documents: u64,
    empty: u64,
    tally: Tally,
    ids: Ids,
    digests: Vec<(usize, String, u64, String)>,
}

/// A thread's own cells.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    /// For every factor: raw value → level.
    raw: Vec<HashMap<String, u32>>,
    levels: Vec<Vec<LevelKey>>,
    /// For every factor: name → level.
    names: Vec<HashMap<String, u32>>,
    numbers: HashMap<Vec<u32>, u32>,
    /// For every cell: its levels, documents, words.
    list: Vec<(Vec<u32>, u64, u64)>,
}

impl Cells {
    /// The number of a document's cell.
    pub(crate) fn number(&mut self, plan: &Plan, document: &Document<'_>) -> Result<u32, Error> {
        self.raw.resize_with(plan.factors.len(), HashMap::new);
        self.levels.resize_with(plan.factors.len(), Vec::new);
        self.names.resize_with(plan.factors.len(), HashMap::new);
        let mut cell = Vec::with_capacity(plan.factors.len());
        for f in 0..plan.factors.len() {
            let value = &*document.covariates[f];
            if let Some(&level) = self.raw[f].get(value) {
                cell.push(level);
                continue;
            }
            let key = document.level(plan, f)?;
            let levels = &mut self.levels[f];
            let level = *self.names[f].entry(key.name.clone()).or_insert_with(|| {
                levels.push(key);
                levels.len() as u32 - 1
            });
            self.raw[f].insert(value.to_owned(), level);
            cell.push(level);
        }
        if let Some(&number) = self.numbers.get(&cell) {
            return Ok(number);
        }
        let number = self.list.len() as u32;
        self.list.push((cell.clone(), 0, 0));
        self.numbers.insert(cell, number);
        Ok(number)
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Adds the levels that were met.
    pub(crate) fn add_to(&self, found: &mut Found) {
        for (factor, levels) in found.factors.iter_mut().zip(&self.levels) {
            levels.iter().for_each(|level| factor.add(level));
        }
    }

    /// The names of every cell's levels.
    pub(crate) fn names(&self) -> impl Iterator<Item = Vec<String>> + '_ {
        self.list.iter().map(|(cell, ..)| {
            cell.iter()
                .enumerate()
                .map(|(f, &level)| self.levels[f][level as usize].name.clone())
                .collect()
        })
    }
}

impl Gathered {
    /// The levels and cells of all threads together.
    pub(crate) fn found(&self, plan: &Plan) -> Found {
        let mut found = Found::new(plan);
        for reader in &self.readers {
            reader.cells.add_to(&mut found);
            for (names, (_, documents, words)) in reader.cells.names().zip(&reader.cells.list) {
                let cell = found.cells.entry(names).or_default();
                cell.0 += documents;
                cell.1 += words;
            }
        }
        found
    }
}

/// Reads the whole corpus. `budget` bytes of it are kept in memory, the rest in `scratch`.
pub(crate) fn gather(
    inputs: &[PathBuf],
    sources: &[Source],
    plan: &Plan,
    scratch: &std::path::Path,
    budget: u64,
    work: &Work<'_>,
) -> Result<Gathered, Error> {
    let spool = SpoolWriter::new(scratch, budget);
    let mut desks: Vec<Desk> =
        (0..work.threads.get()).map(|index| Desk::new(index, plan)).collect();
    let feeder = Feeder::new(plan, sources, scratch);
    let (feeder, words) = each_batch(feeder, &mut desks, "reading", work, |desk, batch| {
        desk.read(plan, batch, &spool)
    })?;
    let mut readers: Vec<Reader> = desks.into_iter().map(|desk| desk.reader).collect();
    // The words of the others are added to those of the first.
    readers.iter_mut().skip(1).for_each(|reader| reader.words.freeze());
    Ids::refuse_duplicates(readers.iter_mut().map(|reader| std::mem::take(&mut reader.ids)))?;
    let mut gathered = Gathered {
        spool: spool.finish(),
        inputs: Vec::new(),
        documents: 0,
        empty: 0,
        words,
        tally: Tally::default(),
        readers: Vec::new(),
    };
    let mut digests = Vec::new();
    for reader in &mut readers {
        gathered.documents += reader.documents;
        gathered.empty += reader.empty;
        gathered.tally.skipped += reader.tally.skipped;
        gathered.tally.replaced += reader.tally.replaced;
        digests.append(&mut reader.digests);
    }
    gathered.readers = readers;
    gathered.inputs = feeder.fingerprints(inputs, digests);
    Ok(gathered)
}

/// What a thread reads with.
struct Desk {
    index: usize,
    tokenizer: Tokenizer,
    reader: Reader,
}

impl Desk {
    fn new(index: usize, plan: &Plan) -> Self {
        let tokenizer = Tokenizer::new(&plan.parameters);
        Self { index, tokenizer, reader: Reader::default() }
    }

    /// Keeps the documents of a batch; returns their words.
    fn read(&mut self, plan: &Plan, batch: &Batch<'_>, spool: &SpoolWriter) -> Result<u64, Error> {
        let mut numbers: Vec<u32> = Vec::new();
        let (mut words, mut here) = (0, 0);
        let Self { index, tokenizer, reader } = self;
        let Reader { words: known, cells, documents, empty, tally, ids, digests } = reader;
        let digest = batch.each(plan, tally, |document| {
            let cell = cells.number(plan, &document)?;
            ids.add(batch.sequence, &document);
            numbers.extend([cell, 0]);
            let start = numbers.len();
            tokenizer.each(&document.text, |word| numbers.push(known.number(word)));
            let len = numbers.len() - start;
            numbers[start - 1] = len as u32;
            words += len as u64;
            let (_, cell_documents, cell_words) = &mut cells.list[cell as usize];
            *cell_documents += 1;
            *cell_words += len as u64;
            here += 1;
            *empty += u64::from(len == 0);
            Ok(())
        })?;
        digests.extend(digest);
        *documents += here;
        spool.keep((*index, batch.sequence), here, numbers)?;
        Ok(words)
    }
}
