//! `covec baseline METHOD`: other methods on the same tensor, to compare with.

mod texts;

use std::path::Path;
use std::time::Instant;

use clap::{ArgMatches, Command};
use covec::Work;
use covec::baseline::{
    self, PpmiParameters, RotationParameters, SliceParameters, factorised_table, glove_table,
};
use covec::model::Model;
use covec::parameters::Parameter;
use covec::tensor::Tensor;
use covec::train::TrainParameters;

use super::train::held_out;
use crate::arguments;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::table::thousands;

type Run = fn(&ArgMatches) -> Result<(), Failure>;

/// Every method with what it does.
fn methods() -> Vec<(Command, Run)> {
    vec![
        (pooled(), run_pooled),
        (slices(), run_slices),
        (procrustes(), run_procrustes),
        (ppmi(), run_ppmi),
        (texts::s_efe(), texts::run_s_efe),
        (texts::lda(), texts::run_lda),
    ]
}

pub(crate) fn command() -> Command {
    Command::new("baseline")
        .about("Make a model by another method, to compare with")
        .long_about(
            "Make a model by another method, to compare with. It opens like a model of covec train; what its method has no answer \
             to is refused by name. docs/baselines.md says what each of them is.",
        )
        .after_help(
            "Examples:\n  \
             covec baseline pooled tensor/ -o pooled/\n  \
             covec baseline slices tensor/ --vectors untied -o slices/\n  \
             covec baseline procrustes tensor/ -o turned/\n  \
             covec baseline ppmi-svd tensor/ -o ppmi/\n  \
             covec baseline s-efe speeches.jsonl --tensor tensor/ -o s-efe/\n  \
             covec baseline lda speeches.jsonl --tensor tensor/ --topics 50 -o lda/\n  \
             covec eval slices/ --similarity men.csv --held-out tensor/ --in each",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand_value_name("METHOD")
        .subcommand_help_heading("Methods")
        .subcommands(methods().into_iter().map(|(command, _)| command))
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let asked = matches.subcommand();
    let found = methods()
        .into_iter()
        .find(|(command, _)| asked.is_some_and(|(name, _)| name == command.get_name()));
    match (found, asked) {
        (Some((_, run)), Some((_, matches))) => run(matches),
        _ => Err(Failure::Usage("no method; see covec baseline --help".to_owned())),
    }
}

fn pooled() -> Command {
    let command =
        Command::new("pooled").about("GloVe on all text: one vector a word, whatever the level");
    of_tensor(command, glove_table())
}

fn slices() -> Command {
    let command = Command::new("slices")
        .about("GloVe on each level alone: every level has a space of its own");
    arguments::parameters(of_tensor(command, glove_table()), "Method", SliceParameters::TABLE)
}

fn procrustes() -> Command {
    let command = Command::new("procrustes")
        .about("Levels fitted each by itself, then turned onto each other (HistWords)");
    let command =
        arguments::parameters(of_tensor(command, glove_table()), "Method", SliceParameters::TABLE);
    arguments::parameters(command, "Method", RotationParameters::TABLE)
}

fn ppmi() -> Command {
    let command = Command::new("ppmi-svd")
        .about("Associations (PPMI), factorised, of each level, then turned onto each other");
    let command = of_tensor(command, factorised_table());
    let command = arguments::parameters(command, "Method", PpmiParameters::TABLE);
    arguments::parameters(command, "Method", RotationParameters::TABLE)
}

/// A method that takes a tensor and some of the parameters of training.
fn of_tensor(command: Command, training: impl Iterator<Item = &'static Parameter>) -> Command {
    let command =
        command.arg(arguments::folder("tensor", "Tensor folder, as covec count makes it"));
    let command = arguments::output(command, "MODEL", "Model folder to make");
    arguments::work(arguments::parameters(command, "Training", training))
}

fn run_pooled(matches: &ArgMatches) -> Result<(), Failure> {
    let training = taken(matches, glove_table())?;
    made(matches, |tensor, output, work| {
        baseline::pooled(tensor, training.checked()?, output, work)
    })
}

fn run_slices(matches: &ArgMatches) -> Result<(), Failure> {
    let training = taken(matches, glove_table())?;
    let own = vectors(matches)?;
    made(matches, |tensor, output, work| {
        baseline::slices(tensor, training.checked()?, &own, output, work)
    })
}

fn run_procrustes(matches: &ArgMatches) -> Result<(), Failure> {
    let training = taken(matches, glove_table())?;
    let (own, turning) = (vectors(matches)?, turning(matches)?);
    made(matches, |tensor, output, work| {
        baseline::procrustes(tensor, training.checked()?, &own, &turning, output, work)
    })
}

fn run_ppmi(matches: &ArgMatches) -> Result<(), Failure> {
    let training = taken(matches, factorised_table())?;
    let mut own = PpmiParameters::default();
    arguments::take(matches, PpmiParameters::TABLE, |name, text| own.set(name, text))?;
    let turning = turning(matches)?;
    made(matches, |tensor, output, work| {
        baseline::ppmi_svd(tensor, training.checked()?, &own, &turning, output, work)
    })
}

/// The parameters of training that were given.
fn taken(
    matches: &ArgMatches,
    table: impl Iterator<Item = &'static Parameter>,
) -> Result<TrainParameters, Failure> {
    let mut parameters = TrainParameters::default();
    arguments::take(matches, table, |name, text| parameters.set(name, text))?;
    Ok(parameters)
}

fn vectors(matches: &ArgMatches) -> Result<SliceParameters, Failure> {
    let mut parameters = SliceParameters::default();
    arguments::take(matches, SliceParameters::TABLE, |name, text| parameters.set(name, text))?;
    Ok(parameters)
}

fn turning(matches: &ArgMatches) -> Result<RotationParameters, Failure> {
    let mut parameters = RotationParameters::default();
    arguments::take(matches, RotationParameters::TABLE, |name, text| parameters.set(name, text))?;
    Ok(parameters)
}

/// Opens the tensor, makes the model, and tells what came out.
fn made(
    matches: &ArgMatches,
    make: impl FnOnce(&Tensor, &Path, &Work<'_>) -> Result<Model, covec::Error>,
) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let work = arguments::how(matches, &screen)?;
    let output = arguments::path(matches, "output");
    let begun = Instant::now();
    let tensor = Tensor::open(&arguments::path(matches, "tensor"))?;
    let model = make(&tensor, &output, &work)?;
    screen.clear();
    tell(&screen, &model, &output, begun);
    Ok(())
}

/// What came out, in a line for each fit and one for all.
fn tell(screen: &Screen, model: &Model, output: &Path, begun: Instant) {
    let Some(own) = &model.record.baseline else { return };
    for fit in &own.fits {
        let (words, entries) = (thousands(fit.words), thousands(fit.entries));
        let fitted = match fit.loss {
            Some(loss) => format!(
                "; {} sweeps; ridge {}; loss {loss:.5}{}",
                fit.sweeps,
                fit.ridge,
                held_out(fit.held_out)
            ),
            None => String::new(),
        };
        screen.say(&format!("{}: {words} words, {entries} entries{fitted}", fit.slice));
    }
    let told = match &model.record.training.sweeps[..] {
        [.., last] if own.fits.is_empty() => {
            format!("; {} epochs, {:.4} a word", last.sweep, -last.objective)
        }
        _ => String::new(),
    };
    screen.say(&format!(
        "{}: {}; {} words, {} levels, {} dimensions{told}; {:.1} s",
        output.display(),
        own.method,
        thousands(model.vocabulary.len() as u64),
        model.levels(),
        model.dim,
        begun.elapsed().as_secs_f64(),
    ));
}
