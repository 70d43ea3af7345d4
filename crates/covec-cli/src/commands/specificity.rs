//! `covec specificity`: how much the words' meanings depend on the level.

use clap::{Arg, ArgAction, ArgMatches, Command};
use covec::analyse::histogram::histogram;
use covec::analyse::specificity::{PREPOSITIONS, specificity};
use covec::analyse::{AnalyseError, Answer, View};
use covec::resample::as_in;
use covec_answers::specificity::{BINS, in_short};
use covec_report::answers::specificity as charts;

use crate::failure::Failure;
use crate::question::{self, Question};
use crate::screen::Screen;
use crate::table::Format;

pub(crate) fn command() -> Command {
    let command = Command::new("specificity")
        .about("How much every word's meaning depends on the level")
        .long_about(
            "How much every word's meaning depends on the level: the mean cosine distance of its vectors over pairs \
             of levels in which it occurs often enough. Common words have more text to differ by, so words are sorted by \
             excess: by how many (robust) standard deviations a word stands out from the hundred that occur about as often. \
             Common prepositions should mean the same everywhere: their mean says what is nothing. \
             topical: by the levels' weights alone, without the words' deviations.",
        )
        .after_help(
            "Examples:\n  \
             covec specificity model/ -n 20\n  \
             covec specificity model/ --show histogram\n  \
             covec specificity model/ --factor party --format csv > specificity.csv",
        );
    question::sureness(question::command(command, "20"))
        .arg(question::levels("every level of the first factor"))
        .arg(question::factor())
        .arg(question::plot())
        .arg(
            Arg::new("show")
                .long("show")
                .value_name("WHAT")
                .help("Words, the most specific for their frequency first; the least first; or how many words have which specificity")
                .value_parser(["words", "least", "histogram"])
                .default_value("words"),
        )
        .arg(
            Arg::new("reference")
                .long("reference")
                .value_name("WORD,…")
                .help("Words that should mean the same everywhere [default: common English prepositions]")
                .value_delimiter(',')
                .action(ArgAction::Append),
        )
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let question = Question::open(matches, &screen)?;
    let mut views = question.views()?;
    if question.texts("in").is_empty() {
        views = View::of_factor(&question.model, question.factor()?);
    }
    let mut reference = question.texts("reference");
    if reference.is_empty() {
        reference = PREPOSITIONS.iter().map(|&word| word.to_owned()).collect();
    }
    let Question { model, support, work, most, .. } = &question;
    let mut answer = specificity(model, &views, &reference, support, work)?;
    if answer.rows.is_empty() {
        let least = support.min_support.0;
        return Err(AnalyseError::NoWords { level: "two levels".to_owned(), least }.into());
    }
    if question.format == Format::Table {
        screen.say(&in_short(&answer.rows));
    }
    let show = question.text("show");
    if show == Some("histogram") && question.has("boot") {
        return Err(Failure::Usage(
            "--show histogram has no error bars\n  way out: --show words or --show least, or no --boot".to_owned(),
        ));
    }
    let resamples = question.resamples()?;
    let resamples = resamples.map(|own| own.about(model, &views, work)).transpose()?;
    if resamples.is_none() {
        question.draw(|| charts::histogram(&answer.rows))?;
    }
    if show == Some("least") {
        answer.rows.reverse();
    }
    if let Some(resamples) = resamples {
        let ask = |model: &_| specificity(model, &views, &reference, support, work);
        let rows = resamples.sure(
            model,
            answer.rows,
            |model, rows| Ok(as_in(rows, &ask(model)?.rows)),
            work,
        )?;
        question.draw(|| charts::sure_words(&rows[..rows.len().min(*most)]))?;
        return question.print_bars(&rows, answer.left_out, *most);
    }
    match show {
        Some("histogram") => {
            let numbers: Vec<f64> = answer.rows.iter().map(|row| row.specificity).collect();
            let rows = histogram(&numbers, BINS);
            question.print_all(&Answer { rows, left_out: answer.left_out })
        }
        _ => question.print(&answer),
    }
}
