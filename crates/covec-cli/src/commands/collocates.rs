//! `covec collocates`

use clap::{ArgMatches, Command};

use crate::failure::Failure;

pub(crate) fn command() -> Command {
    Command::new("collocates")
}

pub(crate) fn run(_: &ArgMatches) -> Result<(), Failure> {
    Err(Failure::Other("to come".to_owned()))
}
