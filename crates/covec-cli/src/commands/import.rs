//! `covec import`: a tensor that somebody else counted.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use covec::tensor::{self, ImportParameters};

use crate::arguments;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::table::thousands;

pub(crate) fn command() -> Command {
    let command = Command::new("import")
        .about("Take in a tensor that somebody else counted: words, genes, anything that occurs together")
        .after_help(
            "Example, genes beside genes in every cell type:\n  \
             covec import counts.parquet --row gene_a --col gene_b --value n --by cell_type -o tensor/",
        )
        .arg(
            Arg::new("counts")
                .value_name("COUNTS")
                .help("Tables of counts: .parquet, .csv, .tsv or .jsonl, each also .gz or .zst")
                .required(true)
                .num_args(1..)
                .value_parser(value_parser!(PathBuf)),
        );
    let command = arguments::output(command, "TENSOR", "Tensor folder to make");
    arguments::work(arguments::parameters(command, "Table", ImportParameters::TABLE))
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let work = arguments::how(matches, &screen)?;
    let mut parameters = ImportParameters::default();
    arguments::take(matches, ImportParameters::TABLE, |name, text| parameters.set(name, text))?;
    let inputs = arguments::paths(matches, "counts");
    let tensor = tensor::import(&inputs, &parameters, &arguments::path(matches, "output"), &work)?;
    screen.clear();
    screen.say(&format!(
        "{}: {} words, {} entries in {} cells",
        tensor.path.display(),
        thousands(tensor.vocabulary.len() as u64),
        thousands(tensor.record.entries.stored),
        thousands(tensor.covariates.cells.len() as u64),
    ));
    Ok(())
}
