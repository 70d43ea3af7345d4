//! `covec neighbors`: the words nearest to a word, level beside level.

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use covec::model::Model;
use serde_json::json;

use crate::arguments;
use crate::failure::Failure;
use crate::table::{Format, Table, print, thousands};

pub(crate) fn command() -> Command {
    let command = Command::new("neighbors")
        .about("Show the words nearest to a word, by its base vector and under every level")
        .after_help(
            "Examples:\n  \
             covec neighbors model/ freedom\n  \
             covec neighbors model/ freedom --in party=Democratic --in party=Republican -n 20",
        )
        .arg(arguments::folder("model", "Model folder").value_name("MODEL"))
        .arg(
            Arg::new("word")
                .value_name("WORD")
                .help("Words to look at")
                .required(true)
                .num_args(1..)
                .action(ArgAction::Append),
        )
        .arg(
            Arg::new("in")
                .long("in")
                .value_name("LEVEL")
                .help("Levels to look at: factor=level, level, or several joined by commas [default: base and every level of the first factor]")
                .action(ArgAction::Append),
        )
        .arg(
            Arg::new("min-support")
                .long("min-support")
                .value_name("N")
                .help("Words that occur less often in a level are left out there")
                .value_parser(value_parser!(u64))
                .default_value("20"),
        );
    arguments::rows(command, "10")
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let model = Model::open(&arguments::path(matches, "model"))?;
    let (format, rows) = arguments::format(matches);
    let least = matches.get_one::<u64>("min-support").copied().unwrap_or(0);
    let views = views(&model, matches.get_many::<String>("in").into_iter().flatten())?;
    let words: Vec<&String> = matches.get_many::<String>("word").into_iter().flatten().collect();
    if format == Format::Table {
        let mut text = String::new();
        for word in words {
            text += &side_by_side(&model, word, &views, rows, least)?;
        }
        return print(&text);
    }
    let mut table =
        Table::new(["word", "level", "count", "rank", "neighbor", "cosine", "neighbor_count"]);
    for word in words {
        let id = model.word(word)?;
        for (name, levels) in &views {
            let count = model.count_in(id, levels);
            if count < least {
                continue;
            }
            for (rank, near) in model.neighbors(id, levels, rows, least).iter().enumerate() {
                table.push(vec![
                    json!(word),
                    json!(name),
                    json!(count),
                    json!(rank + 1),
                    json!(model.vocabulary.words[near.word]),
                    json!((near.cosine * 1e4).round() / 1e4),
                    json!(near.count),
                ]);
            }
        }
    }
    table.print(format, usize::MAX)
}

/// A name and the levels it stands for; none for the base.
type View = (String, Vec<usize>);

/// What the user asked for, or the base and every level of the first factor.
pub(crate) fn views<'a>(
    model: &Model,
    asked: impl Iterator<Item = &'a String>,
) -> Result<Vec<View>, Failure> {
    let mut views: Vec<View> = Vec::new();
    for text in asked {
        views.push((text.clone(), model.levels_named(text)?));
    }
    if views.is_empty() {
        views.push(("base".to_owned(), Vec::new()));
        let first = model.covariates.factors.first().map_or(0, |factor| factor.levels.len());
        let names = model.covariates.level_names();
        views.extend(names.into_iter().take(first).enumerate().map(|(l, name)| (name, vec![l])));
    }
    Ok(views)
}

/// A word's neighbours, a column for every view in which it occurs often enough.
pub(crate) fn side_by_side(
    model: &Model,
    word: &str,
    views: &[View],
    rows: usize,
    least: u64,
) -> Result<String, Failure> {
    let id = model.word(word)?;
    let (mut columns, mut lists, mut rare) = (Vec::new(), Vec::new(), Vec::new());
    for (name, levels) in views {
        let count = model.count_in(id, levels);
        if count < least {
            rare.push(format!("{name} ({count})"));
            continue;
        }
        let short = name.split_once('=').map_or(name.as_str(), |(_, level)| level);
        columns.push(format!("{short} ({})", thousands(count)));
        lists.push(model.neighbors(id, levels, rows, least));
    }
    let mut table = Table::new(columns);
    for rank in 0..lists.iter().map(Vec::len).max().unwrap_or(0) {
        let cell = |list: &Vec<covec::model::Neighbor>| match list.get(rank) {
            Some(near) => {
                json!(format!("{} {:.2}", model.vocabulary.words[near.word], near.cosine))
            }
            None => json!(""),
        };
        table.push(lists.iter().map(cell).collect());
    }
    let mut text = format!("\n{word}\n");
    text += &table.text(Format::Table, usize::MAX)?;
    if !rare.is_empty() {
        text += &format!("too rare to say (fewer than {least}): {}\n", rare.join(", "));
    }
    Ok(text)
}
