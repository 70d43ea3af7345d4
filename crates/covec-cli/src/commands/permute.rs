//! `covec permute`: the model as it would be if labels meant nothing.

use clap::{ArgMatches, Command};
use covec::resample::{self, PermuteParameters};

use crate::failure::Failure;
use crate::{arguments, replicates};

pub(crate) fn command() -> Command {
    let command = Command::new("permute")
        .about("Significance: shuffle the labels, and refit the model to each shuffle")
        .long_about(
            "Significance: shuffle the labels, and refit the model to each shuffle.\n\n\
             Documents, or whole units of them (--unit speaker), exchange their levels of one factor, within the \
             levels of all others: the model as it would be if the labels meant nothing; some shuffles are fitted from \
             the start as well (--afresh), because such fits find more by chance than refits. With the folder that \
             comes of it (--boot) the analyses print p-values, and q-values that hold over all that is tested.",
        )
        .after_help(
            "Examples:\n  \
             covec permute corpus.jsonl --model model/ -B 200 -o shuffled/\n  \
             covec permute corpus.jsonl --model model/ --unit speaker --factor party -o shuffled/\n  \
             covec drift model/ --in party=R --boot boot/ --boot shuffled/",
        );
    let command = replicates::arguments(command, "200");
    arguments::parameters(command, "Shuffles", PermuteParameters::TABLE)
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let mut parameters = PermuteParameters::default();
    arguments::take(matches, PermuteParameters::TABLE, |name, text| parameters.set(name, text))?;
    replicates::run(matches, |model, inputs, numbers, output, work| {
        resample::permute(model, inputs, &parameters, numbers, output, work)
    })
}
