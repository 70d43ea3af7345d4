//! Commands that read texts beside a model: attribute, concordance, and evidence below neighbours.
#![allow(clippy::unwrap_used)]

mod common;

use common::Home;

/// Letters and plays: two kinds of words, three levels.
fn home() -> Home {
    let home = Home::new();
    let mut lines = String::new();
    for number in 0..120 {
        let (level, words) = match number % 3 {
            0 => ("ann", "Dear friend, the garden and the Roses grow well"),
            1 => ("bob", "Dear sister, the garden and the apples grow well"),
            _ => ("cid", "Enter the king, and the Soldiers draw swords now"),
        };
        lines += &format!("{{\"text\": \"{words} {words}\", \"who\": \"{level}\"}}\n");
    }
    home.write("c.jsonl", lines);
    home.write("kinds.csv", "name,kind\nann,letter\nbob,letter\ncid,play\n");
    home.ok("count c.jsonl --by who --min-count 1 -o t -q");
    home.ok("train t --dim 3 --sweeps 3 --ridge 0.1 -o m -q");
    home
}

#[test]
fn a_text_is_attributed_and_the_table_says_how_far_to_trust_it() {
    let home = home();
    home.write("x.txt", "The king and the soldiers enter.\nThe soldiers draw swords.\n".repeat(20));
    home.write("y/one.txt", "Dear friend, the roses grow. ".repeat(40));
    home.write("y/two.txt", "Dear sister, the apples grow. ".repeat(40));
    let shown = home.ok("attribute m x.txt --min-words 100");
    assert!(shown.contains("x.txt") && shown.contains("is not known"), "{shown}");
    let csv = home.ok("attribute m x.txt y --min-words 100 --format csv -n 1");
    let named: Vec<&str> = csv.lines().skip(1).map(|row| row.split(',').nth(3).unwrap()).collect();
    assert_eq!(named, ["cid", "ann", "bob"]);
    let shown = home.ok("attribute m x.txt --min-words 100 --group who:kind --groups kinds.csv");
    assert!(shown.contains("left out") && shown.contains("guessing"), "{shown}");
    let json = home.ok(
        "attribute m x.txt --min-words 100 --group who=name:kind --groups kinds.csv --format json",
    );
    let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(rows[0]["candidate"], "play");
    assert_eq!(rows[1]["known"], 2);
    // A text need not know whose it is, nor have a name that ends in .txt.
    home.write("unknown.jsonl", "{\"text\": \"the king and the soldiers\"}\n".repeat(40));
    home.write("letter", "Dear friend, the roses grow. ".repeat(40));
    home.ok("attribute m unknown.jsonl letter --min-words 100");
    assert!(home.names().iter().all(|name| !name.contains("partial")));
}

#[test]
fn lines_are_shown_with_the_word_in_one_column() {
    let home = home();
    let shown = home.ok("concordance m roses soldiers --corpus c.jsonl -n 3 --width 12");
    assert!(shown.contains("roses in the whole corpus: 3 of 80 lines"), "{shown}");
    let lines: Vec<&str> = shown.lines().filter(|line| line.contains("Roses")).collect();
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line.find("Roses") == lines[0].find("Roses")), "{shown}");
    assert!(lines[0].contains("c.jsonl, line ") && lines[0].ends_with("who=ann"), "{shown}");
    let json =
        home.ok("concordance m the --near king --in cid --corpus c.jsonl --format json -n 500");
    let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(rows[0]["view"], "who=cid");
    assert!(rows[0]["left"].as_str().unwrap().ends_with("Enter "), "{}", rows[0]);
    let again =
        home.ok("concordance m roses soldiers --corpus c.jsonl -n 3 --width 12 --threads 1");
    assert_eq!(shown, again);
}

#[test]
fn neighbours_come_with_their_lines() {
    let home = home();
    let shown = home.ok("neighbors m garden -n 2 --in ann --evidence 1 --corpus c.jsonl");
    assert!(shown.contains("garden near "), "{shown}");
    assert!(shown.contains(" in who=ann: ") && shown.contains("c.jsonl, line"), "{shown}");
    let json =
        home.ok("neighbors m garden -n 2 --in ann --evidence 1 --corpus c.jsonl --format json");
    let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(rows[0]["evidence"].as_array().unwrap().len() <= 1, "{json}");
    assert!(
        rows.as_array().unwrap().iter().any(|row| row["lines"].as_u64().unwrap() > 0),
        "{json}"
    );
    let plain = home.ok("neighbors m garden -n 2 --in ann --format json");
    assert!(!plain.contains("evidence"));
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let home = home();
    home.write("short.txt", "Dear friend, the roses");
    home.refused("attribute m short.txt", &["short.txt: 4 words", "1000 or more", "--min-words 4"]);
    home.refused("attribute m nothing.txt", &["nothing.txt", "No such file"]);
    home.refused("attribute m short.txt --factor whom", &["no such factor", "did you mean 'who'"]);
    let group = |spec: &str| format!("attribute m short.txt --group {spec} --groups kinds.csv");
    home.refused(&group("whom:kind"), &["no factor 'whom'", "who"]);
    home.refused(&group("who:king"), &["no column 'king'", "name, kind"]);
    home.write("some.csv", "who,kind\nann,letter\n");
    let some = "attribute m short.txt --group who:kind --groups some.csv";
    home.refused(some, &["2 of 3 levels of who", "bob, cid"]);
    home.write("one.csv", "who,kind\nann,a\nbob,a\ncid,a\n");
    home.refused(
        "attribute m short.txt --group who:kind --groups one.csv",
        &["no choice: the only candidate is a"],
    );
    home.refused("concordance m rosse --corpus c.jsonl", &["rosse", "did you mean 'roses'"]);
    home.refused("concordance m roses --near x --corpus c.jsonl", &["'x'"]);
    home.refused("concordance m roses --in dan --corpus c.jsonl", &["no level 'dan'"]);
    for question in ["neighbors m roses", "drift m roses", "similarity m roses the"] {
        home.refused(&format!("{question} --in cid"), &["'roses' occurs 0 times in who=cid"]);
    }
    home.refused("explain m roses the --in cid", &["'roses' occurs 0 times in who=cid"]);
    home.refused("project m the --axis roses:garden --in cid", &["no word of one of its ends"]);
    home.refused(
        "concordance m roses --in cid --corpus c.jsonl",
        &["no line in the corpus has roses in who=cid", "check --corpus"],
    );
    home.write("d.jsonl", "{\"body\": \"the roses\", \"who\": \"ann\"}\n");
    home.refused("concordance m roses --corpus d.jsonl", &["d.jsonl, line 1", "no field 'text'"]);
    home.refused("concordance m roses --corpus gone.jsonl", &["gone.jsonl", "No such file"]);
    home.ok("synth --tensor --words 60 --dim 4 --levels 3 --differing 0 -o s -q");
    home.ok("train s --dim 4 --sweeps 2 -o sm -q");
    home.refused("attribute sm short.txt", &["no rules of counting"]);
    let word = home.ok("info sm --show words -n 1 --format csv");
    let word = word.lines().nth(1).unwrap().split(',').nth(1).unwrap().to_owned();
    home.refused(&format!("concordance sm {word} --corpus c.jsonl"), &["no rules of reading"]);
}
