//! Arguments: made from the library's one table of parameters, and the few that all commands share.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use covec::Work;
use covec::parameters::{Bytes, Parameter, ParameterError};

use crate::failure::Failure;
use crate::screen::Screen;
use crate::table::Format;

const WORK: &str = "Work (none of it changes the result)";

/// One flag for every row of the table.
pub(crate) fn parameters(
    command: Command,
    heading: &'static str,
    table: impl IntoIterator<Item = &'static Parameter>,
) -> Command {
    table.into_iter().fold(command, |command, row| {
        let help = if row.is_switch() {
            row.meaning.to_owned()
        } else {
            format!("{} [default: {}]", row.meaning, row.default)
        };
        let arg =
            Arg::new(row.name).long(row.name.replace('_', "-")).help(help).help_heading(heading);
        command.arg(if row.is_switch() {
            arg.action(ArgAction::SetTrue)
        } else {
            let action = if row.repeats { ArgAction::Append } else { ArgAction::Set };
            arg.value_name(row.value).action(action).allow_hyphen_values(true)
        })
    })
}

/// Hands what the user gave of a table to `set`.
pub(crate) fn take(
    matches: &ArgMatches,
    table: impl IntoIterator<Item = &'static Parameter>,
    mut set: impl FnMut(&str, &str) -> Result<(), ParameterError>,
) -> Result<(), Failure> {
    for row in table {
        if row.is_switch() {
            if matches.get_flag(row.name) {
                set(row.name, "true")?;
            }
        } else {
            for value in matches.get_many::<String>(row.name).into_iter().flatten() {
                set(row.name, value)?;
            }
        }
    }
    Ok(())
}

/// A folder or file to make.
pub(crate) fn output(command: Command, value: &'static str, help: &'static str) -> Command {
    command.arg(
        Arg::new("output")
            .short('o')
            .long("output")
            .value_name(value)
            .help(help)
            .required(true)
            .value_parser(value_parser!(PathBuf)),
    )
}

/// A folder to read.
pub(crate) fn folder(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .value_name("TENSOR")
        .help(help)
        .required(true)
        .value_parser(value_parser!(PathBuf))
}

/// A path that was given.
pub(crate) fn path(matches: &ArgMatches, name: &str) -> PathBuf {
    matches.get_one::<PathBuf>(name).cloned().unwrap_or_default()
}

/// All paths that were given.
pub(crate) fn paths(matches: &ArgMatches, name: &str) -> Vec<PathBuf> {
    matches.get_many::<PathBuf>(name).into_iter().flatten().cloned().collect()
}

/// How the work is done: threads, memory, force, quiet.
pub(crate) fn work(command: Command) -> Command {
    command
        .arg(threads())
        .arg(
            Arg::new("memory")
                .long("memory")
                .value_name("SIZE")
                .help("Memory to stay within; the rest goes to temporary files beside the output [default: 4G]")
                .help_heading(WORK),
        )
        .arg(force().help_heading(WORK))
        .arg(quiet().help_heading(WORK))
}

/// `--threads`.
pub(crate) fn threads() -> Arg {
    Arg::new("threads")
        .long("threads")
        .value_name("N")
        .help("Threads that share the work [default: all there are]")
        .help_heading(WORK)
        .value_parser(|text: &str| match text.parse::<NonZeroUsize>() {
            Ok(threads) if threads.get() <= 1024 => Ok(threads),
            _ => Err("expected a whole number from 1 to 1024"),
        })
}

/// Hands the threads that the user gave to the work.
pub(crate) fn take_threads(matches: &ArgMatches, work: &mut Work<'_>) {
    if let Some(&threads) = matches.get_one::<NonZeroUsize>("threads") {
        work.threads = threads;
    }
}

/// `--checkpoint` and `--resume`, for commands that train.
pub(crate) fn checkpoints(command: Command) -> Command {
    command
        .arg(
            Arg::new("checkpoint")
                .long("checkpoint")
                .value_name("MINUTES")
                .help("Keep what was found so far in MODEL.checkpoint this often; 0 for never [default: 1]")
                .help_heading(WORK),
        )
        .arg(
            Arg::new("resume")
                .long("resume")
                .help("Go on from MODEL.checkpoint, to the same bits; of the parameters only --sweeps and --tolerance may differ")
                .help_heading(WORK)
                .action(ArgAction::SetTrue),
        )
}

/// How often the user wants a checkpoint.
pub(crate) fn every(matches: &ArgMatches) -> Result<Duration, Failure> {
    let Some(text) = matches.get_one::<String>("checkpoint") else { return Ok(Work::CHECKPOINT) };
    let minutes = text.parse::<f64>().ok().filter(|minutes| (0.0..=1e6).contains(minutes));
    let minutes = minutes.ok_or_else(|| {
        Failure::Usage(format!(
            "--checkpoint {text}: expected minutes, such as 5 or 0.5; 0 for never"
        ))
    })?;
    Ok(Duration::from_secs_f64(minutes * 60.0))
}

/// `--force`.
pub(crate) fn force() -> Arg {
    Arg::new("force")
        .long("force")
        .help("Replace an output that is already there; a folder only if covec made it")
        .action(ArgAction::SetTrue)
}

/// `--quiet`.
pub(crate) fn quiet() -> Arg {
    Arg::new("quiet")
        .long("quiet")
        .short('q')
        .help("No progress, only errors")
        .action(ArgAction::SetTrue)
}

/// How the user wants the work done.
pub(crate) fn how<'a>(matches: &ArgMatches, screen: &'a Screen) -> Result<Work<'a>, Failure> {
    let mut work = Work { observer: screen, force: matches.get_flag("force"), ..Work::default() };
    take_threads(matches, &mut work);
    if let Some(text) = matches.get_one::<String>("memory") {
        let memory = text.parse::<Bytes>().ok().filter(|m| *m >= Work::LEAST_MEMORY);
        work.memory = memory.ok_or_else(|| {
            Failure::Usage(format!(
                "--memory {text}: expected a size such as 512M or 4G, at least 1M"
            ))
        })?;
    }
    Ok(work)
}

/// `--format` and `-n`, for commands that print rows.
pub(crate) fn rows(command: Command, default: &'static str) -> Command {
    command
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .help("How rows are printed")
                .value_parser(["table", "json", "csv"])
                .default_value("table"),
        )
        .arg(
            Arg::new("n")
                .short('n')
                .long("rows")
                .value_name("N")
                .help("How many rows are printed")
                .value_parser(value_parser!(usize))
                .default_value(default),
        )
}

/// What `rows` gathered.
pub(crate) fn format(matches: &ArgMatches) -> (Format, usize) {
    let format = match matches.get_one::<String>("format").map(String::as_str) {
        Some("json") => Format::Json,
        Some("csv") => Format::Csv,
        _ => Format::Table,
    };
    (format, matches.get_one::<usize>("n").copied().unwrap_or(usize::MAX))
}
