//! Questions to a model on the command line: answers in every format, refusals with a way out.
#![allow(clippy::unwrap_used)]

mod common;

use common::Home;

/// The words of the model, most common first.
fn words(home: &Home) -> Vec<String> {
    let rows = home.ok("info m --show words --format csv -n 12");
    rows.lines().skip(1).map(|row| row.split(',').nth(1).unwrap().to_owned()).collect()
}

#[test]
fn every_question_is_answered_in_every_format() {
    let home = Home::with_corpus();
    let words = words(&home);
    let (a, b, c) = (&words[3], &words[4], &words[5]);
    for question in [
        format!("neighbors m {a} {b}"),
        format!("neighbors m {a} --in group-1,period-2 --in base"),
        format!("similarity m {a} {b}"),
        format!("drift m {a} --in group-1"),
        "drift m --between group-1 group-2".to_owned(),
        "drift m --in period-1 --show pairs --by topical".to_owned(),
        format!("explain m {a} {b} --in group-2"),
        "specificity m --factor period".to_owned(),
        "specificity m --show histogram".to_owned(),
        format!("analogy m {a} {b} {c} --in group-1 --score mul"),
        format!("analogy m {a} {b} {c} --enriched"),
        format!("project m {a} --axis {b}:{c}"),
    ] {
        let table = home.ok(&format!("{question} -n 5"));
        assert!(table.contains('─'), "{question}:\n{table}");
        let json = home.ok(&format!("{question} -n 5 --format json"));
        let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
        let rows = rows.as_array().unwrap();
        assert!(!rows.is_empty(), "{question}");
        let csv = home.ok(&format!("{question} -n 5 --format csv"));
        assert_eq!(csv.lines().count(), rows.len() + 1, "{question}:\n{csv}");
        let one = home.ok(&format!("{question} -n 5 --format csv --threads 1"));
        assert_eq!(csv, one, "{question}");
    }
}

#[test]
fn words_that_are_left_out_are_counted() {
    let home = Home::with_corpus();
    let output = home.covec("drift m --in group-1 --min-support 300 --show words -n 3");
    let note = common::text(&output.stderr);
    assert!(note.contains("words are left out where they occur fewer than 300 times"), "{note}");
}

#[test]
fn what_cannot_be_answered_is_refused_with_a_way_out() {
    let home = Home::with_corpus();
    let words = words(&home);
    let (a, b) = (&words[3], &words[4]);
    for (question, told) in [
        (format!("neighbors m {a}x"), "did you mean"),
        (format!("neighbors m {a} --in grup-1"), "did you mean 'group=group-1'"),
        (format!("neighbors m {a} --in group-1,group-2"), "two levels of one factor"),
        ("neighbors t of".to_owned(), "not a model folder"),
        (format!("drift m {a} --in group-1 --min-support 1e9"), "way out: --min-support"),
        ("drift m --in group-1 --min-support 1e9".to_owned(), "lower --min-support"),
        (format!("drift m {a} --between group-1 group-1"), "compared with itself"),
        (format!("drift m {a} --in base"), "compared with itself"),
        (format!("explain m {a} {a} --in group-1"), "one word"),
        (format!("explain m {a} {b} --in group-1 --min-support 1e9"), "too rare"),
        ("specificity m --factor author".to_owned(), "one of group, period"),
        ("specificity m --in group-1".to_owned(), "two levels or more"),
        (format!("analogy m {a} {a} {b}"), "two different words"),
        (format!("project m {a} --axis {b}"), "expected: words, a colon, words"),
        (format!("project m {a} --axis {b}:"), "an end without words"),
        (format!("project m {a} --axis {b}:{b}"), "at both ends"),
        (format!("project m {a} --axis {b}:nosuchword"), "no word 'nosuchword'"),
        (format!("drift m {a} --in group-1 --overlap 0"), "1 or more"),
    ] {
        home.refused(&question, &[told]);
    }
}
