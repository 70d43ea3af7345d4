//! Which words are kept.
//!
//! The rules apply in the order of [`Rule`], each to what the ones before it left, and each keeps
//! book of what it removed.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::VocabularyError;
use crate::parameters::{Whole, parameters};

parameters! {
    /// Which words are kept.
    pub struct VocabularyParameters {
        words: Option<String> = None, "FILE", "none",
            "a file with one word a line" if |_: &Option<String>| true,
            "Keep only the words of this list; the other rules then are off unless given";
        min_count: Option<Whole> = None, "N", "10; 1 with --words",
            "a whole number" if |_: &Option<Whole>| true,
            "Drop words that occur fewer times";
        min_documents: Whole = Whole(1), "N", "1",
            "a whole number" if |_: &Whole| true,
            "Drop words that occur in fewer documents";
        min_level_count: Vec<LevelCount> = Vec::new(), "FACTOR=N", "none",
            "FACTOR=N" if |_: &Vec<LevelCount>| true,
            "Drop words that occur fewer than N times in any level of the factor; era=1 keeps the words common to all eras";
        drop_top: Whole = Whole(0), "N", "0",
            "a whole number" if |_: &Whole| true,
            "Drop the N most common of the words that are left";
        max_words: Option<Whole> = None, "N", "50000; no limit with --words",
            "a whole number, 0 for no limit" if |_: &Option<Whole>| true,
            "Keep at most this many words, the most common";
    }
}

/// `--min-level-count FACTOR=N`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelCount {
    /// The factor.
    pub factor: String,
    /// The count every level must reach.
    pub least: u64,
}

impl FromStr for LevelCount {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (factor, least) = text.rsplit_once('=').ok_or("")?;
        Ok(Self { factor: factor.to_owned(), least: least.parse::<Whole>()?.0 })
    }
}

impl VocabularyParameters {
    /// The default of `--min-count`.
    pub const MIN_COUNT: u64 = 10;
    /// The default of `--max-words`.
    pub const MAX_WORDS: u64 = 50_000;

    /// The count a word must reach.
    pub fn least_count(&self) -> u64 {
        let default = if self.words.is_some() { 1 } else { Self::MIN_COUNT };
        self.min_count.map_or(default, |n| n.0.max(1))
    }

    /// How many words may be kept.
    pub fn most_words(&self) -> u64 {
        match self.max_words {
            Some(Whole(0)) => u64::MAX,
            Some(Whole(n)) => n,
            None if self.words.is_some() => u64::MAX,
            None => Self::MAX_WORDS,
        }
    }
}

/// A word that may be kept: its number, how often and where it occurs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// Number among the distinct words of the corpus.
    pub(crate) word: usize,
    pub(crate) count: u64,
    pub(crate) documents: u64,
}

/// What a rule did: a row of `covec info --show rules`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// The rule as a flag, e.g. `--min-count 10`.
    pub rule: String,
    /// Words it removed.
    pub removed: u64,
    /// Times these words occur.
    pub removed_tokens: u64,
    /// Words it left.
    pub left: u64,
}

/// Applies one rule after the other and keeps book.
#[derive(Debug)]
pub(crate) struct Selection {
    pub(crate) words: Vec<Candidate>,
    pub(crate) rules: Vec<Rule>,
    distinct: u64,
}

impl Selection {
    pub(crate) fn new(words: Vec<Candidate>) -> Self {
        let distinct = words.len() as u64;
        Self { words, rules: Vec::new(), distinct }
    }

    /// Keeps what `keep` says, and refuses to be left with nothing.
    pub(crate) fn apply(
        &mut self,
        rule: &str,
        way_out: &str,
        mut keep: impl FnMut(usize, &Candidate) -> bool,
    ) -> Result<(), VocabularyError> {
        let before = self.words.len() as u64;
        let mut removed_tokens = 0;
        let mut index = 0;
        self.words.retain(|candidate| {
            let kept = keep(index, candidate);
            index += 1;
            if !kept {
                removed_tokens += candidate.count;
            }
            kept
        });
        let left = self.words.len() as u64;
        self.rules.push(Rule {
            rule: rule.to_owned(),
            removed: before - left,
            removed_tokens,
            left,
        });
        if left == 0 {
            return Err(VocabularyError::Empty {
                rule: rule.to_owned(),
                removed: before,
                distinct: self.distinct,
                way_out: way_out.to_owned(),
            });
        }
        Ok(())
    }

    /// The rules that need no counts per level.
    pub(crate) fn by_count(
        &mut self,
        parameters: &VocabularyParameters,
        listed: Option<&dyn Fn(usize) -> bool>,
    ) -> Result<(), VocabularyError> {
        if let (Some(listed), Some(file)) = (listed, &parameters.words) {
            let way_out = "check that the list's words are written as the corpus writes them";
            self.apply(&format!("--words {file}"), way_out, |_, c| listed(c.word))?;
        }
        let least = parameters.least_count();
        let most = self.words.iter().map(|c| c.count).max().unwrap_or(0);
        self.apply(
            &format!("--min-count {least}"),
            &format!("lower --min-count (the most common word occurs {most} times)"),
            |_, c| c.count >= least,
        )?;
        if parameters.min_documents.0 > 1 {
            let least = parameters.min_documents.0;
            let most = self.words.iter().map(|c| c.documents).max().unwrap_or(0);
            self.apply(
                &format!("--min-documents {least}"),
                &format!("lower --min-documents (the most widespread word is in {most} documents)"),
                |_, c| c.documents >= least,
            )?;
        }
        Ok(())
    }

    /// The rules that look at the order of the words: most common first.
    pub(crate) fn by_rank(
        &mut self,
        parameters: &VocabularyParameters,
    ) -> Result<(), VocabularyError> {
        if parameters.drop_top.0 > 0 {
            let top = parameters.drop_top.0;
            self.apply(&format!("--drop-top {top}"), "lower --drop-top", |rank, _| {
                rank as u64 >= top
            })?;
        }
        let most = parameters.most_words();
        if most < u64::MAX {
            self.apply(&format!("--max-words {most}"), "raise --max-words", |rank, _| {
                (rank as u64) < most
            })?;
        }
        if self.words.len() > super::MOST_WORDS {
            return Err(VocabularyError::TooMany(self.words.len() as u64));
        }
        Ok(())
    }
}
