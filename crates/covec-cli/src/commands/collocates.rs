//! `covec collocates`: what stands near a word, level beside level.

use clap::{Arg, ArgAction, ArgMatches, Command};
use covec::tensor::Tensor;
use covec::tensor::collocates::{self, CollocateParameters, Collocates};
use serde_json::json;

use crate::arguments;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::table::{Format, Table, thousands};

pub(crate) fn command() -> Command {
    let command = Command::new("collocates")
        .about("What stands near a word more often than chance, in each level")
        .long_about(
            "What stands near a word more often than chance, in each level, straight from the counts.\n\n\
             The score is ln((count + K) / (expected + K)): count is the weighted co-occurrence of the two \
             words in the level, expected what it would be if the level's words met by chance, and K \
             (--shrink) keeps rare words from winning by a single meeting. Score 1 is about 2.7 times, \
             2 about 7 times as often as by chance.",
        )
        .after_help(
            "Examples:\n  \
             covec collocates tensor/ freedom union\n  \
             covec collocates tensor/ currency --in era=1861-1912 --in era=1981-2026 -n 20\n  \
             covec collocates tensor/ labor --in Democratic,era=1913-1945 --format csv",
        )
        .arg(arguments::folder("tensor", "Tensor folder"))
        .arg(Arg::new("word").value_name("WORD").help("Words to look at").required(true).num_args(1..))
        .arg(
            Arg::new("in")
                .long("in")
                .value_name("LEVEL")
                .help(
                    "factor=level, level where that is unambiguous, or several joined by commas; repeat it to \
                     compare [default: every level of the first factor; the whole where there is none]",
                )
                .action(ArgAction::Append),
        );
    let command = arguments::rows(command, "10");
    arguments::parameters(command, "Score", CollocateParameters::TABLE).arg(arguments::quiet())
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let work = covec::Work { observer: &screen, ..covec::Work::default() };
    let mut parameters = CollocateParameters::default();
    arguments::take(matches, CollocateParameters::TABLE, |name, text| parameters.set(name, text))?;
    let texts = |name: &str| matches.get_many::<String>(name).into_iter().flatten().cloned().collect::<Vec<_>>();
    let tensor = Tensor::open(&arguments::path(matches, "tensor"))?;
    let lists = collocates::find(&tensor, &texts("word"), &texts("in"), &parameters, &work)?;
    screen.clear();
    let _ = (&lists, thousands(1), Table::new(["a"]), json!(1), Format::Csv);
    for l in &lists { println!("{} {} {}: {}", l.word, l.level, l.occurrences, l.rows.iter().take(12).map(|r| format!("{}({:.1}/{:.1})", r.word, r.count, r.score.exp())).collect::<Vec<_>>().join(" ")); }
    Ok(())
}
