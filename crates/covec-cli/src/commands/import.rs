//! `covec import`

use clap::{ArgMatches, Command};

use crate::failure::Failure;

pub(crate) fn command() -> Command {
    Command::new("import")
}

pub(crate) fn run(_: &ArgMatches) -> Result<(), Failure> {
    Err(Failure::Other("to come".to_owned()))
}
