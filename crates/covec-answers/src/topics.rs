//! The dimensions of a model, as rows.

use covec::Error;
use covec::analyse::View;
use covec::analyse::coherence::{Coherence, coherence};
use covec::analyse::topics::{Topic, TopicWord, Wanted, topics};
use covec::resample::measures::of_weights;
use covec::tensor::Tensor;
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
        let weights = told.iter().flat_map(Topic::weights).collect();
        let weights = resamples.sure(model, weights, of_weights, work)?;
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
