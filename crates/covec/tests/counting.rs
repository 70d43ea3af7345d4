//! The counter against an obvious slow reference, and against itself under other threads, memories
//! and shards.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;

use common::{bytes, corpus, counted, entries, parameters, work};
use covec::tensor::{Tensor, count, merge};
use proptest::prelude::*;

type Documents = Vec<(String, String)>;

/// The rule, as `docs/counting.md` states it, one pair of positions after the other.
fn reference(
    documents: &Documents,
    window: usize,
    inverse: bool,
    keep_gaps: bool,
    min_count: u64,
) -> BTreeMap<(String, String, String), f64> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for (text, _) in documents {
        text.split(' ').for_each(|word| *counts.entry(word).or_default() += 1);
    }
    let known = |word: &str| !word.is_empty() && counts[word] >= min_count;
    let unit: u64 = 360_360; // a multiple of every distance up to 15
    let mut sums: BTreeMap<(String, String, String), u64> = BTreeMap::new();
    for (text, level) in documents {
        let words: Vec<&str> =
            text.split(' ').filter(|w| !w.is_empty() && (keep_gaps || known(w))).collect();
        for p in 0..words.len() {
            for q in 0..words.len() {
                let distance = p.abs_diff(q);
                if p != q && distance <= window && known(words[p]) && known(words[q]) {
                    let weight = if inverse { unit / distance as u64 } else { unit };
                    let key = (words[p].to_owned(), format!("g={level}"), words[q].to_owned());
                    *sums.entry(key).or_default() += weight;
                }
            }
        }
    }
    sums.into_iter().map(|(key, sum)| (key, sum as f64 / unit as f64)).collect()
}

fn documents() -> impl Strategy<Value = Documents> {
    let word = prop::sample::select(vec!["a", "b", "c", "d", "e", "f", "rare", "the"]);
    let text = prop::collection::vec(word, 0..30).prop_map(|words| words.join(" "));
    let level = prop::sample::select(vec!["x", "y", "z"]).prop_map(str::to_owned);
    prop::collection::vec((text, level), 1..25)
}

fn has_words(documents: &Documents) -> bool {
    documents.iter().any(|(text, _)| !text.is_empty())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn counts_are_those_of_the_slow_reference(
        documents in documents(),
        window in 1_usize..12,
        inverse: bool,
        keep: bool,
        min_count in 1_u64..4,
    ) {
        let home = tempfile::tempdir().unwrap();
        let file = corpus(&home.path().join("c.jsonl"), &documents);
        let expected = reference(&documents, window, inverse, keep, min_count);
        let pairs = [
            ("by", "g"),
            ("window", &*window.to_string()),
            ("weights", if inverse { "inverse" } else { "flat" }),
            ("gaps", if keep { "keep" } else { "close" }),
            ("min_count", &*min_count.to_string()),
        ];
        let made = count(&[file], parameters(&pairs).check().unwrap(), &home.path().join("t"), &work(2, 1 << 30));
        match made {
            Ok(tensor) => {
                let got = entries(&tensor);
                prop_assert_eq!(got.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
                for (key, value) in &got {
                    // Both are the nearest double of the same fraction.
                    prop_assert!((value - expected[key]).abs() <= 1e-12 * value, "{:?}", key);
                }
            }
            Err(error) => prop_assert!(expected.is_empty() || !has_words(&documents), "{}", error),
        }
    }

    #[test]
    fn threads_memory_and_the_order_of_shards_change_no_byte(
        documents in documents().prop_filter("some words", has_words),
        shards in 1_usize..6,
    ) {
        let home = tempfile::tempdir().unwrap();
        let files: Vec<_> = (0..shards)
            .map(|shard| {
                let part: Documents = documents.iter().skip(shard).step_by(shards).cloned().collect();
                corpus(&home.path().join(format!("{shard}.jsonl")), &part)
            })
            .collect();
        let mut backwards = files.clone();
        backwards.reverse();
        let pairs = [("by", "g"), ("min_count", "1")];
        let mut first = None;
        // 1 byte of memory: every shard is spooled to the disk and counted into a run of its own.
        for (threads, memory, files) in
            [(1, 1 << 30, &files), (2, 1, &backwards), (7, 1 << 20, &files), (2, 1 << 30, &backwards), (1, 1, &files)]
        {
            let output = home.path().join("t");
            count(files, parameters(&pairs).check().unwrap(), &output, &work(threads, memory)).unwrap();
            let got = bytes(&output);
            prop_assert_eq!(first.get_or_insert_with(|| got.clone()), &got, "{} threads, {} bytes", threads, memory);
        }
    }

    #[test]
    fn two_halves_merge_to_the_whole(documents in documents().prop_filter("some words", |d| {
        d.len() > 1 && d[..d.len() / 2].iter().any(|(t, _)| t.contains(' ')) && d[d.len() / 2..].iter().any(|(t, _)| t.contains(' '))
    })) {
        let home = tempfile::tempdir().unwrap();
        let list = home.path().join("words.txt");
        std::fs::write(&list, "a\nb\nc\nd\ne\nf\nrare\nthe\nabsent\n").unwrap();
        let pairs = [("by", "g"), ("words", list.to_str().unwrap())];
        let half = documents.len() / 2;
        let (a, b) = (corpus(&home.path().join("a.jsonl"), &documents[..half]),
                      corpus(&home.path().join("b.jsonl"), &documents[half..]));
        let whole = counted(&[a.clone(), b.clone()], &pairs, &home.path().join("whole"));
        counted(&[a], &pairs, &home.path().join("ta"));
        counted(&[b], &pairs, &home.path().join("tb"));
        for order in [["ta", "tb"], ["tb", "ta"]] {
            let inputs: Vec<_> = order.iter().map(|name| home.path().join(name)).collect();
            merge(&inputs, &home.path().join("merged"), &work(2, 1 << 30)).unwrap();
            let (merged, expected) = (bytes(&home.path().join("merged")), bytes(&whole.path));
            for file in ["entries.parquet", "vocabulary.parquet", "covariates.json"] {
                prop_assert_eq!(&merged[file], &expected[file], "{}", file);
            }
        }
    }
}

/// The worked example of `docs/counting.md`.
#[test]
fn the_worked_example() {
    let home = tempfile::tempdir().unwrap();
    let file = corpus(&home.path().join("c.jsonl"), &[("a rose is a rose".into(), "s".into())]);
    let values = |gaps: &str| {
        let list = home.path().join("words.txt");
        std::fs::write(&list, "a\nrose").unwrap();
        let pairs =
            [("by", "g"), ("window", "3"), ("gaps", gaps), ("words", list.to_str().unwrap())];
        entries(&counted(std::slice::from_ref(&file), &pairs, &home.path().join("t")))
    };
    let key = |a: &str, b: &str| (a.to_owned(), "g=s".to_owned(), b.to_owned());
    let keep = values("keep");
    assert_eq!(keep[&key("a", "rose")], 1.0 + 1.0 / 2.0 + 1.0);
    assert_eq!(keep[&key("rose", "a")], keep[&key("a", "rose")]);
    assert_eq!(keep[&key("a", "a")], 2.0 / 3.0);
    assert_eq!(keep[&key("rose", "rose")], 2.0 / 3.0);
    assert_eq!(keep.len(), 4);
    let close = values("close");
    assert_eq!(close[&key("a", "rose")], 1.0 + 1.0 + 1.0 + 1.0 / 3.0);
    assert_eq!(close[&key("a", "a")], 2.0 / 2.0);
}

#[test]
fn every_rule_of_the_vocabulary_keeps_book() {
    let home = tempfile::tempdir().unwrap();
    let documents: Documents = [
        ("the the the the a b common solo solo solo", "x"),
        ("the the the a b common only only only", "y"),
        ("the a b common zz", "y"),
    ]
    .map(|(text, level)| (text.to_owned(), level.to_owned()))
    .into();
    let file = corpus(&home.path().join("c.jsonl"), &documents);
    let pairs = [
        ("by", "g"),
        ("min_count", "2"),
        ("min_documents", "2"),
        ("min_level_count", "g=1"),
        ("drop_top", "1"),
        ("max_words", "2"),
    ];
    let tensor = counted(&[file], &pairs, &home.path().join("t"));
    assert_eq!(tensor.vocabulary.words, ["a", "b"]);
    assert_eq!(tensor.vocabulary.counts, [3, 3]);
    assert_eq!(tensor.vocabulary.documents, [3, 3]);
    assert_eq!(tensor.vocabulary.level_counts, [[1, 1], [2, 2]]);
    let book: Vec<_> = tensor
        .record
        .rules
        .iter()
        .map(|r| (r.rule.as_str(), r.removed, r.removed_tokens, r.left))
        .collect();
    assert_eq!(
        book,
        [
            ("--min-count 2", 1, 1, 6),
            ("--min-documents 2", 2, 6, 4),
            ("--min-level-count g=1", 0, 0, 4),
            ("--drop-top 1", 1, 8, 3),
            ("--max-words 2", 1, 3, 2),
        ]
    );
}

#[test]
fn level_rules_remove_words_that_one_level_lacks() {
    let home = tempfile::tempdir().unwrap();
    let documents: Documents =
        vec![("a b a b onlyx onlyx".into(), "x".into()), ("a b b a onlyy".into(), "y".into())];
    let file = corpus(&home.path().join("c.jsonl"), &documents);
    let pairs = [("by", "g"), ("min_count", "1"), ("min_level_count", "g=2")];
    let tensor = counted(&[file], &pairs, &home.path().join("t"));
    assert_eq!(tensor.vocabulary.words, ["a", "b"]);
    assert_eq!(tensor.record.rules[1].removed, 2);
}

#[test]
fn small_entries_are_dropped_and_counted() {
    let home = tempfile::tempdir().unwrap();
    let file = corpus(&home.path().join("c.jsonl"), &[("a b c a b".into(), "x".into())]);
    let all = counted(
        std::slice::from_ref(&file),
        &[("by", "g"), ("min_count", "1")],
        &home.path().join("all"),
    );
    let some = counted(
        &[file],
        &[("by", "g"), ("min_count", "1"), ("min_entry", "1.5")],
        &home.path().join("some"),
    );
    let kept: BTreeMap<_, _> = entries(&all).into_iter().filter(|(_, v)| *v >= 1.5).collect();
    assert_eq!(entries(&some), kept);
    assert_eq!(some.record.entries.dropped, all.record.entries.stored - some.record.entries.stored);
    assert!(some.record.entries.dropped > 0);
}

#[test]
fn small_levels_are_left_out_with_their_words() {
    let home = tempfile::tempdir().unwrap();
    let documents: Documents =
        vec![("a b c a b c".into(), "big".into()), ("a tiny".into(), "small".into())];
    let file = corpus(&home.path().join("c.jsonl"), &documents);
    let pairs = [("by", "g"), ("min_count", "1"), ("min_level_tokens", "3")];
    let tensor = counted(&[file], &pairs, &home.path().join("t"));
    assert_eq!(tensor.covariates.level_names(), ["g=big"]);
    assert_eq!(tensor.vocabulary.words, ["a", "b", "c"]);
    assert_eq!(tensor.vocabulary.counts, [2, 2, 2]);
    assert_eq!(tensor.record.left_out[0].level, "small");
}

#[test]
fn one_row_is_found_without_reading_all() {
    let home = tempfile::tempdir().unwrap();
    let text: Vec<String> =
        (0..4000).map(|i: u32| format!("w{}", i.wrapping_mul(2_654_435_761) % 97)).collect();
    let file = corpus(&home.path().join("c.jsonl"), &[(text.join(" "), "x".into())]);
    let tensor = counted(&[file], &[("by", "g"), ("min_count", "1")], &home.path().join("t"));
    let all = entries(&tensor);
    let mut found = 0;
    for (id, word) in tensor.vocabulary.words.iter().enumerate() {
        let row = tensor.row(id as u32).unwrap();
        assert!(row.rows.iter().all(|&r| r as usize == id));
        for i in 0..row.values.len() {
            let col = tensor.vocabulary.words[row.cols[i] as usize].clone();
            assert_eq!(all[&(word.clone(), "g=x".into(), col)], row.values[i]);
        }
        found += row.values.len();
    }
    assert_eq!(found, all.len());
}

#[test]
fn unlike_tensors_are_not_merged() {
    let home = tempfile::tempdir().unwrap();
    let file = corpus(&home.path().join("c.jsonl"), &[("a b a b".into(), "x".into())]);
    let make = |name: &str, pairs: &[(&str, &str)]| {
        let mut all = vec![("min_count", "1")];
        all.extend_from_slice(pairs);
        counted(std::slice::from_ref(&file), &all, &home.path().join(name)).path
    };
    let plain = make("plain", &[("by", "g")]);
    for (name, pairs, told) in [
        ("window", &[("by", "g"), ("window", "3")][..], "--window"),
        ("weights", &[("by", "g"), ("weights", "flat")], "--weights"),
        ("gaps", &[("by", "g"), ("gaps", "close")], "--gaps"),
        ("factors", &[], "factors differ"),
    ] {
        let other = make(name, pairs);
        let refused =
            merge(&[plain.clone(), other], &home.path().join("m"), &work(1, 1 << 30)).unwrap_err();
        assert!(refused.to_string().contains(told), "{refused}");
        assert!(!home.path().join("m").exists());
    }
    let alone = merge(&[plain], &home.path().join("m"), &work(1, 1 << 30)).unwrap_err();
    assert!(alone.to_string().contains("at least two"), "{alone}");
}

#[test]
fn a_tensor_opens_again_as_it_was_returned() {
    let home = tempfile::tempdir().unwrap();
    let file = corpus(&home.path().join("c.jsonl"), &[("a b a b".into(), "x".into())]);
    let made = counted(&[file], &[("by", "g"), ("min_count", "1")], &home.path().join("t"));
    let opened = Tensor::open(&made.path).unwrap();
    assert_eq!(opened.record, made.record);
    assert_eq!(opened.vocabulary, made.vocabulary);
    assert_eq!(opened.covariates, made.covariates);
}
