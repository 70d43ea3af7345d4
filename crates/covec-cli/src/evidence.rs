//! Lines of the corpus behind an answer: `--evidence N --corpus PATH…`, for any command that asks a model.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use covec::Work;
use covec::analyse::concordance::{Evidence, Line, Request, evidence};
use covec::model::Model;
pub(crate) use covec_answers::evidence::shown;
use covec_answers::evidence::{Pair, requests};

use crate::arguments;
use crate::failure::Failure;
use crate::table::thousands;

/// Characters shown to either side of a word.
const WIDTH: &str = "40";

/// `--evidence` and `--corpus`.
pub(crate) fn arguments(command: Command) -> Command {
    command
        .arg(
            Arg::new("evidence")
                .long("evidence")
                .value_name("N")
                .help("Show N lines of the corpus for each pair of words, in which both occur")
                .value_parser(value_parser!(usize))
                .requires("corpus"),
        )
        .arg(corpus().requires("evidence"))
        .arg(width())
}

/// `--corpus PATH…`.
pub(crate) fn corpus() -> Arg {
    Arg::new("corpus")
        .long("corpus")
        .value_name("PATH")
        .help("The corpus the model was counted from: files, folders, or - for standard input")
        .num_args(1..)
        .action(ArgAction::Append)
        .value_parser(value_parser!(PathBuf))
}

/// `--width`.
pub(crate) fn width() -> Arg {
    Arg::new("width")
        .long("width")
        .value_name("N")
        .help("Characters of a line shown to either side of the word")
        .value_parser(value_parser!(usize))
        .default_value(WIDTH)
}

/// Lines for every request, of which `n` at most; one pass over the corpus that was given.
pub(crate) fn find(
    matches: &ArgMatches,
    model: &Model,
    requests: &[Request],
    n: usize,
    work: &Work<'_>,
) -> Result<Vec<Evidence>, Failure> {
    let corpus = arguments::paths(matches, "corpus");
    let width = matches.get_one::<usize>("width").copied().unwrap_or_default();
    Ok(evidence(model, &corpus, requests, n, width, work)?)
}

/// Lines in which both words of a row occur, for every row, if the user asked for evidence.
pub(crate) fn wanted<R: Pair>(
    matches: &ArgMatches,
    model: &Model,
    rows: &[R],
    work: &Work<'_>,
) -> Result<Option<Vec<Evidence>>, Failure> {
    let Some(&n) = matches.get_one::<usize>("evidence") else { return Ok(None) };
    let requests = requests(model, rows)?;
    find(matches, model, &requests, n, work).map(Some)
}

/// The lines of every row, to stand below the rows.
pub(crate) fn below<R: Pair>(rows: &[R], evidence: &[Evidence]) -> String {
    let mut text = String::new();
    for (row, found) in rows.iter().zip(evidence) {
        let (lines, all) = (aligned(&found.lines), thousands(found.found));
        let [word, near, level] = row.pair();
        text += &format!("\n{word} near {near} in {level}: {all} lines\n{lines}");
    }
    text
}

/// Lines below each other, the word of each in one column.
pub(crate) fn aligned(lines: &[Line]) -> String {
    let count = |text: &str| text.chars().count();
    let widest =
        |of: fn(&Line) -> &str| lines.iter().map(|line| count(of(line))).max().unwrap_or(0);
    let left = widest(|line| &line.left);
    let right = lines.iter().map(|line| count(&line.written) + count(&line.right)).max();
    let widest_document = widest(|line| file_name(&line.document));
    let mut text = String::new();
    for line in lines {
        let Line { left: before, written, right: after, document, level, .. } = line;
        let from = file_name(document);
        let pad = |width: usize, used: usize| " ".repeat(width.saturating_sub(used));
        let start = pad(left, count(before));
        let end = pad(right.unwrap_or(0), count(written) + count(after));
        let gap = pad(widest_document, count(from));
        let row = format!("{start}{before}{written}{after}{end}  {from}{gap}  {level}");
        text += row.trim_end();
        text.push('\n');
    }
    text
}

/// A document without the folders it lies in, which JSON and CSV name.
fn file_name(document: &str) -> &str {
    document.rsplit(['/', '\\']).next().unwrap_or(document)
}
