//! The commands: each a file with its arguments and what it does with them.

mod analogy;
mod attribute;
mod baseline;
mod bootstrap;
mod collocates;
mod concordance;
mod count;
mod covariates;
mod demo;
mod drift;
mod eval;
mod explain;
mod explore;
mod export;
mod extend;
mod fit;
mod import;
mod info;
mod merge;
mod neighbors;
mod permute;
mod plant;
mod project;
mod report;
mod similarity;
mod sparsity;
mod specificity;
mod stability;
mod synth;
mod topics;
mod train;

pub(crate) use count::corpus;

use clap::{ArgMatches, Command};

use crate::failure::Failure;

type Run = fn(&ArgMatches) -> Result<(), Failure>;

/// Every command with what it does, in the order of the help.
fn all() -> Vec<(Command, Run)> {
    vec![
        (count::command(), count::run),
        (merge::command(), merge::run),
        (import::command(), import::run),
        (train::command(), train::run),
        (fit::command(), fit::run),
        (extend::command(), extend::run),
        (info::command(), info::run),
        (neighbors::command(), neighbors::run),
        (similarity::command(), similarity::run),
        (drift::command(), drift::run),
        (explain::command(), explain::run),
        (specificity::command(), specificity::run),
        (analogy::command(), analogy::run),
        (project::command(), project::run),
        (bootstrap::command(), bootstrap::run),
        (permute::command(), permute::run),
        (stability::command(), stability::run),
        (baseline::command(), baseline::run),
        (eval::command(), eval::run),
        (report::command(), report::run),
        (explore::command(), explore::run),
        (attribute::command(), attribute::run),
        (concordance::command(), concordance::run),
        (topics::command(), topics::run),
        (covariates::command(), covariates::run),
        (sparsity::command(), sparsity::run),
        (export::command(), export::run),
        (collocates::command(), collocates::run),
        (synth::command(), synth::run),
        (plant::command(), plant::run),
        (demo::command(), demo::run),
    ]
}

/// The whole command line.
pub(crate) fn command() -> Command {
    Command::new("covec")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Covariate-specific word vectors: how language differs between groups")
        .after_help("Start with: covec demo")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .max_term_width(100)
        .subcommands(all().into_iter().map(|(command, _)| command))
}

/// Does what was asked.
pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let asked = matches.subcommand();
    let found = all()
        .into_iter()
        .find(|(command, _)| asked.is_some_and(|(name, _)| name == command.get_name()));
    match (found, asked) {
        (Some((_, run)), Some((_, matches))) => run(matches),
        _ => Err(Failure::Usage("no command; see covec --help".to_owned())),
    }
}
