//! `covec analogy`: A is to B as C is to which word, level by level.

use clap::{Arg, ArgAction, ArgMatches, Command};
use covec::analyse::analogy::{Analogy, AnalogyParameters, analogy, enriched};
use covec::model::Model;
use covec::resample::{as_in, picked_from};

use crate::arguments;
use crate::failure::Failure;
use crate::question::{self, Question};
use crate::screen::Screen;

pub(crate) fn command() -> Command {
    let command = Command::new("analogy")
        .about("A is to B as C is to which word, in the base or under levels")
        .long_about(
            "A is to B as C is to which word D, in the base or under levels.\n\n\
             add: cos(d, b - a + c); mul: product of the similarities to b and c over that to a; difference: \
             cos(b - a, d - c). --enriched: the words D whose rank differs most between levels.",
        )
        .after_help(
            "Examples:\n  \
             covec analogy model/ man woman king\n  \
             covec analogy model/ france paris england --in era=1913-1945 --score mul\n  \
             covec analogy model/ war peace army --enriched",
        );
    let command = question::sureness(question::command(command, "10"))
        .arg(Arg::new("a").value_name("A").help("A is").required(true))
        .arg(Arg::new("b").value_name("B").help("to B").required(true))
        .arg(Arg::new("c").value_name("C").help("as C is to").required(true))
        .arg(question::levels("base; with --enriched every level of the first factor"))
        .arg(
            Arg::new("enriched")
                .long("enriched")
                .help("Words that fit far better in one level than in another")
                .action(ArgAction::SetTrue),
        );
    arguments::parameters(command, "Score", AnalogyParameters::TABLE)
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let question = Question::open(matches, &screen)?;
    let mut parameters = AnalogyParameters::default();
    arguments::take(matches, AnalogyParameters::TABLE, |name, text| parameters.set(name, text))?;
    let abc = ["a", "b", "c"].map(|name| question.text(name).unwrap_or_default());
    let Question { model, support, work, most, .. } = &question;
    let mut views = question.views_with_base()?;
    if matches.get_flag("enriched") {
        if question.has("boot") {
            return Err(Failure::Usage(
                "--enriched has no error bars\n  way out: leave --enriched or --boot out"
                    .to_owned(),
            ));
        }
        views.retain(|view| !view.levels.is_empty());
        return question.print(&enriched(model, abc, &views, &parameters, support, work)?);
    }
    if question.texts("in").is_empty() {
        views.truncate(1);
    }
    let of = |model: &Model, n: usize| analogy(model, abc, &views, n, &parameters, support, work);
    let answer = of(model, *most)?;
    let Some(resamples) = question.resamples()? else { return question.print_all(&answer) };
    let ask = |model: &Model, rows: &[Analogy]| Ok(as_in(rows, &of(model, usize::MAX)?.rows));
    let rows = resamples.sure(model, answer.rows, ask, work)?;
    let rows = picked_from(rows, support.picks(model, &views));
    question.print_bars(&rows, answer.left_out, usize::MAX)
}
