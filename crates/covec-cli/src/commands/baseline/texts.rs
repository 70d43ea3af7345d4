//! Methods that read the documents themselves: the corpus, by the rules of a tensor.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use covec::baseline::{self, LdaParameters, SEfeParameters};
use covec::parameters::Parameter;

use super::made;
use crate::arguments;
use crate::commands::corpus;
use crate::failure::Failure;

pub(super) fn s_efe() -> Command {
    let command = Command::new("s-efe").about(
        "Structured embeddings: contexts common to all levels, vectors that share a mean or a network",
    );
    of_texts(command, SEfeParameters::TABLE)
}

pub(super) fn lda() -> Command {
    let command = Command::new("lda")
        .about("Topics by latent Dirichlet allocation; a level's weights are its shares of them");
    of_texts(command, LdaParameters::TABLE)
}

/// A method that takes a corpus, and of a tensor its rules, words and levels.
fn of_texts(command: Command, table: &'static [Parameter]) -> Command {
    let command = command.arg(corpus()).arg(
        Arg::new("tensor")
            .long("tensor")
            .value_name("TENSOR")
            .help("Tensor folder that covec count made of this corpus: whose words, levels and window to use")
            .required(true)
            .value_parser(value_parser!(PathBuf)),
    );
    let command = arguments::output(command, "MODEL", "Model folder to make");
    arguments::work(arguments::parameters(command, "Method", table))
}

pub(super) fn run_s_efe(matches: &ArgMatches) -> Result<(), Failure> {
    let mut own = SEfeParameters::default();
    arguments::take(matches, SEfeParameters::TABLE, |name, text| own.set(name, text))?;
    let inputs = arguments::paths(matches, "corpus");
    made(matches, |tensor, output, work| baseline::s_efe(&inputs, tensor, &own, output, work))
}

pub(super) fn run_lda(matches: &ArgMatches) -> Result<(), Failure> {
    let mut own = LdaParameters::default();
    arguments::take(matches, LdaParameters::TABLE, |name, text| own.set(name, text))?;
    let inputs = arguments::paths(matches, "corpus");
    made(matches, |tensor, output, work| baseline::lda(&inputs, tensor, &own, output, work))
}
