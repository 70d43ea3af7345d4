//! What the commands share that make replicates.

use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Arg, ArgMatches, Command, value_parser};
use covec::model::Model;
use covec::resample::{Done, Replicates, SureParameters};
use covec::{Error, Work};

use crate::arguments;
use crate::commands::corpus;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::table::thousands;

/// Corpus, model, how many replicates, where they go.
pub(crate) fn arguments(command: Command, default: &'static str) -> Command {
    let command = command
        .arg(corpus())
        .arg(
            Arg::new("model")
                .long("model")
                .value_name("MODEL")
                .help("Model folder, made from this corpus")
                .required(true)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("count")
                .short('B')
                .value_name("N")
                .help("How many replicates: numbers 0 to N − 1")
                .value_parser(value_parser!(u64).range(1..=100_000))
                .default_value(default),
        )
        .arg(
            Arg::new("replicates")
                .long("replicates")
                .value_name("FROM..TO")
                .help("Only these, say 0..50 here and 50..100 on another machine; covec merge puts them together")
                .conflicts_with("count"),
        );
    arguments::work(arguments::output(
        command,
        "BOOT",
        "Folder of replicates; one of the same run is gone on with",
    ))
}

/// Opens the model, makes the replicates and says what was done.
pub(crate) fn run(
    matches: &ArgMatches,
    make: impl FnOnce(&Model, &[PathBuf], Range<u64>, &PathBuf, &Work<'_>) -> Result<Done, Error>,
) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let work = arguments::how(matches, &screen)?;
    let numbers = numbers(matches)?;
    let output = arguments::path(matches, "output");
    let begun = Instant::now();
    let model = Model::open(&arguments::path(matches, "model"))?;
    let done = make(&model, &arguments::paths(matches, "corpus"), numbers, &output, &work)?;
    screen.clear();
    let new = done.asked - done.there;
    let there = match done.there {
        0 => String::new(),
        there => format!(", {} were there already", thousands(there as u64)),
    };
    screen.say(&format!(
        "{}: {} replicates{there}; {} units; {:.1} s\n{}: --boot {} with neighbors, similarity, drift, …",
        output.display(),
        thousands(new as u64),
        thousands(done.units as u64),
        begun.elapsed().as_secs_f64(),
        use_it(&Replicates::open(&output, &model)?),
        output.display(),
    ));
    Ok(())
}

/// From how many draws on intervals can be had, where there are too few.
fn use_it(replicates: &Replicates) -> String {
    let sure = SureParameters::default();
    if replicates.is_permutation() || replicates.numbers.len() >= sure.least() {
        return "use it".to_owned();
    }
    format!(
        "use it from {} replicates on (the same command with a larger -B adds to it), or with a lower --confidence",
        sure.least()
    )
}

fn numbers(matches: &ArgMatches) -> Result<Range<u64>, Failure> {
    let Some(text) = matches.get_one::<String>("replicates") else {
        return Ok(0..matches.get_one::<u64>("count").copied().unwrap_or(0));
    };
    let range = text.split_once("..").and_then(|(from, to)| {
        let (from, to) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
        (from < to && to <= 100_000).then_some(from..to)
    });
    range.ok_or_else(|| {
        Failure::Usage(format!(
            "--replicates {text}: expected two whole numbers up to 100000, such as 0..50 (the last is not made)"
        ))
    })
}
