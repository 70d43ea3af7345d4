//! `covec sparsity`: which dimensions levels do without, and how many that would be by chance.

use clap::{Arg, ArgMatches, Command};
use covec::analyse::control::{PARTS, control};
use covec::analyse::sparsity::{self, LevelZeros};
use covec::model::{Model, Need};
use covec::resample::as_in;
use covec::tensor::Tensor;
use covec_report::answers::sparsity as charts;

use crate::failure::Failure;
use crate::question::{self, Question};
use crate::screen::Screen;
use crate::table::{Format, Printed, Table, print};

/// Bins of a histogram, beside that of the zeros.
const BINS: usize = 20;
/// Pairs of levels in the summary.
const PAIRS: usize = 20;

pub(crate) fn command() -> Command {
    let command = Command::new("sparsity")
        .about("Show which dimensions levels do without: weights that are exactly 0")
        .long_about(
            "Show which dimensions levels do without: weights that are exactly 0, how far levels share them, how \
             weights are distributed, and how zeros came about in training.\n\n\
             With --control, half of one level of the tensor is drawn at random, three times, and a model is \
             trained on these parts with the same parameters: its zeros are what chance alone makes.",
        )
        .after_help(
            "Examples:\n  \
             covec sparsity model/\n  \
             covec sparsity model/ --control tensor/\n  \
             covec sparsity model/ --boot boot/\n  \
             covec sparsity model/ --show histogram --format csv",
        );
    question::sureness(question::plain_command(command, "1000"))
        .arg(question::show("summary", &["summary", "levels", "overlap", "histogram", "sweeps"]))
        .arg(question::plot())
        .arg(question::folder(
            "control",
            "Tensor that the model was trained on: train on three subsamples of one level",
        ))
        .arg(
            Arg::new("slice")
                .long("slice")
                .value_name("LEVEL")
                .help("The level to subsample [default: the largest of the first factor]")
                .requires("control"),
        )
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let question = Question::open_plain(matches, &screen)?;
    let Question { model, work, format, most, .. } = &question;
    model.gives(Need::Topics, "sparsity")?;
    let show = question.text("show").unwrap_or("summary");
    if question.has("boot") && !matches!(show, "summary" | "levels") {
        return Err(Failure::Usage(format!(
            "--show {show} has no error bars\n  way out: --show levels, or no --boot"
        )));
    }
    if show == "overlap" {
        question.no_picture("--show levels, histogram or sweeps")?;
    }
    let mut levels = sparsity::levels(model);
    let mut of_control = String::new();
    if let Some(path) = matches.get_one::<std::path::PathBuf>("control") {
        let found = control(model, &Tensor::open(path)?, question.text("slice"), work)?;
        let slice = &found.slice;
        of_control = format!(
            "Control: {slice}, subsampled {PARTS} times: {} zeros a part on average; {} in the model's \
             own levels\n",
            mean(&found.rows),
            mean(&levels)
        );
        levels.extend(found.rows);
    }
    screen.clear();
    if matches!(show, "summary" | "levels") {
        question.draw(|| charts::zeros(&levels, model.dim))?;
    }
    if let Some(resamples) = question.resamples()? {
        let ask = |model: &Model, rows: &[LevelZeros]| Ok(as_in(rows, &sparsity::levels(model)));
        let rows = resamples.sure(model, levels, ask, work)?;
        if *format == Format::Table {
            screen.say(of_control.trim_end());
        }
        return question.print_bars(&rows, 0, *most);
    }
    match show {
        "overlap" => Table::of(&sparsity::overlaps(model)).print(*format, *most),
        "histogram" => {
            let bins = sparsity::histogram(model, BINS);
            question.draw(|| charts::weights(&bins))?;
            Table::of(&bins).print(*format, *most)
        }
        "sweeps" => {
            let sweeps = sparsity::sweeps(model);
            question.draw(|| charts::sweeps(&sweeps))?;
            Table::of(&sweeps).print(*format, *most)
        }
        "summary" if *format == Format::Table => {
            let mut text = Table::of(&levels).text(*format, *most)? + &of_control;
            let mut pairs = sparsity::overlaps(model);
            // What most share first; the many that share none would hide the rest.
            pairs.retain(|pair| pair.both > 0);
            pairs.sort_by_key(|pair| std::cmp::Reverse(pair.both));
            if !pairs.is_empty() {
                text += "\nZeros that levels share (--show overlap for all pairs)\n";
                text += &Table::of(&pairs).text(*format, PAIRS)?;
            }
            print(&text)
        }
        _ => Table::of(&levels).print(*format, *most),
    }
}

fn mean(rows: &[LevelZeros]) -> String {
    let sum: usize = rows.iter().map(|row| row.zeros).sum();
    format!("{:.1}", sum as f64 / rows.len().max(1) as f64)
}
