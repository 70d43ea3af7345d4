//! `covec collocates`: what stands near a word, level beside level.

use clap::{Arg, ArgAction, ArgMatches, Command};
use covec::Work;
use covec::tensor::Tensor;
use covec::tensor::collocates::{self, Collocate, CollocateParameters, Collocates};
use covec_answers::collocates::{rows, why_empty};

use crate::arguments;
use crate::columns::{self, Column};
use crate::failure::Failure;
use crate::screen::Screen;
use crate::table::{self, Format, Printed, thousands};

/// What the numbers of a printed list mean.
pub(crate) const LEGEND: &str =
    "N×: near the word at least N times as often as by chance. (N): how often the word occurs.";

pub(crate) fn command() -> Command {
    let command = Command::new("collocates")
        .about("What stands near a word more often than chance, in each level")
        .long_about(
            "What stands near a word more often than chance, in each level, straight from the counts.\n\n\
             count is the weighted co-occurrence of the two words in the level, expected what it would be if \
             the level's words met by chance, and score = ln(count / expected) - Z / sqrt(count): what the \
             association is at least, Z standard errors (--caution) below what was seen. The table shows \
             e^score.",
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
    let work = Work { observer: &screen, ..Work::default() };
    let mut parameters = CollocateParameters::default();
    arguments::take(matches, CollocateParameters::TABLE, |name, text| parameters.set(name, text))?;
    let texts =
        |name| matches.get_many::<String>(name).into_iter().flatten().cloned().collect::<Vec<_>>();
    let tensor = Tensor::open(&arguments::path(matches, "tensor"))?;
    let lists = collocates::find(&tensor, &texts("word"), &texts("in"), &parameters, &work)?;
    screen.clear();
    let (format, most) = arguments::format(matches);
    if format == Format::Table {
        return table::print(&format!("{}{LEGEND}\n", side_by_side(&lists, most)?));
    }
    for list in lists.iter().filter(|list| list.rows.is_empty()) {
        screen.say(&format!("note: '{}' in {}: {}", list.word, list.level, why_empty(list)));
    }
    rows(&lists, most).print(format, usize::MAX)
}

/// For every word one column a level, its best collocates below each other.
pub(crate) fn side_by_side(lists: &[Collocates], most: usize) -> Result<String, Failure> {
    let factor = common_factor(lists);
    let mut text = String::new();
    for of_word in lists.chunk_by(|a, b| a.word == b.word) {
        let columns: Vec<Column> = of_word.iter().map(|list| column(list, factor, most)).collect();
        text += &columns::side_by_side(&of_word[0].word, &columns)?;
    }
    Ok(text)
}

/// A level as a column of the table.
fn column(list: &Collocates, factor: &str, most: usize) -> Column {
    let level = list.level.strip_prefix(factor).unwrap_or(&list.level);
    let title = format!("{level} ({})", thousands(list.occurrences));
    let cell = |row: &Collocate| format!("{} {:.0}×", row.word, row.score.exp());
    let cells = match list.rows.is_empty() {
        true => vec![why_empty(list).to_owned()],
        false => list.rows.iter().take(most).map(cell).collect(),
    };
    Column { title, cells }
}

/// `era=` where all levels are of that factor alone, else nothing.
fn common_factor(lists: &[Collocates]) -> &str {
    let factor = |list: &Collocates| list.level.find('=').map(|at| at + 1);
    let Some(first) = lists.first() else { return "" };
    let prefix = factor(first).map_or("", |end| &first.level[..end]);
    let alone = |list: &Collocates| list.level.starts_with(prefix) && !list.level.contains(',');
    if lists.iter().all(alone) { prefix } else { "" }
}
