//! `covec topics`: the dimensions of a model, their words, and what every level makes of them.

use clap::{Arg, ArgMatches, Command, value_parser};
use covec::analyse::View;
use covec::analyse::coherence::{self, Coherence, DimensionCoherence};
use covec::analyse::topics::{STABLE, Topic, TopicWord, Wanted, topics};
use covec::tensor::Tensor;
use covec_answers::topics::{WORDS, detail, rows, sure_weights};
use covec_report::answers::topics as charts;
use serde_json::json;

use crate::columns;
use crate::failure::Failure;
use crate::question::{self, Question};
use crate::screen::Screen;
use crate::table::{Format, Printed, Table, print, thousands};

/// Where lines end.
const WIDTH: usize = 100;

pub(crate) fn command() -> Command {
    let command = Command::new("topics")
        .about("Show the dimensions as topics: their words, and the weight every level gives them")
        .long_about(
            "Show the dimensions as topics: their words, and the weight every level gives them.\n\n\
             A word's place along a dimension is its coordinate in the dimension's own spread, by the word's own \
             length. Words with + are at one end, words with − at the other. A level's weight is squared: 1 on \
             average, 0 where the level does without the dimension. Dimensions come by the variance of these over \
             the levels, with --contrast by how much larger they are in B than in A.\n\n\
             With --tensor, the coherence of each end: the mean NPMI of its first 10 words, from the tensor's own \
             counts; pairs that never occur get −1. Beside it stands that of the same vectors with randomly turned \
             axes.",
        )
        .after_help(
            "Examples:\n  \
             covec topics model/\n  \
             covec topics model/ --dim 12\n  \
             covec topics model/ --contrast era=1790-1860 era=1981-2026\n  \
             covec topics model/ --tensor tensor/",
        );
    question::sureness(question::command(command, "20"))
        .arg(
            Arg::new("dim")
                .long("dim")
                .value_name("T")
                .help("One dimension in detail")
                .value_parser(value_parser!(usize))
                .conflicts_with("contrast"),
        )
        .arg(
            Arg::new("contrast")
                .long("contrast")
                .value_names(["A", "B"])
                .num_args(2)
                .help("Dimensions that are small in level A and large in level B"),
        )
        .arg(question::factor())
        .arg(
            Arg::new("words")
                .long("words")
                .value_name("N")
                .help("Words at each end of a dimension [default: 10; 30 with --dim]")
                .value_parser(value_parser!(usize)),
        )
        .arg(question::plot())
        .arg(question::folder(
            "tensor",
            "Tensor that the model was trained on: tell how coherent topics are",
        ))
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let question = Question::open(matches, &screen)?;
    let Question { model, support, work, .. } = &question;
    let factor = question.factor()?;
    let contrast: Vec<View> = question
        .texts("contrast")
        .iter()
        .map(|level| View::named(model, level))
        .collect::<Result<_, _>>()?;
    let one = matches.get_one::<usize>("dim").copied();
    let wanted = match (one, &contrast[..]) {
        (Some(dimension), _) => Wanted::One(dimension),
        (None, [a, b]) => Wanted::Contrast(a, b),
        _ => Wanted::Spread,
    };
    let words = matches.get_one::<usize>("words").copied();
    let words = words.unwrap_or(WORDS[usize::from(one.is_some())]);
    let answer = topics(model, factor, wanted, words, support, work)?;
    let coherence = match matches.get_one::<std::path::PathBuf>("tensor") {
        Some(path) => Some(coherence::coherence(model, &Tensor::open(path)?, support, work)?),
        None => None,
    };
    screen.clear();
    question.tell_left_out(answer.left_out);
    let told = &answer.rows[..answer.rows.len().min(question.most)];
    if let Some(resamples) = question.resamples()? {
        let rows = sure_weights(model, &answer.rows, told.len(), &resamples, work)?;
        question.one_picture(told.len(), "--dim")?;
        if let [topic] = told {
            let bars: Vec<_> = rows.iter().map(|own| own.sure.clone()).collect();
            question.draw(|| charts::sure_weights(topic, &bars))?;
        }
        return question.print_bars(&rows, 0, usize::MAX);
    }
    question.draw(|| charts::heatmap(told, answer.rows.len()))?;
    match (question.format, told) {
        (Format::Table, [topic]) if one.is_some() => {
            let ends = detail_of_words(topic).text(Format::Table, usize::MAX)?;
            let levels = detail_of_levels(topic).text(Format::Table, usize::MAX)?;
            let own = coherence.as_ref().map(|c| c.dimensions[topic.dimension - 1]);
            print(&format!(
                "{}\n{ends}\n{levels}{}",
                head(topic, own),
                summary(told, coherence.as_ref())
            ))
        }
        (Format::Table, _) => {
            let of = |topic: &Topic| coherence.as_ref().map(|c| c.dimensions[topic.dimension - 1]);
            let text: String = told.iter().map(|topic| block(topic, of(topic))).collect();
            print(&format!("{text}{}", summary(told, coherence.as_ref())))
        }
        (format, [topic]) if one.is_some() => detail(topic).print(format, usize::MAX),
        (format, _) => rows(told, coherence.as_ref()).print(format, usize::MAX),
    }
}

/// One line: which dimension, and how it stands.
fn head(topic: &Topic, coherence: Option<DimensionCoherence>) -> String {
    let mut text = format!("dimension {}   spread {:.2}", topic.dimension, topic.spread);
    if let Some(difference) = topic.difference {
        text += &format!("   difference {difference:+.2}");
    }
    if let Some(agreement) = topic.agreement {
        text += &format!("   seeds agree {agreement:.3}");
        if topic.unstable == Some(true) {
            text += " (unstable)";
        }
    }
    let reach = |words: &[TopicWord]| words.first().map_or(0.0, |word| word.coordinate);
    text += &format!("   ends {:+.2} | {:+.2}", reach(&topic.above), reach(&topic.below));
    if let Some(own) = coherence {
        let end = |x: Option<f64>| x.map_or("–".to_owned(), |x| format!("{x:.2}"));
        text += &format!("   coherence {} | {}", end(own.above), end(own.below));
    }
    text + "\n"
}

/// A dimension in some lines.
fn block(topic: &Topic, coherence: Option<DimensionCoherence>) -> String {
    let words = |words: &[TopicWord]| -> Vec<String> {
        words.iter().map(|word| word.word.clone()).collect()
    };
    let levels = topic.levels.iter().map(|level| (level.level.as_str(), level.square));
    let levels = columns::weights(levels.collect());
    let line =
        |mark, items: &[String], between| columns::wrapped(mark, items, between, WIDTH) + "\n";
    head(topic, coherence)
        + &line("  + ", &words(&topic.above), ", ")
        + &line("  − ", &words(&topic.below), ", ")
        + &line("  weights  ", &levels, "   ")
        + "\n"
}

/// What the words of the list mean; the coherence of all dimensions, and what it is by chance.
fn summary(told: &[Topic], coherence: Option<&Coherence>) -> String {
    let mut text = "spread: variance of the squared weights over the levels. ends: how far out their first words \
                    lie (±1:\nalong no other); an end that is much the weaker is seldom a topic.\n"
        .to_owned();
    if told.iter().any(|topic| topic.unstable == Some(true)) {
        text += &format!("unstable: other seeds found it with |cos| below {STABLE} only.\n");
    }
    let Some(own) = coherence else { return text };
    text + &format!(
        "coherence of all {} dimensions: mean {:.3} (+ {:.3}, − {:.3}); with randomly turned axes {:.3},\n\
         spread {:.3} over {} rotations; {:.0} % of the dimensions are above that. Of the stronger end of each:\n\
         {:.3}; with turned axes {:.3}.\n",
        own.dimensions.len(),
        own.mean,
        own.above,
        own.below,
        own.baseline,
        own.baseline_spread,
        coherence::ROTATIONS,
        100.0 * own.share_above_baseline,
        own.stronger,
        own.baseline_stronger,
    )
}

/// The words of one dimension, its ends beside each other.
fn detail_of_words(topic: &Topic) -> Table {
    let mut table = Table::new(["+", "coordinate", "count", "−", "coordinate", "count"]);
    for place in 0..topic.above.len().max(topic.below.len()) {
        let cells = |words: &[TopicWord]| match words.get(place) {
            Some(word) => [
                json!(word.word),
                json!(format!("{:+.3}", word.coordinate)),
                json!(thousands(word.count)),
            ],
            None => ["", "", ""].map(|text| json!(text)),
        };
        table.push([cells(&topic.above), cells(&topic.below)].concat());
    }
    table
}

fn detail_of_levels(topic: &Topic) -> Table {
    let mut table = Table::new(["level", "squared weight", "words"]);
    for level in &topic.levels {
        table.push(vec![json!(level.level), json!(level.square), json!(level.tokens)]);
    }
    table
}
