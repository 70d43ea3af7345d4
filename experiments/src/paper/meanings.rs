//! What the model says of politics (§6, appendix A): topics, what moved, why, and analogies, in the paper's form.

use serde_json::Value;

use super::desk::Desk;
use super::made::Made;
use super::methods::{Text, sizes};
use super::page::Section;
use super::politics::{Asked, asked};

const TOPICS: usize = 6;
/// Draws that error bars are made of: as few as 95 % can be told by.
const DRAWS: &str = "39";
const PAIRS: &str = "3";

pub fn section(desk: &mut Desk) -> Result<Section, String> {
    let mut section = Section::new("Topics, drift, explanations, analogies (§6, appendix A)");
    section.write(&format!(
        "Reddit posts by community, tweets of members of Congress by party and congress, State of the Union addresses by era; all words that \
         occur ten times. Trained with `--seeds {}`, so that it is known which dimensions other seeds find too. (N) is how often a word \
         occurs in the level. [a, b] is the interval of 95 %, of {DRAWS} draws of the documents ([STATISTICS.md](STATISTICS.md)). What \
         stands first in such tables was picked for being largest, which an interval of one row does not know of: one that just excludes \
         no change says little.",
        seeds(desk)
    ));
    for asked in asked(desk)? {
        let model = Model::of(desk, &asked.text);
        section.write(&format!("### {}", asked.title));
        topics(desk, &mut section, &model)?;
        pairs(desk, &mut section, &model, &asked)?;
        words(desk, &mut section, &model, &asked)?;
        reasons(desk, &mut section, &model, &asked)?;
        analogies(desk, &mut section, &model, &asked)?;
    }
    Ok(section.close(desk))
}

/// What is asked.
struct Model {
    itself: Made,
    /// Documents drawn again.
    boot: Made,
}

impl Model {
    fn of(desk: &Desk, text: &Text) -> Self {
        let seeds = seeds(desk).to_string();
        let flags = [&sizes(desk)[..], &["--seeds", &seeds]].concat();
        let itself = Made::by(format!("{}/model", text.home), "train", &text.tensor, &flags);
        let boot =
            Made::by(format!("{}/boot", text.home), "bootstrap", &text.corpus, &["-B", DRAWS])
                .with("--model", &itself);
        Self { itself, boot }
    }

    /// The rows of a command, with error bars.
    fn ask(&self, desk: &mut Desk, command: &str, flags: &[&str]) -> Result<Option<Value>, String> {
        desk.ask_surely(&self.itself, &self.boot, command, flags)
    }
}

/// One seed alone has nothing to agree with.
fn seeds(desk: &Desk) -> u64 {
    desk.seeds.max(2)
}

fn table(section: &mut Section, about: &str, head: &[&str], rows: &[Vec<String>]) {
    if !rows.is_empty() {
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
        };
        let rows: String =
            rows.iter().map(|row| line(&mut row.iter().map(String::as_str))).collect();
        let rule = "---|".repeat(head.len());
        section.write(&format!("{about}\n\n{}|{rule}\n{rows}", line(&mut head.iter().copied())));
    }
}

fn text<'a>(row: &'a Value, column: &str) -> &'a str {
    row[column].as_str().unwrap_or_default()
}

fn short(level: &str) -> &str {
    level.split_once('=').map_or(level, |(_, level)| level)
}

fn first(words: &str, n: usize) -> String {
    words.split(' ').take(n).collect::<Vec<_>>().join(" ")
}

/// A measure of a row, with its interval.
fn sure(row: &Value, measure: &str, digits: usize) -> String {
    let number = |end: &str| row[format!("{measure}{end}")].as_f64();
    let Some(value) = number("") else { return "–".to_owned() };
    match number("_low").zip(number("_high")) {
        Some((low, high)) => format!("{value:.digits$} [{low:.digits$}, {high:.digits$}]"),
        None => format!("{value:.digits$}"),
    }
}

fn topics(desk: &mut Desk, section: &mut Section, model: &Model) -> Result<(), String> {
    let Some(found) = desk.ask(&model.itself, "topics", &["-n", "100"])? else { return Ok(()) };
    let bars = model.ask(desk, "topics", &["-n", &TOPICS.to_string()])?.unwrap_or_default();
    let rows = found.as_array().into_iter().flatten().take(TOPICS).map(|row| {
        let mut levels: Vec<(&str, f64)> = row
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(name, _)| name.contains('='))
            .filter_map(|(name, square)| Some((short(name), square.as_f64()?)))
            .collect();
        levels.sort_by(|a, b| b.1.total_cmp(&a.1));
        let told = |(name, square): &(&str, f64)| {
            let own = bars.as_array().into_iter().flatten().find(|bar| {
                bar["dimension"] == row["dimension"] && short(text(bar, "level")) == *name
            });
            let square = own.map_or(format!("{square:.2}"), |bar| sure(bar, "square", 2));
            format!("{name} {square}")
        };
        let [most, least] =
            [levels.first(), levels.last()].map(|level| level.map_or(String::new(), told));
        vec![
            row["dimension"].to_string(),
            first(text(row, "above"), 8),
            first(text(row, "below"), 5),
            most,
            least,
            row["agreement"].as_f64().map_or("–".to_owned(), |x| format!("{x:.2}")),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let all = found.as_array().into_iter().flatten().filter_map(|row| row["agreement"].as_f64());
    let all: Vec<f64> = all.collect();
    let sure = all.iter().filter(|x| **x >= 0.9).count();
    let about = format!(
        "**Topics** that tell the levels apart most. Squared weights; 1 is average. Other seeds find {sure} of {} dimensions with |cos| ≥ 0.9.",
        all.len()
    );
    let head = ["dimension", "one end", "other end", "most in", "least in", "seeds agree (cos)"];
    table(section, &about, &head, &rows);
    Ok(())
}

fn pairs(
    desk: &mut Desk,
    section: &mut Section,
    model: &Model,
    asked: &Asked,
) -> Result<(), String> {
    let mut rows = Vec::new();
    for level in asked.levels {
        let Some(found) =
            model.ask(desk, "drift", &["--in", level, "--show", "pairs", "-n", PAIRS])?
        else {
            continue;
        };
        let cell = |part: &str, direction: &str| {
            let own = found.as_array().into_iter().flatten();
            let own =
                own.filter(|row| text(row, "part") == part && text(row, "direction") == direction);
            let told = own.map(|row| {
                format!("{} – {} ×{}", text(row, "a"), text(row, "b"), sure(row, part, 2))
            });
            told.collect::<Vec<_>>().join("<br>")
        };
        rows.push(vec![
            short(level).to_owned(),
            cell("topical", "closer"),
            cell("topical", "further"),
            cell("own", "closer"),
            cell("own", "further"),
        ]);
    }
    let about = "**Pairs of words that moved most** from the base; ×R: times the distance. Topical is the paper's kind, by the weights alone; own is what the words' own deviations add.";
    table(
        section,
        about,
        &["level", "topical: closer", "further", "own: closer", "further"],
        &rows,
    );
    Ok(())
}

fn words(
    desk: &mut Desk,
    section: &mut Section,
    model: &Model,
    asked: &Asked,
) -> Result<(), String> {
    let mut rows = Vec::new();
    for word in &asked.words {
        for level in asked.levels {
            let Some(found) = model.ask(desk, "drift", &[word, "--in", level, "-n", "6"])? else {
                continue;
            };
            let cell = |direction: &str| {
                let own = found.as_array().into_iter().flatten();
                let own = own.filter(|row| text(row, "direction") == direction);
                let told = own.map(|row| {
                    let mark = if moved(row) { "**" } else { "" };
                    format!("{mark}{}{mark} ({})", text(row, "other"), row["count_to"])
                });
                told.collect::<Vec<_>>().join(", ")
            };
            let count = found[0]["word_count_to"].to_string();
            rows.push(vec![
                format!("{word} ({count})"),
                short(level).to_owned(),
                cell("closer"),
                cell("further"),
            ]);
        }
    }
    let about = "**What moved to a word and away from it** from the base to a level; bold where the interval of how many times the distance excludes 1.";
    table(section, about, &["word", "level", "closer", "further"], &rows);
    Ok(())
}

/// Whether a distance surely changed.
fn moved(row: &Value) -> bool {
    let [low, high] = ["ratio_low", "ratio_high"].map(|end| row[end].as_f64());
    low.is_some_and(|low| low > 1.0) || high.is_some_and(|high| high < 1.0)
}

fn reasons(
    desk: &mut Desk,
    section: &mut Section,
    model: &Model,
    asked: &Asked,
) -> Result<(), String> {
    let mut rows = Vec::new();
    for ([a, b], level) in &asked.pairs {
        let Some(found) = model.ask(desk, "explain", &[a, b, "--in", level, "-n", "2"])? else {
            continue;
        };
        for row in found.as_array().into_iter().flatten() {
            let number = |column: &str| row[column].as_f64().unwrap_or(f64::NAN);
            rows.push(vec![
                format!("{a} – {b}"),
                short(level).to_owned(),
                row["dimension"].to_string(),
                sure(row, "contribution", 4),
                format!("{:.2}", number("weight_to")),
                row["agreement"].as_f64().map_or("–".to_owned(), |x| format!("{x:.2}")),
                text(row, "words").replace('|', "–"),
            ]);
        }
    }
    let about = "**Why two words moved**: the two dimensions that contributed most to the change of their squared distance (below 0: closer).";
    let head = [
        "words",
        "level",
        "dimension",
        "contribution",
        "squared weight there",
        "seeds agree",
        "its ends",
    ];
    table(section, about, &head, &rows);
    Ok(())
}

fn analogies(
    desk: &mut Desk,
    section: &mut Section,
    model: &Model,
    asked: &Asked,
) -> Result<(), String> {
    let mut rows = Vec::new();
    for [a, b, c] in &asked.analogies {
        let base = model.ask(desk, "analogy", &[a, b, c, "-n", "3"])?;
        let enriched = desk.ask(&model.itself, "analogy", &[a, b, c, "--enriched", "-n", "3"])?;
        let Some(base) = base else { continue };
        let list = |found: &Value, told: fn(&Value) -> String| {
            found.as_array().into_iter().flatten().map(told).collect::<Vec<_>>().join(", ")
        };
        let best = list(&base, |row| format!("{} {}", text(row, "word"), sure(row, "add", 2)));
        let apart = enriched.map_or(String::new(), |found| {
            list(&found, |row| {
                let rank = |column: &str| row[column].to_string();
                format!(
                    "{} (rank {} in {}, {} in {})",
                    text(row, "word"),
                    rank("best_rank"),
                    short(text(row, "best_level")),
                    rank("worst_rank"),
                    short(text(row, "worst_level"))
                )
            })
        });
        rows.push(vec![format!("{a} : {b} :: {c} : ?"), best, apart]);
    }
    let about = "**Analogies**: the first three words in the base with their score (3CosAdd), and words whose rank differs most between levels.";
    table(section, about, &["analogy", "base", "rank differs most"], &rows);
    Ok(())
}
