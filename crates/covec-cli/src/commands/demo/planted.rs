//! The demo without a network: a corpus from a world that is known exactly.

use std::path::Path;

use covec::Work;
use covec::parameters::Whole;
use covec::synth::{self, SynthParameters, TrueDiffering, Truth};
use covec::tensor::Tensor;
use covec::tensor::collocates::{self, CollocateParameters};
use serde_json::json;

use super::account::{Account, ROWS};
use super::{count, shell};
use crate::failure::Failure;
use crate::screen::Screen;
use crate::table::{Format, Printed, Table};

/// Small enough to be there in seconds, large enough to show what was planted.
const TOKENS: u64 = 1_000_000;
const WORDS: u64 = 2_000;

pub(super) fn show(folder: &Path, screen: &Screen, work: &Work<'_>) -> Result<(), Failure> {
    let corpus = folder.join("synth.jsonl");
    let truth_path = synth::truth_beside(&corpus);
    let parameters = SynthParameters {
        tokens: Whole(TOKENS),
        words: Whole(WORDS),
        ..SynthParameters::default()
    };
    let mut account = Account::default();
    account.title("A planted corpus: four groups, and words that one of them uses differently");
    account
        .command(&format!("synth --tokens {TOKENS} --words {WORDS} -o {}", shell::quoted(&corpus)));
    synth::write_corpus(parameters.checked()?, &corpus, &truth_path, work)?;
    screen.clear();
    let truth = Truth::read(&truth_path)?;
    account.line(&format!("All that was planted stands in {}.", truth_path.display()));
    let by: Vec<&str> = truth.factors.iter().map(|factor| factor.name.as_str()).collect();
    let tensor = count(&corpus, &by, folder, screen, work, &mut account)?;
    let path = shell::quoted(&tensor.path);
    let mut next = vec![format!("info {path}")];
    if let Some(word) = most_common(&truth) {
        compare(&truth, word, &tensor, screen, work, &mut account)?;
        next.push(format!("collocates {path} {} {}", word.word, word.partner));
    }
    account.next(&next)?;
    account.line("With a network, the demo shows the State of the Union addresses instead.");
    account.flush()
}

/// Of the differing words the most common one where it differs: it has the most to show.
fn most_common(truth: &Truth) -> Option<&TrueDiffering> {
    let share = |word: &TrueDiffering| {
        let cell = truth.cells.iter().find(|cell| cell.name == word.level);
        cell.map_or(0.0, |cell| cell.marginals[word.id])
    };
    truth.differing.iter().max_by(|a, b| share(a).total_cmp(&share(b)))
}

/// The collocates that were counted, beside those that follow from the truth.
fn compare(
    truth: &Truth,
    word: &TrueDiffering,
    tensor: &Tensor,
    screen: &Screen,
    work: &Work<'_>,
    account: &mut Account,
) -> Result<(), Failure> {
    let rules = CollocateParameters::default();
    let level = std::slice::from_ref(&word.level);
    account.command(&format!(
        "collocates {} {} --in {} -n {ROWS}",
        shell::quoted(&tensor.path),
        word.word,
        word.level
    ));
    let lists = collocates::find(tensor, std::slice::from_ref(&word.word), level, &rules, work)?;
    screen.clear();
    let Some(cell) = truth.cells.iter().position(|cell| cell.name == word.level) else {
        return Ok(());
    };
    let total = tensor.record.entries.total * truth.cells[cell].tokens as f64 / TOKENS as f64;
    let best = |vector: &[f64]| expected(truth, cell, (word.id, vector), total, &rules);
    let (planted, own) = (best(&word.vector), best(&truth.vectors[word.id]));
    account.line(&format!(
        "Near '{}' in {}, where it was planted to be used as '{}' is:",
        word.word, word.level, word.partner
    ));
    let mut table = Table::new(["counted", "by the truth", "had nothing been planted"]);
    let counted: Vec<&String> =
        lists.iter().flat_map(|list| &list.rows).map(|row| &row.word).collect();
    for (row, word) in counted.iter().take(ROWS).enumerate() {
        table.push(vec![json!(word), json!(planted.get(row)), json!(own.get(row))]);
    }
    account.line(table.text(Format::Table, ROWS)?.trim_end());
    let among = |list: &[String]| {
        let first = &list[..list.len().min(2 * ROWS)];
        counted.iter().take(ROWS).filter(|word| first.contains(word)).count()
    };
    account.line(&format!(
        "Of the {} counted, {} are among the {} best by the truth, {} among those had nothing been planted.",
        ROWS.min(counted.len()),
        among(&planted),
        2 * ROWS,
        among(&own)
    ));
    account.flush()
}

/// The collocates of a word with this vector in a cell, best first: scored as those of a tensor, with
/// the counts that the truth expects of a total weight.
fn expected(
    truth: &Truth,
    cell: usize,
    (word, vector): (usize, &[f64]),
    total: f64,
    rules: &CollocateParameters,
) -> Vec<String> {
    let known = &truth.cells[cell];
    let weight = |t: usize| -> f64 {
        truth
            .factors
            .iter()
            .zip(&known.levels)
            .map(|(f, &level)| f.weights[level as usize][t])
            .product()
    };
    let there = |other: usize| {
        let differs = truth.differing.iter().find(|d| d.id == other && d.level == known.name);
        differs.map_or(&truth.vectors[other], |differing| &differing.vector)
    };
    let mut scored: Vec<(f64, usize)> = (0..truth.words.len())
        .filter(|&other| other != word)
        .map(|other| {
            let pairs = vector.iter().zip(there(other)).enumerate();
            let dot: f64 = pairs.map(|(t, (a, b))| a * b * weight(t) * weight(t)).sum();
            let count = (known.biases[word] + known.biases[other] + dot).exp() * total;
            let by_chance = known.marginals[word] * known.marginals[other] * total;
            ((count / by_chance).ln() - rules.caution / count.sqrt(), other)
        })
        .collect();
    scored.sort_by(|(a, i), (b, j)| b.total_cmp(a).then(i.cmp(j)));
    scored.into_iter().map(|(_, other)| truth.words[other].clone()).collect()
}
