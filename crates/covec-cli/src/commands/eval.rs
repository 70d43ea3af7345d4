//! `covec eval`: how good the vectors are, by the usual test sets.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use covec::analyse::Answer;
use covec::evaluate::{EvaluateParameters, TestSet};
use covec_answers::{TEST_KINDS, scores};

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
             purity is the better of both. analogies: share for which the best word is the expected one. held-out: weighted \
             squared error of ln(count), of pairs that were kept out of training, as they are predicted and with every method read \
             alike (calibrated). Intervals \
             are from draws of the test's items or pairs; of the mean over levels, from draws of the levels. Files may be CSV, TSV or parted by \
             white space, with or without a heading.",
        )
        .after_help(
            "Examples:\n  \
             covec eval model/ --similarity men.csv --similarity rg65.csv\n  \
             covec eval model/ --similarity men.csv --categories bless.csv --analogies google.csv --in each\n  \
             covec eval model/ --similarity men.csv --in party=D --in party=R --missing mean --format csv\n  \
             covec eval model/ --held-out tensor/",
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
    let command = command.arg(
        Arg::new("held_out")
            .long("held-out")
            .value_name("TENSOR")
            .help(
                "The tensor that the model was made of: how far off the logarithms of counts are that were kept out, \
                 by level",
            )
            .help_heading("Tests")
            .value_parser(value_parser!(PathBuf)),
    );
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
    let tensor = matches.get_one::<PathBuf>("held_out").map(PathBuf::as_path);
    let levels = question.texts("in");
    let rows = scores(&question.model, &tests, tensor, &levels, &parameters, &question.work)?;
    if question.format == Format::Table {
        screen.say("used: items whose words the model has, of all items; [low, high]: from draws of the items");
    }
    question.print(&Answer { rows, left_out: 0 })
}
