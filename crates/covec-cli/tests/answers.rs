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
    let word = &words(&home)[0];
    for question in [
        "drift m --in group-1 --show words".to_owned(),
        "drift m --in group-1 --format csv".to_owned(),
        format!("neighbors m {word}"),
        format!("neighbors m {word} --format json"),
    ] {
        let output = home.covec(&format!("{question} --min-support 300 -n 3"));
        let note = common::text(&output.stderr);
        let told = "words are left out where they occur fewer than 300 times";
        assert!(note.contains(told), "{question}: {note}");
    }
}

/// How often a word occurs in a level.
fn count(home: &Home, word: &str, level: &str) -> u64 {
    let rows = home.ok("info m --show words --format json -n 1000");
    let rows: serde_json::Value = serde_json::from_str(&rows).unwrap();
    let row = rows.as_array().unwrap().iter().find(|row| row["word"] == word).unwrap();
    row[if level == "base" { "count" } else { level }].as_u64().unwrap()
}

#[test]
fn rows_say_how_often_their_words_occur_in_both_views() {
    let home = Home::with_corpus();
    let words = words(&home);
    let (a, b, c) = (&words[3], &words[4], &words[5]);
    let first = |question: &str| {
        let rows = home.ok(&format!("{question} --format json -n 1"));
        serde_json::from_str::<Vec<serde_json::Value>>(&rows).unwrap().swap_remove(0)
    };
    for (question, counts) in [
        (
            format!("explain m {a} {b} --in group-2"),
            &[
                ("word_a", "a_count_from", "from"),
                ("word_b", "b_count_from", "from"),
                ("word_a", "a_count_to", "to"),
                ("word_b", "b_count_to", "to"),
            ][..],
        ),
        (
            "drift m --between group-1 group-2 --show pairs".to_owned(),
            &[
                ("a", "a_count_from", "from"),
                ("b", "b_count_from", "from"),
                ("a", "a_count_to", "to"),
                ("b", "b_count_to", "to"),
            ],
        ),
        (
            format!("drift m {a} --between group-1 group-2"),
            &[
                ("word", "word_count_from", "from"),
                ("word", "word_count_to", "to"),
                ("other", "count_from", "from"),
                ("other", "count_to", "to"),
            ],
        ),
        (
            "drift m --in group-2 --show words".to_owned(),
            &[("word", "count_from", "from"), ("word", "count_to", "to")],
        ),
        (
            format!("neighbors m {a} --in group-2"),
            &[("word", "count", "level"), ("neighbor", "neighbor_count", "level")],
        ),
        (
            format!("similarity m {a} {b} --in group-2"),
            &[("a", "a_count", "level"), ("b", "b_count", "level")],
        ),
        (
            format!("analogy m {a} {b} {c} --enriched"),
            &[("word", "best_count", "best_level"), ("word", "worst_count", "worst_level")],
        ),
        (format!("analogy m {a} {b} {c} --in group-1"), &[("word", "count", "level")]),
        (format!("project m {a} --axis {b}:{c} --in group-1"), &[("word", "count", "level")]),
    ] {
        let row = first(&question);
        for (word, field, level) in counts {
            let [word, level] = [word, level].map(|name| row[name].as_str().unwrap());
            let expected = count(&home, word, level);
            assert_eq!(row[field].as_u64(), Some(expected), "{question}: {field} in {row}");
        }
    }
}

#[test]
fn a_table_without_rows_has_its_header() {
    let home = Home::with_corpus();
    let word = &words(&home)[3];
    for (question, columns) in [
        (format!("neighbors m {word}"), "word,level,count,rank,neighbor"),
        (format!("drift m {word} --in group-1"), "word,from,to,direction,other"),
        (format!("drift m {word} --in group-1 --evidence 1 --corpus c.jsonl"), "word,from,to,"),
        ("drift m --in group-1 --show pairs".to_owned(), "from,to,part,direction,a,b"),
        ("sparsity m --show sweeps".to_owned(), "sweep,level,zeros"),
    ] {
        let csv = home.ok(&format!("{question} -n 0 --format csv"));
        assert!(csv.starts_with(columns) && csv.lines().count() == 1, "{question}: {csv}");
        assert_eq!(home.ok(&format!("{question} -n 0 --format json")).trim(), "[]");
    }
}

#[test]
fn answers_are_drawn() {
    let home = Home::with_corpus();
    let text = std::fs::read_to_string(home.path("c.jsonl")).unwrap();
    for (name, lines) in [("one.jsonl", 0..10), ("two.jsonl", 10..20)] {
        let lines: Vec<&str> = text.lines().skip(lines.start).take(lines.len()).collect();
        home.write(name, lines.join("\n"));
    }
    for (question, title) in [
        ("covariates m", "Tree of the levels"),
        ("sparsity m", "Dimensions that each level does without"),
        ("sparsity m --show histogram", "How large the weights are"),
        ("sparsity m --show sweeps", "How zeros came about"),
        ("attribute m one.jsonl --min-words 10", "Whose is one?"),
        ("attribute m one.jsonl two.jsonl --min-words 10", "Whose are these texts?"),
    ] {
        home.ok(&format!("{question} --plot p.svg"));
        let drawn = std::fs::read_to_string(home.path("p.svg")).unwrap();
        assert!(drawn.contains(title), "{question}: {drawn}");
    }
    home.refused("sparsity m --show overlap --plot q.svg", &["no picture", "--show levels"]);
    home.refused("covariates m --show distances --plot q.svg", &["no picture", "--show map"]);
    home.refused("covariates m --distance mutual", &["4 levels or more"]);
    let words = words(&home);
    let (a, b) = (&words[3], &words[4]);
    home.refused(&format!("neighbors m {a} {b} --plot q.svg"), &["2 comparisons", "one WORD"]);
    home.ok(&format!("neighbors m {a} --plot p.svg"));
    let drawn = std::fs::read_to_string(home.path("p.svg")).unwrap();
    assert!(drawn.contains(&format!("{a}&#39; is near to")), "{drawn}");
    // Levels of several factors are not joined by lines; those of one are.
    for (levels, several) in [("", true), (" --in group-1 --in group-2", false)] {
        home.ok(&format!("similarity m {a} {b}{levels} --plot p.svg"));
        let drawn = std::fs::read_to_string(home.path("p.svg")).unwrap();
        assert_eq!(drawn.contains("period=period-1"), several, "{drawn}");
        assert_eq!(drawn.contains("group=group-1"), several, "{drawn}");
    }
}

#[test]
fn support_is_asked_for_only_where_it_matters() {
    let home = Home::with_corpus();
    for question in ["sparsity m", "covariates m", "concordance m of --corpus c.jsonl"] {
        let output = home.covec(&format!("{question} --min-support 5"));
        assert_eq!(output.status.code(), Some(2), "{question}");
        assert!(common::text(&output.stderr).contains("--min-support"), "{question}");
    }
}

#[test]
fn a_model_without_biases_is_refused() {
    let home = Home::with_corpus();
    let path = home.path("m/model.safetensors");
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.windows(8).position(|part| part == b"\"biases\"").unwrap();
    bytes[at + 6] = b'z';
    std::fs::write(&path, bytes).unwrap();
    for question in ["neighbors m of", "topics m", "attribute m c.jsonl", "report m -o r.html"] {
        home.refused(question, &["m/model.safetensors", "no tensor 'biases'", "train again"]);
    }
}

#[test]
fn what_cannot_be_answered_is_refused_with_a_way_out() {
    let home = Home::with_corpus();
    let words = words(&home);
    let (a, b, c) = (&words[3], &words[4], &words[5]);
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
        ("specificity m --min-support 1e9".to_owned(), "lower --min-support"),
        (format!("neighbors m {a} --in group-1 --min-support 1e9"), "too rare"),
        (format!("neighbors m {a} --min-support 1e9"), "too rare"),
        (format!("similarity m {a} {b} --min-support 1e9"), "too rare"),
        (format!("project m {a} --axis {b}:{c} --in group-1 --min-support 1e9"), "too rare"),
        (format!("drift m {a} --min-support 1e9"), "too rare"),
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
