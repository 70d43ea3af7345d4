//! The obvious counter: one thread, hash maps, two readings of the file. It cuts text into the same
//! words as covec, keeps the same vocabulary and counts the same pairs, but writes nothing.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::Path;

use covec::corpus::CorpusParameters;
use covec::corpus::tokens::Tokenizer;

/// Counts the pairs of a file with one document a line; returns how many distinct ones there are.
pub fn count(
    file: &Path,
    window: usize,
    min_count: u64,
    max_words: usize,
) -> std::io::Result<usize> {
    let mut tokenizer = Tokenizer::new(&CorpusParameters::default());
    let mut words = |line: &str| {
        let mut words = Vec::new();
        tokenizer.each(line, |word| words.push(String::from_utf8_lossy(word).into_owned()));
        words
    };
    let lines = || Ok::<_, std::io::Error>(BufReader::new(std::fs::File::open(file)?).lines());
    let mut counts: HashMap<String, u64> = HashMap::new();
    for line in lines()? {
        for word in words(&line?) {
            *counts.entry(word).or_default() += 1;
        }
    }
    let mut kept: Vec<(String, u64)> =
        counts.into_iter().filter(|(_, n)| *n >= min_count).collect();
    kept.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    kept.truncate(max_words);
    let ids: HashMap<String, u32> = kept.into_iter().map(|(word, _)| word).zip(0..).collect();
    let mut pairs: HashMap<(u32, u32), f64> = HashMap::new();
    for line in lines()? {
        let document: Vec<Option<u32>> =
            words(&line?).iter().map(|word| ids.get(word).copied()).collect();
        for (p, first) in document.iter().enumerate() {
            for (distance, second) in (1..=window).zip(&document[p + 1..]) {
                if let (Some(i), Some(j)) = (first, second) {
                    let weight = 1.0 / distance as f64;
                    *pairs.entry((*i, *j)).or_default() += weight;
                    *pairs.entry((*j, *i)).or_default() += weight;
                }
            }
        }
    }
    Ok(pairs.len())
}
