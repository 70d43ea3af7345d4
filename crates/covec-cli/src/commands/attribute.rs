//! `covec attribute`: whose is this text?

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, value_parser};
use covec::analyse::Groups;
use covec::analyse::attribute::{AttributeParameters, Attributed, Trust};
use covec_answers::attribute::{Texts, trusted as trusted_in_words};
use covec_report::answers::attribute as charts;
use serde_json::{Value, json};

use crate::arguments;
use crate::failure::Failure;
use crate::question::{self, Question};
use crate::screen::Screen;
use crate::table::{Format, Printed, Table, print};

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
    let texts = Texts { texts: &texts, factor, groups: groups.as_ref(), parameters: &parameters };
    let told = texts.attribute(model, &question.work)?;
    question.draw(|| charts::candidates(&told, parameters.score, question.most))?;
    let Attributed { mut rows, trust } = told;
    rows.retain(|row| row.rank <= question.most);
    let mut table = texts.table(model, &rows, question.resamples()?.as_ref(), &question.work)?;
    screen.clear();
    if question.format == Format::Table {
        // Folders make lines too long to be read; JSON and CSV name them.
        for row in &mut table.rows {
            let name = row.first().and_then(Value::as_str).map(Path::new);
            if let Some(name) = name.and_then(Path::file_name) {
                row[0] = json!(name.to_string_lossy());
            }
        }
    }
    if question.format != Format::Table {
        trust.iter().for_each(|trust| screen.say(&trusted_in_words(trust)));
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
        Table::of(trust).text(Format::Table, usize::MAX)?
    ))
}
