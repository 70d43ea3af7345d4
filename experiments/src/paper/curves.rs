//! How much text does a book need? Quality against the part of it that is left.

use std::collections::BTreeMap;

use covec_report::{Chart, Estimate, Interval as Between, Lines, Series};

use super::desk::Desk;
use super::interval::Interval;
use super::made::Made;
use super::methods::Method;
use super::page::Section;
use super::scores::{Scores, TESTS};
use super::shelf::Shelf;
use super::shortened::{SHARES, Shortened};

/// What is drawn of scores.
type Measure = fn(&Scores) -> Option<Interval>;

const MEASURES: [(&str, &str, Measure); 2] = [
    ("curves-men", "MEN, Spearman's ρ", |scores| {
        let test = TESTS.iter().find(|test| test.file == "men")?;
        Interval::of(&scores.numbers(test))
    }),
    ("curves-mean", "mean of the seven tests", |scores| {
        Interval::of(&scores.overall().into_values().collect::<Vec<_>>())
    }),
];

fn estimate(of: Interval) -> Estimate {
    Estimate { value: of.mean, interval: Some(Between { low: of.low, high: of.high }) }
}

fn figure(estimate: Estimate) -> String {
    let interval = estimate.interval.map(|i| format!(" [{:.3}, {:.3}]", i.low, i.high));
    format!("{:.3}{}", estimate.value, interval.unwrap_or_default())
}

pub fn draw(desk: &mut Desk, section: &mut Section, shelf: &Shelf) -> Result<(), String> {
    let mut found: BTreeMap<Method, [Scores; SHARES.len()]> = BTreeMap::new();
    let parts = SHARES.iter().map(|&share| Shortened::new(desk, shelf, share));
    let parts: Vec<Shortened> = parts.collect::<Result<_, _>>()?;
    let books = parts.first().map_or(&[][..], |part| &part.books[..]);
    let (told, cut) = (books.join(", "), books.len());
    let items = Made::items(&shelf.large());
    for seed in 1..=desk.seeds {
        for method in Method::ALL {
            // A seed counts only if all its books were asked, whatever was left of them.
            let mut more = found.get(&method).cloned().unwrap_or_default();
            let mut whole = true;
            for (scores, part) in more.iter_mut().zip(&parts) {
                let model = method.model(desk, &part.text(shelf), seed);
                let flags = ["--missing", "mean"];
                whole &= scores.add_own(desk, &model, &items, &part.books, &flags)?;
            }
            if whole {
                found.insert(method, more);
            }
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    section.write(&format!(
        "### Curves: how much text a book needs\n\nOf one book of every author ({told}) only a part is left, its beginning; all other \
         books stay whole. Vectors under these books, large vocabulary, means over the {cut} books and the seeds, with intervals from these books drawn again (95 %; of so few \
         books they are on the narrow side). The items are those whose words \
         occur in the whole book; where a word no longer occurs, slices is given the mean vector for it (`--missing mean`)."
    ));
    let categories =
        SHARES.map(|share| if share == 1 { "all".to_owned() } else { format!("1/{share}") });
    for (name, title, measure) in MEASURES {
        let series = found.iter().map(|(method, scores)| Series {
            name: format!("{} ({})", method.name(), scores[0].seeds),
            values: scores.iter().map(|scores| measure(scores).map(estimate)).collect(),
        });
        let lines = Lines {
            categories: categories.to_vec(),
            series: series.collect(),
            markers: Vec::new(),
        };
        let row = |line: &Series| {
            let cell = |value: &Option<Estimate>| value.map_or("–".to_owned(), figure);
            std::iter::once(line.name.clone()).chain(line.values.iter().map(cell)).collect()
        };
        let rows: Vec<Vec<String>> = lines.series.iter().map(row).collect();
        let head: Vec<&str> = std::iter::once("method (seeds)")
            .chain(categories.iter().map(String::as_str))
            .collect();
        section.table(title, "By the part of the text that is left.", &head, &rows);
        let chart = Chart::new(format!("How much text a book needs: {title}"), lines)
            .map_err(|e| e.to_string())?
            .with_subtitle("Vectors under books of which only the beginning is left")
            .with_x_label("part of the book that is left")
            .with_y_label("score");
        section.chart(name, title, &chart);
    }
    Ok(())
}
