//! `covec train`: a tensor becomes a model.

use std::time::Instant;

use clap::{ArgMatches, Command};
use covec::Work;
use covec::model::Model;
use covec::tensor::Tensor;
use covec::train::{self, TrainParameters};

use crate::arguments;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::table::thousands;

pub(crate) fn command() -> Command {
    let command = Command::new("train")
        .about("Train a model on a tensor: a vector for every word, weights for every level")
        .after_help(
            "Examples:\n  \
             covec train tensor/ -o model/\n  \
             covec train tensor/ -o model/ --dim 50 --seed 7\n  \
             covec train tensor/ -o model/ --resume",
        )
        .arg(arguments::folder("tensor", "Tensor folder, as covec count makes it"));
    let command = arguments::output(command, "MODEL", "Model folder to make");
    let command = arguments::parameters(command, "Training", TrainParameters::TABLE);
    arguments::checkpoints(arguments::work(command))
}

/// The parameters of training that were given.
pub(crate) fn parameters(matches: &ArgMatches) -> Result<TrainParameters, Failure> {
    let mut parameters = TrainParameters::default();
    arguments::take(matches, TrainParameters::TABLE, |name, text| parameters.set(name, text))?;
    Ok(parameters)
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let work = Work { checkpoint: arguments::every(matches)?, ..arguments::how(matches, &screen)? };
    let parameters = parameters(matches)?;
    let output = arguments::path(matches, "output");
    let begun = Instant::now();
    let tensor = Tensor::open(&arguments::path(matches, "tensor"))?;
    let train = if matches.get_flag("resume") { train::resume } else { train::train };
    let model = train(&tensor, parameters.checked()?, &output, &work)?;
    screen.clear();
    tell(&screen, &model, &output, begun);
    Ok(())
}

/// The held-out loss as the end of a sentence, where something was held out.
pub(crate) fn held_out(loss: Option<f64>) -> String {
    loss.map_or_else(String::new, |loss| format!(", held-out loss {loss:.4}"))
}

/// What came out, in a line or two.
pub(crate) fn tell(screen: &Screen, model: &Model, output: &std::path::Path, begun: Instant) {
    let training = &model.record.training;
    if let Some(sweep) = training.sweeps.last() {
        let held_out = held_out(sweep.held_out);
        screen.say(&format!(
            "{}: {} words, {} levels, {} dimensions; {} sweeps ({}); ridge {}; loss {:.5}{held_out}; {:.1} s",
            output.display(),
            thousands(model.vocabulary.len() as u64),
            model.levels(),
            model.dim,
            sweep.sweep,
            training.stopped,
            training.ridge,
            sweep.loss,
            begun.elapsed().as_secs_f64(),
        ));
    }
}
