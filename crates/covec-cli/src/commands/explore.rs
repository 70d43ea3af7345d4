//! `covec explore`: a page for looking into a model.

use std::path::PathBuf;
use std::process::{Command as Process, Stdio};
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use covec::Observer;
use covec::analyse::SupportParameters;
use covec::resample::SureParameters;
use covec_explore::{Desk, ExploreError, Server, Sources};

use crate::arguments;
use crate::failure::Failure;
use crate::question;
use crate::screen::Screen;
use crate::table::print;

/// Between looks at whether to end.
const TICK: Duration = Duration::from_millis(100);

pub(crate) fn command() -> Command {
    let corpus = Arg::new("corpus")
        .long("corpus")
        .value_name("PATH")
        .help("The corpus the model was counted from: shows lines of it as evidence")
        .num_args(1..)
        .action(ArgAction::Append)
        .value_parser(value_parser!(PathBuf));
    let command = Command::new("explore")
        .about("Open a page on this machine for looking into a model: words, levels, topics, texts")
        .long_about(
            "Open a page on this machine for looking into a model: which levels are alike, what words are near to and how \
             that differs, which words moved between two levels, topics, analogies, and whose a text is.\n\n\
             The page is served by this command until it is ended with Ctrl-C, to this machine alone unless --host says \
             otherwise; it needs no network. Programs can ask the same at /api/v1 (see /api/v1/openapi.json).",
        )
        .after_help(
            "Examples:\n  \
             covec explore model/ --open\n  \
             covec explore model/ --corpus speeches.jsonl --boot boot/ --port 8080",
        )
        .arg(arguments::folder("model", "Model folder").value_name("MODEL"))
        .arg(corpus)
        .args(question::groups())
        .arg(
            Arg::new("port")
                .long("port")
                .value_name("N")
                .help("Port to listen on [default: 7300, or the next that is free]")
                .value_parser(value_parser!(u16).range(1..)),
        )
        .arg(
            Arg::new("host")
                .long("host")
                .value_name("HOST")
                .help("Address to listen on; others than 127.0.0.1 let other machines read the model and the corpus")
                .default_value("127.0.0.1"),
        )
        .arg(
            Arg::new("open")
                .long("open")
                .help("Open the page in the browser")
                .action(ArgAction::SetTrue),
        );
    let command = question::sureness(command);
    arguments::parameters(command, "Support", SupportParameters::TABLE).arg(arguments::quiet())
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let mut sources = Sources {
        model: arguments::path(matches, "model"),
        corpus: arguments::paths(matches, "corpus"),
        boot: arguments::paths(matches, "boot"),
        ..Sources::default()
    };
    arguments::take(matches, SupportParameters::TABLE, |n, text| sources.support.set(n, text))?;
    arguments::take(matches, SureParameters::TABLE, |n, text| sources.sure.set(n, text))?;
    let spec = matches.get_one::<String>("group").cloned();
    sources.groups = spec.zip(matches.get_one::<PathBuf>("groups").cloned());
    let host = matches.get_one::<String>("host").map_or("127.0.0.1", String::as_str);
    let desk = Desk::open(&sources).map_err(refused)?;
    let server =
        Server::start(desk, host, matches.get_one::<u16>("port").copied()).map_err(refused)?;
    let url = server.url();
    print(&format!("{url}\n"))?;
    if !server.address().ip().is_loopback() {
        screen
            .say("note: other machines can read this model and its corpus while the page is open");
    }
    screen.say("Open this address in a browser; Ctrl-C ends it.");
    if matches.get_flag("open") && !open(&url) {
        screen.say("note: no browser could be opened here");
    }
    while !screen.stop() {
        std::thread::sleep(TICK);
    }
    server.stop();
    Ok(())
}

/// Opens an address in the user's browser.
fn open(url: &str) -> bool {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let quiet = Stdio::null;
    let mut command = Process::new(program);
    command.args(before).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn().is_ok()
}

fn refused(error: ExploreError) -> Failure {
    match error {
        ExploreError::Covec(error) => Failure::Library(error),
        error if error.is_refusal() => Failure::Usage(error.to_string()),
        error => Failure::Other(error.to_string()),
    }
}
