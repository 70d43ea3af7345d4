//! Words that begin like this: what a search box offers.

use covec::Work;
use serde::Serialize;

use super::Question;
use crate::Desk;
use crate::api::parameters::{Asked, Kind, Parameter, rows};
use crate::api::reply::Reply;
use crate::fault::Fault;

pub(super) const QUESTION: Question = Question::new(
    "words",
    "Words that begin with some letters, the most common first; then words that hold them",
    &[
        Parameter {
            name: "prefix",
            about: "The letters; none for the most common words",
            kind: Kind::Text,
        },
        rows(10, 1000),
    ],
    answer,
)
.without_picture();

#[derive(Serialize)]
struct Word<'a> {
    word: &'a str,
    count: u64,
}

fn answer(desk: &Desk, asked: &Asked, _: &Work<'_>) -> Result<Reply, Fault> {
    let vocabulary = &desk.model.vocabulary;
    let n = asked.number("n");
    let prefix = asked.text("prefix").to_lowercase();
    let row = |(word, &count): (&String, &u64)| (word.to_lowercase(), word.clone(), count);
    let words = || vocabulary.words.iter().zip(&vocabulary.counts).map(row);
    // The vocabulary is sorted by how often words occur.
    let mut found: Vec<(String, String, u64)> =
        words().filter(|(lower, ..)| lower.starts_with(&prefix)).take(n).collect();
    let wanted = n - found.len();
    let within =
        words().filter(|(lower, ..)| !lower.starts_with(&prefix) && lower.contains(&prefix));
    found.extend(within.take(wanted));
    // Whoever has typed a whole word means that word.
    found.sort_by_key(|(lower, ..)| *lower != prefix);
    Reply::of(found.iter().map(|(_, word, count)| Word { word, count: *count }))
}
