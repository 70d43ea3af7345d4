//! Are books known by the weights of their levels? (§5.1 and figure 2 of the paper.)

use std::collections::BTreeMap;

use serde_json::Value;

use super::by_vectors::compare;
use super::desk::Desk;
use super::efficiency::large;
use super::interval::spread;
use super::made::Made;
use super::methods::{Method, Text, lda};
use super::page::Section;
use super::shelf::{Book, Shelf};

pub const SETS: [&str; 3] = ["twin29L", "twin29", "multi41"];
const TOPICS: [u64; 3] = [20, 50, 100];
/// The default of `covec covariates`, and one that no book is nearest to many by.
const DISTANCES: [&str; 2] = ["cosine", "mutual"];

/// Of the books that have others of their author, or of their series: for how many the nearest is one of them.
#[derive(Default)]
struct Right {
    author: [usize; 2],
    series: [usize; 2],
    /// Books, and the nearest, where that is by another author.
    wrong: Vec<(String, String)>,
}

/// Either tally of [`Right`].
type Tally = fn(&Right) -> [usize; 2];

pub fn section(desk: &mut Desk) -> Result<Section, String> {
    let mut section = Section::new("Books by their weights (§5.1, figure 2)");
    section.write(
        "Every book is a level. The nearest book by weights (`covec covariates`) should be of the same series, or at least by the \
         same author. The vocabulary is the words that occur in every series of two books or more: the series are counted with \
         `--min-level-count series=1`, and their words are the list of `--words` (common). Beside it stand all words that occur ten times or more (large). LDA's books are compared by their \
         shares of the topics, by the same command. S-EFE has no weights: its books are compared by how the vectors of all words differ from their mean \
         over the books, 1 − cos. Some books are near to many others; by `--distance mutual` it counts how near two books are among all that each of them \
         knows. It was chosen among some ten distances on these very books, for all methods alike.",
    );
    let (mut rows, mut wrong) = (Vec::new(), Vec::new());
    for set in SETS {
        let shelf = Shelf::open(desk, set)?;
        for (vocabulary, text) in [("common", common(&shelf)), ("large", large(&shelf))] {
            for (name, models) in compared(desk, &text, vocabulary) {
                for distance in DISTANCES {
                    let mut found = Vec::new();
                    for model in &models {
                        found.extend(right(desk, &shelf, model, distance)?);
                    }
                    if found.is_empty() {
                        continue;
                    }
                    rows.push(row([set, vocabulary, &name, distance], &found));
                    if name == Method::Cover.name() {
                        check(&mut section, set, [vocabulary, distance], &found);
                        wrong.extend(mistakes([set, vocabulary, distance], &found));
                    }
                }
            }
        }
    }
    let head = [
        "books",
        "words",
        "method",
        "distance",
        "seeds",
        "same author",
        "same series",
        "least of the seeds",
    ];
    let about = "Books whose nearest book is by the same author, and of the same series; mean ± standard deviation over the seeds.";
    section.table("Nearest book", about, &head, &rows);
    let head = ["books", "words", "distance", "book", "its nearest, by another author", "seeds"];
    section.table("Where CoVeR names another author", "", &head, &wrong);
    if !desk.quick {
        section.write(
            "What goes wrong is genre before author: *The White Company* is a novel of the Middle Ages, in the speech of its time, and stands alone among \
             Doyle's in its set; by the plain shares of its words (cosine of centred roots) it lies nearest to Haggard's adventures, too. In `multi41`, *The Lost World* \
             (professor-challenger-01) is a journey to dinosaurs among detective stories. LDA and S-EFE use all that is known of the words and not a \
             hundred weights a book. More than weights would not help it: with a full matrix for every book in their place, 5,050 numbers, its nearest is Haggard's \
             or Trollope's all the same (seeds 1 to 3, two strengths of ridge, by hand; 26 of 26 series).",
        );
    }
    let shelf = Shelf::open(desk, SETS[0])?;
    pictures(desk, &mut section, &shelf)?;
    Ok(section.close(desk))
}

/// The methods, each with its models.
fn compared(desk: &Desk, text: &Text, vocabulary: &str) -> Vec<(String, Vec<Made>)> {
    let by_seed = |model: &dyn Fn(u64) -> Made| (1..=desk.seeds).map(model).collect();
    let of = |method: Method| {
        (method.name().to_owned(), by_seed(&|seed| method.model(desk, text, seed)))
    };
    let mut methods = vec![of(Method::Cover)];
    // One fit of the others takes as long as many of CoVeR.
    if vocabulary == "common" {
        methods.push(of(Method::SEfe));
        methods.extend(TOPICS.map(|topics| {
            let models = by_seed(&|seed| lda(desk, text, topics, seed));
            (format!("LDA, {topics} topics"), models)
        }));
    }
    methods
}

/// Books whose nearest is by another author, with how often.
fn mistakes(of: [&str; 3], found: &[Right]) -> Vec<Vec<String>> {
    let mut times: BTreeMap<&(String, String), usize> = BTreeMap::new();
    for pair in found.iter().flat_map(|right| &right.wrong) {
        *times.entry(pair).or_default() += 1;
    }
    let row = |((book, near), n): (&(String, String), usize)| {
        let seeds = format!("{n} of {}", found.len());
        let of = of.map(str::to_owned).into_iter();
        of.chain([book.clone(), near.clone(), seeds]).collect()
    };
    times.into_iter().map(row).collect()
}

/// The text of a set in the words common to its series.
pub fn common(shelf: &Shelf) -> Text {
    let home = format!("{}/models", shelf.set);
    Text { home, corpus: shelf.corpus(), tensor: shelf.tensor() }
}

/// S-EFE has no weights; its books are compared by their words' vectors.
fn by_vectors(
    desk: &mut Desk,
    shelf: &Shelf,
    model: &Made,
    distance: &str,
) -> Result<Option<Value>, String> {
    let groups = desk.path(&shelf.groups());
    let mut what = "books by how their words' vectors differ from the mean".to_owned();
    if distance != DISTANCES[0] {
        what += &format!(", {distance}");
    }
    desk.measure(model, &what, |path| compare(path, &groups, distance))
}

fn right(
    desk: &mut Desk,
    shelf: &Shelf,
    model: &Made,
    distance: &str,
) -> Result<Option<Right>, String> {
    let groups = shelf.groups();
    let mut flags = vec!["-n", "1", "--group", "book:author", "--groups", &groups];
    if distance != DISTANCES[0] {
        flags.extend(["--distance", distance]);
    }
    let rows = match model.method() {
        Some("s-efe") => {
            by_vectors(desk, shelf, model, distance)?.map(|found| found["nearest"].clone())
        }
        _ => desk.ask(model, "covariates", &flags)?,
    };
    let Some(rows) = rows else { return Ok(None) };
    let mut right = Right::default();
    for row in rows.as_array().into_iter().flatten() {
        let book = |column: &str| row[column].as_str().and_then(|level| shelf.book(level));
        let (Some(book), Some(near)) = (book("level"), book("nearest")) else { continue };
        let same: [fn(&Book, &Book) -> bool; 2] =
            [|a, b| a.author == b.author, |a, b| a.series.is_some() && a.series == b.series];
        if book.author != near.author {
            right.wrong.push((book.name.clone(), near.name.clone()));
        }
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

fn row(of: [&str; 4], found: &[Right]) -> Vec<String> {
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
    let told = [
        found.len().to_string(),
        cell(|right| right.author),
        cell(|right| right.series),
        format!(
            "{}, {}",
            least(|right| right.author).unwrap_or(0),
            least(|right| right.series).unwrap_or(0)
        ),
    ];
    of.map(str::to_owned).into_iter().chain(told).collect()
}

fn check(section: &mut Section, set: &str, [words, distance]: [&str; 2], found: &[Right]) {
    let words = format!("{words} words, {distance}");
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
            let claim = format!(
                "29 books by 4 authors (`twin29L`, {words}): the nearest book by weights is by the same author for every book, with every seed"
            );
            section.check(&claim, told(author), all(author, |of| of));
            let claim = format!(
                "`twin29L`, {words}: of the same series for at least 25 of 26, with every seed"
            );
            section.check(&claim, told(series), all(series, |of| of.saturating_sub(1)));
        }
        "multi41" => {
            let claim = format!(
                "41 books by 6 authors (`multi41`, {words}): by the same author for at least 39 of 41, with every seed"
            );
            section.check(&claim, told(author), all(author, |of| of.saturating_sub(2)));
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
            let svg = match model.method() {
                Some("s-efe") => by_vectors(desk, shelf, &model, DISTANCES[0])?
                    .and_then(|found| found[show].as_str().map(str::to_owned)),
                _ => desk.draw(&model, "covariates", &flags, &name)?,
            };
            let alt = format!("{} of the books of {} by {method}", noun(show), shelf.set);
            section.picture(&name, &alt, svg);
        }
    }
    Ok(())
}

fn noun(show: &str) -> &'static str {
    if show == "map" { "Map" } else { "Tree" }
}
