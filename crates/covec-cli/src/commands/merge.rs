//! `covec merge`: tensors that were counted apart, added up; replicates that were drawn apart, put together.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use covec::{resample, tensor};

use crate::arguments;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::table::thousands;

pub(crate) fn command() -> Command {
    let command = Command::new("merge")
        .about("Add up tensors that were counted apart, or put replicates together that were drawn apart")
        .after_help(
            "The sum is exact: parts counted with the same --words list, and no --min-entry, merge to the\n\
             same bits as the whole counted at once. Levels with --order need not all be in every part.\n\n\
             Examples:\n  covec merge monday/ tuesday/ -o week/\n  covec merge boot-1/ boot-2/ -o boot/",
        )
        .arg(
            Arg::new("tensors")
                .value_name("TENSOR")
                .help("Tensor folders to add up, or folders of covec bootstrap or covec permute")
                .required(true)
                .num_args(1..)
                .value_parser(value_parser!(PathBuf)),
        );
    arguments::work(arguments::output(command, "TENSOR", "Tensor folder to make"))
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let work = arguments::how(matches, &screen)?;
    let inputs = arguments::paths(matches, "tensors");
    let output = arguments::path(matches, "output");
    if inputs.iter().any(|input| resample::is_at(input)) {
        let count = resample::merge(&inputs, &output, work.force)?;
        screen.say(&format!("{}: {} replicates", output.display(), thousands(count as u64)));
        return Ok(());
    }
    let tensor = tensor::merge(&inputs, &output, &work)?;
    screen.clear();
    screen.say(&format!(
        "{}: {} tensors added up, {} words, {} entries",
        tensor.path.display(),
        inputs.len(),
        thousands(tensor.vocabulary.len() as u64),
        thousands(tensor.record.entries.stored)
    ));
    Ok(())
}
