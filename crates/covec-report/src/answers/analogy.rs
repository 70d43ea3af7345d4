//! A is to B as C is to which words, level beside level.

use covec::analyse::analogy::{Analogy, Score};

use super::short;
use crate::{Chart, ChartError, Heatmap, Shades};

/// A row for every word that is among the best in some level, a column for every level.
pub fn answers(abc: [&str; 3], rows: &[Analogy], score: Score) -> Result<Chart, ChartError> {
    let (of, value_name): (fn(&Analogy) -> f64, _) = match score {
        Score::Add => (|row| row.add, "cosine with b − a + c"),
        Score::Mul => (|row| row.mul, "product of similarities"),
        Score::Difference => (|row| row.difference, "cosine of the differences"),
    };
    let distinct = |of: fn(&Analogy) -> &str| {
        let mut names: Vec<&str> = Vec::new();
        for row in rows {
            if !names.contains(&of(row)) {
                names.push(of(row));
            }
        }
        names
    };
    let (words, levels) = (distinct(|row| &row.word), distinct(|row| &row.level));
    let at = |word: &str, level: &str| {
        rows.iter().find(|row| row.word == word && row.level == level).map(of)
    };
    let map = Heatmap {
        rows: words.iter().map(|word| (*word).to_owned()).collect(),
        columns: levels.iter().map(|level| short(level).to_owned()).collect(),
        values: words.iter().flat_map(|word| levels.iter().map(|level| at(word, level))).collect(),
        shades: Shades::Sequential,
        value_name: value_name.to_owned(),
    };
    let [a, b, c] = abc;
    Ok(Chart::new(format!("'{a}' is to '{b}' as '{c}' is to …"), map)?
        .with_subtitle("Words among the best in some level; grey: not among the best there"))
}
