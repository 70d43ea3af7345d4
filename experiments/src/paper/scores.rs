//! What the usual test sets say of a model, book by book.

use std::collections::BTreeMap;

use serde_json::Value;

use super::desk::Desk;
use super::made::Made;
use crate::numbers::mean;

/// The tests.
pub const TESTS: [Test; 7] = [
    Test { file: "ap", name: "AP", kind: "categories" },
    Test { file: "bless", name: "BLESS", kind: "categories" },
    Test { file: "battig", name: "Battig", kind: "categories" },
    Test { file: "men", name: "MEN", kind: "similarity" },
    Test { file: "mturk287", name: "MTurk", kind: "similarity" },
    Test { file: "rg65", name: "RG65", kind: "similarity" },
    Test { file: "rw", name: "RW", kind: "similarity" },
];

/// A test: its file without the end, as tables call it, and its kind.
#[derive(Debug, Clone, Copy)]
pub struct Test {
    pub file: &'static str,
    pub name: &'static str,
    pub kind: &'static str,
}

/// By test and level; means over seeds.
#[derive(Debug, Clone, Default)]
pub struct Scores {
    sums: BTreeMap<(String, String), (f64, usize)>,
    /// Items that were used, by test and level.
    used: BTreeMap<(String, String), f64>,
    pub seeds: usize,
}

impl Scores {
    /// Asks a model under each level for all items it can answer.
    pub fn add_all(&mut self, desk: &mut Desk, model: &Made) -> Result<(), String> {
        self.add_views(desk, model, &["--in", "each"])
    }

    fn add_views(&mut self, desk: &mut Desk, model: &Made, views: &[&str]) -> Result<(), String> {
        let tests = TESTS.map(|test| (test, format!("data/eval/{}/{}.csv", test.kind, test.file)));
        let flags = asked(views, &tests);
        if let Some(rows) = ask(desk, model, &flags)? {
            self.take(&rows);
            self.seeds += 1;
        }
        Ok(())
    }

    /// Asks for the base alone.
    pub fn add_base(&mut self, desk: &mut Desk, model: &Made) -> Result<(), String> {
        self.add_views(desk, model, &[])
    }

    /// Asks it under each book for the book's own items; whether all were answered.
    pub fn add_own(
        &mut self,
        desk: &mut Desk,
        model: &Made,
        items: &Made,
        books: &[String],
        more: &[&str],
    ) -> Result<bool, String> {
        // Where nothing may be run, what is kept tells which items there were.
        desk.prepare(items)?;
        for book in books {
            let level = format!("book={book}");
            let there = TESTS
                .iter()
                .map(|test| (*test, format!("{}/{book}/{}.csv", items.name, test.file)));
            let there: Vec<(Test, String)> =
                there.filter(|(_, path)| desk.path(path).is_file()).collect();
            let flags = asked(&[&["--in", &level], more].concat(), &there);
            let Some(rows) = ask(desk, model, &flags)? else { return Ok(false) };
            self.take(&rows);
        }
        self.seeds += 1;
        Ok(true)
    }

    fn take(&mut self, rows: &Value) {
        for row in rows.as_array().into_iter().flatten() {
            let measure = row["measure"].as_str().unwrap_or_default();
            let [test, level] =
                ["test", "level"].map(|column| row[column].as_str().unwrap_or_default().to_owned());
            if !["spearman", "purity"].contains(&measure) || level.starts_with("mean of") {
                continue;
            }
            let key = (test, level);
            self.used.insert(key.clone(), row["used"].as_f64().unwrap_or(0.0));
            if let Some(score) = row["score"].as_f64() {
                let sum = self.sums.entry(key).or_default();
                *sum = (sum.0 + score, sum.1 + 1);
            }
        }
    }

    /// Mean number of items that were used.
    pub fn used(&self, test: &Test) -> f64 {
        let own = self.used.iter().filter(|((name, _), _)| name == test.file);
        let numbers: Vec<f64> = own.map(|(_, used)| *used).collect();
        if numbers.is_empty() { 0.0 } else { mean(&numbers) }
    }

    /// By level.
    pub fn of(&self, test: &Test) -> BTreeMap<&str, f64> {
        let own = self.sums.iter().filter(|((name, _), _)| name == test.file);
        own.map(|((_, level), (sum, n))| (level.as_str(), sum / *n as f64)).collect()
    }

    /// Scores of all levels, one after the other.
    pub fn numbers(&self, test: &Test) -> Vec<f64> {
        self.of(test).into_values().collect()
    }

    /// Differences to another's, level by level.
    pub fn beyond(&self, other: &Self, test: &Test) -> Vec<f64> {
        differences(&self.of(test), &other.of(test))
    }

    /// The same of the means over the tests.
    pub fn beyond_overall(&self, other: &Self) -> Vec<f64> {
        differences(&self.overall(), &other.overall())
    }

    /// Means over the tests, level by level; only levels that have all.
    pub fn overall(&self) -> BTreeMap<&str, f64> {
        let mut sums: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
        for test in &TESTS {
            for (level, score) in self.of(test) {
                let sum = sums.entry(level).or_default();
                *sum = (sum.0 + score, sum.1 + 1);
            }
        }
        let whole = sums.into_iter().filter(|(_, (_, n))| *n == TESTS.len());
        whole.map(|(level, (sum, n))| (level, sum / n as f64)).collect()
    }
}

fn differences(ours: &BTreeMap<&str, f64>, theirs: &BTreeMap<&str, f64>) -> Vec<f64> {
    ours.iter().filter_map(|(level, score)| Some(score - theirs.get(level)?)).collect()
}

/// The flags that ask for some tests. Intervals are over books, not over items, so none are wanted.
fn asked(flags: &[&str], tests: &[(Test, String)]) -> Vec<String> {
    let mut flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
    flags.extend(["--resamples", "0"].map(str::to_owned));
    for kind in ["categories", "similarity"] {
        let own = tests.iter().filter(|(test, _)| test.kind == kind).map(|(_, path)| path.clone());
        let own: Vec<String> = own.collect();
        if !own.is_empty() {
            flags.push(format!("--{kind}"));
            flags.extend(own);
        }
    }
    flags
}

fn ask(desk: &mut Desk, model: &Made, flags: &[String]) -> Result<Option<Value>, String> {
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    desk.ask(model, "eval", &flags)
}
