//! `covec stability`: how steady the words nearest to a word are.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use covec::analyse::{Answer, View};
use covec::resample::Replicates;
use covec::resample::stability::{StabilityParameters, bands, stability};
use covec::tensor::Tensor;

use crate::arguments;
use crate::failure::Failure;
use crate::question::{self, Question};
use crate::screen::Screen;

pub(crate) fn command() -> Command {
    let command = Command::new("stability")
        .about("How steady the words nearest to a word are, by seed and by documents")
        .long_about(
            "How steady the words nearest to a word are: the share of its ten nearest words that it keeps with another \
             seed (--tensor: the model is trained again, some times) and with other documents (--boot: replicates of \
             covec bootstrap). Against how often words occur: trust neighbours where both are high.",
        )
        .after_help(
            "Examples:\n  \
             covec stability model/ --tensor tensor/ --seeds 5\n  \
             covec stability model/ --tensor tensor/ --boot boot/\n  \
             covec stability model/ --boot boot/ --show words --format csv > stability.csv",
        );
    let command = question::command(command, "1000")
        .arg(question::folder("tensor", "Tensor that the model was trained on: compare seeds"))
        .arg(
            Arg::new("boot")
                .long("boot")
                .value_name("BOOT")
                .help("Folder of covec bootstrap: compare draws of the documents")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("in")
                .long("in")
                .value_name("LEVEL")
                .help("Under which level, or base")
                .default_value(View::BASE),
        )
        .arg(question::show("bands", &["bands", "words"]));
    arguments::parameters(command, "Stability", StabilityParameters::TABLE)
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let question = Question::open(matches, &screen)?;
    let mut parameters = StabilityParameters::default();
    arguments::take(matches, StabilityParameters::TABLE, |name, text| parameters.set(name, text))?;
    let Question { model, support, work, .. } = &question;
    let path = |name: &str| matches.get_one::<PathBuf>(name);
    if path("tensor").is_none() && path("boot").is_none() {
        return Err(Failure::Usage(
            "nothing to compare the model with\n  expected: --tensor TENSOR, to train with other seeds, or --boot \
             BOOT, or both"
                .to_owned(),
        ));
    }
    let view = View::named(model, question.text("in").unwrap_or(View::BASE))?;
    let tensor = path("tensor").map(|path| Tensor::open(path)).transpose()?;
    if let Some(tensor) = &tensor
        && tensor.record.fingerprint != model.record.tensor.fingerprint
    {
        return Err(Failure::Usage(format!(
            "{} is not the tensor that the model was trained on\n  way out: the tensor it was, or --boot",
            tensor.path.display()
        )));
    }
    let boot = path("boot").map(|path| Replicates::open(path, model)).transpose()?;
    let answer =
        stability(model, tensor.as_ref(), boot.as_ref(), &view, &parameters, support, work)?;
    match question.text("show") {
        Some("words") => question.print(&answer),
        _ => {
            let rows = bands(&answer.rows);
            question.print(&Answer { rows, left_out: answer.left_out })
        }
    }
}
