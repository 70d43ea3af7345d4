//! `covec plant`: words of real text swapped in one level, so that it is known which differ there.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Arg, ArgMatches, Command, value_parser};
use covec::Work;
use covec::corpus::CorpusParameters;
use covec::parameters::Parameter;
use covec::synth::plant::{PlantParameters, plant};
use covec::synth::truth_beside;

use super::count;
use crate::arguments;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::table::{counted, thousands};

pub(crate) fn command() -> Command {
    let command = Command::new("plant")
        .about("Swap words of a real text in one level, to see whether the difference is found")
        .long_about(
            "Swap words of a real text in one level, to see whether the difference is found.\n\n\
             Reads what covec count reads, and writes it again as JSON Lines in which, inside the level of --in, \
             words of equal frequency stand in each other's place, each occurrence with --probability. All else \
             stays as it is. truth.json beside the output names the words.",
        )
        .after_help(
            "Examples:\n  \
             covec plant speeches.jsonl --by party --in party=D -o planted.jsonl\n  \
             covec plant speeches.jsonl --by party --in party=D --pairs 100 --probability 0.3 --with speaker -o planted.jsonl\n  \
             covec fit planted.jsonl --by party -o model/",
        )
        .arg(count::corpus().help("Files or folders; read twice, so not standard input"))
        .arg(
            Arg::new("in")
                .long("in")
                .value_name("LEVEL")
                .help("Where words are swapped: factor=level, or level where there is one factor")
                .required(true),
        );
    let command = arguments::output(command, "OUTPUT", "JSON Lines file to make").arg(
        Arg::new("truth")
            .long("truth")
            .value_name("FILE")
            .help("Where the truth goes [default: truth.json beside the output]")
            .value_parser(value_parser!(PathBuf)),
    );
    let command = arguments::parameters(command, "Planting", PlantParameters::TABLE);
    arguments::parameters(command, "Corpus", reading())
        .arg(arguments::threads())
        .arg(arguments::force())
        .arg(arguments::quiet())
}

/// How the corpus is read; every document is written again, so what orders or drops levels is not asked.
fn reading() -> impl Iterator<Item = &'static Parameter> {
    let all = CorpusParameters::TABLE.iter();
    all.filter(|row| !["order", "min_level_tokens"].contains(&row.name))
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let mut work = Work { observer: &screen, force: matches.get_flag("force"), ..Work::default() };
    arguments::take_threads(matches, &mut work);
    let (mut corpus, mut parameters) = (CorpusParameters::default(), PlantParameters::default());
    arguments::take(matches, reading(), |name, text| corpus.set(name, text))?;
    arguments::take(matches, PlantParameters::TABLE, |name, text| parameters.set(name, text))?;
    let level = matches.get_one::<String>("in").cloned().unwrap_or_default();
    let output = arguments::path(matches, "output");
    let truth = matches.get_one("truth").cloned().unwrap_or_else(|| truth_beside(&output));
    let inputs = arguments::paths(matches, "corpus");
    let begun = Instant::now();
    let made = plant(&inputs, &corpus, &level, &parameters, &output, &truth, &work)?;
    screen.clear();
    for (count, what) in [
        (made.skipped, "skipped for a missing covariate"),
        (made.replaced, "with bytes replaced that were not UTF-8"),
    ] {
        if count > 0 {
            screen.say(&format!("note: {} {what}", counted(count, "document")));
        }
    }
    screen.say(&format!(
        "{}: {}, {}; {} of {} occurrences of {} words swapped in {}, {:.1} s; the truth is in {}",
        output.display(),
        counted(made.documents, "document"),
        counted(made.tokens, "word"),
        thousands(made.truth.words().map(|word| word.swapped).sum()),
        thousands(made.truth.words().map(|word| word.count).sum()),
        thousands(made.truth.words().count() as u64),
        made.truth.level,
        begun.elapsed().as_secs_f64(),
        truth.display(),
    ));
    Ok(())
}
