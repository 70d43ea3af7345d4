//! `covec drift`: what moved under a level, or between two.

use clap::{Arg, ArgMatches, Command};
use covec::Observer;
use covec::analyse::drift::{Direction, DriftParameters, Mover, drift};
use covec::analyse::moved::{self, Moved, MovedBy, MovedPair};
use covec::analyse::{Answer, View};
use covec::resample::{Resamples, bars, plain};
use covec_answers::drift::{Drift, ORDERS, sort};
use covec_report::answers::drift as charts;

use crate::arguments;
use crate::columns::{self, Column};
use crate::evidence;
use crate::failure::Failure;
use crate::question::{self, Question};
use crate::screen::Screen;
use crate::table::{Format, Printed, Table, print, thousands};

/// What the numbers of the whole vocabulary mean.
pub(crate) const LEGEND: &str = "topical: what the level's weights make of all words alike; own: what a word's own use adds. Of words: change \
     of the\npredicted log counts around them; overlap: share of its nearest words that a word keeps. Of pairs: ×R, how many\n\
     times the distance it was; (N): how often the word occurs there.";

pub(crate) fn command() -> Command {
    let command = Command::new("drift")
        .about("What moved under a level: closer to a word, further from it, or over the whole vocabulary")
        .long_about(
            "What moved under a level, compared with the base, or between two levels.\n\n\
             With WORD: the words that moved closer to it and further from it, by the ratio of the distances of \
             normalised vectors. Without: the words and pairs of words that moved most.\n\n\
             Two parts are told apart. topical: what the level's weights make of all words alike; own: what a word's \
             own deviation adds. Of words both are in one unit: the root mean square change of the log counts that \
             are predicted for the words around it (0.1: some 10 % more or less often). Of pairs they are factors of \
             the ratio of distances: ratio = topical · own. overlap: share of its nearest words that a word keeps.",
        )
        .after_help(
            "Examples:\n  \
             covec drift model/ freedom --in era=1946-1980\n  \
             covec drift model/ --in party=Republican -n 20\n  \
             covec drift model/ --in party=Republican --boot boot/ --boot shuffled/\n  \
             covec drift model/ --between era=1790-1860 era=1981-2026 --show pairs --format csv",
        );
    let command = question::sureness(evidence::arguments(question::command(command, "10")))
        .arg(
            Arg::new("word")
                .value_name("WORD")
                .help("Words to look at [default: the whole vocabulary]")
                .num_args(0..),
        )
        .arg(question::levels("every level of the first factor"))
        .arg(question::between())
        .arg(question::plot())
        .arg(
            Arg::new("show")
                .long("show")
                .value_name("WHAT")
                .help("Of the whole vocabulary: words or pairs [default: both; with --format csv or json words]")
                .value_parser(["words", "pairs"]),
        )
        .arg(
            Arg::new("by")
                .long("by")
                .value_name("PART")
                .help("Which part words are sorted by")
                .value_parser(ORDERS)
                .default_value(ORDERS[0]),
        );
    arguments::parameters(command, "Nearness", DriftParameters::TABLE)
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let question = Question::open(matches, &screen)?;
    let comparisons = question.comparisons()?;
    for caution in View::lacking_own(&question.model, &comparisons) {
        screen.note(&caution);
    }
    let words = question.texts("word");
    question.one_picture(comparisons.len() * words.len().max(1), "--in or --between")?;
    let mut parameters = DriftParameters::default();
    arguments::take(matches, DriftParameters::TABLE, |name, text| parameters.set(name, text))?;
    if let Some(resamples) = question.resamples()? {
        return with_bars(&question, &resamples, &words, &comparisons, &parameters);
    }
    if !words.is_empty() {
        return of_words(matches, &question, &words, &comparisons, &parameters);
    }
    let show = question.text("show");
    let table = question.format == Format::Table;
    let Question { model, support, work, most, .. } = &question;
    let (mut movers, mut pairs) = (Answer::default(), Answer::default());
    let mut text = String::new();
    for (from, to) in &comparisons {
        let (mut own, mut own_pairs) = (Answer::default(), Answer::default());
        if show != Some("pairs") {
            own = moved::words(model, from, to, &parameters, support, work)?;
            question.draw(|| charts::words(&own.rows))?;
            sort(&mut own.rows, question.text("by").unwrap_or("own"));
            own.rows.truncate(*most);
        }
        if show == Some("pairs") || (table && show.is_none()) {
            own_pairs = moved::pairs(model, from, to, *most, support, work)?;
        }
        if table {
            text += &told(from, to, &own.rows, &own_pairs.rows)?;
        }
        movers.join(own);
        pairs.join(own_pairs);
    }
    let evidence = evidence::wanted(matches, model, &pairs.rows, work)?;
    screen.clear();
    if table {
        question.tell_left_out(movers.left_out.max(pairs.left_out));
        let lines = evidence.map_or_else(String::new, |found| evidence::below(&pairs.rows, &found));
        return print(&format!("{text}{LEGEND}\n{lines}"));
    }
    match (show, evidence) {
        (Some("pairs"), Some(found)) => {
            let rows = evidence::shown(pairs.rows, found);
            question.print_all(&Answer { rows, left_out: pairs.left_out })
        }
        (Some("pairs"), None) => question.print_all(&pairs),
        _ => question.print_all(&movers),
    }
}

/// Words and pairs that moved from one view to another.
pub(crate) fn told(
    from: &View,
    to: &View,
    movers: &[Moved],
    pairs: &[MovedPair],
) -> Result<String, Failure> {
    let mut text = String::new();
    if !movers.is_empty() {
        text += &format!("\nwords that moved most from {} to {}\n", from.name, to.name);
        text += &Table::of(movers).without(&["from", "to"]).text(Format::Table, usize::MAX)?;
    }
    if !pairs.is_empty() {
        let title = format!("pairs that moved most from {} to {}", from.name, to.name);
        text += &format!("\n{}", columns::side_by_side(&title, &pair_columns(pairs))?);
    }
    Ok(text)
}

/// The same with error bars: which moves are more than chance.
fn with_bars(
    question: &Question<'_>,
    resamples: &Resamples,
    words: &[String],
    comparisons: &[(View, View)],
    parameters: &DriftParameters,
) -> Result<(), Failure> {
    let Question { model, support, work, most, .. } = question;
    let drift = Drift { model, comparisons, parameters, support, most: *most, work };
    if !words.is_empty() {
        let Answer { rows, left_out } = drift.sure_around(words, resamples)?;
        let plain = plain(&rows);
        question.draw(|| charts::movers(&plain, &bars(&rows)))?;
        return question.print_bars_shown(rows, &plain, left_out);
    }
    if question.text("show") == Some("pairs") {
        question.no_picture("--show words")?;
        let Answer { rows, left_out } = drift.sure_pairs(resamples)?;
        let plain = plain(&rows);
        return question.print_bars_shown(rows, &plain, left_out);
    }
    let (tested, told) = drift.tested(question.text("by").unwrap_or(ORDERS[0]), resamples)?;
    if question.format == Format::Table {
        told.iter().for_each(|line| question.screen.say(line));
    }
    question.draw(|| charts::sure_words(tested.rows.iter().map(|row| &row.sure)))?;
    question.print_bars(&tested.rows, tested.left_out, usize::MAX)
}

fn pair_columns(rows: &[MovedPair]) -> Vec<Column> {
    let mut columns = Vec::new();
    for part in [MovedBy::Topical, MovedBy::Own] {
        for direction in [Direction::Closer, Direction::Further] {
            let own = rows.iter().filter(|row| row.part == part && row.direction == direction);
            let (part_name, factor): (_, fn(&MovedPair) -> f64) = match part {
                MovedBy::Topical => ("topical", |row| row.topical),
                MovedBy::Own => ("own", |row| row.own),
            };
            let towards = if direction == Direction::Closer { "closer" } else { "further" };
            let cell = |row: &MovedPair| {
                let [a, b] = [row.a_count_to, row.b_count_to].map(thousands);
                format!("{} ({a}) – {} ({b}) ×{:.2}", row.a, row.b, factor(row))
            };
            let cells: Vec<String> = own.map(cell).collect();
            if !cells.is_empty() {
                columns.push(Column { title: format!("{part_name}: {towards}"), cells });
            }
        }
    }
    columns
}

/// What moved relative to words.
fn of_words(
    matches: &ArgMatches,
    question: &Question<'_>,
    words: &[String],
    comparisons: &[(View, View)],
    parameters: &DriftParameters,
) -> Result<(), Failure> {
    let Question { model, support, work, most, .. } = question;
    let table = question.format == Format::Table;
    let (mut all, mut text) = (Answer::default(), String::new());
    for word in words {
        let id = model.word(word)?;
        let views: Vec<View> = comparisons.iter().map(|(_, to)| to.clone()).collect();
        support.anywhere(model, &[id], &views)?;
        for (from, to) in comparisons {
            // Where levels were not asked for by name, those in which the word is rare are passed over.
            let least = from.count(model, id).min(to.count(model, id));
            if least < support.min_support.0 && comparisons.len() > 1 {
                text += &format!("\n{word} in {}: too rare to say ({least})\n", to.name);
                continue;
            }
            let answer = drift(model, word, (from, to), *most, parameters, support, work)?;
            question.draw(|| charts::movers(&answer.rows, &[]))?;
            if table {
                let kept = answer.rows.first().map_or_else(String::new, |row| {
                    let nearest = thousands(parameters.overlap.0);
                    format!(": keeps {:.0} % of its {nearest} nearest words", 100.0 * row.overlap)
                });
                let title = format!(
                    "{word} from {} ({}) to {} ({}){kept}",
                    from.name,
                    thousands(from.count(model, id)),
                    to.name,
                    thousands(to.count(model, id))
                );
                let lists = columns::side_by_side(&title, &mover_columns(&answer.rows))?;
                text += &format!("\n{lists}");
            }
            all.join(answer);
        }
    }
    let evidence = evidence::wanted(matches, model, &all.rows, work)?;
    if !table {
        let Some(evidence) = evidence else { return question.print_all(&all) };
        let rows = evidence::shown(all.rows, evidence);
        return question.print_all(&Answer { rows, left_out: all.left_out });
    }
    let lines = evidence.map_or_else(String::new, |found| evidence::below(&all.rows, &found));
    question.screen.clear();
    question.tell_left_out(all.left_out);
    print(&format!(
        "{text}×R = topical · own: how many times the distance it was; (N): how often the word occurs there.\n{lines}"
    ))
}

fn mover_columns(rows: &[Mover]) -> Vec<Column> {
    let column = |direction, title: &str| {
        let own = rows.iter().filter(|row| row.direction == direction);
        let cell = |row: &Mover| {
            format!(
                "{} ({}) ×{:.2} = {:.2} · {:.2}",
                row.other,
                thousands(row.count_to),
                row.ratio,
                row.topical,
                row.own
            )
        };
        Column { title: title.to_owned(), cells: own.map(cell).collect() }
    };
    vec![column(Direction::Closer, "closer"), column(Direction::Further, "further")]
}
