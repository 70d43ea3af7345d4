//! `covec report`: all that a model says, on one page.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use covec::analyse::SupportParameters;
use covec::model::Model;
use covec::resample::Resamples;
use covec::tensor::Tensor;
use covec::{Observer, Work};
use covec_report::report::{Asked, ReportError, check_path, name_of, report, save};

use crate::arguments;
use crate::evidence;
use crate::failure::Failure;
use crate::question;
use crate::screen::Screen;

pub(crate) fn command() -> Command {
    let command = Command::new("report")
        .about("Write all that a model says on one page that opens in any browser, without a network")
        .long_about(
            "Write all that a model says on one page that opens in any browser, without a network: what was trained \
             on what and how well it fits, which levels are alike, topics and what levels make of them, the words that moved \
             most, how much meanings depend on the level, and a section for some words. With --boot its numbers have \
             error bars.",
        )
        .after_help(
            "Examples:\n  \
             covec report model/ -o report.html\n  \
             covec report model/ -o report.html --words freedom,labor --corpus speeches.jsonl --tensor tensor/\n  \
             covec report model/ -o report.html --boot boot/ --boot shuffled/",
        )
        .arg(arguments::folder("model", "Model folder").value_name("MODEL"));
    let command = arguments::output(command, "FILE", "The page to write, FILE.html")
        .arg(
            Arg::new("words")
                .long("words")
                .value_name("WORDS")
                .help("Words with a section of their own, joined by commas [default: some whose own use stands out]")
                .value_delimiter(',')
                .num_args(1),
        )
        .arg(evidence::corpus())
        .arg(
            Arg::new("tensor")
                .long("tensor")
                .value_name("TENSOR")
                .help("The tensor the model was trained on, to tell whether the words of topics belong together")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("n")
                .short('n')
                .long("rows")
                .value_name("N")
                .help("Rows of each list")
                .value_parser(value_parser!(u16).range(1..))
                .default_value("10"),
        );
    let command = arguments::parameters(command, "Support", SupportParameters::TABLE);
    question::sureness(command)
        .arg(arguments::threads())
        .arg(arguments::force())
        .arg(arguments::quiet())
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let (output, force) = (arguments::path(matches, "output"), matches.get_flag("force"));
    check_path(&output, force).map_err(refused)?;
    let mut support = SupportParameters::default();
    arguments::take(matches, SupportParameters::TABLE, |name, text| support.set(name, text))?;
    let mut work = Work { observer: &screen, ..Work::default() };
    arguments::take_threads(matches, &mut work);
    let path = arguments::path(matches, "model");
    let model = Model::open(&path)?;
    let tensor = matches.get_one::<PathBuf>("tensor").map(|path| Tensor::open(path)).transpose()?;
    let words: Vec<String> =
        matches.get_many::<String>("words").into_iter().flatten().cloned().collect();
    let resamples = question::resamples(matches, &model)?;
    for caution in resamples.iter().flat_map(Resamples::cautions) {
        screen.note(&caution);
    }
    let asked = Asked {
        name: &name_of(&path),
        words: &words,
        rows: matches.get_one::<u16>("n").copied().map_or(10, usize::from),
        support,
        tensor: tensor.as_ref(),
        corpus: &arguments::paths(matches, "corpus"),
        resamples: resamples.as_ref(),
    };
    let html = report(&model, &asked, &work).map_err(refused)?;
    save(&output, &html, force).map_err(refused)?;
    screen.clear();
    screen.say(&format!("written: {} ({:.1} MB)", output.display(), html.len() as f64 / 1e6));
    Ok(())
}

fn refused(error: ReportError) -> Failure {
    match error {
        ReportError::Covec(error) => Failure::Library(error),
        ReportError::Chart(error) => Failure::picture(&error),
        error if error.is_refusal() => Failure::Usage(error.to_string()),
        error => Failure::Other(error.to_string()),
    }
}
