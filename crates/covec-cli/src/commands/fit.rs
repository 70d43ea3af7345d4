//! `covec fit`: a corpus becomes a model.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Arg, ArgMatches, Command, value_parser};
use covec::Work;
use covec::train::{self, TrainParameters};

use super::{count, train as training};
use crate::arguments;
use crate::failure::Failure;
use crate::screen::Screen;

pub(crate) fn command() -> Command {
    let command = Command::new("fit")
        .about("From a corpus to a model in one go: covec count, then covec train")
        .after_help(
            "Examples:\n  \
             covec fit speeches.jsonl --by party --by year:10 -o model/\n  \
             covec fit speeches.jsonl --by party --dim 50 --keep-tensor tensor/ -o model/",
        )
        .arg(count::corpus())
        .arg(
            Arg::new("keep-tensor")
                .long("keep-tensor")
                .value_name("TENSOR")
                .help("Keep the tensor in this folder, for covec train to use again, or to go on with")
                .conflicts_with("resume")
                .value_parser(value_parser!(PathBuf)),
        );
    let command = arguments::output(command, "MODEL", "Model folder to make");
    let command = count::flags(command);
    let command = arguments::parameters(command, "Training", TrainParameters::TABLE);
    arguments::checkpoints(arguments::work(command))
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let work = Work { checkpoint: arguments::every(matches)?, ..arguments::how(matches, &screen)? };
    let counting = count::parameters(matches)?;
    let training = training::parameters(matches)?;
    let output = arguments::path(matches, "output");
    let begun = Instant::now();
    let model = train::fit(
        &arguments::paths(matches, "corpus"),
        counting.check()?,
        training.checked()?,
        matches.get_one::<PathBuf>("keep-tensor").map(PathBuf::as_path),
        &output,
        &work,
        matches.get_flag("resume"),
    )?;
    screen.clear();
    training::tell(&screen, &model, &output, begun);
    Ok(())
}
