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
        let corpus = &parameters.corpus;
        let plan = Plan::with_units(corpus, unit)?;
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
            survey(&mut gathered, &cells, covariates, corpus, vocabulary, Some(words), work)?;
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

    /// Hands out the documents that have a cell, in the order of the corpus: the cell, and the words as ids, the size
    /// of the vocabulary for one outside.
    pub(crate) fn each(
        &self,
        mut take: impl FnMut(u32, &mut dyn Iterator<Item = u32>),
    ) -> Result<(), Error> {
        let mut known = self.documents.iter();
        for &piece in &self.order {
            let ids = &self.survey.ids[self.gathered.spool.pieces[piece].reader];
            let numbers = self.gathered.spool.numbers(piece)?;
            for ((_, words), document) in documents(&numbers).zip(known.by_ref()) {
                if let Some(cell) = document.cell {
                    take(cell, &mut words.iter().map(|&word| ids[word as usize]));
                }
            }
        }
        Ok(())
    }

    /// How often each word of the vocabulary occurs.
    pub(crate) fn counts(&self) -> &[u64] {
        &self.survey.vocabulary.counts
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Bytes;
    use crate::tensor::count;

    const TEXTS: [&str; 5] = ["a b c a", "b c d", "c c a", "d a b b", "a d"];

    /// Documents of the numbers given, in groups of their own choice.
    fn write(path: &Path, documents: &[(usize, &str)]) {
        let line = |(number, group): &(usize, &str)| {
            format!(
                "{{\"text\": \"{}\", \"g\": \"{group}\", \"u\": {}}}\n",
                TEXTS[*number],
                number % 2
            )
        };
        std::fs::write(path, documents.iter().map(line).collect::<String>()).unwrap();
    }

    #[test]
    fn drawn_documents_are_counted_as_if_the_corpus_were_theirs() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        let groups = ["x", "y", "x", "y", "x"];
        let own: Vec<_> = groups.into_iter().enumerate().collect();
        write(&at("own.jsonl"), &own);
        let mut rules = CountParameters::default();
        rules.set("by", "g").unwrap();
        rules.set("min_count", "1").unwrap();
        let work = Work { memory: Bytes(1 << 20), ..Work::default() };
        let tensor = count(&[at("own.jsonl")], rules.check().unwrap(), &at("own"), &work).unwrap();
        let unit = [By::Field { name: "u".to_owned(), bins: None }];
        let words = &tensor.vocabulary.words;
        let known = CountParameters { vocabulary: Default::default(), ..rules.clone() };
        let inputs = [at("own.jsonl")];
        let kept =
            Kept::read(&inputs, &known, words, &tensor.covariates, &unit, home.path(), &work)
                .unwrap();
        assert_eq!(kept.units, ["0", "1"]);
        let units: Vec<u32> = kept.documents.iter().map(|document| document.unit).collect();
        assert_eq!(units, [0, 1, 0, 1, 0]);
        let cells: Vec<Option<u32>> = kept.documents.iter().map(|d| d.cell).collect();
        assert_eq!(cells, [Some(0), Some(1), Some(0), Some(1), Some(0)]);
        // As they are; some twice and some not at all; in other groups.
        let draws: [[(u32, u32); 5]; 3] = [
            [(0, 1), (1, 1), (0, 1), (1, 1), (0, 1)],
            [(0, 2), (1, 1), (0, 0), (1, 3), (0, 1)],
            [(1, 1), (0, 1), (0, 1), (1, 1), (1, 1)],
        ];
        for (number, draw) in draws.into_iter().enumerate() {
            let drawn: Vec<Drawn> =
                draw.iter().map(|&(cell, times)| Drawn { cell, times }).collect();
            let again =
                kept.count(&drawn, &tensor.covariates, &at(&format!("k{number}")), &work).unwrap();
            let mut documents = Vec::new();
            for (document, (cell, times)) in draw.into_iter().enumerate() {
                let group = ["x", "y"][cell as usize];
                documents.extend((0..times).map(|_| (document, group)));
            }
            let file = at(&format!("d{number}.jsonl"));
            write(&file, &documents);
            let list = at("words.txt");
            std::fs::write(&list, words.join("\n")).unwrap();
            let mut rules = rules.clone();
            rules.set("words", list.to_str().unwrap()).unwrap();
            let folder = at(&format!("t{number}"));
            let straight = count(&[file], rules.check().unwrap(), &folder, &work).unwrap();
            let entries = |tensor: &Tensor| {
                let word = |id: u32| tensor.vocabulary.words[id as usize].clone();
                let mut all = Vec::new();
                for batch in tensor.entries().unwrap() {
                    let batch = batch.unwrap();
                    all.extend((0..batch.values.len()).map(|i| {
                        let pair = (word(batch.rows[i]), word(batch.cols[i]));
                        (pair, batch.cells[i], (batch.values[i] * 840.0).round() as u64)
                    }));
                }
                all.sort();
                all
            };
            assert_eq!(entries(&again), entries(&straight), "draw {number}");
            for (word, name) in words.iter().enumerate() {
                let place = straight.vocabulary.words.iter().position(|other| other == name);
                for level in 0..2 {
                    let expected =
                        place.map_or(0, |at| straight.vocabulary.level_counts[level][at]);
                    assert_eq!(again.vocabulary.level_counts[level][word], expected);
                }
            }
        }
    }
}
