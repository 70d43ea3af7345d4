//! A section for one word: neighbours, drift, an explanation, similarities, lines of the corpus.

use std::fmt::Write as _;

use covec::analyse::View;
use covec::analyse::drift::{DriftParameters, Mover, drift};
use covec::analyse::explain::explain;
use covec::analyse::neighbors::{Change, Neighbor, neighbors};
use covec::analyse::similarity::{Similarity, similarity};
use covec::model::Model;
use covec::parameters::Whole;
use covec::resample::as_in;
use covec::resample::measures::of_movers;
use covec::resample::steady::{NEAREST, steady_neighbors};

use super::figures::{count, percent};
use super::movers::LevelMoves;
use super::sheet::{Sheet, drawn};
use super::sure::{Sureness, estimate};
use super::table::{Cell, Table};
use super::{Question, ReportError};
use crate::answers::drift::movers;
use crate::answers::short as level_name;
use crate::svg::canvas::escape;
use crate::{Bar, Bars, Chart, ChartError, Estimate, Lines, Series};

/// Words whose similarity is followed, for each direction.
const FOLLOWED: usize = 3;
/// Movers that are drawn, for each direction.
const DRAWN: usize = 8;
/// Only words among so many nearest, in the base or the level, are followed: of others there are many, and rare ones.
const NEAR: u64 = 60;

/// What the analyses say of a word.
pub(super) struct Page {
    pub(super) word: String,
    pub(super) id: usize,
    /// Its own and topical part in every level in which it occurs often enough.
    parts: Vec<(View, Estimate, f64)>,
    /// The level in which it moved most by its own part.
    pub(super) most: Option<View>,
    /// What moved around it there.
    pub(super) around: Vec<Mover>,
    sureness: Sureness,
}

impl Page {
    pub(super) fn ask(
        question: &Question<'_>,
        moves: &[LevelMoves],
        word: &str,
    ) -> Result<Self, ReportError> {
        let Question { model, asked, work, .. } = question;
        let id = model.word(word)?;
        let mut parts = Vec::new();
        for own in moves {
            let rows = own.words.as_ref().map_or(&[][..], |words| &words.rows);
            let row = rows.iter().enumerate().find(|(_, row)| row.word == word);
            parts.extend(row.map(|(at, row)| {
                let bars = own.tested.get(at).map(|tested| &tested.sure.bars);
                (own.view.clone(), estimate(row.own, bars, "own"), row.topical)
            }));
        }
        // Of equal ones the first.
        let most = parts.iter().rev().max_by(|a, b| a.1.value.total_cmp(&b.1.value));
        let most = most.map(|(view, ..)| view.clone());
        let around = match &most {
            Some(to) => {
                let parameters =
                    DriftParameters { near: Whole(NEAR), ..DriftParameters::default() };
                let base = View::base();
                drift(model, word, (&base, to), DRAWN, &parameters, &asked.support, work)?.rows
            }
            None => Vec::new(),
        };
        let sureness = question.sureness(&around, of_movers)?;
        Ok(Self { word: word.to_owned(), id, parts, most, around, sureness })
    }

    /// What moved most around the word.
    pub(super) fn furthest(&self) -> Option<&Mover> {
        let far = |mover: &Mover| mover.ratio.ln().abs();
        self.around.iter().rev().max_by(|a, b| far(a).total_cmp(&far(b)))
    }
}

/// The anchor of a word's section; only plain words can be anchors themselves.
fn anchor(word: &str, place: usize) -> String {
    match !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric()) {
        true => format!("word-{word}"),
        false => format!("word-{}", place + 1),
    }
}

pub(super) fn write(
    question: &Question<'_>,
    page: &Page,
    place: usize,
    sheet: &mut Sheet,
) -> Result<(), ReportError> {
    let Question { model, asked, views, work } = question;
    let word = &page.word;
    sheet.part(&anchor(word, place), word);
    let all = View::base().count(model, page.id);
    if all < question.least() {
        sheet.text(&format!(
            "Too rare to say: it occurs {} times in the corpus, of {} it should.",
            count(all),
            question.least()
        ));
        return Ok(());
    }
    near(question, page, sheet)?;
    if page.parts.is_empty() {
        if !views.is_empty() {
            sheet.text("In no level it occurs often enough to say whether it is used differently.");
        }
        return Ok(());
    }
    drawn(sheet, parts(page))?;
    let (Some(to), Some(furthest)) = (&page.most, page.furthest()) else { return Ok(()) };
    sheet.small(&format!("What moved most around “{word}” in {}", to.name));
    let told = explain(model, word, &furthest.other, &View::base(), to, &asked.support)?;
    sheet.text(&told.first(model, model.dim, &asked.support, work)?.paragraph());
    drawn(sheet, movers(&page.around, &page.sureness))?;
    drawn(sheet, similarities(question, page, to)?)?;
    Ok(())
}

/// Neighbours in the base and every level, side by side, for each factor.
fn near(question: &Question<'_>, page: &Page, sheet: &mut Sheet) -> Result<(), ReportError> {
    let Question { model, views, .. } = question;
    let no_levels = [Vec::new()];
    let factors: &[Vec<View>] = if views.is_empty() { &no_levels } else { views };
    for levels in factors {
        let mut own = vec![View::base()];
        own.extend(levels.iter().cloned());
        let near = Near::ask(question, &page.word, &own)?;
        let of = |view: &View| near.iter().filter(|near| near.row.level == view.name).collect();
        let lists: Vec<Vec<&Near>> = own.iter().map(of).collect();
        let heads = own.iter().map(|view| {
            format!("{} ({})", level_name(&view.name), count(view.count(model, page.id)))
        });
        let mut table = Table::new(heads);
        let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
        for rank in 0..longest {
            let cell = |list: &Vec<&Near>| match list.get(rank) {
                Some(near) => Cell::html(near.html()),
                None if list.is_empty() && rank == 0 => Cell::faint("too rare to say"),
                None => Cell::text(""),
            };
            table.push(lists.iter().map(cell).collect());
        }
        if !table.is_empty() {
            let mut caption =
                "Nearest words (in brackets: how often the word occurs there)".to_owned();
            if near.iter().any(|near| near.share.is_some()) {
                let _ = write!(
                    caption,
                    "; with their cosine, and in what share of the draws they are among the {NEAREST} nearest"
                );
            }
            sheet.table(&table.with_caption(&caption));
        }
    }
    Ok(())
}

/// A near word, and in what share of the draws it is near, if documents were drawn again.
struct Near {
    row: Neighbor,
    share: Option<f64>,
}

impl Near {
    fn ask(question: &Question<'_>, word: &str, views: &[View]) -> Result<Vec<Self>, ReportError> {
        let Question { model, asked, work, .. } = question;
        let (rows, support) = (asked.rows, &asked.support);
        if let Some(resamples) = asked.resamples.filter(|own| own.drawn.is_some()) {
            let found =
                steady_neighbors(model, &[word.to_owned()], views, rows, support, resamples, work)?
                    .rows;
            let near = found.into_iter();
            return Ok(near
                .map(|own| Self { row: own.sure.row, share: own.among_nearest })
                .collect());
        }
        let found = neighbors(model, word, views, rows, support, work)?.rows.into_iter();
        let kept = found.filter(|row| row.change != Some(Change::Lost));
        Ok(kept.map(|row| Self { row, share: None }).collect())
    }

    fn html(&self) -> String {
        let row = &self.row;
        let word = escape(&row.neighbor);
        let mut html = match row.change {
            Some(Change::Gained) => format!("<span class=\"gained\">+ {word}</span>"),
            _ => word,
        };
        let _ = write!(html, " ({})<small>{:.2}", count(row.neighbor_count), row.cosine);
        if let Some(share) = self.share {
            let _ = write!(html, ", {}", percent(share));
        }
        html.push_str("</small>");
        html
    }
}

fn parts(page: &Page) -> Result<Chart, ChartError> {
    let bar = |(view, own, topical): &(View, Estimate, f64)| Bar {
        label: view.name.clone(),
        value: own.value,
        interval: own.interval,
        second: Some(*topical),
        ..Bar::default()
    };
    let bars = Bars {
        bars: page.parts.iter().map(bar).collect(),
        value_name: "own".to_owned(),
        second_name: "topical".to_owned(),
        ..Bars::default()
    };
    Ok(Chart::new(format!("How far “{}” moved from the base", page.word), bars)?
        .with_subtitle("In every level in which it occurs often enough; 0.1: its company is met some 10 % more or less often")
        .with_x_label("change of its company"))
}

/// The similarity with what moved most, over the levels of the factor in which it did.
fn similarities(
    question: &Question<'_>,
    page: &Page,
    to: &View,
) -> Result<Result<Chart, ChartError>, ReportError> {
    let Question { model, asked, views, .. } = question;
    let levels = views.iter().find(|own| own.contains(to)).map_or(&[][..], Vec::as_slice);
    let closer = page.around.iter().filter(|mover| mover.ratio < 1.0).take(FOLLOWED);
    let further = page.around.iter().filter(|mover| mover.ratio > 1.0).take(FOLLOWED);
    let mut series = Vec::new();
    for mover in closer.chain(further) {
        let ask =
            |model: &Model| similarity(model, &page.word, &mover.other, levels, &asked.support);
        let Ok(answer) = ask(model) else { continue };
        let sureness =
            question.sureness(&answer.rows, |model, rows| Ok(as_in(rows, &ask(model)?.rows)))?;
        let value = |(at, row): (usize, &Similarity)| {
            Some(estimate(row.cosine?, sureness.get(at), "cosine"))
        };
        let values = answer.rows.iter().enumerate().map(value).collect();
        series.push(Series { name: mover.other.clone(), values });
    }
    let lines = Lines {
        categories: levels.iter().map(|view| level_name(&view.name).to_owned()).collect(),
        series,
        ..Lines::default()
    };
    let chart =
        Chart::new(format!("How near “{}” is to what moved, level by level", page.word), lines);
    Ok(chart.map(|chart| {
        chart
            .with_subtitle(
                "Cosine of the two words' vectors; a gap where one of them is too rare to say",
            )
            .with_y_label("cosine")
    }))
}
