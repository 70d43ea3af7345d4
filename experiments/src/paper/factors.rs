//! Two factors at once, or one whose levels are all their combinations?

use serde_json::{Value, json};

use super::desk::Desk;
use super::interval::spread;
use super::made::Made;
use super::methods::{Method, Text};
use super::page::Section;
use super::politics::by;
use crate::corpora::{lines, write};
use crate::numbers::mean;

pub fn section(desk: &mut Desk) -> Result<Section, String> {
    let mut section = Section::new("Two factors at once");
    section.write(
        "The weights of a cell (party R in the 117th congress) are the product of its levels' weights, its biases the sum of theirs; the paper \
         names this and leaves it undone. It is held to one factor that has every cell as a level of its own: the same text, words and pairs kept \
         out of training, more numbers to fit. Held-out loss is the mean over held-out pairs of f · residual².",
    );
    let mut rows = Vec::new();
    for (name, two, one) in [congress(), union(desk)?] {
        let mut losses: Vec<Vec<f64>> = Vec::new();
        for (kind, text) in [("two factors", &two), ("one factor, all cells", &one)] {
            let mut by_seed = Vec::new();
            let (mut told, mut with) = (Vec::new(), Vec::new());
            for seed in 1..=desk.seeds {
                let model = Method::Cover.model(desk, text, seed);
                let Some(found) = held_out(desk, &model)? else { continue };
                by_seed.push(found.0);
                told = found.1;
                with.extend(deviating(desk, &model, &text.tensor)?);
            }
            if by_seed.is_empty() {
                continue;
            }
            rows.push(vec![
                name.to_owned(),
                kind.to_owned(),
                told.len().to_string(),
                by_seed.len().to_string(),
                spread(&by_seed, 4),
                spread(&with, 4),
            ]);
            losses.push(by_seed);
        }
        if let [two, one] = &losses[..] {
            let [two, one] = [two, one].map(|losses| mean(losses));
            let percent = 100.0 * (two / one - 1.0);
            let side = if percent > 0.0 { "above" } else { "below" };
            section.write(&format!(
                "**{name}**: the held-out loss of two factors is {:.1} % {side} that of one factor with all cells.",
                percent.abs()
            ));
        }
    }
    let head = [
        "corpus",
        "levels",
        "number of levels",
        "seeds",
        "held-out loss, by the weights alone",
        "with words' own deviations",
    ];
    section.table("Held-out loss", "Mean ± standard deviation over the seeds.", &head, &rows);
    if !desk.quick {
        section.write(
            "Where cells are large enough to be fitted each by itself and there are hardly fewer levels than cells, a level for every cell can \
             predict better. What two factors give beside that is an answer to *party, whatever the year*.",
        );
    }
    Ok(section.close(desk))
}

/// The loss on held-out pairs, and that of every level.
fn held_out(desk: &mut Desk, model: &Made) -> Result<Option<(f64, Vec<f64>)>, String> {
    let Some(sweeps) = desk.ask(model, "info", &["--show", "sweeps"])? else { return Ok(None) };
    let last = sweeps.as_array().and_then(|rows| rows.last());
    let loss = last.and_then(|row| row["held-out loss"].as_f64());
    let Some(levels) = desk.ask(model, "info", &["--show", "levels"])? else { return Ok(None) };
    let rows = levels.as_array().into_iter().flatten();
    let levels = rows.filter_map(|row| row["held-out loss"].as_f64()).collect();
    Ok(loss.map(|loss| (loss, levels)))
}

/// The same with words' own deviations, where this covec can tell.
fn deviating(desk: &mut Desk, model: &Made, tensor: &Made) -> Result<Option<f64>, String> {
    if desk.help("eval")?.is_none_or(|told| !told.contains("--held-out")) {
        return Ok(None);
    }
    let flags = ["--held-out", &tensor.name, "--in", "base", "--resamples", "0"];
    let rows = desk.ask(model, "eval", &flags)?;
    Ok(rows.and_then(|rows| rows[0]["score"].as_f64()))
}

fn congress() -> (&'static str, Text, Text) {
    let file = "congress6_small";
    let two = by("congress-factors", file, &["--by", "party", "--by", "congress"]);
    ("Congress, party × congress", two, by("congress-cells", file, &["--by", "community"]))
}

/// The cells of the addresses are no field of theirs: it is added.
fn union(desk: &Desk) -> Result<(&'static str, Text, Text), String> {
    let two = by("union-factors", "sotu", &["--by", "era", "--by", "party"]);
    let path = desk.path("union-cells.jsonl");
    if !path.exists() {
        let mut all = Vec::new();
        for line in lines(&desk.path("data/politics/sotu.jsonl"))? {
            let document: Value = serde_json::from_str(&line).map_err(|e| e.to_string())?;
            let [era, party] =
                ["era", "party"].map(|name| document[name].as_str().unwrap_or_default());
            all.push(
                json!({"text": document["text"], "cell": format!("{era} {party}")}).to_string(),
            );
        }
        write(&path, &all)?;
    }
    let corpus = Made::given("union-cells.jsonl");
    let tensor = Made::by("union-cells/tensor", "count", &corpus, &["--by", "cell"]);
    let one = Text { home: "union-cells".to_owned(), corpus, tensor };
    Ok(("State of the Union, era × party", two, one))
}
