//! `covec project`: words on an axis of the user's, level by level.

use clap::{Arg, ArgMatches, Command};
use covec::analyse::project::{Axis, project};
use covec::resample::as_in;
use covec_report::answers::project as charts;
use serde_json::json;

use crate::failure::Failure;
use crate::question::{self, Question};
use crate::screen::Screen;
use crate::table::{Format, Printed, Table, print, thousands};

pub(crate) fn command() -> Command {
    let command = Command::new("project")
        .about("Where words stand on an axis of yours, under every level")
        .long_about(
            "Where words stand on an axis of yours, under every level: the cosine with the difference of the mean \
             vectors of its two ends, negative towards the left, positive towards the right. Along an ordered factor \
             this is a trend.",
        )
        .after_help(
            "Examples:\n  \
             covec project model/ labor farmers banks --axis poor,weak:rich,strong\n  \
             covec project model/ immigration --axis danger:hope --in era=1861-1912 --in era=1981-2026 --format csv",
        );
    question::sureness(question::command(command, "1000"))
        .arg(question::words("Words to look at"))
        .arg(
            Arg::new("axis")
                .long("axis")
                .value_name("LEFT,…:RIGHT,…")
                .help("The two ends, words joined by commas")
                .required(true),
        )
        .arg(question::levels("base and every level of the first factor"))
        .arg(question::plot())
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let question = Question::open(matches, &screen)?;
    let Question { model, support, work, .. } = &question;
    let axis = Axis::named(model, question.text("axis").unwrap_or_default())?;
    let views = question.views_with_base()?;
    let words = question.texts("word");
    for word in &words {
        support.anywhere(model, &[model.word(word)?], &views)?;
    }
    let answer = project(model, &words, &axis, &views, support, work)?;
    let written = question.text("axis").unwrap_or_default();
    if answer.rows.iter().all(|row| row.position.is_none()) {
        let least = support.min_support.0;
        return Err(Failure::Usage(format!(
            "--axis {written}: no word of one of its ends occurs often enough where the words do\n  expected: {least} times \
             or more\n  way out: more common words, or lower --min-support"
        )));
    }
    if question.format != Format::Table || question.has("boot") {
        return question.draw_and_print_sure(
            answer,
            |model, rows| {
                Ok(as_in(rows, &project(model, &words, &axis, &views, support, work)?.rows))
            },
            |rows, sureness| charts::positions(rows, sureness, written),
        );
    }
    question.draw(|| charts::positions(&answer.rows, &[], written))?;
    // A word a row, a level a column.
    let mut table = Table::new(
        std::iter::once("word".to_owned()).chain(views.iter().map(|view| view.name.clone())),
    );
    for own in answer.rows.chunks(views.len()) {
        let cells = own.iter().map(|row| match row.position {
            Some(position) => json!(format!("{position:+.2} ({})", thousands(row.count))),
            None => json!(format!("– ({})", thousands(row.count))),
        });
        table.push(std::iter::once(json!(own[0].word)).chain(cells).collect());
    }
    let least = support.min_support.0;
    print(&format!(
        "{}(N): how often the word occurs there; –: it, or all words of an end of the axis, occur fewer than {least} times\n",
        table.text(Format::Table, question.most)?
    ))
}
