//! `covec covariates`: which levels of a factor are alike.

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use covec::analyse::Groups;
use covec::analyse::clusters::clusters;
use covec::analyse::covariates::{Distance, Levels, Nearest, Pair};
use covec::analyse::map::map;
use covec::model::Model;
use covec::resample::{as_in, picked_from};
use covec_answers::covariates::{alike, has_bars, merges, of_one_factor};
use covec_report::answers::covariates as charts;

use crate::dendrogram;
use crate::failure::Failure;
use crate::question::{self, Question};
use crate::screen::Screen;
use crate::table::{Format, Printed, Table, print};

pub(crate) fn command() -> Command {
    let command = Command::new("covariates")
        .about("Show which levels of a factor are alike, by the weights they give the dimensions")
        .long_about(
            "Show which levels of a factor are alike, by the weights they give the dimensions.\n\n\
             A level's profile is, for each dimension, its squared weight less the mean over the levels, times the \
             root of the dimension's energy. cosine: 1 − the cosine of two profiles; euclidean: the length of their \
             difference; weights: 1 − the cosine without the mean taken off; mutual: how near two levels are among all \
             others of each, which keeps levels that are near to many from being nearest to all (for ten levels or more).\n\n\
             With --group, each level's group is read from a column of a table, and the share of levels is told \
             whose nearest level is in the same group.",
        )
        .after_help(
            "Examples:\n  \
             covec covariates model/\n  \
             covec covariates model/ --group book:author --group book:series --groups books.csv\n  \
             covec covariates model/ --distance mutual -n 3\n  \
             covec covariates model/ --show clusters\n  \
             covec covariates model/ --show map --format csv",
        );
    question::sureness(question::plain_command(command, "1"))
        .arg(question::show("nearest", &["nearest", "distances", "clusters", "map"]))
        .arg(question::factor())
        .arg(
            Arg::new("distance")
                .long("distance")
                .value_name("DISTANCE")
                .help("What is measured between two levels")
                .value_parser(["cosine", "euclidean", "weights", "mutual"])
                .default_value("cosine"),
        )
        .args(question::groups())
        .mut_arg("group", |group| group.action(ArgAction::Append))
        .arg(question::plot())
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let question = Question::open_plain(matches, &screen)?;
    let Question { model, format, most, .. } = &question;
    let groups = groups(matches, &question)?;
    let named = question.factor()?;
    let factor = match question.text("factor") {
        None => groups.first().map_or(named, |groups| groups.factor),
        Some(_) => named,
    };
    of_one_factor(model, factor, &groups)?;
    let distance = question.text("distance").unwrap_or("cosine");
    let distance: Distance =
        distance.parse().map_err(|_| Failure::Usage(format!("--distance {distance}")))?;
    let levels = Levels::new(model, factor, distance)?;
    let (show, first) = (question.text("show").unwrap_or("nearest"), groups.first());
    let table = *format == Format::Table;
    // What is given with -n is kept to; by default it is of nearest levels only.
    let asked = matches.value_source("n") == Some(ValueSource::CommandLine);
    let some = if asked { *most } else { usize::MAX };
    if show == "distances" {
        question
            .no_picture("--show map, or --show clusters or nearest, of which a tree is drawn")?;
    }
    if let Some(resamples) = question.resamples()? {
        has_bars(distance)?;
        let of = |model: &Model| Levels::new(model, factor, distance);
        let work = &question.work;
        return match show {
            "nearest" => {
                let ask = |model: &Model, rows: &[Nearest]| {
                    Ok(as_in(rows, &of(model)?.nearest(usize::MAX, first)))
                };
                if question.plots() {
                    let tree = clusters(model, factor, &levels)?;
                    question.draw(|| charts::tree(&levels, &tree, first))?;
                }
                let rows = resamples.sure(model, levels.nearest(*most, first), ask, work)?;
                let shares = groups.iter().map(|own| alike(own, levels.same_group(own)));
                shares.for_each(|share| screen.say(&share));
                question.print_bars(&picked_from(rows, levels.pairs().len()), 0, usize::MAX)
            }
            "distances" => {
                let ask = |model: &Model, rows: &[Pair]| Ok(as_in(rows, &of(model)?.pairs()));
                let rows = resamples.sure(model, levels.pairs(), ask, work)?;
                question.print_bars(&rows, 0, some)
            }
            _ => Err(Failure::Usage(format!(
                "--show {show} has no error bars\n  way out: --show nearest or --show distances, or no --boot"
            ))),
        };
    }
    match show {
        "distances" => Table::of(&levels.pairs()).print(*format, some),
        "clusters" => {
            let tree = clusters(model, factor, &levels)?;
            question.draw(|| charts::tree(&levels, &tree, first))?;
            match table {
                true => print(&dendrogram::drawn(&labels(&levels, first), &tree)),
                false => merges(&levels, &tree).print(*format, usize::MAX),
            }
        }
        "map" => {
            let map = map(model, factor, &levels, first)?;
            question.draw(|| charts::map(&map))?;
            let [x, y] = map.explained.map(|share| 100.0 * share);
            let told = format!("x shows {x:.1} % of the variance of the profiles, y {y:.1} %");
            if table {
                return print(&format!(
                    "{}{told}\n",
                    grouped(Table::of(&map.points), first).text(*format, some)?
                ));
            }
            screen.say(&told);
            Table::of(&map.points).print(*format, some)
        }
        _ => {
            if question.plots() {
                let tree = clusters(model, factor, &levels)?;
                question.draw(|| charts::tree(&levels, &tree, first))?;
            }
            let mut rows = levels.nearest(*most, first);
            if table {
                // All are of one factor.
                for row in &mut rows {
                    (row.level, row.nearest) = (short(&row.level), short(&row.nearest));
                }
            }
            let rows = Table::of(&rows);
            let shares: Vec<String> = groups
                .iter()
                .map(|groups| alike(groups, levels.same_group(groups)) + "\n")
                .collect();
            if table {
                let rows =
                    grouped(rows, first).without(&["nearest_tokens"]).text(*format, usize::MAX)?;
                return print(&(rows + &shares.concat()));
            }
            shares.iter().for_each(|share| screen.say(share.trim_end()));
            rows.print(*format, usize::MAX)
        }
    }
}

/// Rows for the eye: without groups there is nothing to say of them.
fn grouped(rows: Table, groups: Option<&Groups>) -> Table {
    if groups.is_some() { rows } else { rows.without(&["group", "nearest_group"]) }
}

fn groups(matches: &ArgMatches, question: &Question<'_>) -> Result<Vec<Groups>, Failure> {
    let specs = question.texts("group");
    let Some(path) = matches.get_one::<std::path::PathBuf>("groups") else { return Ok(Vec::new()) };
    let read = |spec: &String| Ok(Groups::read(&question.model, spec, path)?);
    specs.iter().map(read).collect()
}

/// A level's name without its factor.
fn short(name: &str) -> String {
    name.split_once('=').map_or(name, |(_, level)| level).to_owned()
}

/// Levels' names for a drawing, without the factor, with their groups.
fn labels(levels: &Levels, groups: Option<&Groups>) -> Vec<String> {
    let label = |(level, name): (usize, &String)| match groups
        .and_then(|groups| groups.of_level[level].as_ref())
    {
        Some(group) => format!("{} ({group})", short(name)),
        None => short(name),
    };
    levels.names.iter().enumerate().map(label).collect()
}
