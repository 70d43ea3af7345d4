//! The commands: each a file with its arguments and what it does with them.

mod count;

use clap::{ArgMatches, Command};

use crate::failure::Failure;

/// The whole command line.
pub(crate) fn command() -> Command {
    Command::new("covec")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Covariate-specific word vectors: how language differs between groups")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .max_term_width(100)
        .subcommand(count::command())
}

/// Does what was asked.
pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    match matches.subcommand() {
        Some(("count", matches)) => count::run(matches),
        _ => Err(Failure::Usage("no command; see covec --help".to_owned())),
    }
}
