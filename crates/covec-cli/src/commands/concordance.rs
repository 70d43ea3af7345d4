//! `covec concordance`: the lines of the corpus in which a word occurs.

use clap::{Arg, ArgMatches, Command};
use covec::analyse::View;
use covec::analyse::concordance::{Evidence, Request};

use crate::evidence;
use crate::failure::Failure;
use crate::question::{self, Question};
use crate::screen::Screen;
use crate::table::{Format, Printed, Table, print, thousands};

pub(crate) fn command() -> Command {
    let command = Command::new("concordance")
        .about("Show lines of the corpus in which a word occurs, as they are written")
        .long_about(
            "Show lines of the corpus in which a word occurs, as they are written.\n\n\
             The corpus is read again by the rules the model was counted by. Of more lines than -n, each has \
             the same chance to be shown: the same ones every time, in the order of the corpus.",
        )
        .after_help(
            "Examples:\n  \
             covec concordance model/ freedom --corpus speeches.jsonl\n  \
             covec concordance model/ freedom --near religion --in party=Whig --corpus speeches.jsonl",
        );
    question::plain_command(command, "20")
        .arg(question::words("Words to look for"))
        .arg(question::levels("the whole corpus"))
        .arg(evidence::corpus().required(true))
        .arg(
            Arg::new("near")
                .long("near")
                .value_name("WORD")
                .help("Only lines in which this word stands near, within the window of the model"),
        )
        .arg(evidence::width())
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let question = Question::open_plain(matches, &screen)?;
    let model = &question.model;
    let levels = question.texts("in");
    let views = if levels.is_empty() { vec![View::base()] } else { question.views()? };
    let near = question.text("near").map(|near| model.word(near)).transpose()?;
    let mut requests = Vec::new();
    for word in question.texts("word") {
        let word = model.word(&word)?;
        requests.extend(views.iter().map(|view| Request { view: view.clone(), word, near }));
    }
    let found = evidence::find(matches, model, &requests, question.most, &question.work)?;
    screen.clear();
    if found.iter().all(|found| found.found == 0) {
        return Err(nothing(&question, &requests));
    }
    if question.format != Format::Table {
        let lines: Vec<_> = found.into_iter().flat_map(|found| found.lines).collect();
        return Table::of(&lines).print(question.format, usize::MAX);
    }
    let parts = requests.iter().zip(&found).map(|(request, found)| part(&question, request, found));
    print(&parts.collect::<Vec<_>>().join("\n"))
}

/// The lines of a request under a heading.
fn part(question: &Question<'_>, request: &Request, found: &Evidence) -> String {
    let (shown, all) = (found.lines.len(), thousands(found.found));
    let heading = heading(question, request);
    format!("{heading}: {shown} of {all} lines\n{}", evidence::aligned(&found.lines))
}

fn heading(question: &Question<'_>, request: &Request) -> String {
    let words = &question.model.vocabulary.words;
    let near = request.near.map_or_else(String::new, |near| format!(" near {}", words[near]));
    let all = request.view.levels.is_empty();
    let view = if all { "the whole corpus" } else { &request.view.name };
    format!("{}{near} in {view}", words[request.word])
}

/// A corpus in which nothing was found.
fn nothing(question: &Question<'_>, requests: &[Request]) -> Failure {
    let asked: Vec<String> = requests.iter().map(|request| heading(question, request)).collect();
    Failure::Usage(format!(
        "no line in the corpus has {}\n  expected: the corpus the model was counted from\n  way out: check --corpus, or leave out --in or --near",
        asked.join(", nor ")
    ))
}
