//! The items of the test sets that a book can be asked: those whose words occur in it.
//!
//! A method that fits every book by itself knows no other words there; a joint model has a vector for every word everywhere. Asked
//! the same items, they can be compared.
//!
//! * **In:** the test sets, and how often every word occurs in every level of a tensor.
//! * **Out:** `FOLDER/LEVEL/TEST.csv`; no file where there are fewer than [`LEAST`] items.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::scores::TESTS;
use super::shelf::{cells, read};

/// Of fewer, no rank correlation can be said.
const LEAST: usize = 3;

/// Writes the items of every level below a folder; `words` are the rows of `covec info TENSOR --show words`.
pub fn write(folder: &Path, data: &Path, words: &Value) -> Result<(), String> {
    let rows: Vec<&Value> = words.as_array().into_iter().flatten().collect();
    let levels: Vec<&String> = rows
        .first()
        .and_then(|row| row.as_object())
        .into_iter()
        .flatten()
        .map(|(column, _)| column)
        .filter(|column| column.contains('='))
        .collect();
    for level in levels {
        let there = |row: &&&Value| row[level.as_str()].as_u64().is_some_and(|count| count > 0);
        let known: BTreeSet<&str> =
            rows.iter().filter(there).filter_map(|row| row["word"].as_str()).collect();
        let own = folder.join(level.split_once('=').map_or(level.as_str(), |(_, level)| level));
        std::fs::create_dir_all(&own).map_err(|e| format!("{}: {e}", own.display()))?;
        for test in TESTS {
            let text = read(&data.join(format!("eval/{}/{}.csv", test.kind, test.file)))?;
            let words = if test.kind == "similarity" { 2 } else { 1 };
            let kept = items(&text, words, &known);
            let path = own.join(format!("{}.csv", test.file));
            if kept.len() >= LEAST {
                crate::corpora::write(&path, &kept)?;
            }
        }
    }
    Ok(())
}

/// The lines all of whose words are known, as they are written or in small letters; a heading is no item.
fn items(text: &str, words: usize, known: &BTreeSet<&str>) -> Vec<String> {
    let find = |word: &String| {
        known.contains(word.as_str()) || known.contains(word.to_lowercase().as_str())
    };
    let heading = |line: &&str| ["word,", "word1,"].iter().any(|start| line.starts_with(start));
    let lines = text.lines().filter(|line| !heading(line));
    lines
        .filter(|line| {
            let cells = cells(line);
            cells.len() > words && cells[..words].iter().all(find)
        })
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_kept_if_all_its_words_are_known() {
        let known = BTreeSet::from(["cat", "dog", "word"]);
        let text = "word1,word2,score\ncat,Dog,5\ncat,cow,2\ndog,cat,1\n";
        assert_eq!(items(text, 2, &known), ["cat,Dog,5", "dog,cat,1"]);
        assert_eq!(items("word,category\nCat,animal\ncow,animal\n", 1, &known), ["Cat,animal"]);
    }
}
