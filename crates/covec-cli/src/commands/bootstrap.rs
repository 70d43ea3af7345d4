//! `covec bootstrap`: the model as it would be had other documents been drawn.

use clap::{ArgMatches, Command};
use covec::resample::{self, BootstrapParameters};

use crate::failure::Failure;
use crate::{arguments, replicates};

pub(crate) fn command() -> Command {
    let command = Command::new("bootstrap")
        .about("Error bars: draw the documents again, and refit the model to each draw")
        .long_about(
            "Error bars: draw the documents again, and refit the model to each draw.\n\n\
             Documents, or whole units of them (--unit speaker), are drawn with replacement within their level; each \
             draw is counted and the model refitted from where it stands; some draws are fitted from the start as well \
             (--afresh), to see how far refits stay too near. With the folder that comes of it \
             (--boot) every analysis prints intervals. Interrupted, the same command goes on; with a larger -B it \
             adds to what is there.",
        )
        .after_help(
            "Examples:\n  \
             covec bootstrap corpus.jsonl --model model/ -B 100 -o boot/\n  \
             covec bootstrap corpus.jsonl --model model/ --unit speaker -B 100 -o boot/\n  \
             covec drift model/ --in party=R --boot boot/\n  \
             covec bootstrap corpus.jsonl --model model/ --replicates 50..100 -o boot-2/\n  \
             covec merge boot-1/ boot-2/ -o boot/",
        );
    let command = replicates::arguments(command, "100");
    arguments::parameters(command, "Draws", BootstrapParameters::TABLE)
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let mut parameters = BootstrapParameters::default();
    arguments::take(matches, BootstrapParameters::TABLE, |name, text| parameters.set(name, text))?;
    replicates::run(matches, |model, inputs, numbers, output, work| {
        resample::bootstrap(model, inputs, &parameters, numbers, output, work)
    })
}
