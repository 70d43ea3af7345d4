//! Words swapped in one level of a text: those and no others, there and nowhere else.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use common::work;
use covec::Error;
use covec::corpus::CorpusParameters;
use covec::corpus::tokens::Tokenizer;
use covec::synth::plant::{PlantError, PlantParameters, Planting, Summary, plant};

/// Words in the way people write: capitals, marks that stick, other alphabets, numbers after a point.
const BETWEEN: &[&str] = &[
    " ",
    " ",
    " ",
    ", ",
    ". ",
    "-",
    " «",
    "» ",
    "’s ",
    ".5 ",
    "_ _",
    " (1,000) ",
    "\n",
    " 😀",
    "/",
];
const LETTERS: &[&str] = &["a", "e", "o", "ü", "k", "l", "m", "é", "r", "t"];

/// Documents of (text, level, year), the same every time.
fn documents() -> Vec<(String, String, u32)> {
    let mut state = 7_u64;
    let mut below = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let words: Vec<String> = (0..80_usize)
        .map(|n| [n % 10, n / 10, n * 3 % 10, n * 7 % 9].map(|at| LETTERS[at]).concat())
        .collect();
    (0..600)
        .map(|number| {
            let mut text = String::new();
            for _ in 0..40 {
                // The first words are the most common.
                let word = &words[below(80).min(below(80))];
                text += &if below(5) == 0 { word.to_uppercase() } else { word.clone() };
                text += BETWEEN[below(BETWEEN.len())];
            }
            (text, format!("level {}", number % 4), 1980 + below(40) as u32)
        })
        .collect()
}

fn json(documents: &[(String, String, u32)]) -> String {
    let line = |(text, level, year): &(String, String, u32)| {
        format!("{}\n", serde_json::json!({"text": text, "g": level, "year": year}))
    };
    documents.iter().map(line).collect()
}

fn corpus(home: &Path) -> PathBuf {
    let path = home.join("c.jsonl");
    std::fs::write(&path, json(&documents())).unwrap();
    path
}

const GIVEN: &[(&str, &str)] = &[("pairs", "12"), ("least", "20"), ("most", "200")];

fn planted(
    inputs: &[PathBuf],
    by: &[&str],
    level: &str,
    given: &[(&str, &str)],
    output: &Path,
    threads: usize,
) -> Result<Summary, Error> {
    let (mut corpus, mut parameters) = (CorpusParameters::default(), PlantParameters::default());
    by.iter().for_each(|by| corpus.set("by", by).unwrap());
    GIVEN.iter().chain(given).for_each(|(name, text)| parameters.set(name, text).unwrap());
    let truth = output.with_extension("truth.json");
    plant(inputs, &corpus, level, &parameters, output, &truth, &work(threads, 1 << 30))
}

fn read(path: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn words(text: &str) -> Vec<String> {
    Tokenizer::new(&CorpusParameters::default()).normalise(text)
}

/// How often every word occurs in documents of a level, or of all others.
fn counts<'a>(
    documents: impl Iterator<Item = (&'a str, &'a str)>,
    inside: bool,
) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for (text, level) in documents {
        if (level == "level 1") == inside {
            words(text).into_iter().for_each(|word| *counts.entry(word).or_default() += 1);
        }
    }
    counts
}

fn before(inside: bool) -> BTreeMap<String, u64> {
    let documents = documents();
    counts(documents.iter().map(|(text, level, _)| (text.as_str(), level.as_str())), inside)
}

fn after(path: &Path, inside: bool) -> BTreeMap<String, u64> {
    let lines = read(path);
    counts(lines.iter().map(|d| (d["text"].as_str().unwrap(), d["g"].as_str().unwrap())), inside)
}

#[test]
fn with_probability_one_the_words_of_a_pair_stand_in_each_others_place() {
    let home = tempfile::tempdir().unwrap();
    let output = home.path().join("p.jsonl");
    let inputs = [corpus(home.path())];
    let made = planted(&inputs, &["g"], "g=level 1", &[("probability", "1")], &output, 2).unwrap();
    let mut other = BTreeMap::new();
    for pair in &made.truth.pairs {
        other.insert(pair.first.word.clone(), pair.second.word.clone());
        other.insert(pair.second.word.clone(), pair.first.word.clone());
    }
    assert_eq!(other.len(), 24, "no word is in two pairs");
    let lines = read(&output);
    assert_eq!(lines.len(), 600);
    for (line, (text, level, _)) in lines.iter().zip(documents()) {
        assert_eq!(line["g"], level);
        if level != "level 1" {
            assert_eq!(line["text"], text);
            continue;
        }
        let swapped = |word: String| other.get(&word).cloned().unwrap_or(word);
        let expected: Vec<String> = words(&text).into_iter().map(swapped).collect();
        assert_eq!(words(line["text"].as_str().unwrap()), expected, "{text}");
    }
    let (old, new) = (before(true), after(&output, true));
    for word in made.truth.words() {
        assert_eq!((word.count, word.swapped), (old[&word.word], word.count));
        assert_eq!(new[&other[&word.word]], word.count);
        assert_eq!(word.elsewhere, before(false)[&word.word]);
    }
    assert_eq!(before(false), after(&output, false));
    let file = Planting::read(&home.path().join("p.truth.json")).unwrap();
    assert_eq!(file, made.truth);
    assert_eq!((file.level.as_str(), file.least, file.most), ("g=level 1", 20, 200));
}

/// Swapping twice with probability 1 gives the text back, but for capitals: nothing else was touched.
#[test]
fn everything_between_the_words_stays_as_it_is() {
    let home = tempfile::tempdir().unwrap();
    let [once, twice] = ["once", "twice"].map(|name| home.path().join(format!("{name}.jsonl")));
    let given = [("probability", "1"), ("pairs", "1"), ("least", "20"), ("most", "20000")];
    let first = planted(&[corpus(home.path())], &["g"], "level 1", &given, &once, 1).unwrap();
    let again = planted(std::slice::from_ref(&once), &["g"], "level 1", &given, &twice, 1).unwrap();
    let pair = |s: &Summary| s.truth.words().map(|w| w.word.clone()).collect::<BTreeSet<_>>();
    assert_eq!(pair(&first), pair(&again), "equal counts stay neighbours");
    for (line, (text, ..)) in read(&twice).iter().zip(documents()) {
        assert_eq!(line["text"].as_str().unwrap().to_lowercase(), text.to_lowercase());
    }
}

#[test]
fn with_probability_zero_no_byte_of_the_text_changes() {
    let home = tempfile::tempdir().unwrap();
    let output = home.path().join("p.jsonl");
    let given = [("probability", "0"), ("with", "year"), ("with", "g")];
    let made = planted(&[corpus(home.path())], &["g"], "level 1", &given, &output, 2).unwrap();
    assert_eq!(made.truth.words().map(|word| word.swapped).sum::<u64>(), 0);
    for (line, (text, level, year)) in read(&output).iter().zip(documents()) {
        let expected = serde_json::json!({"text": text, "g": level, "year": year.to_string()});
        assert_eq!(*line, expected);
    }
}

#[test]
fn about_half_of_the_occurrences_are_swapped_with_probability_one_half() {
    let home = tempfile::tempdir().unwrap();
    let output = home.path().join("p.jsonl");
    let made = planted(&[corpus(home.path())], &["g"], "level 1", &[], &output, 2).unwrap();
    let new = after(&output, true);
    let (mut swapped, mut all) = (0, 0);
    for pair in &made.truth.pairs {
        for (own, other) in [(&pair.first, &pair.second), (&pair.second, &pair.first)] {
            let half = own.count as f64 / 2.0;
            let spread = (own.count as f64).sqrt() / 2.0;
            assert!((own.swapped as f64 - half).abs() < 5.0 * spread, "{own:?}");
            assert_eq!(new[&own.word], own.count - own.swapped + other.swapped);
            swapped += own.swapped;
            all += own.count;
        }
    }
    let (half, spread) = (all as f64 / 2.0, (all as f64).sqrt() / 2.0);
    assert!((swapped as f64 - half).abs() < 4.0 * spread, "{swapped} of {all}");
}

#[test]
fn the_bytes_depend_on_the_seed_and_the_documents_alone() {
    let home = tempfile::tempdir().unwrap();
    let whole = [corpus(home.path())];
    let parts: Vec<PathBuf> = documents()
        .chunks(90)
        .enumerate()
        .map(|(n, part)| {
            let path = home.path().join(format!("part{n}.csv"));
            let rows = part
                .iter()
                .map(|(text, level, _)| format!("\"{}\",{level}\n", text.replace('"', "\"\"")));
            std::fs::write(&path, format!("text,g\n{}", rows.collect::<String>())).unwrap();
            path
        })
        .collect();
    let bytes = |inputs: &[PathBuf], seed: &str, threads: usize| {
        let output = home.path().join("p.jsonl");
        planted(inputs, &["g"], "level 1", &[("seed", seed)], &output, threads).unwrap();
        let truth = std::fs::read(output.with_extension("truth.json")).unwrap();
        (std::fs::read(output).unwrap(), truth)
    };
    let one = bytes(&whole, "1", 1);
    for threads in [1, 2, 5] {
        assert!(one == bytes(&whole, "1", threads), "{threads} threads");
        assert!(one == bytes(&parts, "1", threads), "{threads} threads, 7 files");
    }
    let other = bytes(&whole, "2", 2);
    assert!(one.0 != other.0 && one.1 != other.1);
}

/// The rule, word for word as stated.
#[test]
fn pairs_are_neighbours_among_the_words_that_can_be_compared() {
    let home = tempfile::tempdir().unwrap();
    let output = home.path().join("p.jsonl");
    let made = planted(&[corpus(home.path())], &["g"], "level 1", &[], &output, 1).unwrap();
    let elsewhere = before(false);
    let mut eligible: Vec<(u64, String)> = before(true)
        .into_iter()
        .filter(|(word, count)| {
            (20..=200).contains(count)
                && elsewhere.get(word).is_some_and(|count| *count >= 60)
                && word.chars().count() >= 4
                && word.chars().all(char::is_alphabetic)
        })
        .map(|(word, count)| (count, word))
        .collect();
    eligible.sort();
    let all: Vec<[&str; 2]> =
        eligible.chunks_exact(2).map(|pair| [pair[0].1.as_str(), pair[1].1.as_str()]).collect();
    let places: Vec<usize> = made
        .truth
        .pairs
        .iter()
        .map(|pair| {
            let words = [pair.first.word.as_str(), pair.second.word.as_str()];
            all.iter().position(|own| *own == words).unwrap()
        })
        .collect();
    assert!(places.is_sorted() && places.len() == 12 && all.len() > 20, "{places:?}, {all:?}");
    assert!(places != (0..12).collect::<Vec<_>>(), "they are drawn, not the first");
    let too_many = (all.len() + 1).to_string();
    let refused =
        planted(&[corpus(home.path())], &["g"], "level 1", &[("pairs", &too_many)], &output, 1);
    match refused.unwrap_err() {
        Error::Plant(PlantError::TooFewPairs { pairs, words, .. }) => {
            assert_eq!((pairs as usize, words as usize), (all.len(), eligible.len()));
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_level_may_be_a_range_of_numbers_and_the_number_itself_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let output = home.path().join("p.jsonl");
    let by = ["g", "year:10"];
    let given = [("probability", "1")];
    planted(&[corpus(home.path())], &by, "year=1990s", &given, &output, 2).unwrap();
    let mut changed = 0;
    for (line, (text, level, year)) in read(&output).iter().zip(documents()) {
        assert_eq!((&line["g"], &line["year"]), (&level.into(), &year.to_string().into()));
        let differs = line["text"] != text;
        assert!(!differs || (1990..2000).contains(&year), "{year}");
        changed += u32::from(differs);
    }
    assert!(changed > 100, "{changed}");
}
