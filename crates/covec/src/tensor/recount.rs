//! A corpus that is read once and counted again and again: other documents, other cells.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::count::{CountParameters, Counter, sources};
use super::covariates::Covariates;
use super::gather::{Gathered, gather};
use super::placement::{Drawn, Placement};
use super::spool::documents;
use super::survey::{Survey, survey};
use super::{FILES, Tensor};
use crate::artefact::Artefact;
use crate::corpus::{By, Plan};
use crate::error::Error;
use crate::work::Work;

/// A document of a kept corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeptDocument {
    /// Its cell, unless the covariates do not have it.
    pub(crate) cell: Option<u32>,
    /// Which of the units it belongs to.
    pub(crate) unit: u32,
    /// Its words, inside the vocabulary or not.
    pub(crate) words: u32,
}

/// A corpus in word numbers.
#[derive(Debug)]
pub(crate) struct Kept {
    gathered: Gathered,
    survey: Survey,
    parameters: CountParameters,
    /// The spool's pieces in the order of the corpus.
    order: Vec<usize>,
    /// All documents, in the order of the corpus.
    pub(crate) documents: Vec<KeptDocument>,
    /// The units' names, sorted; empty where every document is a unit.
    pub(crate) units: Vec<String>,
}

impl Kept {
    /// Reads a corpus by the words and covariates that are there already. Documents that agree in
    /// `unit` belong together; without it each stands for itself.
    pub(crate) fn read(
        inputs: &[PathBuf],
        parameters: &CountParameters,
        words: &[String],
        covariates: &Covariates,
        unit: &[By],
        scratch: &Path,
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        let mut corpus = parameters.corpus.clone();
        corpus.by.extend_from_slice(unit);
        let plan = Plan::new(&corpus)?;
        let sources = sources(inputs, parameters, work)?;
        let mut gathered = gather(inputs, &sources, &plan, scratch, work.memory.0 / 4, work)?;
        let factors = covariates.factors.len();
        // A reader's cells are those of the covariates, cut further by unit.
        let names: Vec<Vec<Vec<String>>> =
            gathered.readers.iter().map(|reader| reader.cells.names().collect()).collect();
        let cells: Vec<Vec<Option<u32>>> = names
            .iter()
            .map(|names| names.iter().map(|name| covariates.cell_of(&name[..factors])).collect())
            .collect();
        let unit_of = |name: &Vec<String>| name[factors..].join(", ");
        let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
        if !unit.is_empty() {
            numbers.extend(names.iter().flatten().map(|name| (unit_of(name), 0)));
            numbers.values_mut().zip(0..).for_each(|(number, own)| *number = own);
        }
        let units: Vec<Vec<u32>> = names
            .iter()
            .map(|names| {
                let number = |name| numbers.get(&unit_of(name)).copied().unwrap_or(0);
                names.iter().map(number).collect()
            })
            .collect();
        let vocabulary = &parameters.vocabulary;
        let survey =
            survey(&mut gathered, &cells, covariates, &corpus, vocabulary, Some(words), work)?;
        let spool = &gathered.spool;
        let mut order: Vec<usize> = (0..spool.pieces.len()).collect();
        order.sort_by_key(|&piece| spool.pieces[piece].sequence);
        let mut kept = Vec::with_capacity(gathered.documents as usize);
        for &piece in &order {
            let reader = spool.pieces[piece].reader;
            for (cell, words) in documents(&spool.numbers(piece)?) {
                let of = |table: &[Vec<u32>]| table[reader][cell as usize];
                let unit = if unit.is_empty() { kept.len() as u32 } else { of(&units) };
                let (cell, words) = (cells[reader][cell as usize], words.len() as u32);
                kept.push(KeptDocument { cell, unit, words });
            }
        }
        let units = numbers.into_keys().collect();
        let parameters = parameters.clone();
        Ok(Self { gathered, survey, parameters, order, documents: kept, units })
    }

    /// Counts the documents as they were drawn, each in its place in the order of the corpus, into
    /// the folder `output`.
    pub(crate) fn count(
        &self,
        drawn: &[Drawn],
        covariates: &Covariates,
        output: &Path,
        work: &Work<'_>,
    ) -> Result<Tensor, Error> {
        let spool = &self.gathered.spool;
        let mut placed = vec![Vec::new(); spool.pieces.len()];
        let mut rest = drawn;
        for &piece in &self.order {
            let (own, later) = rest.split_at(spool.pieces[piece].documents as usize);
            placed[piece] = own.to_vec();
            rest = later;
        }
        let counter = Counter {
            spool,
            ids: &self.survey.ids,
            words: self.survey.vocabulary.len(),
            placement: Placement::Drawn(&placed),
            parameters: &self.parameters,
            work,
            total: self.gathered.words,
        };
        let artefact = Artefact::begin(output, FILES, work.force)?;
        let vocabulary = self.survey.vocabulary.clone();
        counter.tensor(artefact, output, vocabulary, covariates.clone(), |record| record)
    }
}
