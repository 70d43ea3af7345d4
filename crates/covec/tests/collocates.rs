//! Collocates against an obvious slow reference, on random corpora.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;

use covec::Work;
use covec::parameters::Whole;
use covec::tensor::collocates::{self, CollocateParameters, Collocates};
use covec::tensor::{self, CountParameters, Tensor};
use proptest::prelude::*;

const WORDS: [&str; 6] = ["ant", "bee", "cat", "dog", "elk", "fox"];
const WINDOW: usize = 3;

/// A document: its party, its era, its words.
#[derive(Debug, Clone)]
struct Document {
    levels: [&'static str; 2],
    words: Vec<&'static str>,
}

fn documents() -> impl Strategy<Value = Vec<Document>> {
    let word = (0..WORDS.len()).prop_map(|i| WORDS[i]);
    let party = prop_oneof![Just("party=D"), Just("party=R")];
    let era = prop_oneof![Just("era=1"), Just("era=2")];
    let document = (party, era, prop::collection::vec(word, 1..40))
        .prop_map(|(party, era, words)| Document { levels: [party, era], words });
    prop::collection::vec(document, 1..12)
}

fn counted(documents: &[Document], by: &[&str], folder: &Path) -> Tensor {
    let mut lines = String::new();
    for document in documents {
        let [party, era] = document.levels.map(|level| level.split_once('=').unwrap().1);
        let line =
            serde_json::json!({"text": document.words.join(" "), "party": party, "era": era});
        lines += &format!("{line}\n");
    }
    let corpus = folder.join("corpus.jsonl");
    std::fs::write(&corpus, lines).unwrap();
    let mut parameters = CountParameters::default();
    parameters.set("min_count", "1").unwrap();
    parameters.set("window", &WINDOW.to_string()).unwrap();
    by.iter().for_each(|by| parameters.set("by", by).unwrap());
    let tensor = folder.join("tensor");
    tensor::count(&[corpus], parameters.check().unwrap(), &tensor, &Work::default()).unwrap()
}

/// Weighted count, expected count and occurrences of every word that meets `word`.
fn naive(documents: &[Document], levels: &[&str], word: &str) -> BTreeMap<String, (f64, f64, u64)> {
    let mut pairs: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    let mut occurrences: BTreeMap<&str, u64> = BTreeMap::new();
    for document in documents {
        if !levels.iter().all(|level| document.levels.contains(level)) {
            continue;
        }
        for (p, a) in document.words.iter().enumerate() {
            *occurrences.entry(a).or_default() += 1;
            for (q, b) in document.words.iter().enumerate() {
                if p != q && p.abs_diff(q) <= WINDOW {
                    *pairs.entry((a, b)).or_default() += 1.0 / p.abs_diff(q) as f64;
                }
            }
        }
    }
    let total: f64 = pairs.values().sum();
    let weight = |word: &str| -> f64 {
        pairs.iter().filter(|((a, _), _)| *a == word).map(|(_, value)| value).sum()
    };
    let own = pairs.iter().filter(|((a, b), _)| *a == word && *b != word);
    own.map(|((_, b), &count)| {
        ((*b).to_owned(), (count, weight(word) * weight(b) / total, occurrences[b]))
    })
    .collect()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(1.0)
}

/// Everything in `found` is as the reference says, and nothing that should be there is missing.
fn agree(
    found: &Collocates,
    documents: &[Document],
    levels: &[&str],
    parameters: &CollocateParameters,
    exact: bool,
) {
    let reference = naive(documents, levels, &found.word);
    let score =
        |count: f64, expected: f64| (count / expected).ln() - parameters.caution / count.sqrt();
    for row in &found.rows {
        let &(count, expected, occurrences) = &reference[&row.word];
        assert!(
            close(row.count, count) && close(row.expected, expected),
            "{row:?} {count} {expected}"
        );
        assert!(close(row.score, score(count, expected)) && row.score > 0.0, "{row:?}");
        if exact {
            assert_eq!(row.occurrences, occurrences);
        }
        assert!(row.count > parameters.above && row.occurrences >= parameters.min_count.0);
    }
    assert!(found.rows.windows(2).all(|pair| pair[0].score >= pair[1].score));
    if exact {
        let kept = |&&(count, expected, occurrences): &&(f64, f64, u64)| {
            // Not on the edge, where rounding decides.
            count > parameters.above + 1e-9
                && occurrences >= parameters.min_count.0
                && score(count, expected) > 1e-9
        };
        assert!(found.rows.len() >= reference.values().filter(kept).count());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn they_are_what_the_documents_say(
        documents in documents(),
        least in 0_u64..8,
        above in 0.0..2.0,
        caution in 0.0..2.0,
    ) {
        let home = tempfile::tempdir().unwrap();
        let tensor = counted(&documents, &["party", "era"], home.path());
        let words: Vec<String> = tensor.vocabulary.words.iter().rev().cloned().collect();
        let parameters = CollocateParameters { min_count: Whole(least), above, caution };
        let lists = collocates::find(&tensor, &words, &[], &parameters, &Work::default()).unwrap();
        let parties = tensor.covariates.factors[0].levels.len();
        prop_assert_eq!(lists.len(), words.len() * parties);
        for list in &lists {
            agree(list, &documents, &[&list.level], &parameters, true);
        }
        let [party, era] = documents[0].levels;
        let both = [format!("{party},{era}")];
        let lists = collocates::find(&tensor, &words, &both, &parameters, &Work::default()).unwrap();
        for list in &lists {
            agree(list, &documents, &[party, era], &parameters, false);
        }
    }
}

#[test]
fn without_factors_the_whole_is_looked_at() {
    let home = tempfile::tempdir().unwrap();
    let words = ["ant", "bee", "ant", "bee", "cat", "dog", "dog", "cat"].to_vec();
    let documents = vec![Document { levels: ["party=D", "era=1"], words }];
    let tensor = counted(&documents, &[], home.path());
    let parameters = CollocateParameters { min_count: Whole(0), above: 0.0, caution: 0.0 };
    let ask = |words: &[&str], levels: &[&str]| {
        let own = |texts: &[&str]| texts.iter().map(|&t| t.to_owned()).collect::<Vec<_>>();
        collocates::find(&tensor, &own(words), &own(levels), &parameters, &Work::default())
    };
    let lists = ask(&["ant", "ant"], &[]).unwrap();
    assert_eq!((lists.len(), lists[0].level.as_str(), lists[0].occurrences), (1, "all", 2));
    assert_eq!(lists[0].rows[0].word, "bee");
    agree(&lists[0], &documents, &[], &parameters, true);
    let refused = ask(&["ants"], &[]).unwrap_err().to_string();
    assert!(refused.contains("'ants'") && refused.contains("'ant'"), "{refused}");
    assert!(ask(&["ant"], &["party=D"]).is_err());
}

#[test]
fn a_word_that_does_not_occur_in_a_level_has_no_collocates_there() {
    let home = tempfile::tempdir().unwrap();
    let document = |party, words: &[&'static str]| Document {
        levels: [party, "era=1"],
        words: words.to_vec(),
    };
    let documents = [
        document("party=D", &["ant", "bee", "ant", "bee"]),
        document("party=R", &["cat", "bee", "cat"]),
    ];
    let tensor = counted(&documents, &["party"], home.path());
    let parameters = CollocateParameters { min_count: Whole(0), above: 0.0, caution: 0.0 };
    let lists = collocates::find(
        &tensor,
        &["ant".to_owned()],
        &["R".to_owned()],
        &parameters,
        &Work::default(),
    )
    .unwrap();
    assert_eq!(
        (lists[0].level.as_str(), lists[0].occurrences, lists[0].rows.len()),
        ("party=R", 0, 0)
    );
}
