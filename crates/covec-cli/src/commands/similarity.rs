//! `covec similarity`: how near two words are, level by level.

use clap::{Arg, ArgMatches, Command};
use covec::analyse::View;
use covec::analyse::similarity::similarity;
use covec::resample::as_in;
use covec_report::answers::similarity as charts;

use crate::failure::Failure;
use crate::question::{self, Question};
use crate::screen::Screen;

pub(crate) fn command() -> Command {
    let command = Command::new("similarity")
        .about("How near two words are, in the base and under every level")
        .after_help("Example:\n  covec similarity model/ freedom religion");
    question::sureness(question::command(command, "1000"))
        .arg(Arg::new("a").value_name("A").help("A word").required(true))
        .arg(Arg::new("b").value_name("B").help("Another").required(true))
        .arg(question::levels("base and every level of every factor"))
        .arg(question::plot())
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let question = Question::open(matches, &screen)?;
    let mut views = question.views()?;
    if question.texts("in").is_empty() {
        views = View::each(&question.model);
        views.insert(0, View::base());
    }
    let [a, b] = ["a", "b"].map(|name| question.text(name).unwrap_or_default());
    let ids = [question.model.word(a)?, question.model.word(b)?];
    question.support.anywhere(&question.model, &ids, &views)?;
    let answer = similarity(&question.model, a, b, &views, &question.support)?;
    question.draw_and_print_sure(
        answer,
        |model, rows| Ok(as_in(rows, &similarity(model, a, b, &views, &question.support)?.rows)),
        charts::levels,
    )
}
