//! `covec neighbors`: the words nearest to a word, level beside level.

use clap::{ArgMatches, Command};
use covec::analyse::neighbors::{Change, Neighbor, nearness, neighbors};
use covec::analyse::{Answer, SupportParameters, View};
use covec::model::Model;
use covec::resample::steady::{NEAREST, steady_neighbors};
use covec_report::answers::neighbors as charts;

use crate::columns::{self, Column};
use crate::evidence;
use crate::failure::Failure;
use crate::question::{self, Question};
use crate::screen::Screen;
use crate::table::{Format, print, thousands};

/// What the marks of the printed lists mean.
pub(crate) const LEGEND: &str = "Cosine beside each word; (N): how often it occurs there; +: not among the nearest in the first list.";

pub(crate) fn command() -> Command {
    let command = Command::new("neighbors")
        .about("Show the words nearest to a word, by its base vector and under every level")
        .after_help(
            "Examples:\n  \
             covec neighbors model/ freedom\n  \
             covec neighbors model/ freedom --in party=Democratic --in party=Republican -n 20\n  \
             covec neighbors model/ freedom --plot freedom.svg\n  \
             covec neighbors model/ freedom --evidence 2 --corpus speeches.jsonl",
        );
    question::sureness(evidence::arguments(question::command(command, "10")))
        .arg(question::words("Words to look at"))
        .arg(question::levels("base and every level of the first factor"))
        .arg(question::plot())
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let question = Question::open(matches, &screen)?;
    let views = question.views_with_base()?;
    let Question { model, support, work, most, .. } = &question;
    let words = question.texts("word");
    question.one_picture(words.len(), "one WORD")?;
    if let Some(resamples) = question.resamples()? {
        let steady = steady_neighbors(model, &words, &views, *most, support, &resamples, work)?;
        if question.format == Format::Table {
            screen.say(&format!(
                "among_nearest: share of the replicates in which it is among the {NEAREST} nearest"
            ));
        }
        let plain: Vec<Neighbor> = steady.rows.iter().map(|own| own.sure.row.clone()).collect();
        if let (true, [word]) = (question.plots(), &words[..]) {
            let near = nearness(model, word, &plain, &views, support)?;
            question.draw(|| charts::nearness(word, &near))?;
        }
        return question.print_bars_shown(steady.rows, &plain, steady.left_out);
    }
    let mut answer = Answer::default();
    let mut lists = String::new();
    for word in &words {
        support.anywhere(model, &[model.word(word)?], &views)?;
        let own = neighbors(model, word, &views, *most, support, work)?;
        if question.plots() {
            let near = nearness(model, word, &own.rows, &views, support)?;
            question.draw(|| charts::nearness(word, &near))?;
        }
        if question.format == Format::Table {
            lists += &side_by_side(model, word, &views, &own.rows, support)?;
        }
        answer.join(own);
    }
    if question.format == Format::Table {
        answer.rows.retain(|row| row.change != Some(Change::Lost));
        let evidence = evidence::wanted(matches, model, &answer.rows, work)?;
        let lines =
            evidence.map_or_else(String::new, |found| evidence::below(&answer.rows, &found));
        screen.clear();
        question.tell_left_out(answer.left_out);
        return print(&format!("{lists}\n{LEGEND}\n{lines}"));
    }
    let Some(evidence) = evidence::wanted(matches, model, &answer.rows, work)? else {
        return question.print_all(&answer);
    };
    let rows = evidence::shown(answer.rows, evidence);
    question.print_all(&Answer { rows, left_out: answer.left_out })
}

/// The neighbours of a word, which `rows` are, a column for every view in which it occurs often enough.
pub(crate) fn side_by_side(
    model: &Model,
    word: &str,
    views: &[View],
    rows: &[Neighbor],
    support: &SupportParameters,
) -> Result<String, Failure> {
    let id = model.word(word)?;
    let (mut columns, mut rare) = (Vec::new(), Vec::new());
    let names = model.covariates.level_names();
    let short = |level: &usize| names[*level].split_once('=').map_or("", |(_, name)| name);
    for view in views {
        let own: Vec<&Neighbor> = rows.iter().filter(|row| row.level == view.name).collect();
        let short = match &view.levels[..] {
            [] => view.name.clone(),
            levels => levels.iter().map(short).collect::<Vec<_>>().join(", "),
        };
        let count = thousands(view.count(model, id));
        if own.is_empty() {
            rare.push(format!("{short} ({count})"));
            continue;
        }
        let near = own.iter().filter(|row| row.change != Some(Change::Lost));
        let mark = |row: &Neighbor| if row.change == Some(Change::Gained) { "+" } else { " " };
        let cell = |row: &&Neighbor| {
            let count = thousands(row.neighbor_count);
            format!("{}{} ({count}) {:.2}", mark(row), row.neighbor, row.cosine)
        };
        let cells = near.map(cell);
        columns.push(Column { title: format!(" {short} ({count})"), cells: cells.collect() });
    }
    let mut text = format!("\n{}", columns::side_by_side(word, &columns)?);
    if !rare.is_empty() {
        let least = support.min_support.0;
        text += &format!("too rare to say (fewer than {least}): {}\n", rare.join(", "));
    }
    Ok(text)
}
