//! How well are pairs predicted that were kept out of training, slice by slice?

use std::collections::BTreeMap;

use covec_report::{Chart, Lines, Series};

use super::clustering::common;
use super::desk::Desk;
use super::efficiency::large;
use super::made::Made;
use super::methods::{Method, Text};
use super::page::Section;
use super::politics::by;
use super::shelf::Shelf;

const METHODS: [Method; 3] = [Method::Cover, Method::Slices, Method::Pooled];

/// Errors by level; of all pairs under `all`.
type Errors = BTreeMap<String, f64>;

pub fn section(desk: &mut Desk) -> Result<Section, String> {
    let mut section = Section::new("Pairs kept out of training");
    if desk.help("eval")?.is_none_or(|told| !told.contains("--held-out")) {
        section.write("This covec has no `eval --held-out`: skipped.");
        section.check(&claim(), "–", None);
        return Ok(section.close(desk));
    }
    section.write(
        "Two pairs of words in a hundred are kept out of training in each level, the same ones for every method. The error is the weighted mean \
         of the squared residuals of ln(count). **pooled** predicts a level by the vectors of all text and the level's own counts of words. \
         S-EFE does not predict counts.",
    );
    let shelf = Shelf::open(desk, "twin29L")?;
    let corpora = [
        ("twin29L, common words", common(&shelf)),
        ("twin29L, large vocabulary", large(&shelf)),
        ("reddit", by("reddit", "reddit_politics7", &["--by", "community"])),
        ("Congress", by("congress", "congress6_small", &["--by", "community"])),
        ("State of the Union", by("union", "sotu", &["--by", "era"])),
    ];
    let (mut rows, mut ahead, mut slices) = (Vec::new(), 0, 0);
    for (name, text) in &corpora {
        let mut found: BTreeMap<Method, Errors> = BTreeMap::new();
        for method in METHODS {
            if let Some(errors) = errors(desk, &method.model(desk, text, 1), &text.tensor)? {
                found.insert(method, errors);
            }
        }
        let Some(cover) = found.get(&Method::Cover) else { continue };
        let others = [Method::Slices, Method::Pooled].map(|method| found.get(&method));
        let mut row = vec![(*name).to_owned()];
        let of_all = |errors: Option<&Errors>| {
            errors
                .and_then(|errors| errors.get("all"))
                .map_or("–".to_owned(), |x| format!("{x:.4}"))
        };
        row.push(of_all(Some(cover)));
        row.extend(others.map(of_all));
        let levels: Vec<&String> = cover.keys().filter(|level| *level != "all").collect();
        for other in others {
            row.push(other.map_or("–".to_owned(), |other| {
                let best = levels
                    .iter()
                    .filter(|level| other.get(**level).is_some_and(|x| cover[**level] < *x))
                    .count();
                ahead += best;
                slices += levels.len();
                format!("{best} of {}", levels.len())
            }));
        }
        rows.push(row);
        if *name == corpora[1].0 {
            chart(desk, &mut section, text, &found)?;
        }
    }
    let head = [
        "corpus",
        "CoVeR: all pairs",
        "slices",
        "pooled",
        "slices in which CoVeR is ahead of slices",
        "and of pooled",
    ];
    section.table("Error on held-out pairs", "Seed 1, with words' own deviations.", &head, &rows);
    let measured =
        format!("ahead in {ahead} of {slices} comparisons of a slice ({} corpora)", rows.len());
    section.check(&claim(), measured, (slices > 0).then_some(ahead == slices));
    Ok(section.close(desk))
}

fn claim() -> String {
    "held-out error: CoVeR is ahead of slices and of pooled in every slice".to_owned()
}

fn errors(desk: &mut Desk, model: &Made, tensor: &Made) -> Result<Option<Errors>, String> {
    // A method without a base has no vectors for all text.
    let mut all = Errors::new();
    for level in ["each", "base"] {
        if level == "base" && model.method() == Some("slices") {
            continue;
        }
        let flags = ["--held-out", &tensor.name, "--in", level, "--resamples", "0"];
        let Some(rows) = desk.ask(model, "eval", &flags)? else { return Ok(None) };
        for row in rows.as_array().into_iter().flatten() {
            if let (Some(level), Some(score)) = (row["level"].as_str(), row["score"].as_f64()) {
                all.insert(level.to_owned(), score);
            }
        }
    }
    all.retain(|level, _| !level.starts_with("mean of"));
    Ok(Some(all))
}

fn chart(
    desk: &mut Desk,
    section: &mut Section,
    text: &Text,
    found: &BTreeMap<Method, Errors>,
) -> Result<(), String> {
    let Some(levels) = desk.ask(&text.tensor, "info", &["--show", "levels"])? else {
        return Ok(());
    };
    let mut levels: Vec<(u64, String, String)> = levels
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|row| {
            let (factor, level) = (row["factor"].as_str()?, row["level"].as_str()?);
            Some((row["words"].as_u64()?, format!("{factor}={level}"), level.to_owned()))
        })
        .collect();
    levels.sort();
    let series = found.iter().map(|(method, errors)| Series {
        name: method.name().to_owned(),
        values: levels.iter().map(|(_, level, _)| errors.get(level).map(|&x| x.into())).collect(),
    });
    let categories = levels.iter().map(|(_, _, name)| brief(name)).collect();
    let lines = Lines { categories, series: series.collect(), markers: Vec::new() };
    let chart = Chart::new("Error on held-out pairs, by book", lines)
        .map_err(|e| e.to_string())?
        .with_subtitle(
            "Weighted squared error of ln(count); books from the shortest to the longest",
        )
        .with_y_label("error");
    section.chart("held-out-books", "Error on held-out pairs by book and method", &chart);
    Ok(())
}

/// A name that fits below an axis: its beginning, and its end, which tells books of a series apart.
fn brief(name: &str) -> String {
    const MOST: usize = 13;
    let letters: Vec<char> = name.chars().collect();
    match letters.len() {
        0..=MOST => name.to_owned(),
        n => letters[..MOST - 4].iter().chain(&['…']).chain(&letters[n - 3..]).collect(),
    }
}
