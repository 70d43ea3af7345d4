//! `covec merge`: tensors that were counted apart, added up.
//!
//! Vocabularies and levels are united and counts added. Entries of counted tensors are whole
//! multiples of 1/unit, so their sums are exact: two halves of a corpus, counted with the same
//! `--words` and merged, are the whole, bit for bit. Values that can be anything (imported ones) are
//! added in the order of the tensors' fingerprints, so the order they are named in never matters.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::accumulator::Amount;
use super::covariates::{Covariates, Found, FoundFactor};
use super::orders::{self, Clash};
use super::record::{CorpusRecord, Record};
use super::rows::Row;
use super::runs::{self, Merged, Run};
use super::{CountParameters, FILES, Tensor, TensorError, write_folder};
use crate::Work;
use crate::artefact::Artefact;
use crate::corpus::{By, LevelKey, Order};
use crate::error::Error;
use crate::vocabulary::Vocabulary;
use crate::work::Progress;

/// Adds up tensors into the folder `output`.
pub fn merge(inputs: &[PathBuf], output: &Path, work: &Work<'_>) -> Result<Tensor, Error> {
    if inputs.len() < 2 {
        return Err(TensorError::TooFewToMerge(inputs.len()).into());
    }
    let mut tensors =
        inputs.iter().map(|path| Tensor::open(path)).collect::<Result<Vec<_>, _>>()?;
    tensors.sort_by(|a, b| a.record.fingerprint.cmp(&b.record.fingerprint));
    for tensor in &tensors[1..] {
        if let Some(problem) = difference(&tensors[0].record, &tensor.record)
            .or_else(|| factor_difference(&tensors[0].covariates, &tensor.covariates))
        {
            let (first, second) = (tensors[0].path.clone(), tensor.path.clone());
            return Err(TensorError::Unlike { first, second, problem }.into());
        }
    }
    for pair in tensors.windows(2) {
        if pair[0].record.fingerprint == pair[1].record.fingerprint {
            work.observer.note(&format!(
                "{} and {} are the same tensor: its counts are added twice",
                pair[0].path.display(),
                pair[1].path.display()
            ));
        }
    }
    if tensors.iter().filter_map(|t| t.record.parameters.as_ref()).any(selects) {
        work.observer.note(
            "the parts chose their words, or dropped entries, each for itself, so the sum is not what the whole \
             would count; give all parts one --words list and no --min-entry for that",
        );
    }
    if let Some(lists) = different_lists(&tensors) {
        work.observer.note(&format!(
            "the parts were counted with different --words lists ({lists}): unless these hold the same words, the sum is \
             not what the whole would count"
        ));
    }
    let artefact = Artefact::begin(output, FILES, work.force)?;
    let orders = unite_orders(&tensors)?;
    let covariates = unite_covariates(&tensors, &orders)?;
    let vocabulary = unite_vocabularies(&tensors, &covariates);
    let unit = tensors[0].record.entries.unit;
    let scratch = artefact.scratch().to_owned();
    write_folder(artefact, &vocabulary, &covariates, |folder| {
        let least = 0.0;
        let words = vocabulary.len();
        let written = match unit {
            Some(unit) => {
                let to_units = |value: f64| (value * unit as f64).round() as u64;
                let runs = runs(&tensors, &vocabulary, &covariates, &scratch, work, to_units)?;
                let value = |units: u64| units as f64 / unit as f64;
                folder.entries(&Merged::<u64>::new(runs, words), &value, least, work)?
            }
            None => {
                let runs = runs(&tensors, &vocabulary, &covariates, &scratch, work, |value| value)?;
                folder.entries(&Merged::<f64>::new(runs, words), &|v: f64| v, least, work)?
            }
        };
        let first = &tensors[0].record;
        let mut inputs: Vec<_> = tensors.iter().flat_map(|t| t.record.inputs.clone()).collect();
        inputs.sort();
        let mut record = Record::new("merge", unit, written);
        record.parameters = first.parameters.clone();
        if let Some(parameters) = &mut record.parameters {
            // What the next merge reads: an order that all parts fit in.
            parameters.corpus.order = orders;
        }
        record.inputs = inputs;
        record.corpus = unite_corpora(&tensors);
        record.left_out = tensors.iter().flat_map(|t| t.record.left_out.clone()).collect();
        record.entries.dropped = tensors.iter().map(|t| t.record.entries.dropped).sum();
        Ok(record)
    })?;
    Tensor::open(output)
}

/// Whether a part may lack what another part has.
fn selects(parameters: &CountParameters) -> bool {
    let vocabulary = &parameters.vocabulary;
    vocabulary.least_count() > 1
        || vocabulary.most_words() < u64::MAX
        || vocabulary.min_documents.0 > 1
        || vocabulary.drop_top.0 > 0
        || !vocabulary.min_level_count.is_empty()
        || parameters.window.min_entry > 0.0
        || parameters.corpus.min_level_tokens.0 > 0
}

/// The `--words` of the parts, if they are not the same.
fn different_lists(tensors: &[Tensor]) -> Option<String> {
    let parameters = tensors.iter().filter_map(|t| t.record.parameters.as_ref());
    let lists: BTreeSet<&str> =
        parameters.map(|own| own.vocabulary.words.as_deref().unwrap_or("none")).collect();
    (lists.len() > 1).then(|| lists.into_iter().collect::<Vec<_>>().join(", "))
}

/// In what two tensors were counted differently, if they were.
fn difference(a: &Record, b: &Record) -> Option<String> {
    match (&a.parameters, &b.parameters) {
        (Some(a), Some(b)) => {
            let told = |name: &str, a: Value, b: Value| {
                let text = |value: &Value| match value {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                (a != b).then(|| {
                    format!(
                        "they were counted with different {name}: {} and {}",
                        text(&a),
                        text(&b)
                    )
                })
            };
            let cuts = |own: &CountParameters| match &cuts(&own.corpus.by)[..] {
                [] => json!("no ranges"),
                cuts => json!(cuts.join(", ")),
            };
            told("--window", json!(a.window.window), json!(b.window.window))
                .or_else(|| told("--weights", json!(a.window.weights), json!(b.window.weights)))
                .or_else(|| told("--gaps", json!(a.window.gaps), json!(b.window.gaps)))
                .or_else(|| told("--tokens", json!(a.corpus.tokens), json!(b.corpus.tokens)))
                .or_else(|| {
                    told("--keep-case", json!(a.corpus.keep_case), json!(b.corpus.keep_case))
                })
                .or_else(|| told("--by", cuts(a), cuts(b)))
        }
        (None, None) if a.entries.unit == b.entries.unit => None,
        (None, None) => {
            Some("the values of one are whole numbers and of the other are not".to_owned())
        }
        _ => Some("one was counted by covec and the other imported".to_owned()),
    }
}

/// How numbers were cut into levels. Levels that are names may come from anywhere.
fn cuts(by: &[By]) -> Vec<String> {
    let cut = |by: &&By| matches!(by, By::Field { bins: Some(_), .. });
    by.iter().filter(cut).map(By::to_string).collect()
}

fn factor_difference(a: &Covariates, b: &Covariates) -> Option<String> {
    let names = |c: &Covariates| {
        let names: Vec<_> = c
            .factors
            .iter()
            .map(|f| format!("{}{}", f.name, if f.ordered { " (ordered)" } else { "" }))
            .collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let (a, b) = (names(a), names(b));
    (a != b).then(|| format!("their factors differ: {a}; {b}"))
}

fn unite_covariates(tensors: &[Tensor], orders: &[Order]) -> Result<Covariates, Error> {
    let mut found = Found {
        factors: tensors[0]
            .covariates
            .factors
            .iter()
            .map(|f| FoundFactor {
                name: f.name.clone(),
                ordered: f.ordered,
                ..FoundFactor::default()
            })
            .collect(),
        ..Found::default()
    };
    for tensor in tensors {
        for (to, factor) in found.factors.iter_mut().zip(&tensor.covariates.factors) {
            for level in &factor.levels {
                to.add(&LevelKey { name: level.name.clone(), from: level.from });
            }
        }
        for cell in &tensor.covariates.cells {
            let sums = found.cells.entry(cell_names(&tensor.covariates, &cell.levels)).or_default();
            sums.0 += cell.documents;
            sums.1 += cell.tokens;
        }
    }
    Ok(Covariates::settle(found, orders, 0)?.0)
}

/// The order of every factor whose levels were put in order by name: what the parts were counted
/// with where they say so, else the order of the levels they have, all made into one.
fn unite_orders(tensors: &[Tensor]) -> Result<Vec<Order>, Error> {
    let mut united = Vec::new();
    for (f, factor) in tensors[0].covariates.factors.iter().enumerate() {
        let given: Vec<Option<&Order>> =
            tensors.iter().map(|t| recorded(&t.record, &factor.name)).collect();
        let by_number = tensors
            .iter()
            .all(|t| t.covariates.factors[f].levels.iter().any(|level| level.from.is_some()));
        if !factor.ordered || (by_number && given.iter().all(Option::is_none)) {
            continue;
        }
        let names = |t: &Tensor| -> Vec<String> {
            t.covariates.factors[f].levels.iter().map(|level| level.name.clone()).collect()
        };
        let lists: Vec<Vec<String>> = tensors
            .iter()
            .zip(&given)
            .map(|(t, order)| order.map_or_else(|| names(t), |order| order.levels.clone()))
            .collect();
        let all: Vec<String> = tensors.iter().flat_map(names).collect();
        let there = all.iter().map(String::as_str).collect();
        let levels = orders::unite(&lists, &there).map_err(|clash| {
            let (second, problem) = match clash {
                Clash::Against(place) => {
                    (place, format!("their orders of '{}' do not fit together", factor.name))
                }
                Clash::Open(a, b) => {
                    let has = |t: &Tensor| names(t).contains(&b);
                    let second = tensors.iter().position(has).unwrap_or_default();
                    let problem = format!(
                        "neither says which of the levels '{a}' and '{b}' of '{}' comes first\n  way out: make both with \
                         the same --order of all levels",
                        factor.name
                    );
                    (second, problem)
                }
            };
            let first = usize::from(second == 0);
            TensorError::Unlike {
                first: tensors[first].path.clone(),
                second: tensors[second].path.clone(),
                problem,
            }
        })?;
        united.push(Order { factor: factor.name.clone(), levels });
    }
    Ok(united)
}

/// The order a factor's levels were given by name, if they were.
fn recorded<'a>(record: &'a Record, factor: &str) -> Option<&'a Order> {
    let parameters = record.parameters.as_ref()?;
    parameters.corpus.order.iter().find(|order| order.factor == factor)
}

fn cell_names(covariates: &Covariates, levels: &[u32]) -> Vec<String> {
    let factors = covariates.factors.iter().zip(levels);
    factors.map(|(factor, &level)| factor.levels[level as usize].name.clone()).collect()
}

/// Every level, by its factor's number and its name.
fn numbered(covariates: &Covariates) -> impl Iterator<Item = (usize, &str)> {
    let factors = covariates.factors.iter().enumerate();
    factors.flat_map(|(f, factor)| factor.levels.iter().map(move |level| (f, level.name.as_str())))
}

fn unite_vocabularies(tensors: &[Tensor], covariates: &Covariates) -> Vocabulary {
    let levels: HashMap<(usize, &str), usize> = numbered(covariates).zip(0..).collect();
    let mut sums: HashMap<&str, (u64, u64, Vec<u64>)> = HashMap::new();
    for tensor in tensors {
        let own: Vec<usize> = numbered(&tensor.covariates).map(|level| levels[&level]).collect();
        let vocabulary = &tensor.vocabulary;
        for (id, word) in vocabulary.words.iter().enumerate() {
            let sum = sums.entry(word).or_insert_with(|| (0, 0, vec![0; levels.len()]));
            sum.0 += vocabulary.counts[id];
            sum.1 += vocabulary.documents[id];
            for (level, counts) in own.iter().zip(&vocabulary.level_counts) {
                sum.2[*level] += counts[id];
            }
        }
    }
    let mut words: Vec<_> = sums.into_iter().collect();
    words.sort_unstable_by(|a, b| {
        Vocabulary::order((a.1.0, a.0.as_bytes()), (b.1.0, b.0.as_bytes()))
    });
    Vocabulary {
        words: words.iter().map(|(word, _)| (*word).to_owned()).collect(),
        counts: words.iter().map(|(_, sum)| sum.0).collect(),
        documents: words.iter().map(|(_, sum)| sum.1).collect(),
        level_counts: (0..levels.len())
            .map(|level| words.iter().map(|(_, sum)| sum.2[level]).collect())
            .collect(),
    }
}

fn unite_corpora(tensors: &[Tensor]) -> Option<CorpusRecord> {
    let mut sum = CorpusRecord::default();
    for tensor in tensors {
        let corpus = tensor.record.corpus.as_ref()?;
        sum.documents += corpus.documents;
        sum.empty_documents += corpus.empty_documents;
        sum.tokens += corpus.tokens;
        sum.skipped_documents += corpus.skipped_documents;
        sum.replaced_documents += corpus.replaced_documents;
    }
    Some(sum)
}

/// Every tensor's rows, in the ids of the united vocabulary.
fn runs<A: Amount>(
    tensors: &[Tensor],
    vocabulary: &Vocabulary,
    covariates: &Covariates,
    scratch: &Path,
    work: &Work<'_>,
    amount: impl Fn(f64) -> A,
) -> Result<Vec<Run>, Error> {
    let ids: HashMap<&str, u32> =
        vocabulary.words.iter().zip(0..).map(|(word, id)| (word.as_str(), id)).collect();
    let total: u64 = tensors.iter().map(|t| t.record.entries.stored).sum();
    let told = |done: u64| {
        let share = Some(done as f64 / total.max(1) as f64);
        Progress { stage: "reading", share, words: 0 }
    };
    let mut done = 0;
    let mut runs = Vec::new();
    for tensor in tensors {
        let words: Vec<u32> =
            tensor.vocabulary.words.iter().map(|word| ids[word.as_str()]).collect();
        let cells: Vec<u32> = tensor
            .covariates
            .cells
            .iter()
            .map(|cell| {
                covariates
                    .cell_of(&cell_names(&tensor.covariates, &cell.levels))
                    .unwrap_or_default()
            })
            .collect();
        let mut run = Run::new(vocabulary.len(), scratch)?;
        tensor.file.each_row(|row, entries| {
            work.proceed()?;
            let mut order: Vec<(u32, u32, f64)> = (0..entries.values.len())
                .map(|i| {
                    (
                        cells[entries.cells[i] as usize],
                        words[entries.cols[i] as usize],
                        entries.values[i],
                    )
                })
                .collect();
            order.sort_unstable_by_key(|&(cell, column, _)| (cell, column));
            let mut made = Row::default();
            for group in order.chunk_by(|a, b| a.0 == b.0) {
                made.group(group[0].0, |columns, amounts| {
                    columns.extend(group.iter().map(|&(_, column, _)| column));
                    amounts.extend(group.iter().map(|&(_, _, value)| amount(value)));
                });
            }
            done += entries.values.len() as u64;
            work.observer.progress(told(done));
            run.push(words[row as usize] as usize, made.view())
        })?;
        runs::keep::<A>(&mut runs, run, scratch, work, told(done))?;
    }
    Ok(runs)
}
