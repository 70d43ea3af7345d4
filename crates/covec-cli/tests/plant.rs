//! Words planted in a text, from the command line.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;

use common::{Home, text};

fn read(home: &Home, name: &str) -> String {
    std::fs::read_to_string(home.path(name)).unwrap()
}

#[test]
fn a_planted_corpus_is_counted_like_the_one_it_was_made_of() {
    let home = Home::new();
    home.ok("synth -o c.jsonl --tokens 60000 --words 200 --dim 4 --levels 3,2 --differing 4 -q");
    let flags = "--by group --by period --id id --min-count 1";
    home.ok(&format!("count c.jsonl {flags} -o before -q"));
    let plant = "plant c.jsonl --by group --with period --id id --in group=group-2 --truth p.json";
    let output = home.covec(&format!("{plant} --pairs 5 --probability 1 -o p.jsonl"));
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    for part in ["1,200 documents, 60,000 words", "of 10 words swapped in group=group-2", "p.json"]
    {
        assert!(told.contains(part), "'{part}' is not in:\n{told}");
    }
    home.ok(&format!("count p.jsonl {flags} -o after -q"));

    let truth: serde_json::Value = serde_json::from_str(&read(&home, "p.json")).unwrap();
    let mut other = BTreeMap::new();
    for pair in truth["pairs"].as_array().unwrap() {
        let [first, second] =
            ["first", "second"].map(|own| pair[own]["word"].as_str().unwrap().to_owned());
        other.insert(first.clone(), second.clone());
        other.insert(second, first);
    }
    assert_eq!(other.len(), 10);
    let lines = |name: &str| -> Vec<serde_json::Value> {
        read(&home, name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    for (mut old, new) in lines("c.jsonl").into_iter().zip(lines("p.jsonl")) {
        if old["group"] == "group-2" {
            let words = old["text"].as_str().unwrap().split(' ');
            let swapped = words.map(|word| other.get(word).map_or(word, String::as_str));
            old["text"] = swapped.collect::<Vec<_>>().join(" ").into();
        }
        assert_eq!(new, old);
    }
    let covariates = |tensor: &str| read(&home, &format!("{tensor}/covariates.json"));
    assert_eq!(covariates("after"), covariates("before"));
    home.refused(&format!("{plant} -o p.jsonl"), &["p.jsonl exists already", "--force"]);
    home.ok(&format!("{plant} --pairs 5 -o p.jsonl --force -q"));
}
