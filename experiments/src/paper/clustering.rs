//! Are books known by the weights of their levels? (§5.1 and figure 2 of the paper.)

use super::desk::Desk;
use super::interval::spread;
use super::made::Made;
use super::methods::{Method, Text, lda};
use super::page::Section;
use super::shelf::{Book, Shelf};

pub const SETS: [&str; 3] = ["twin29L", "twin29", "multi41"];
const TOPICS: [u64; 3] = [20, 50, 100];

/// Of the books that have others of their author, or of their series: for how many the nearest is one of them.
#[derive(Clone, Copy, Default)]
struct Right {
    author: [usize; 2],
    series: [usize; 2],
}

/// Either tally of [`Right`].
type Tally = fn(&Right) -> [usize; 2];

pub fn section(desk: &mut Desk) -> Result<Section, String> {
    let mut section = Section::new("Books by their weights (§5.1, figure 2)");
    section.write(
        "Every book is a level. The nearest book by weights (`covec covariates`) should be of the same series, or at least by the \
         same author. The vocabulary is the words that occur in every series of two books or more: the series are counted with \
         `--min-level-count series=1`, and their words are the list of `--words`. For LDA and S-EFE the same command compares what \
         they have in place of weights.",
    );
    let mut rows = Vec::new();
    for set in SETS {
        let shelf = Shelf::open(desk, set)?;
        let text = common(&shelf);
        let mut methods: Vec<(String, Vec<Made>)> = Vec::new();
        for method in [Method::Cover, Method::SEfe] {
            // One fit of the others takes as long as many of CoVeR.
            let seeds = if method == Method::Cover { desk.seeds } else { 1 };
            let models = (1..=seeds).map(|seed| method.model(desk, &text, seed));
            methods.push((method.name().to_owned(), models.collect()));
        }
        for topics in TOPICS {
            methods.push((format!("LDA, {topics} topics"), vec![lda(desk, &text, topics, 1)]));
        }
        for (name, models) in methods {
            let mut found = Vec::new();
            for model in &models {
                found.extend(right(desk, &shelf, model)?);
            }
            if found.is_empty() {
                continue;
            }
            rows.push(row(set, &name, &found));
            if name == Method::Cover.name() {
                check(&mut section, set, &found);
            }
        }
    }
    let head = ["books", "method", "seeds", "same author", "same series", "least of the seeds"];
    let about = "Books whose nearest book is by the same author, and of the same series; mean ± standard deviation over the seeds.";
    section.table("Nearest book", about, &head, &rows);
    let shelf = Shelf::open(desk, SETS[0])?;
    pictures(desk, &mut section, &shelf)?;
    Ok(section.close(desk))
}

/// The text of a set in the words common to its series.
pub fn common(shelf: &Shelf) -> Text {
    let home = format!("{}/models", shelf.set);
    Text { home, corpus: shelf.corpus(), tensor: shelf.tensor() }
}

fn right(desk: &mut Desk, shelf: &Shelf, model: &Made) -> Result<Option<Right>, String> {
    let groups = shelf.groups();
    let flags = ["-n", "1", "--group", "book:author", "--groups", &groups];
    let Some(rows) = desk.ask(model, "covariates", &flags)? else { return Ok(None) };
    let mut right = Right::default();
    for row in rows.as_array().into_iter().flatten() {
        let book = |column: &str| row[column].as_str().and_then(|level| shelf.book(level));
        let (Some(book), Some(near)) = (book("level"), book("nearest")) else { continue };
        let same: [fn(&Book, &Book) -> bool; 2] =
            [|a, b| a.author == b.author, |a, b| a.series.is_some() && a.series == b.series];
        for (tally, same) in [&mut right.author, &mut right.series].into_iter().zip(same) {
            // Where there is no other, there is nothing to find.
            if shelf.books.iter().any(|other| other.name != book.name && same(book, other)) {
                tally[0] += usize::from(same(book, near));
                tally[1] += 1;
            }
        }
    }
    Ok(Some(right))
}

fn row(set: &str, name: &str, found: &[Right]) -> Vec<String> {
    let cell = |of: Tally| {
        let numbers: Vec<f64> = found.iter().map(|right| of(right)[0] as f64).collect();
        let whole = numbers.windows(2).all(|pair| pair[0] == pair[1]);
        let told = match (whole, numbers.first()) {
            (true, Some(all)) => format!("{all:.0}"),
            _ => spread(&numbers, 1),
        };
        format!("{told} of {}", of(&found[0])[1])
    };
    let least = |of: Tally| found.iter().map(|right| of(right)[0]).min();
    vec![
        set.to_owned(),
        name.to_owned(),
        found.len().to_string(),
        cell(|right| right.author),
        cell(|right| right.series),
        format!(
            "{}, {}",
            least(|right| right.author).unwrap_or(0),
            least(|right| right.series).unwrap_or(0)
        ),
    ]
}

fn check(section: &mut Section, set: &str, found: &[Right]) {
    let told = |of: Tally| {
        let numbers: Vec<String> = found.iter().map(|right| of(right)[0].to_string()).collect();
        format!("{} of {} by seed", numbers.join(", "), of(&found[0])[1])
    };
    let all = |of: Tally, least: fn(usize) -> usize| {
        Some(found.iter().all(|right| of(right)[0] >= least(of(right)[1])))
    };
    let (author, series): (Tally, Tally) = (|right| right.author, |right| right.series);
    match set {
        "twin29L" => {
            let claim = "29 books by 4 authors (`twin29L`): the nearest book by weights is by the same author for every book, with every seed";
            section.check(claim, told(author), all(author, |of| of));
            let claim = "`twin29L`: of the same series for at least 25 of 26, with every seed";
            section.check(claim, told(series), all(series, |of| of.saturating_sub(1)));
        }
        "multi41" => {
            let claim = "41 books by 6 authors (`multi41`): by the same author for at least 39 of 41, with every seed";
            section.check(claim, told(author), all(author, |of| of.saturating_sub(2)));
        }
        _ => {}
    }
}

fn pictures(desk: &mut Desk, section: &mut Section, shelf: &Shelf) -> Result<(), String> {
    let text = common(shelf);
    let groups = shelf.groups();
    for (method, model) in [
        ("covec", Method::Cover.model(desk, &text, 1)),
        ("s-efe", Method::SEfe.model(desk, &text, 1)),
        ("lda-50", lda(desk, &text, 50, 1)),
    ] {
        for show in ["map", "clusters"] {
            let flags = ["--show", show, "--group", "book:author", "--groups", &groups];
            let name = format!("{}-{method}-{show}", shelf.set);
            let svg = desk.draw(&model, "covariates", &flags, &name)?;
            let alt = format!("{} of the books of {} by {method}", noun(show), shelf.set);
            section.picture(&name, &alt, svg);
        }
    }
    Ok(())
}

fn noun(show: &str) -> &'static str {
    if show == "map" { "Map" } else { "Tree" }
}
