//! `covec merge`

use clap::{ArgMatches, Command};

use crate::failure::Failure;

pub(crate) fn command() -> Command {
    Command::new("merge")
}

pub(crate) fn run(_: &ArgMatches) -> Result<(), Failure> {
    Err(Failure::Other("to come".to_owned()))
}
