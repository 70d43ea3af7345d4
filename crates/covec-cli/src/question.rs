//! What all commands share that ask a model.

use clap::{Arg, ArgAction, ArgMatches, Command};
use covec::Work;
use covec::analyse::{Answer, SupportParameters, View};
use covec::model::Model;
use serde::Serialize;

use crate::arguments;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::table::{Format, Table};

/// A command that asks a model: its folder, support, rows, threads.
pub(crate) fn command(command: Command, rows: &'static str) -> Command {
    let command = command.arg(arguments::folder("model", "Model folder").value_name("MODEL"));
    let command = arguments::parameters(command, "Support", SupportParameters::TABLE);
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
    matches: &'a ArgMatches,
}

impl<'a> Question<'a> {
    pub(crate) fn open(matches: &'a ArgMatches, screen: &'a Screen) -> Result<Self, Failure> {
        let mut support = SupportParameters::default();
        arguments::take(matches, SupportParameters::TABLE, |name, text| support.set(name, text))?;
        let path = arguments::path(matches, "model");
        let (format, most) = arguments::format(matches);
        let mut work = Work { observer: screen, ..Work::default() };
        arguments::take_threads(matches, &mut work);
        Ok(Self { model: Model::open(&path)?, support, format, most, screen, work, matches })
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
        let mut views = self.views()?;
        if self.texts("in").is_empty() {
            views.insert(0, View::base());
        }
        Ok(views)
    }

    /// Prints as many rows as were asked for, and says what was left out.
    pub(crate) fn print<R: Serialize>(&self, answer: &Answer<R>) -> Result<(), Failure> {
        self.print_some(answer, self.most)
    }

    /// Prints all rows: as many as were asked for of each kind.
    pub(crate) fn print_all<R: Serialize>(&self, answer: &Answer<R>) -> Result<(), Failure> {
        self.print_some(answer, usize::MAX)
    }

    fn print_some<R: Serialize>(&self, answer: &Answer<R>, most: usize) -> Result<(), Failure> {
        self.screen.clear();
        self.tell_left_out(answer.left_out);
        Table::of(&answer.rows)?.print(self.format, most)
    }

    /// How many words were too rare.
    pub(crate) fn tell_left_out(&self, words: usize) {
        if words > 0 {
            self.screen.say(&format!(
                "note: {} words are left out where they occur fewer than {} times (--min-support)",
                crate::table::thousands(words as u64),
                self.support.min_support.0
            ));
        }
    }
}
