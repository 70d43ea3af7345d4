//! A dimension, told by its words.

use crate::model::Model;

use super::lens::dot;

/// The `n` words whose vectors point most along a dimension, by the coordinate `v_it / ‖v_i‖`: at its
/// positive end, or at its negative one. Only words that occur at least `least` times.
pub(crate) fn ends(
    model: &Model,
    dimension: usize,
    positive: bool,
    n: usize,
    least: u64,
) -> Vec<(usize, f64)> {
    let mut words: Vec<(usize, f64)> = (0..model.vocabulary.len())
        .filter(|&word| model.vocabulary.counts[word] >= least)
        .filter_map(|word| {
            let vector = model.vector(word);
            let length = dot(vector, vector).sqrt();
            let x = f64::from(vector[dimension] / length);
            (length > 0.0 && (x > 0.0) == positive).then_some((word, x))
        })
        .collect();
    words.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
    words.truncate(n);
    words
}

/// Words of both ends as a text: `bank, currency | peace, war`.
pub(crate) fn told(model: &Model, dimension: usize, n: usize, least: u64) -> String {
    let end = |positive| {
        let words = ends(model, dimension, positive, n, least);
        let words: Vec<&str> =
            words.iter().map(|(word, _)| model.vocabulary.words[*word].as_str()).collect();
        words.join(", ")
    };
    format!("{} | {}", end(true), end(false))
}
