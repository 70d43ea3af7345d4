//! Does a joint model make more of little text? (§5.3, both tables.) How it goes with less: [`super::curves`].

use std::collections::BTreeMap;

use super::clustering::common;
use super::curves;
use super::desk::Desk;
use super::interval::Interval;
use super::made::Made;
use super::methods::{Method, Text};
use super::page::Section;
use super::scores::{Scores, TESTS, Test};
use super::shelf::Shelf;
use super::why;
use crate::numbers::mean;

type ByMethod = BTreeMap<Method, Scores>;

pub fn section(desk: &mut Desk) -> Result<Section, String> {
    let mut section = Section::new("Data efficiency (§5.3)");
    section.write(
        "The vectors under every book of `twin29L` are held to seven test sets: purity of clusters (AP, BLESS, Battig) and Spearman's ρ \
         (MEN, MTurk, RG65, RW). **slices** fits every book by itself, **pooled** all books as one, so that every book has the same vectors; \
         **S-EFE** is the separate exponential family embedding. Figures are means over books (and seeds); intervals are of the mean \
         difference over books (95 %, books drawn again). Each book is asked the items whose words occur in it, the same for all \
         methods: slices has vectors for no other words there. How strongly vectors are drawn to 0 is chosen by every method on its held-out pairs, \
         which need not be the best for these tests; so slices and pooled are also shown with the ridge that did best on them (all but Battig, large \
         vocabulary, seed 1) among three for slices and five for pooled, which nobody knows beforehand. CoVeR and S-EFE stay with what they have.",
    );
    let shelf = Shelf::open(desk, "twin29L")?;
    let large_found = gathered(desk, &shelf, &large(&shelf))?;
    let small_found = gathered(desk, &shelf, &common(&shelf))?;
    let all = everything(desk, &large(&shelf))?;
    let about = "All words that occur ten times or more.";
    tables(&mut section, "Large vocabulary", about, &large_found);
    let about = "The words common to all series, as in the paper. RG65, MTurk and RW keep few items there: read them with care.";
    tables(&mut section, "Common vocabulary", about, &small_found);
    let about = "Every book is asked all items of the large vocabulary, also with words that do not occur in it, of which a joint model knows something \
                 from other books. slices leaves those out, so its scores are of fewer and more common words.";
    tables(&mut section, "All items, large vocabulary", about, &all);
    for (vocabulary, found) in [("large", &large_found), ("common", &small_found)] {
        checks(&mut section, vocabulary, found);
    }
    why::table(desk, &mut section, &shelf)?;
    if !desk.quick {
        section.write(
            "By the paper's objective S-EFE is ahead of CoVeR on most tests, which the paper does not report. The methods at the bottom of the table have in \
             common that they know which pairs of words did *not* meet, where a fit to logarithms of counts, GloVe's and CoVeR's, looks only at those \
             that did; in three million words most pairs that could meet do not. That was it: told of them, covec gains on every test, and so does \
             one GloVe of all text.",
        );
    }
    curves::draw(desk, &mut section, &shelf)?;
    Ok(section.close(desk))
}

/// The text of a set with all words that occur ten times.
pub fn large(shelf: &Shelf) -> Text {
    let home = format!("{}/models-large", shelf.set);
    Text { home, corpus: shelf.corpus(), tensor: shelf.large() }
}

/// Scores of all methods, each book by its own items; the first seed of each before the second of any.
fn gathered(desk: &mut Desk, shelf: &Shelf, text: &Text) -> Result<ByMethod, String> {
    let mut found = ByMethod::new();
    let items = Made::items(&text.tensor);
    let books: Vec<String> = shelf.books.iter().map(|book| book.name.clone()).collect();
    for seed in 1..=desk.seeds {
        for method in Method::ALL {
            let model = method.model(desk, text, seed);
            let mut scores = found.get(&method).cloned().unwrap_or_default();
            // A seed counts only if all its books were asked.
            if scores.add_own(desk, &model, &items, &books, &[])? {
                found.insert(method, scores);
            }
        }
    }
    Ok(found)
}

/// Scores of all methods, every book by all items.
fn everything(desk: &mut Desk, text: &Text) -> Result<ByMethod, String> {
    let mut found = ByMethod::new();
    for seed in 1..=desk.seeds {
        for method in Method::ALL {
            let model = method.model(desk, text, seed);
            found.entry(method).or_default().add_all(desk, &model)?;
        }
    }
    found.retain(|_, scores| scores.seeds > 0);
    Ok(found)
}

fn tables(section: &mut Section, title: &str, about: &str, found: &ByMethod) {
    let Some(cover) = found.get(&Method::Cover) else { return };
    let tests = TESTS.iter().map(|test| format!("{} ({:.0} items)", test.name, cover.used(test)));
    let head: Vec<String> = std::iter::once("method (seeds)".to_owned()).chain(tests).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).chain(["mean of the seven"]).collect();
    let figure = |numbers: Vec<f64>| match numbers.is_empty() {
        true => "–".to_owned(),
        false => format!("{:.3}", mean(&numbers)),
    };
    let mut rows = Vec::new();
    for (method, scores) in found {
        let cells = TESTS.iter().map(|test| figure(scores.numbers(test)));
        let name = format!("{} ({})", method.name(), scores.seeds);
        let overall = figure(scores.overall().into_values().collect());
        rows.push(std::iter::once(name).chain(cells).chain([overall]).collect());
    }
    section.table(&format!("{title}: scores"), about, &head, &rows);
    let told = |numbers: Vec<f64>| Interval::of(&numbers).map_or("–".to_owned(), |i| i.text());
    let mut rows = Vec::new();
    for (method, scores) in found.iter().filter(|(method, _)| **method != Method::Cover) {
        let cells = TESTS.iter().map(|test| told(cover.beyond(scores, test)));
        let name = format!("CoVeR − {}", method.name());
        let overall = told(cover.beyond_overall(scores));
        rows.push(std::iter::once(name).chain(cells).chain([overall]).collect());
    }
    let about = "Mean difference over books and its interval; above 0 CoVeR is ahead.";
    section.table(&format!("{title}: differences to CoVeR"), about, &head, &rows);
}

fn checks(section: &mut Section, vocabulary: &str, found: &ByMethod) {
    for method in [Method::Slices, Method::SlicesTuned, Method::SEfe] {
        let claim = format!(
            "{vocabulary} vocabulary: CoVeR is ahead of {} on all seven tasks, with intervals over books that exclude 0 on at least six",
            method.name()
        );
        let Some((cover, other)) = found.get(&Method::Cover).zip(found.get(&method)) else {
            section.check(&claim, "–", None);
            continue;
        };
        let interval =
            |test: &'static Test| Some((test.name, Interval::of(&cover.beyond(other, test))?));
        let all: Vec<(&str, Interval)> = TESTS.iter().filter_map(interval).collect();
        let ahead = all.iter().filter(|(_, interval)| interval.mean > 0.0).count();
        let unsure: Vec<String> = all
            .iter()
            .filter(|(_, interval)| interval.low <= 0.0)
            .map(|(name, interval)| format!("{name} {}", interval.text()))
            .collect();
        let sure = all.len() - unsure.len();
        let rest = if unsure.is_empty() {
            String::new()
        } else {
            format!("; not sure: {}", unsure.join(", "))
        };
        let measured = format!("ahead on {ahead} of {}, surely on {sure}{rest}", TESTS.len());
        section.check(&claim, measured, Some(ahead == TESTS.len() && sure + 1 >= TESTS.len()));
    }
    for method in [Method::Pooled, Method::PooledTuned] {
        let claim = format!(
            "{vocabulary} vocabulary: CoVeR is not behind {} on the mean of the seven",
            method.name()
        );
        let both = found.get(&Method::Cover).zip(found.get(&method));
        let difference = both.and_then(|(cover, other)| Interval::of(&cover.beyond_overall(other)));
        let measured = difference.map_or("–".to_owned(), |interval| interval.text());
        section.check(&claim, measured, difference.map(|interval| interval.mean >= 0.0));
    }
}
