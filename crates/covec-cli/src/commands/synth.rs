//! `covec synth`: text or a tensor from a world that is known exactly.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Arg, ArgMatches, Command, value_parser};
use covec::synth::{self, SynthParameters};

use crate::arguments;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::table::{counted, thousands};

pub(crate) fn command() -> Command {
    let command = Command::new("synth")
        .about("Make text or a tensor from a known model, to see how much of it is found again")
        .long_about(
            "Make text or a tensor from a known model, to see how much of it is found again.\n\n\
             Writes documents (JSON Lines) whose words are drawn exactly from a model with known topics, known \
             weights of the levels (some exactly zero) and listed words that are used differently in one level; \
             or, with --tensor, a tensor folder straight from the model. truth.json beside the output holds all \
             that was planted.",
        )
        .after_help(
            "Examples:\n  \
             covec synth -o corpus.jsonl\n  \
             covec synth -o corpus.jsonl --seed 1 --tokens 2e6 --words 5000 --levels 4 --dim 20\n  \
             covec count corpus.jsonl --by group -o tensor/\n  \
             covec synth --tensor --words 500 --noise poisson --density 0.5 -o tensor/",
        );
    let command =
        arguments::output(command, "OUTPUT", "JSON Lines file to make; a folder with --tensor")
            .arg(
                Arg::new("truth")
                    .long("truth")
                    .value_name("FILE")
                    .help("Where the truth goes [default: truth.json beside the output]")
                    .value_parser(value_parser!(PathBuf)),
            );
    let command = arguments::parameters(command, "World", SynthParameters::TABLE);
    arguments::work(command)
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let work = arguments::how(matches, &screen)?;
    let mut parameters = SynthParameters::default();
    arguments::take(matches, SynthParameters::TABLE, |name, text| parameters.set(name, text))?;
    let output = arguments::path(matches, "output");
    let truth = matches.get_one("truth").cloned().unwrap_or_else(|| synth::truth_beside(&output));
    let begun = Instant::now();
    let write = if parameters.tensor { synth::write_tensor } else { synth::write_corpus };
    let made = write(parameters.checked()?, &output, &truth, &work)?;
    screen.clear();
    let what = if parameters.tensor {
        format!("{} entries", thousands(made.entries))
    } else {
        format!(
            "{} of text in {}",
            counted(made.tokens, "word"),
            counted(made.documents, "document")
        )
    };
    screen.say(&format!(
        "{}: {what}, {} distinct words, {} {}, {:.1} s; the truth is in {}",
        output.display(),
        thousands(made.words),
        thousands(made.cells),
        match (parameters.levels.0.len(), made.cells) {
            (1, 1) => "level",
            (1, _) => "levels",
            _ => "combinations of levels",
        },
        begun.elapsed().as_secs_f64(),
        truth.display(),
    ));
    Ok(())
}
