//! Whose a text is: the candidates by the score they are ranked by.

use std::path::Path;

use covec::analyse::attribute::{Attributed, Attribution, Score};

use super::short;
use crate::{Bar, Bars, Chart, ChartError, Heatmap, Shades};

/// Candidates of several texts that are drawn.
const COLUMNS: usize = 60;

/// Of one text a bar for each of the first `n` candidates; of several a row for each text and a column for each
/// candidate.
pub fn candidates(told: &Attributed, score: Score, n: usize) -> Result<Chart, ChartError> {
    let texts: Vec<&[Attribution]> = told.rows.chunk_by(|a, b| a.text == b.text).collect();
    let (value, meaning): (fn(&Attribution) -> f64, _) = match score {
        Score::Likelihood => (
            |row| row.likelihood,
            "nats a word by which a candidate predicts it better than the average",
        ),
        Score::Closeness => (|row| row.closeness, "cosine of centred squared weights"),
        Score::Combined => (|row| row.combined, "mean of both scores, standardised"),
    };
    let trust = told.trust.iter().find(|trust| trust.score == score);
    let trust = trust.map_or("How often this is right is not known".to_owned(), |trust| {
        format!(
            "This score is right for {} of {} known levels, each left out in turn",
            trust.right, trust.of
        )
    });
    if let [own] = texts[..] {
        let bars = own.iter().take(n).map(|row| Bar {
            label: short(&row.candidate).to_owned(),
            value: value(row),
            ..Bar::default()
        });
        let bars = Bars { bars: bars.collect(), ..Bars::default() };
        return Ok(Chart::new(format!("Whose is {}?", name(own)), bars)?
            .with_subtitle(trust)
            .with_x_label(meaning));
    }
    let mut columns: Vec<&str> = told.rows.iter().map(|row| row.candidate.as_str()).collect();
    columns.sort_unstable();
    columns.dedup();
    columns.truncate(COLUMNS);
    let columns = &columns;
    let of =
        |own: &[Attribution], name: &str| own.iter().find(|row| row.candidate == name).map(value);
    let values = texts.iter().flat_map(|own| columns.iter().map(move |name| of(own, name)));
    let map = Heatmap {
        rows: texts.iter().map(|own| name(own)).collect(),
        columns: columns.iter().map(|name| short(name).to_owned()).collect(),
        values: values.collect(),
        shades: Shades::Diverging { centre: 0.0 },
        value_name: meaning.to_owned(),
    };
    Ok(Chart::new("Whose are these texts?", map)?.with_subtitle(trust))
}

/// A text's name without folder and ending.
fn name(rows: &[Attribution]) -> String {
    let text = rows.first().map_or("", |row| row.text.as_str());
    Path::new(text).file_stem().map_or(text.to_owned(), |stem| stem.to_string_lossy().into_owned())
}
