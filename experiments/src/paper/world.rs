//! Data for a first look, where there is no real text: books, politics and test sets of planted worlds, in the files the
//! sections read.
//!
//! Every group of a world is a series of two books, two series an author; ratings are cosines of the planted vectors, categories the
//! topics that words load on most.

use std::collections::BTreeMap;
use std::path::Path;

use covec::Work;
use serde_json::{Value, json};

use super::desk::Desk;
use super::politics::{Asked, by, new};
use super::scores::TESTS;
use super::shelf::read;
use crate::corpora::{lines, world, write};

const GROUPS: usize = 4;
/// Common words that may be asked about.
const WORDS: usize = 6;

/// Writes all of it below a folder.
pub fn write_data(data: &Path) -> Result<(), String> {
    let folder = |name: &str| {
        let path = data.join(name);
        std::fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok::<_, String>(path)
    };
    let [text, pairs] = [folder("world")?, folder("factors")?];
    let work = Work { force: true, ..Work::default() };
    let size = [("words", "150"), ("tokens", "60000"), ("dim", "5"), ("differing", "4")];
    let one = world(&[&size[..], &[("levels", "4")]].concat(), 3, &text, &work)?;
    let two = world(&[&size[..], &[("levels", "2,3")]].concat(), 4, &pairs, &work)?;
    books(&folder("books")?, &documents(&one)?)?;
    common(data, &documents(&one)?)?;
    politics(&folder("politics")?, &documents(&one)?, &documents(&two)?)?;
    let truth: Value =
        serde_json::from_str(&read(&text.join("world.json"))?).map_err(|e| e.to_string())?;
    for kind in ["similarity", "categories"] {
        folder(&format!("eval/{kind}"))?;
    }
    tests(data, &truth)
}

fn documents(corpus: &Path) -> Result<Vec<Value>, String> {
    let parse = |line: &String| serde_json::from_str(line).map_err(|e| e.to_string());
    lines(corpus)?.iter().map(parse).collect()
}

fn books(folder: &Path, documents: &[Value]) -> Result<(), String> {
    let mut table = vec!["file,author,series,series_index,words,twin29,twin29L,multi41".to_owned()];
    for group in 1..=GROUPS {
        for half in [0, 1] {
            let own = documents.iter().filter(|d| d["group"] == format!("group-{group}"));
            let own = own.enumerate().filter(|(at, _)| at % 2 == half);
            let texts: Vec<String> =
                own.filter_map(|(_, d)| d["text"].as_str().map(str::to_owned)).collect();
            let author = if group <= 2 { "first" } else { "second" };
            let file = format!("{author}_group-{group}_0{}_book.txt", half + 1);
            write(&folder.join(&file), &texts)?;
            table.push(format!("{file},{author},group {group},{},7500,1,1,1", half + 1));
        }
    }
    write(&folder.join("manifest.csv"), &table)
}

fn politics(folder: &Path, one: &[Value], two: &[Value]) -> Result<(), String> {
    let line = |document: &Value, fields: &[(&str, &str)]| {
        let mut own = json!({"text": document["text"]});
        for (name, from) in fields {
            own[name] = document[from].clone();
        }
        own.to_string()
    };
    let all = |documents: &[Value], fields: &[(&str, &str)]| -> Vec<String> {
        documents.iter().map(|document| line(document, fields)).collect()
    };
    write(&folder.join("reddit_politics7.jsonl"), &all(one, &[("community", "group")]))?;
    write(&folder.join("sotu.jsonl"), &all(two, &[("era", "period"), ("party", "group")]))?;
    let mut joined = two.to_vec();
    for document in &mut joined {
        let [group, period] =
            ["group", "period"].map(|name| document[name].as_str().unwrap_or_default());
        document["cell"] = json!(format!("{group}-{period}"));
    }
    let fields = [("party", "group"), ("congress", "period"), ("community", "cell")];
    write(&folder.join("congress6_small.jsonl"), &all(&joined, &fields))
}

fn tests(data: &Path, truth: &Value) -> Result<(), String> {
    let words: Vec<&str> =
        truth["words"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let vectors: Vec<Vec<f64>> = truth["vectors"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| row.as_array().into_iter().flatten().filter_map(Value::as_f64).collect())
        .collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let cosine = |i: usize, j: usize| {
        let (a, b) = (&vectors[i], &vectors[j]);
        dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    };
    for (number, test) in TESTS.iter().enumerate() {
        let from = 10 + 8 * number;
        let rows: Vec<String> = match test.kind {
            "similarity" => (from..from + 40)
                .map(|i| format!("{},{},{}", words[i], words[i + 7], cosine(i, i + 7)))
                .collect(),
            _ => (from..from + 40)
                .map(|i| {
                    let strongest = |a: &usize, b: &usize| {
                        vectors[i][*a].abs().total_cmp(&vectors[i][*b].abs())
                    };
                    let topic = (0..vectors[i].len()).max_by(strongest).unwrap_or(0);
                    format!("{},topic-{topic}", words[i])
                })
                .collect(),
        };
        write(&data.join(format!("eval/{}/{}.csv", test.kind, test.file)), &rows)?;
    }
    Ok(())
}

/// The words that are common in every group, the most common first.
fn common(data: &Path, documents: &[Value]) -> Result<(), String> {
    let mut counts: BTreeMap<&str, [u64; GROUPS]> = BTreeMap::new();
    for document in documents {
        let group = document["group"].as_str().unwrap_or_default();
        let group = group.trim_start_matches("group-").parse().unwrap_or(1_usize);
        for word in document["text"].as_str().unwrap_or_default().split(' ') {
            counts.entry(word).or_default()[(group - 1) % GROUPS] += 1;
        }
    }
    let mut words: Vec<&str> = counts.keys().copied().collect();
    words.sort_by_key(|word| std::cmp::Reverse(counts[word].iter().min().copied()));
    let some: Vec<String> = words.iter().take(WORDS).map(|&word| word.to_owned()).collect();
    write(&data.join("words.txt"), &some)
}

/// What the planted corpora are asked.
pub fn asked(desk: &Desk) -> Result<Vec<Asked>, String> {
    let words = lines(&desk.path("data/words.txt"))?;
    let [pair, analogy] = [2, 3].map(|n| words[..n].join(" "));
    let pair = format!("{pair} group-2");
    let one = by("reddit", "reddit_politics7", &["--by", "community"]);
    Ok(vec![new(
        "A planted world",
        one,
        &["group-1", "group-2"],
        &words[..2].join(" "),
        &[&pair],
        &[&analogy],
    )])
}
