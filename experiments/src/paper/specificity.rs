//! How much do meanings depend on the book? (§5.2.) Prepositions should mean the same everywhere.

use covec_report::{Chart, Histogram, Marker};
use serde_json::Value;

use super::clustering::common;
use super::desk::Desk;
use super::interval::spread;
use super::methods::Method;
use super::page::Section;
use super::shelf::Shelf;
use crate::numbers::mean;

const BINS: usize = 40;
/// Words at either end that are told.
const TOLD: usize = 15;

pub fn section(desk: &mut Desk) -> Result<Section, String> {
    let mut section = Section::new("Words that depend on the book (§5.2)");
    section.write(
        "Specificity is the mean over pairs of books of 1 − cos of a word's vectors there. Only words that occur 20 times in two books \
         or more. Words are sorted by excess: how far they stand out from the hundred words that occur about as often. What a method makes of prepositions is what nothing looks like in it: scales of two methods cannot be compared, the place \
         of the prepositions in the distribution can.",
    );
    let shelf = Shelf::open(desk, "twin29L")?;
    let text = common(&shelf);
    let (mut rows, mut placed) = (Vec::new(), Vec::new());
    for method in [Method::Cover, Method::SEfe] {
        let mut by_seed: Vec<Vec<Word>> = Vec::new();
        for seed in 1..=desk.seeds {
            let model = method.model(desk, &text, seed);
            if let Some(found) = desk.ask(&model, "specificity", &["-n", "100000"])? {
                by_seed.push(found.as_array().into_iter().flatten().filter_map(word).collect());
            }
        }
        let Some(words) = by_seed.first() else { continue };
        let name = format!("specificity-{}", method.name().to_lowercase());
        let alt = format!("Histogram of the words' specificity, {}", method.name());
        section.chart(&name, &alt, &chart(method, words).map_err(|e| e.to_string())?);
        rows.push(row(method, &by_seed));
        placed.extend(place(method, &by_seed));
    }
    let head = [
        "method",
        "seeds",
        "words",
        "mean of all",
        "mean of prepositions",
        "words above the mean preposition",
        "the same by excess",
        "most specific for their frequency",
        "least",
    ];
    let about = "`twin29L`, common words; mean ± standard deviation over the seeds, the words that are told and the histograms are of seed 1.";
    section.table("Specificity", about, &head, &rows);
    section.write(&placed.join(" "));
    section.write(
        "The more text a word has, the further its vectors may leave what they have in common: by specificity alone common words come first. Among words \
         of like frequency they do not.",
    );
    Ok(section.close(desk))
}

struct Word {
    word: String,
    specificity: f64,
    excess: f64,
    preposition: bool,
}

fn word(row: &Value) -> Option<Word> {
    Some(Word {
        word: row["word"].as_str()?.to_owned(),
        specificity: row["specificity"].as_f64()?,
        excess: row["excess"].as_f64()?,
        preposition: row["reference"].as_bool()?,
    })
}

/// Prepositions and all others.
fn parted(words: &[Word]) -> [Vec<f64>; 2] {
    [true, false].map(|preposition| {
        let own = words.iter().filter(|word| word.preposition == preposition);
        own.map(|word| word.specificity).collect()
    })
}

/// Of all words the share, in percent, that lies above the mean preposition, seed by seed.
fn shares(by_seed: &[Vec<Word>], of: fn(&Word) -> f64) -> Vec<f64> {
    by_seed.iter().filter_map(|words| above(words, of)).collect()
}

fn above(words: &[Word], of: fn(&Word) -> f64) -> Option<f64> {
    let own: Vec<f64> = words.iter().filter(|word| word.preposition).map(of).collect();
    let above = |middle: f64| words.iter().filter(|word| of(word) > middle).count();
    (!own.is_empty()).then(|| 100.0 * above(mean(&own)) as f64 / words.len() as f64)
}

/// Where the prepositions lie among all words, in words.
fn place(method: Method, by_seed: &[Vec<Word>]) -> Option<String> {
    let [raw, excess]: [fn(&Word) -> f64; 2] = [|word| word.specificity, |word| word.excess];
    let [raw, excess] = [raw, excess].map(|of| shares(by_seed, of));
    if raw.is_empty() {
        return None;
    }
    let [raw, excess] = [raw, excess].map(|shares| mean(&shares));
    Some(format!(
        "In {} the mean preposition depends on the book more than {:.0} % of all words, and more than {:.0} % by excess.",
        method.name(),
        100.0 - raw,
        100.0 - excess
    ))
}

fn row(method: Method, by_seed: &[Vec<Word>]) -> Vec<String> {
    let first = &by_seed[0];
    let means = |of: &dyn Fn(&[Word]) -> Vec<f64>| {
        let numbers = by_seed.iter().map(|words| of(words)).filter(|own| !own.is_empty());
        spread(&numbers.map(|own| mean(&own)).collect::<Vec<_>>(), 4)
    };
    let share = |of| format!("{} %", spread(&shares(by_seed, of), 1));
    let list = |words: &mut dyn Iterator<Item = &Word>| {
        words.take(TOLD).map(|word| word.word.as_str()).collect::<Vec<_>>().join(" ")
    };
    vec![
        method.name().to_owned(),
        by_seed.len().to_string(),
        first.len().to_string(),
        means(&|words| words.iter().map(|word| word.specificity).collect()),
        means(&|words| parted(words)[0].clone()),
        share(|word| word.specificity),
        share(|word| word.excess),
        list(&mut first.iter()),
        list(&mut first.iter().rev()),
    ]
}

fn chart(method: Method, words: &[Word]) -> Result<Chart, covec_report::ChartError> {
    let [prepositions, others] = parted(words);
    let mut histogram =
        Histogram::of(&[("other words", &others), ("prepositions", &prepositions)], BINS)?;
    // Two dozen prepositions would not be seen beside thousands of words.
    for group in &mut histogram.groups {
        let all = group.counts.iter().sum::<f64>().max(1.0);
        group.counts.iter_mut().for_each(|count| *count *= 100.0 / all);
    }
    if !prepositions.is_empty() {
        let value = mean(&prepositions);
        histogram.markers.push(Marker { value, label: "mean preposition".to_owned() });
    }
    Ok(Chart::new(format!("How much meanings depend on the book: {}", method.name()), histogram)?
        .with_subtitle("Mean cosine distance of a word's vectors over pairs of the 29 books")
        .with_x_label("specificity")
        .with_y_label("% of the words of each kind"))
}
