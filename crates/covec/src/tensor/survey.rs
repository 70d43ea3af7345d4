//! From what was read to the vocabulary: counts, rules, and each reader's numbers translated.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use super::covariates::Covariates;
use super::gather::{Gathered, Reader};
use super::spool::documents;
use crate::Work;
use crate::corpus::tokens::Tokenizer;
use crate::corpus::{CorpusParameters, read_list};
use crate::error::Error;
use crate::parallel;
use crate::vocabulary::{
    Candidate, Rule, Selection, Vocabulary, VocabularyError, VocabularyParameters, Words,
};

/// The vocabulary, but for its counts per level, and how to get from a reader's numbers to its ids.
#[derive(Debug)]
pub(crate) struct Survey {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) rules: Vec<Rule>,
    pub(crate) distinct: u64,
    /// For every reader and every word number of it: the id, or the size of the vocabulary.
    pub(crate) ids: Vec<Vec<u32>>,
}

/// For every reader and every cell number of it: the cell, unless it was left out.
pub(crate) fn translate_cells(
    readers: &[Reader],
    covariates: &Covariates,
) -> Vec<Vec<Option<u32>>> {
    readers
        .iter()
        .map(|reader| reader.cells.names().map(|names| covariates.cell_of(&names)).collect())
        .collect()
}

/// Makes the vocabulary, by the rules or of the `known` words. The readers' own words are given up
/// on the way.
pub(crate) fn survey(
    gathered: &mut Gathered,
    cells: &[Vec<Option<u32>>],
    covariates: &Covariates,
    corpus: &CorpusParameters,
    parameters: &VocabularyParameters,
    known: Option<&[String]>,
    work: &Work<'_>,
) -> Result<Survey, Error> {
    refuse_unknown_factors(covariates, parameters)?;
    let (words, numbers) = unite(&mut gathered.readers);
    let candidates = count_words(gathered, cells, &numbers, words.len(), work)?;
    let distinct = candidates.len() as u64;
    let mut selection = Selection::new(candidates);
    if let Some(known) = known {
        let (vocabulary, id_of) = known_words(known, &mut selection, &words)?;
        let ids = translate_words(numbers, &id_of);
        return Ok(Survey { vocabulary, rules: selection.rules, distinct, ids });
    }
    match &parameters.words {
        Some(file) => {
            let listed = word_list(Path::new(file), corpus, &words, work)?;
            selection.by_count(parameters, Some(&|word| listed[word]))?;
        }
        None => selection.by_count(parameters, None)?,
    }
    selection.words.sort_unstable_by(|a, b| {
        Vocabulary::order((a.count, words.get(a.word)), (b.count, words.get(b.word)))
    });
    if !parameters.min_level_count.is_empty() {
        let counts = count_levels(
            gathered,
            cells,
            covariates,
            &numbers,
            &selection.words,
            words.len(),
            work,
        )?;
        let mut kept: Vec<usize> = (0..selection.words.len()).collect();
        for rule in &parameters.min_level_count {
            let mut start = 0;
            for factor in &covariates.factors {
                let range = start..start + factor.levels.len();
                start = range.end;
                if factor.name == rule.factor {
                    let enough = |word: usize| range.clone().all(|l| counts[l][word] >= rule.least);
                    let flag = format!("--min-level-count {}={}", rule.factor, rule.least);
                    let way_out = "lower it, or leave out small levels with --min-level-tokens";
                    selection.apply(&flag, way_out, |index, _| enough(kept[index]))?;
                    kept.retain(|&word| enough(word));
                }
            }
        }
    }
    selection.by_rank(parameters)?;
    let vocabulary = Vocabulary {
        words: selection
            .words
            .iter()
            .map(|c| String::from_utf8_lossy(words.get(c.word)).into_owned())
            .collect(),
        counts: selection.words.iter().map(|c| c.count).collect(),
        documents: selection.words.iter().map(|c| c.documents).collect(),
        // Counting the pairs tells these for nothing.
        level_counts: Vec::new(),
    };
    let mut id_of = vec![vocabulary.len() as u32; words.len()];
    for (id, candidate) in selection.words.iter().enumerate() {
        id_of[candidate.word] = id as u32;
    }
    let ids = translate_words(numbers, &id_of);
    Ok(Survey { vocabulary, rules: selection.rules, distinct, ids })
}

fn refuse_unknown_factors(
    covariates: &Covariates,
    parameters: &VocabularyParameters,
) -> Result<(), VocabularyError> {
    for rule in &parameters.min_level_count {
        if !covariates.factors.iter().any(|factor| factor.name == rule.factor) {
            let names: Vec<_> = covariates.factors.iter().map(|f| f.name.as_str()).collect();
            return Err(VocabularyError::UnknownFactor {
                factor: rule.factor.clone(),
                least: rule.least,
                there: if names.is_empty() { "none".to_owned() } else { names.join(", ") },
            });
        }
    }
    Ok(())
}

/// The known words with their counts here, which may be 0, and the id of every word of the corpus.
fn known_words(
    known: &[String],
    selection: &mut Selection,
    words: &Words,
) -> Result<(Vocabulary, Vec<u32>), VocabularyError> {
    let place: HashMap<&[u8], usize> =
        known.iter().zip(0..).map(|(word, id)| (word.as_bytes(), id)).collect();
    let way_out = "a corpus in the language of the model";
    selection.apply("the vocabulary of the model", way_out, |_, candidate| {
        place.contains_key(words.get(candidate.word))
    })?;
    let none = vec![0; known.len()];
    let mut vocabulary = Vocabulary {
        words: known.to_vec(),
        counts: none.clone(),
        documents: none,
        level_counts: Vec::new(),
    };
    let mut id_of = vec![known.len() as u32; words.len()];
    for candidate in &selection.words {
        let id = place[words.get(candidate.word)];
        vocabulary.counts[id] = candidate.count;
        vocabulary.documents[id] = candidate.documents;
        id_of[candidate.word] = id as u32;
    }
    Ok((vocabulary, id_of))
}

/// Every reader's numbers as ids.
fn translate_words(numbers: Vec<Vec<u32>>, id_of: &[u32]) -> Vec<Vec<u32>> {
    let of = |numbers: Vec<u32>| numbers.into_iter().map(|word| id_of[word as usize]).collect();
    numbers.into_iter().map(of).collect()
}

/// One numbering for all readers: the words, and for each reader the new number of each of its own.
fn unite(readers: &mut [Reader]) -> (Words, Vec<Vec<u32>>) {
    let mut readers = readers.iter_mut().map(|reader| std::mem::take(&mut reader.words));
    // The first reader's numbers stay as they are.
    let mut words = readers.next().unwrap_or_default();
    let mut numbers = vec![(0..words.len() as u32).collect::<Vec<_>>()];
    for own in readers {
        numbers.push((0..own.len()).map(|number| words.number(own.get(number))).collect());
    }
    words.freeze();
    (words, numbers)
}

/// Which of the corpus's words are in the list; of those that are only in the list some are told.
fn word_list(
    path: &Path,
    corpus: &CorpusParameters,
    words: &Words,
    work: &Work<'_>,
) -> Result<Vec<bool>, Error> {
    const TOLD: usize = 5;
    let text = read_list(path)?;
    let mut tokenizer = Tokenizer::new(corpus);
    let mut wanted = BTreeSet::new();
    for line in text.lines() {
        // A listed word is written as the corpus's words are; what the tokenizer would cut apart
        // is looked for as it stands.
        match &tokenizer.normalise(line)[..] {
            [word] => wanted.insert(word.clone()),
            _ => wanted.insert(line.trim().to_owned()),
        };
    }
    wanted.remove("");
    if wanted.is_empty() {
        return Err(VocabularyError::EmptyList(path.to_owned()).into());
    }
    let (mut listed, all) = (Vec::with_capacity(words.len()), wanted.len());
    for word in 0..words.len() {
        listed.push(wanted.remove(&*String::from_utf8_lossy(words.get(word))));
    }
    // Where none is there, the rule will say so.
    if (1..all).contains(&wanted.len()) {
        let some: Vec<&str> = wanted.iter().take(TOLD).map(String::as_str).collect();
        work.observer.note(&format!(
            "{} of the {all} words of {} do not occur: {}{}",
            wanted.len(),
            path.display(),
            some.join(", "),
            if wanted.len() > TOLD { ", …" } else { "" }
        ));
    }
    Ok(listed)
}

#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    count: u64,
    documents: u64,
    last_document: u64,
}

/// How often, and in how many documents of the cells that remain, every distinct word occurs.
fn count_words(
    gathered: &Gathered,
    cells: &[Vec<Option<u32>>],
    numbers: &[Vec<u32>],
    words: usize,
    work: &Work<'_>,
) -> Result<Vec<Candidate>, Error> {
    let mut states: Vec<(Vec<Seen>, u64)> = Vec::new();
    let pieces = &gathered.spool.pieces;
    parallel::map(
        work.threads,
        pieces.len(),
        &mut states,
        || (vec![Seen::default(); words], 0),
        |(seen, document), piece| {
            work.proceed()?;
            let reader = pieces[piece].reader;
            for (cell, text) in documents(&gathered.spool.numbers(piece)?) {
                if cells[reader][cell as usize].is_none() {
                    continue;
                }
                *document += 1;
                for &word in text {
                    let seen = &mut seen[numbers[reader][word as usize] as usize];
                    seen.count += 1;
                    seen.documents += u64::from(seen.last_document != *document);
                    seen.last_document = *document;
                }
            }
            Ok(())
        },
    )?;
    Ok((0..words)
        .map(|word| Candidate {
            word,
            count: states.iter().map(|(seen, _)| seen[word].count).sum(),
            documents: states.iter().map(|(seen, _)| seen[word].documents).sum(),
        })
        .filter(|candidate| candidate.count > 0)
        .collect())
}

/// How often each of these words occurs in every level: first by level, then by word.
///
/// A table of all of them at once may not fit; then the words are taken in bands, each with its own
/// look at the corpus.
fn count_levels(
    gathered: &Gathered,
    cells: &[Vec<Option<u32>>],
    covariates: &Covariates,
    numbers: &[Vec<u32>],
    candidates: &[Candidate],
    words: usize,
    work: &Work<'_>,
) -> Result<Vec<Vec<u64>>, Error> {
    const OUTSIDE: u32 = u32::MAX;
    let levels = covariates.level_names().len();
    let flat = covariates.flat_levels();
    let mut counts: Vec<Vec<u64>> = vec![Vec::with_capacity(candidates.len()); levels];
    if levels == 0 {
        return Ok(counts);
    }
    let row_bytes = 8 * levels as u64 * work.threads.get() as u64;
    let band = (work.memory.0 / 4 / row_bytes).max(1024) as usize;
    let pieces = &gathered.spool.pieces;
    for band in candidates.chunks(band) {
        let mut place = vec![OUTSIDE; words];
        for (index, candidate) in band.iter().enumerate() {
            place[candidate.word] = index as u32;
        }
        let mut states: Vec<Vec<u64>> = Vec::new();
        parallel::map(
            work.threads,
            pieces.len(),
            &mut states,
            || vec![0; levels * band.len()],
            |table, piece| {
                work.proceed()?;
                let reader = pieces[piece].reader;
                for (cell, text) in documents(&gathered.spool.numbers(piece)?) {
                    let Some(cell) = cells[reader][cell as usize] else { continue };
                    for &level in &flat[cell as usize] {
                        let row = &mut table[level * band.len()..][..band.len()];
                        for &word in text {
                            let place = place[numbers[reader][word as usize] as usize];
                            if let Some(count) = row.get_mut(place as usize) {
                                *count += 1;
                            }
                        }
                    }
                }
                Ok(())
            },
        )?;
        for (level, counts) in counts.iter_mut().enumerate() {
            let at =
                |i: usize| states.iter().map(|table| table[level * band.len() + i]).sum::<u64>();
            counts.extend((0..band.len()).map(at));
        }
    }
    Ok(counts)
}
