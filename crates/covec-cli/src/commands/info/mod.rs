//! `covec info`: what a tensor, a model or a folder of replicates holds and how it came to be.

mod model;
mod replicates;
mod tensor;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use covec::model::Model;
use covec::resample::{self, Replicates};
use covec::tensor::{Record, Tensor};
use serde_json::{Value, json};

use crate::arguments;
use crate::failure::Failure;
use crate::table::{Format, Table, thousands};

pub(crate) fn command() -> Command {
    let mut shown = [tensor::SHOWN.as_slice(), model::SHOWN.as_slice()].concat();
    shown.sort_unstable();
    shown.dedup();
    let command = Command::new("info")
        .about("Say what a tensor, a model or a folder of replicates holds and how it came to be")
        .after_help(
            "Examples:\n  \
             covec info tensor/ --show rules\n  \
             covec info tensor/ --show words -n 100 --format csv\n  \
             covec info model/ --show sweeps --format json\n  \
             covec info boot/",
        )
        .arg(
            arguments::folder(
                "folder",
                "Folder of a tensor, a model, or replicates (covec bootstrap, covec permute)",
            )
            .value_name("FOLDER"),
        )
        .arg(
            Arg::new("show")
                .long("show")
                .value_name("WHAT")
                .help("The whole picture, or the rows of one thing")
                .value_parser(shown)
                .default_value("summary"),
        );
    arguments::rows(command, "20")
}

/// How rows are printed.
#[derive(Debug, Clone, Copy)]
struct Rows {
    format: Format,
    /// Rows of a long table.
    some: usize,
    /// Rows of a table that is whole unless fewer are asked for.
    all: usize,
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let path = arguments::path(matches, "folder");
    let (format, some) = arguments::format(matches);
    let asked = matches.value_source("n") == Some(ValueSource::CommandLine);
    let rows = Rows { format, some, all: if asked { some } else { usize::MAX } };
    let what = matches.get_one::<String>("show").map_or("summary", String::as_str);
    let there = |kind: &str, shown: &[&str]| match shown.contains(&what) {
        true => Ok(()),
        false => Err(Failure::Usage(format!(
            "--show {what}: {} is a {kind}, which has none\n  expected: {}",
            path.display(),
            shown.join(", ")
        ))),
    };
    if Model::is_at(&path) {
        let model = Model::open(&path)?;
        there("model", &model::SHOWN)?;
        model::show(&model, &path, what, rows)
    } else if resample::is_at(&path) {
        there("folder of replicates", &replicates::SHOWN)?;
        replicates::show(&Replicates::at(&path)?, format)
    } else {
        let tensor = Tensor::open(&path)?;
        there("tensor", &tensor::SHOWN)?;
        tensor::show(&tensor, what, rows)
    }
}

/// Facts, as rows for programs.
fn listed(facts: Vec<(&'static str, String)>) -> Table {
    let mut table = Table::new(["what", "value"]);
    for (what, value) in facts {
        table.push(vec![json!(what), json!(value)]);
    }
    table
}

/// Facts, as lines for people.
fn lines(facts: &[(&'static str, String)]) -> String {
    let width = facts.iter().map(|(what, _)| what.len()).max().unwrap_or(0);
    facts.iter().map(|(what, value)| format!("{what:width$}  {value}\n")).collect()
}

/// What a tensor was made from.
fn sources(record: &Record) -> Option<String> {
    let names = record.inputs.iter().map(|input| match input.files {
        1 => input.name.clone(),
        files => format!("{} ({} files)", input.name, thousands(files)),
    });
    let names: Vec<String> = names.collect();
    (!names.is_empty()).then(|| names.join(", "))
}

fn share(part: u64, whole: u64) -> Value {
    json!((1e4 * part as f64 / whole.max(1) as f64).round() / 1e4)
}
