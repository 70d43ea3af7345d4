//! Lines of the corpus are found where an obvious search finds them.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::{Path, PathBuf};
use std::slice::from_ref;

use common::{counted, work};
use covec::analyse::View;
use covec::analyse::concordance::{Evidence, Request, evidence};
use covec::model::Model;
use covec::train::{TrainParameters, train};

/// Words of 400 documents, by a rule that is as good as chance, and the level of each.
fn documents() -> Vec<(Vec<String>, &'static str)> {
    let mut state = 7_u64;
    let mut next = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    (0..400)
        .map(|number| {
            let words = (0..5 + next(40)).map(|_| {
                let word = next(12);
                // Some are rare, and fall out of the vocabulary.
                if next(30) == 0 {
                    format!("rare{number}")
                } else {
                    format!("Word{}", (b'a' + word as u8) as char)
                }
            });
            (words.collect(), if number % 3 == 0 { "x" } else { "y" })
        })
        .collect()
}

fn model(home: &Path, gaps: &str) -> (Model, PathBuf) {
    let lines = documents().into_iter().enumerate().map(|(id, (words, level))| {
        let text = words.join(", ");
        format!("{{\"text\": \"{text}\", \"g\": \"{level}\", \"id\": \"d{id}\"}}\n")
    });
    let corpus = home.join("c.jsonl");
    std::fs::write(&corpus, lines.collect::<String>()).unwrap();
    let pairs = [("by", "g"), ("id", "id"), ("min_count", "5"), ("window", "3"), ("gaps", gaps)];
    let tensor = counted(from_ref(&corpus), &pairs, &home.join("t"));
    let mut parameters = TrainParameters::default();
    for (name, text) in [("dim", "2"), ("sweeps", "2"), ("deviations", "off"), ("ridge", "0.1")] {
        parameters.set(name, text).unwrap();
    }
    let output = home.join("m");
    let model = train(&tensor, parameters.checked().unwrap(), &output, &work(1, 1 << 30)).unwrap();
    (model, corpus)
}

/// Every line by id and the words before and after, as a reader with a pencil would find them.
fn by_hand(
    word: &str,
    near: Option<&str>,
    level: Option<&str>,
    close: bool,
) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (id, (words, own)) in documents().into_iter().enumerate() {
        if level.is_some_and(|level| level != own) {
            continue;
        }
        let mut words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        if close {
            words.retain(|word| !word.starts_with("rare"));
        }
        for at in (0..words.len()).filter(|&at| words[at] == word) {
            let nearby = |near: &str| {
                (0..words.len()).any(|q| q != at && q.abs_diff(at) <= 3 && words[q] == near)
            };
            if near.is_none_or(nearby) {
                found.push((format!("d{id}"), at));
            }
        }
    }
    found
}

fn request(model: &Model, word: &str, near: Option<&str>, level: Option<&str>) -> Request {
    let view = level.map_or_else(View::base, |level| View::named(model, level).unwrap());
    let near = near.map(|near| model.word(near).unwrap());
    Request { view, word: model.word(word).unwrap(), near }
}

#[test]
fn lines_are_those_found_by_hand() {
    for (gaps, close) in [("keep", false), ("close", true)] {
        let home = tempfile::tempdir().unwrap();
        let (model, corpus) = model(home.path(), gaps);
        let asked = [
            ("worda", None, None),
            ("worda", Some("wordb"), None),
            ("wordc", Some("wordc"), Some("x")),
            ("wordd", None, Some("y")),
        ];
        let requests: Vec<Request> =
            asked.iter().map(|&(word, near, level)| request(&model, word, near, level)).collect();
        let found =
            evidence(&model, from_ref(&corpus), &requests, 100_000, 30, &work(2, 1 << 30)).unwrap();
        for (&(word, near, level), found) in asked.iter().zip(&found) {
            let expected = by_hand(word, near, level, close);
            assert_eq!(found.found, expected.len() as u64, "{gaps} {word} {near:?} {level:?}");
            let ids: Vec<&str> = found.lines.iter().map(|line| line.document.as_str()).collect();
            let hand: Vec<&str> = expected.iter().map(|(id, _)| id.as_str()).collect();
            assert_eq!(ids, hand);
            for line in &found.lines {
                // As it was written, and with the near word in sight.
                assert_eq!(line.written.to_lowercase(), word);
                assert!(line.written.starts_with("Word"));
                let sides = format!("{} {}", line.left, line.right).to_lowercase();
                assert!(near.is_none_or(|near| sides.contains(near)), "{line:?}");
                assert!(level.is_none_or(|level| line.level == format!("g={level}")), "{line:?}");
            }
        }
    }
}

#[test]
fn some_of_many_lines_are_the_same_ones_whatever_else_is_asked_and_spread_over_the_corpus() {
    let home = tempfile::tempdir().unwrap();
    let (model, corpus) = model(home.path(), "keep");
    let one = request(&model, "worda", None, None);
    let other = request(&model, "wordb", Some("worda"), Some("x"));
    let find = |requests: &[Request], threads: usize| -> Vec<Evidence> {
        evidence(&model, from_ref(&corpus), requests, 40, 20, &work(threads, 1 << 30)).unwrap()
    };
    let alone = find(from_ref(&one), 1);
    assert_eq!(alone[0].lines.len(), 40);
    assert_eq!(find(&[other, one.clone()], 3)[1], alone[0]);
    // All of them, of which these must be some, in the same order.
    let requests = from_ref(&one);
    let all =
        evidence(&model, from_ref(&corpus), requests, 100_000, 20, &work(2, 1 << 30)).unwrap();
    let mut rest = all[0].lines.iter();
    assert!(alone[0].lines.iter().all(|line| rest.any(|other| other == line)));
    // Half of them from each half of the corpus, nearly: 40 lots of a fair coin.
    let early = |line: &&covec::analyse::concordance::Line| {
        line.document[1..].parse::<u32>().unwrap() < 200
    };
    let early = alone[0].lines.iter().filter(early).count();
    assert!((10..=30).contains(&early), "{early} of 40 in the first half");
}

#[test]
fn a_corpus_that_does_not_fit_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let (model, _) = model(home.path(), "keep");
    let requests = [request(&model, "worda", None, None)];
    let refused = |text: &str| {
        let other = home.path().join("other.jsonl");
        std::fs::write(&other, text).unwrap();
        evidence(&model, &[other], &requests, 5, 5, &work(2, 1 << 30)).unwrap_err().to_string()
    };
    let told = refused("{\"body\": \"a\", \"g\": \"x\", \"id\": 1}\n");
    assert!(told.contains("other.jsonl, line 1: no field 'text'"), "{told}");
    let told = refused("{\"text\": \"a\", \"id\": 1}\n");
    assert!(told.contains("no field 'g'"), "{told}");
    let tiny = Model::open(&common::tiny_model(home.path(), 1)).unwrap();
    let requests = [Request { view: View::base(), word: 0, near: None }];
    let told = evidence(&tiny, &[], &requests, 5, 5, &work(1, 1 << 30)).unwrap_err().to_string();
    assert!(told.contains("says no rules of reading a corpus"), "{told}");
}
