//! What all commands share that ask a model.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use covec::analyse::{Answer, SupportParameters, View, factor_named};
use covec::model::Model;
use covec::resample::{Bar, Measured, Resamples, SureParameters, bars, plain};
use covec::{Error, Observer, Work};
use covec_answers::evidence::Pair;
use covec_report::{Chart, ChartError};
use serde::Serialize;

use crate::arguments;
use crate::evidence;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::table::{Format, Printed, Table, print, thousands};

/// A command that asks a model: its folder, support, rows, threads.
pub(crate) fn command(command: Command, rows: &'static str) -> Command {
    arguments::parameters(plain_command(command, rows), "Support", SupportParameters::TABLE)
}

/// A command that asks a model for what does not depend on how often words occur.
pub(crate) fn plain_command(command: Command, rows: &'static str) -> Command {
    let command = command.arg(arguments::folder("model", "Model folder").value_name("MODEL"));
    arguments::rows(command, rows).arg(arguments::threads()).arg(arguments::quiet())
}

/// `--in LEVEL`, which can be repeated.
pub(crate) fn levels(default: &str) -> Arg {
    Arg::new("in")
        .long("in")
        .value_name("LEVEL")
        .help(format!(
            "factor=level, level where that is unambiguous, several joined by commas, or base; repeat it to \
             compare [default: {default}]"
        ))
        .action(ArgAction::Append)
}

/// `--between A B`.
pub(crate) fn between() -> Arg {
    Arg::new("between")
        .long("between")
        .value_names(["A", "B"])
        .help("From level A to level B, in place of from the base to a level")
        .num_args(2)
        .conflicts_with("in")
}

/// `--boot FOLDER`, which can be repeated, and what is made of it.
pub(crate) fn sureness(command: Command) -> Command {
    let command = command.arg(
        Arg::new("boot")
            .long("boot")
            .value_name("BOOT")
            .help(
                "Say how sure it is: a folder of covec bootstrap gives intervals, one of covec permute p and q; \
                 repeat it for both",
            )
            .help_heading("Error bars")
            .action(ArgAction::Append)
            .value_parser(value_parser!(PathBuf)),
    );
    arguments::parameters(command, "Error bars", SureParameters::TABLE)
}

/// The replicates of `--boot`, where some were given.
pub(crate) fn resamples(matches: &ArgMatches, model: &Model) -> Result<Option<Resamples>, Failure> {
    let mut parameters = SureParameters::default();
    arguments::take(matches, SureParameters::TABLE, |name, text| parameters.set(name, text))?;
    let paths = arguments::paths(matches, "boot");
    match paths.is_empty() {
        true => Ok(None),
        false => Ok(Some(Resamples::open(&paths, model, &parameters)?)),
    }
}

/// `--plot FILE`.
pub(crate) fn plot() -> Arg {
    Arg::new("plot")
        .long("plot")
        .value_name("FILE")
        .help("Also draw it: FILE.svg, FILE.png or FILE.html (interactive, needs no network)")
        .value_parser(value_parser!(PathBuf))
}

/// `--factor NAME`.
pub(crate) fn factor() -> Arg {
    Arg::new("factor")
        .long("factor")
        .value_name("NAME")
        .help("The factor whose levels are compared [default: the first]")
}

/// `--group FACTOR:COLUMN` and `--groups FILE`.
pub(crate) fn groups() -> [Arg; 2] {
    [
        Arg::new("group")
            .long("group")
            .value_name("FACTOR:COLUMN")
            .help(
                "Gather levels into groups: what COLUMN of the table says of each level of FACTOR; \
                 FACTOR=KEY:COLUMN if the column that names the levels is called otherwise",
            )
            .requires("groups"),
        Arg::new("groups")
            .long("groups")
            .value_name("FILE")
            .help("The table of the groups, CSV or TSV, with a row for every level")
            .requires("group")
            .value_parser(value_parser!(PathBuf)),
    ]
}

/// `--show WHAT`.
pub(crate) fn show(default: &'static str, choices: &[&'static str]) -> Arg {
    Arg::new("show")
        .long("show")
        .value_name("WHAT")
        .help("Which rows are printed")
        .value_parser(choices.to_vec())
        .default_value(default)
}

/// A folder to read beside the model.
pub(crate) fn folder(name: &'static str, help: &'static str) -> Arg {
    let path = clap::value_parser!(std::path::PathBuf);
    Arg::new(name).long(name).value_name("TENSOR").help(help).value_parser(path)
}

/// Words to look at.
pub(crate) fn words(help: &'static str) -> Arg {
    Arg::new("word").value_name("WORD").help(help).required(true).num_args(1..)
}

/// A question, and how its answer is wanted.
pub(crate) struct Question<'a> {
    pub(crate) model: Model,
    pub(crate) support: SupportParameters,
    pub(crate) format: Format,
    /// Rows that are wanted.
    pub(crate) most: usize,
    pub(crate) screen: &'a Screen,
    pub(crate) work: Work<'a>,
    plot: Option<PathBuf>,
    matches: &'a ArgMatches,
}

impl<'a> Question<'a> {
    pub(crate) fn open(matches: &'a ArgMatches, screen: &'a Screen) -> Result<Self, Failure> {
        let mut support = SupportParameters::default();
        arguments::take(matches, SupportParameters::TABLE, |name, text| support.set(name, text))?;
        Ok(Self { support, ..Self::open_plain(matches, screen)? })
    }

    /// For a command that speaks of no words, and so of no support.
    pub(crate) fn open_plain(matches: &'a ArgMatches, screen: &'a Screen) -> Result<Self, Failure> {
        let support = SupportParameters::default();
        // A picture that could not be written is refused before the work, not after it.
        let plot = matches.try_get_one::<PathBuf>("plot").ok().flatten().cloned();
        plot.as_deref().map_or(Ok(()), Chart::check_path).map_err(|e| Failure::picture(&e))?;
        let path = arguments::path(matches, "model");
        let (format, most) = arguments::format(matches);
        let mut work = Work { observer: screen, ..Work::default() };
        arguments::take_threads(matches, &mut work);
        let model = Model::open(&path)?;
        for name in ["in", "between"] {
            let texts = matches.try_get_many::<String>(name).ok().flatten().into_iter().flatten();
            let cautions = View::cautions(&model, &texts.collect::<Vec<_>>());
            cautions.iter().for_each(|caution| screen.note(caution));
        }
        Ok(Self { model, support, format, most, screen, work, plot, matches })
    }

    /// Whether anything was given under a name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.matches.contains_id(name)
    }

    /// All texts that were given under a name.
    pub(crate) fn texts(&self, name: &str) -> Vec<String> {
        self.matches.get_many::<String>(name).into_iter().flatten().cloned().collect()
    }

    /// The text that was given under a name.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.matches.get_one::<String>(name).map(String::as_str)
    }

    /// The views that were asked for with `--in`; every level of the first factor where none were.
    pub(crate) fn views(&self) -> Result<Vec<View>, Failure> {
        Ok(View::all_named(&self.model, &self.texts("in"))?)
    }

    /// The same; where none were asked for, the base comes first.
    pub(crate) fn views_with_base(&self) -> Result<Vec<View>, Failure> {
        Ok(covec_answers::views_with_base(&self.model, &self.texts("in"))?)
    }

    /// An error where a picture was asked for of more than one can show.
    pub(crate) fn one_picture(&self, of: usize, way_out: &str) -> Result<(), Failure> {
        match &self.plot {
            Some(path) if of > 1 => Err(Failure::Usage(format!(
                "--plot {}: {of} comparisons do not fit in one picture\n  way out: choose one with {way_out}",
                path.display()
            ))),
            _ => Ok(()),
        }
    }

    /// An error where a picture was asked for of rows that make none.
    pub(crate) fn no_picture(&self, way_out: &str) -> Result<(), Failure> {
        match &self.plot {
            Some(path) => Err(Failure::Usage(format!(
                "--plot {}: there is no picture of these rows\n  way out: {way_out}",
                path.display()
            ))),
            None => Ok(()),
        }
    }

    /// Whether a picture was asked for.
    pub(crate) fn plots(&self) -> bool {
        self.plot.is_some()
    }

    /// Draws a picture where one was asked for.
    pub(crate) fn draw(
        &self,
        chart: impl FnOnce() -> Result<Chart, ChartError>,
    ) -> Result<(), Failure> {
        if let Some(path) = &self.plot {
            let saved = chart().and_then(|chart| chart.save(path));
            saved.map_err(|e| Failure::picture(&e))?;
            self.screen.say(&format!("drawn: {}", path.display()));
        }
        Ok(())
    }

    /// What is compared: two levels, or the base with each level.
    pub(crate) fn comparisons(&self) -> Result<Vec<(View, View)>, Failure> {
        let between = self.texts("between");
        let between = match &between[..] {
            [a, b] => Some([a.as_str(), b.as_str()]),
            _ => None,
        };
        Ok(covec_answers::comparisons(&self.model, &self.texts("in"), between)?)
    }

    /// The factor that was asked for, by its place.
    pub(crate) fn factor(&self) -> Result<usize, Failure> {
        Ok(factor_named(&self.model, self.text("factor"))?)
    }

    /// The replicates that answers are checked against, where some were given.
    pub(crate) fn resamples(&self) -> Result<Option<Resamples>, Failure> {
        let resamples = resamples(self.matches, &self.model)?;
        resamples.iter().for_each(|resamples| self.tell_resamples(resamples));
        Ok(resamples)
    }

    /// What error bars are of is for readers of tables; what is wrong with them for everybody.
    fn tell_resamples(&self, resamples: &Resamples) {
        if self.format == Format::Table {
            resamples.meaning().iter().for_each(|sentence| self.screen.say(sentence));
        }
        resamples.cautions().iter().for_each(|caution| self.screen.note(caution));
    }

    /// Prints as many rows as were asked for, with error bars where replicates were given, and draws them with what
    /// is known of how sure their measures are. `ask` says what the rows' measures are in another model.
    pub(crate) fn draw_and_print_sure<R: Measured + Serialize + Default + Clone>(
        &self,
        answer: Answer<R>,
        ask: impl Fn(&Model, &[R]) -> Result<Vec<f64>, Error>,
        chart: impl FnOnce(&[R], &[Vec<Bar>]) -> Result<Chart, ChartError>,
    ) -> Result<(), Failure> {
        let Some(resamples) = self.resamples()? else {
            self.draw(|| chart(&answer.rows, &[]))?;
            return self.print(&answer);
        };
        let rows = resamples.sure(&self.model, answer.rows, ask, &self.work)?;
        self.draw(|| chart(&plain(&rows), &bars(&rows)))?;
        self.print_bars(&rows, answer.left_out, self.most)
    }

    /// Prints all rows with error bars, and lines of the corpus where they were asked for; `plain` are the rows without bars.
    pub(crate) fn print_bars_shown<R: Serialize, P: Pair>(
        &self,
        rows: Vec<R>,
        plain: &[P],
        left_out: usize,
    ) -> Result<(), Failure> {
        let found = evidence::wanted(self.matches, &self.model, plain, &self.work)?;
        let Some(found) = found else { return self.print_bars(&rows, left_out, usize::MAX) };
        if self.format == Format::Table {
            let lines = evidence::below(plain, &found);
            self.print_bars(&rows, left_out, usize::MAX)?;
            return print(&lines);
        }
        self.print_bars(&evidence::shown(rows, found), left_out, usize::MAX)
    }

    /// Prints rows with error bars.
    pub(crate) fn print_bars<R: Serialize>(
        &self,
        rows: &[R],
        left_out: usize,
        most: usize,
    ) -> Result<(), Failure> {
        self.screen.clear();
        self.tell_left_out(left_out);
        let mut table = Table::of_some(rows);
        if self.format == Format::Table {
            // Weights of many levels do not fit in a cell.
            table = table.barred().without(&["weights"]);
        }
        table.print(self.format, most)
    }

    /// Prints as many rows as were asked for, and says what was left out.
    pub(crate) fn print<R: Serialize + Default>(&self, answer: &Answer<R>) -> Result<(), Failure> {
        self.print_some(answer, self.most)
    }

    /// Prints all rows: as many as were asked for of each kind.
    pub(crate) fn print_all<R: Serialize + Default>(
        &self,
        answer: &Answer<R>,
    ) -> Result<(), Failure> {
        self.print_some(answer, usize::MAX)
    }

    fn print_some<R: Serialize + Default>(
        &self,
        answer: &Answer<R>,
        most: usize,
    ) -> Result<(), Failure> {
        self.screen.clear();
        self.tell_left_out(answer.left_out);
        Table::of(&answer.rows).print(self.format, most)
    }

    /// How many words were too rare.
    pub(crate) fn tell_left_out(&self, words: usize) {
        if words > 0 {
            self.screen.say(&format!(
                "note: {} words are left out where they occur fewer than {} times (--min-support)",
                thousands(words as u64),
                self.support.min_support.0
            ));
        }
    }
}
