//! `covec explain`: which dimensions caused a move.

use clap::{Arg, ArgMatches, Command};
use covec::analyse::explain::{Explanation, explain};
use covec::analyse::{Answer, View};
use covec::model::Model;
use covec::resample::bars;
use covec_answers::explain::{by_rows, common_enough, sure_causes};
use covec_report::answers::explain as charts;

use crate::columns;
use crate::evidence;
use crate::failure::Failure;
use crate::question::{self, Question};
use crate::screen::Screen;
use crate::table::{Format, Printed, Table, print};

/// A line of a paragraph.
const WIDTH: usize = 97;

pub(crate) fn command() -> Command {
    let command = Command::new("explain")
        .about("Why two words moved closer together or further apart under a level")
        .long_about(
            "Why two words moved closer together or further apart under a level, or between two.\n\n\
             The change of their squared distance (of vectors of length 1) is a sum over dimensions: contribution. A \
             negative one brings them together. topical: by the level's weights; own: by the words' deviations. \
             a, b: where the words stand on the dimension in the base; weights are squared, 1 is average.",
        )
        .after_help(
            "Examples:\n  \
             covec explain model/ labor capital --in era=1861-1912\n  \
             covec explain model/ security social --between era=1790-1860 era=1946-1980",
        );
    question::sureness(evidence::arguments(question::command(command, "8")))
        .arg(Arg::new("a").value_name("A").help("A word").required(true))
        .arg(Arg::new("b").value_name("B").help("Another").required(true))
        .arg(question::levels("every level of the first factor in which both occur often enough"))
        .arg(question::between())
        .arg(question::plot())
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let question = Question::open(matches, &screen)?;
    let Question { model, support, work, most, .. } = &question;
    let [a, b] = ["a", "b"].map(|name| question.text(name).unwrap_or_default());
    let comparisons = common_enough(model, [a, b], question.comparisons()?, support)?;
    question.one_picture(comparisons.len(), "--in or --between")?;
    let (mut text, mut explanations) = (String::new(), Vec::new());
    for (from, to) in &comparisons {
        let told = explain(model, a, b, from, to, support)?.first(model, *most, support, work)?;
        let paragraph = paragraph(&told);
        text += &format!("\n{paragraph}\n{}{}", rows(&told)?, weights(model, from, to, &told));
        explanations.push(told);
    }
    if comparisons.is_empty() {
        let least = support.min_support.0;
        return Err(Failure::Usage(format!(
            "'{a}' and '{b}' do not both occur {least} times in any level\n  way out: lower --min-support"
        )));
    }
    if let Some(resamples) = question.resamples()? {
        let rows: Vec<_> = explanations.iter().flat_map(Explanation::rows).collect();
        let rows = sure_causes(model, rows, comparisons.len(), support, &resamples, work)?;
        question.draw(|| charts::causes(&explanations[0], &bars(&rows)))?;
        let evidence = evidence::wanted(matches, model, &explanations, work)?;
        if question.format != Format::Table {
            let Some(found) = evidence else { return question.print_bars(&rows, 0, usize::MAX) };
            let rows = evidence::shown(rows, by_rows(&explanations, found));
            return question.print_bars(&rows, 0, usize::MAX);
        }
        let paragraphs: Vec<String> = explanations.iter().map(paragraph).collect();
        screen.clear();
        print(&(paragraphs.join("\n") + "\n"))?;
        question.print_bars(&rows, 0, usize::MAX)?;
        return print(
            &evidence.map_or_else(String::new, |found| evidence::below(&explanations, &found)),
        );
    }
    question.draw(|| charts::causes(&explanations[0], &[]))?;
    let evidence = evidence::wanted(matches, model, &explanations, work)?;
    screen.clear();
    if question.format == Format::Table {
        let lines =
            evidence.map_or_else(String::new, |found| evidence::below(&explanations, &found));
        if explanations
            .iter()
            .flat_map(|told| &told.dimensions)
            .all(|cause| cause.agreement.is_none())
        {
            text += "\nWhether another seed would find these dimensions is not known: covec train --seeds 3 tells.\n";
        }
        return print(&(text + &lines));
    }
    let rows: Vec<_> = explanations.iter().flat_map(Explanation::rows).collect();
    let Some(evidence) = evidence else {
        return question.print_all(&Answer { rows, left_out: 0 });
    };
    let lines = by_rows(&explanations, evidence);
    question.print_all(&Answer { rows: evidence::shown(rows, lines), left_out: 0 })
}

/// The explanation in words, in lines of their own.
fn paragraph(told: &Explanation) -> String {
    let words: Vec<String> = told.paragraph().split(' ').map(str::to_owned).collect();
    columns::wrapped("", &words, " ", WIDTH) + "\n"
}

/// The dimensions in a table, a and b by their words.
fn rows(told: &Explanation) -> Result<String, Failure> {
    // The paragraph tells them at length; lines stay short enough to be read.
    let some = |end: &str| end.split(", ").take(3).collect::<Vec<_>>().join(", ");
    let mut dimensions = told.dimensions.clone();
    for cause in &mut dimensions {
        cause.words = cause.words.split(" | ").map(some).collect::<Vec<_>>().join(" | ");
    }
    let mut table = Table::of(&dimensions).without(&["weights"]);
    if told.dimensions.iter().all(|cause| cause.agreement.is_none()) {
        table = table.without(&["agreement"]);
    }
    table.text(Format::Table, usize::MAX)
}

/// What every level of the factors that are compared gives each dimension.
fn weights(model: &Model, from: &View, to: &View, told: &Explanation) -> String {
    let factor = |name: &str| name.split_once('=').map_or("", |(factor, _)| factor).to_owned();
    let names = model.covariates.level_names();
    let levels = from.levels.iter().chain(&to.levels);
    let factors: Vec<String> = levels.map(|&level| factor(&names[level])).collect();
    let mut text = "\nSquared weight of each dimension in every level\n".to_owned();
    for cause in &told.dimensions {
        let own = names.iter().filter(|name| factors.contains(&factor(name)));
        let own = own.filter_map(|name| Some((name.as_str(), *cause.weights.get(name)?)));
        let mark = format!("{:>9}  ", cause.dimension);
        text += &columns::wrapped(&mark, &columns::weights(own.collect()), "   ", WIDTH);
        text.push('\n');
    }
    text
}
