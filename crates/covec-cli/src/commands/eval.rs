//! `covec eval`: how good the vectors are, by the usual test sets.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use covec::analyse::{Answer, View};
use covec::evaluate::{EvaluateParameters, TestSet, evaluate};
use covec_answers::TEST_KINDS;

use crate::arguments;
use crate::failure::Failure;
use crate::question::{self, Question};
use crate::screen::Screen;
use crate::table::Format;

pub(crate) fn command() -> Command {
    let command = Command::new("eval")
        .about("How good the vectors are, by the usual test sets")
        .long_about(
            "How good the vectors are, by the usual test sets. similarity: Spearman's ρ of ratings and cosines. \
             categories: purity of as many clusters as there are categories, by k-means and by joining the nearest; \
             purity is the better of both. analogies: share for which the best word is the expected one. Intervals \
             are from draws of the test's items; of the mean over levels, from draws of the levels. Files may be CSV, TSV or parted by \
             white space, with or without a heading.",
        )
        .after_help(
            "Examples:\n  \
             covec eval model/ --similarity men.csv --similarity rg65.csv\n  \
             covec eval model/ --similarity men.csv --categories bless.csv --analogies google.csv --in each\n  \
             covec eval model/ --similarity men.csv --in party=D --in party=R --missing mean --format csv",
        );
    let mut command = question::plain_command(command, "100000").arg(
        Arg::new("in")
            .long("in")
            .value_name("LEVEL")
            .help(
                "factor=level, level where that is unambiguous, several joined by commas, base, or each: every level \
                 of every factor, and their mean; repeat it for several [default: base]",
            )
            .action(ArgAction::Append),
    );
    for (name, _, help) in TEST_KINDS {
        command = command.arg(
            Arg::new(name)
                .long(name)
                .value_name("FILE")
                .help(help)
                .help_heading("Tests")
                .num_args(1..)
                .action(ArgAction::Append)
                .value_parser(value_parser!(PathBuf)),
        );
    }
    arguments::parameters(command, "Evaluation", EvaluateParameters::TABLE)
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let mut parameters = EvaluateParameters::default();
    arguments::take(matches, EvaluateParameters::TABLE, |name, text| parameters.set(name, text))?;
    let question = Question::open_plain(matches, &screen)?;
    let mut tests = Vec::new();
    for (name, kind, _) in TEST_KINDS {
        for path in arguments::paths(matches, name) {
            tests.push(TestSet::read(&path, kind)?);
        }
    }
    if tests.is_empty() {
        return Err(Failure::Usage(
            "no test to hold the model to\n  expected: --similarity FILE, --categories FILE or --analogies FILE"
                .to_owned(),
        ));
    }
    let mut views = Vec::new();
    for level in question.texts("in") {
        match level.as_str() {
            "each" => views.extend(View::each(&question.model)),
            level => views.push(View::named(&question.model, level)?),
        }
    }
    if views.is_empty() {
        views.push(View::base());
    }
    let rows = evaluate(&question.model, &tests, &views, &parameters, &question.work)?;
    if question.format == Format::Table {
        screen.say("used: items whose words the model has, of all items; [low, high]: from draws of the items");
    }
    question.print(&Answer { rows, left_out: 0 })
}
