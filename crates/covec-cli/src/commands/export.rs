//! `covec export`: a model for other tools.

use std::time::Instant;

use clap::{Arg, ArgAction, ArgMatches, Command};
use covec::Work;
use covec::model::Model;
use covec::model::export::ExportParameters;

use crate::arguments;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::table::thousands;

pub(crate) fn command() -> Command {
    let command = Command::new("export")
        .about("Write a model's vectors, under the levels you name, for other tools")
        .after_help(
            "Examples:\n  \
             covec export model/ -o vectors.txt\n  \
             covec export model/ --format word2vec-binary --in party=R -o r.bin\n  \
             covec export model/ --format numpy --in party=R,year=2010s -o r2010s.npz\n  \
             covec export model/ --format projector --in D --in R -o folder/\n  \
             covec export model/ --what weights --format csv -o weights.csv",
        )
        .arg(arguments::folder("model", "Model folder, as covec train makes it").value_name("MODEL"))
        .arg(
            Arg::new("in")
                .long("in")
                .value_name("LEVEL")
                .help(
                    "factor=level, level where that is unambiguous, or several joined by commas; repeat it for \
                     a file each [default: the base vectors]",
                )
                .action(ArgAction::Append),
        );
    let command = arguments::output(
        command,
        "OUT",
        "File to make; a folder for the projector, and with several --in",
    );
    arguments::parameters(command, "Export", ExportParameters::TABLE)
        .arg(arguments::force())
        .arg(arguments::quiet())
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let work = Work { observer: &screen, force: matches.get_flag("force"), ..Work::default() };
    let mut parameters = ExportParameters::default();
    arguments::take(matches, ExportParameters::TABLE, |name, text| parameters.set(name, text))?;
    let levels: Vec<String> =
        matches.get_many::<String>("in").into_iter().flatten().cloned().collect();
    let output = arguments::path(matches, "output");
    let begun = Instant::now();
    let model = Model::open(&arguments::path(matches, "model"))?;
    let made = model.export(&levels, &parameters, &output, &work)?;
    screen.clear();
    for part in &made {
        screen.say(&format!(
            "{}: {}, {} rows of {} numbers",
            output.display(),
            part.levels,
            thousands(part.rows as u64),
            thousands(part.columns as u64),
        ));
    }
    screen.say(&format!("{:.1} s", begun.elapsed().as_secs_f64()));
    Ok(())
}
