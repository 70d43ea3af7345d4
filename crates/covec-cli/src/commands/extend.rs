//! `covec extend`: new levels for a model that stands fast.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Arg, ArgMatches, Command, value_parser};
use covec::model::Model;
use covec::train;

use super::count;
use super::train::held_out;
use crate::arguments;
use crate::failure::Failure;
use crate::screen::Screen;

pub(crate) fn command() -> Command {
    let command = Command::new("extend")
        .about("Add new levels to a model, say a new year, without training it again")
        .long_about(
            "Add new levels to a model, say a new year, without training it again.\n\n\
             The corpus is counted by the rules and words of the model. Vectors, and the weights and biases \
             of the levels that are there, stay as they are, bit for bit; only new levels are fitted. Every \
             document must have a level that is new in some factor.",
        )
        .after_help("Example:\n  covec extend model/ speeches-2025.jsonl -o model-2025/")
        .arg(
            Arg::new("model")
                .value_name("MODEL")
                .help("Model folder, as covec train makes it")
                .required(true)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(count::corpus());
    let command = arguments::output(command, "NEW", "Model folder to make");
    arguments::work(command)
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let work = arguments::how(matches, &screen)?;
    let output = arguments::path(matches, "output");
    let begun = Instant::now();
    let model = Model::open(&arguments::path(matches, "model"))?;
    let model = train::extend(&model, &arguments::paths(matches, "corpus"), &output, &work)?;
    screen.clear();
    if let Some(extension) = model.record.extensions.last() {
        let held_out = held_out(extension.held_out);
        screen.say(&format!(
            "{}: {} levels, new: {}; {} rounds; loss {:.5}{held_out}; {:.1} s",
            output.display(),
            model.levels(),
            extension.levels.join(", "),
            extension.rounds,
            extension.loss,
            begun.elapsed().as_secs_f64(),
        ));
    }
    Ok(())
}
