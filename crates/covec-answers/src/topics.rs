//! The dimensions of a model, as rows.

use covec::analyse::View;
use covec::analyse::coherence::{Coherence, coherence};
use covec::analyse::topics::{DimensionWeight, Topic, TopicWord, Wanted, topics};
use covec::model::Model;
use covec::resample::measures::of_weights;
use covec::resample::{Resamples, Sure};
use covec::tensor::Tensor;
use covec::{Error, Work};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{Question, Table, Told};

/// Words at each end of a dimension in the list of all, and of one alone.
pub const WORDS: [usize; 2] = [10, 30];

pub(crate) fn answer(question: &Question<'_>) -> Result<Told, Error> {
    let Question { model, asked, support, work, most, resamples } = question;
    let contrast: Vec<View> = match asked.two("contrast")? {
        Some(levels) => {
            levels.iter().map(|level| View::named(model, level)).collect::<Result<_, _>>()?
        }
        None => Vec::new(),
    };
    let one = asked.number("dim")?;
    let wanted = match (one, &contrast[..]) {
        (Some(dimension), _) => Wanted::One(dimension),
        (None, [a, b]) => Wanted::Contrast(a, b),
        _ => Wanted::Spread,
    };
    let words = asked.number("words")?.unwrap_or(WORDS[usize::from(one.is_some())]);
    let answer = topics(model, question.factor()?, wanted, words, support, work)?;
    let told = &answer.rows[..answer.rows.len().min(*most)];
    if let Some(resamples) = resamples {
        let weights = sure_weights(model, &answer.rows, told.len(), resamples, work)?;
        return Ok(Table::of_some(&weights).into());
    }
    let coherence = match asked.paths("tensor").first() {
        Some(path) => Some(coherence(model, &Tensor::open(path)?, support, work)?),
        None => None,
    };
    let table = match told {
        [topic] if one.is_some() => detail(topic),
        _ => rows(told, coherence.as_ref()),
    };
    Ok(Told { left_out: answer.left_out, ..table.into() })
}

/// A weight with error bars, and the words of its dimension.
#[derive(Debug, Serialize)]
pub struct SureWeight {
    /// The weight.
    #[serde(flatten)]
    pub sure: Sure<DimensionWeight>,
    /// The first words of both ends.
    pub words: String,
}

/// The weights that levels give the first `most` topics, tested beside those of all others: what is shown makes no difference.
pub fn sure_weights(
    model: &Model,
    topics: &[Topic],
    most: usize,
    resamples: &Resamples,
    work: &Work<'_>,
) -> Result<Vec<SureWeight>, Error> {
    /// Words of an end.
    const FIRST: usize = 3;
    let rows = topics.iter().flat_map(Topic::weights).collect();
    let mut rows = resamples.sure(model, rows, of_weights, work)?.into_iter();
    let mut weights = Vec::new();
    for topic in &topics[..most] {
        let end = |words: &[TopicWord]| {
            let words: Vec<&str> = words.iter().take(FIRST).map(|own| own.word.as_str()).collect();
            words.join(", ")
        };
        let words = format!("{} | {}", end(&topic.above), end(&topic.below));
        let own = rows.by_ref().take(topic.levels.len());
        weights.extend(own.map(|sure| SureWeight { sure, words: words.clone() }));
    }
    Ok(weights)
}

/// A row for every dimension, a column for every level.
pub fn rows(topics: &[Topic], coherence: Option<&Coherence>) -> Table {
    let mut columns: Vec<String> = [
        "dimension",
        "spread",
        "difference",
        "energy",
        "agreement",
        "unstable",
        "coherence_above",
        "coherence_below",
        "coherence_baseline",
        "above",
        "below",
    ]
    .map(str::to_owned)
    .to_vec();
    columns.extend(topics.iter().take(1).flat_map(|t| t.levels.iter().map(|l| l.level.clone())));
    let mut table = Table::new(columns);
    for topic in topics {
        let words = |words: &[TopicWord]| -> Value {
            let words: Vec<&str> = words.iter().map(|word| word.word.as_str()).collect();
            json!(words.join(" "))
        };
        let own = coherence.map(|coherence| coherence.dimensions[topic.dimension - 1]);
        let mut row = vec![
            json!(topic.dimension),
            json!(topic.spread),
            json!(topic.difference),
            json!(topic.energy),
            json!(topic.agreement),
            json!(topic.unstable),
            json!(own.and_then(|own| own.above)),
            json!(own.and_then(|own| own.below)),
            json!(coherence.map(|coherence| coherence.baseline)),
            words(&topic.above),
            words(&topic.below),
        ];
        row.extend(topic.levels.iter().map(|level| json!(level.square)));
        table.push(row);
    }
    table
}

/// Words and levels of one dimension, a row for each.
pub fn detail(topic: &Topic) -> Table {
    let mut table = Table::new(["kind", "rank", "name", "value", "count"]);
    for (kind, words) in [("above", &topic.above), ("below", &topic.below)] {
        for (place, word) in words.iter().enumerate() {
            let row = [json!(kind), json!(place + 1), json!(word.word), json!(word.coordinate)];
            table.push(row.into_iter().chain([json!(word.count)]).collect());
        }
    }
    for (place, level) in topic.levels.iter().enumerate() {
        let row = [json!("level"), json!(place + 1), json!(level.level), json!(level.square)];
        table.push(row.into_iter().chain([json!(level.tokens)]).collect());
    }
    table
}
