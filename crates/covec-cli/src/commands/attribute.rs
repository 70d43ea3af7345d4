//! `covec attribute`: whose is this text?

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use covec::Error;
use covec::analyse::Groups;
use covec::analyse::attribute::{AttributeParameters, Attributed, Attribution, Trust, attribute};
use covec::resample::Replicate;
use covec_report::answers::attribute as charts;
use serde::Serialize;

use crate::arguments;
use crate::failure::Failure;
use crate::question::{self, Question};
use crate::screen::Screen;
use crate::table::{Format, Table, print};

pub(crate) fn command() -> Command {
    let command = Command::new("attribute")
        .about("Whose is this text? Rank a model's levels, or groups of them, for texts")
        .long_about(
            "Whose is this text? Rank a model's levels, or groups of them, for texts.\n\n\
             Every file is a text: plain ones as they are, of others all documents together. A text is counted \
             by the rules of the model and fitted with the vectors frozen. Likelihood says by how many nats a \
             word a candidate predicts it better than the average; closeness compares weights. Beside it stands \
             how often the scores are right for the texts that are known, each left out in turn: a model always \
             names somebody.",
        )
        .after_help(
            "Examples:\n  \
             covec attribute model/ unknown.txt\n  \
             covec attribute model/ unknown.txt --group book:author --groups books.csv",
        )
        .arg(arguments::folder("model", "Model folder").value_name("MODEL"))
        .arg(
            Arg::new("text")
                .value_name("TEXT")
                .help("Files or folders of files, each a text; - for standard input")
                .required(true)
                .num_args(1..)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(question::factor())
        .args(question::groups())
        .arg(question::plot());
    let command = question::sureness(command);
    let command = arguments::parameters(command, "Attribution", AttributeParameters::TABLE);
    arguments::rows(command, "10").arg(arguments::threads()).arg(arguments::quiet())
}

/// A candidate, and in what share of the replicates it is the first.
#[derive(Default, Serialize)]
struct Chosen {
    #[serde(flatten)]
    row: Attribution,
    chosen_in: f64,
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let mut parameters = AttributeParameters::default();
    arguments::take(matches, AttributeParameters::TABLE, |name, text| parameters.set(name, text))?;
    let question = Question::open_plain(matches, &screen)?;
    let model = &question.model;
    let groups = match question.text("group") {
        Some(spec) => Some(Groups::read(model, spec, &arguments::path(matches, "groups"))?),
        None => None,
    };
    let texts = arguments::paths(matches, "text");
    let factor = question.text("factor");
    let told = attribute(model, &texts, factor, groups.as_ref(), &parameters, &question.work)?;
    question.draw(|| charts::candidates(&told, parameters.score, question.most))?;
    let Attributed { mut rows, trust } = told;
    rows.retain(|row| row.rank <= question.most);
    let name = |row: &Attribution| format!("{}\0{}", row.text, row.candidate);
    let chosen = match question.resamples()? {
        None => None,
        Some(resamples) => {
            // Who is named first when the known texts are drawn again.
            let first = |replicate: &Replicate| -> Result<Vec<String>, Error> {
                let (model, work) = (replicate.recounted(), &question.work);
                let told = attribute(&model, &texts, factor, groups.as_ref(), &parameters, work)?;
                Ok(told.rows.iter().filter(|row| row.rank == 1).map(name).collect())
            };
            let things: Vec<String> = rows.iter().map(name).collect();
            resamples.shares(model, &things, first, &question.work)?
        }
    };
    screen.clear();
    if question.format == Format::Table {
        // Folders make lines too long to be read; JSON and CSV name them.
        for row in &mut rows {
            let name = std::path::Path::new(&row.text).file_name();
            row.text = name.map_or_else(|| row.text.clone(), |name| name.to_string_lossy().into());
        }
    }
    let table = match chosen {
        None => Table::of(&rows)?,
        Some(shares) => {
            let rows = rows.into_iter().zip(shares);
            let rows = rows.map(|(row, chosen_in)| Chosen { row, chosen_in });
            Table::of(&rows.collect::<Vec<_>>())?
        }
    };
    if question.format != Format::Table {
        for Trust { score, right, of, .. } in &trust {
            let score = serde_json::to_value(score).unwrap_or_default();
            let score = score.as_str().unwrap_or_default();
            screen.say(&format!(
                "{score} names the right group for {right} of {of} known levels left out in turn"
            ));
        }
        return table.print(question.format, usize::MAX);
    }
    let told = trusted(&trust)?;
    print(&format!("{}\n{told}", table.text(Format::Table, usize::MAX)?))
}

/// How far to trust it.
fn trusted(trust: &[Trust]) -> Result<String, Failure> {
    if trust.is_empty() {
        return Ok(
            "How often this is right is not known: levels that stand alone cannot be left out. \
                   --group gathers them.\n"
                .to_owned(),
        );
    }
    Ok(format!(
        "How often a score names the right group for a known level that is left out (known_right of known, \
         above, for the score that ranks):\n{}",
        Table::of(trust)?.text(Format::Table, usize::MAX)?
    ))
}
