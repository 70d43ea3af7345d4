//! Planted topics are found, the bound rises, threads change nothing.
#![allow(clippy::unwrap_used)]

use std::num::NonZeroUsize;

use super::*;
use crate::baseline::texts::Text;
use crate::lots::{Lots, PlaceLots};
use crate::tensor::covariates::{Cell, Covariates, Factor, Level};

const TOPICS: usize = 4;
const EACH: usize = 12;
const WORDS: usize = TOPICS * EACH;

/// Documents of two levels: the first has topics 0 and 1, the second 2 and 3; a topic's words are its own.
fn planted() -> (Texts, Covariates) {
    let mut lots = PlaceLots::new(4, 4);
    let (mut words, mut documents) = (Vec::new(), Vec::new());
    for document in 0..240_u32 {
        let (start, cell) = (words.len(), document % 2);
        // Most documents are mostly of one topic.
        let little = lots.share().powi(4);
        let share = if lots.share() < 0.5 { little } else { 1.0 - little };
        words.extend((0..60).map(|_| {
            let topic = 2 * cell as usize + usize::from(lots.share() < share);
            (topic * EACH + lots.below(EACH)) as u32
        }));
        documents.push(Text { cell, words: start..words.len() });
    }
    let level =
        |name: &str| Level { name: name.to_owned(), documents: 120, tokens: 7200, from: None };
    let levels = vec![level("x"), level("y")];
    let factor = Factor { name: "g".to_owned(), ordered: false, levels };
    let cell = |level| Cell { levels: vec![level], documents: 120, tokens: 7200 };
    let covariates = Covariates { factors: vec![factor], cells: vec![cell(0), cell(1)] };
    (Texts { documents, words }, covariates)
}

fn fitted(threads: usize, piece_words: u32) -> (Topics, Vec<f64>, Pieces) {
    let (texts, _) = planted();
    let parameters = LdaParameters {
        topics: TOPICS as u32,
        piece_words,
        tolerance: 0.0,
        mixing: 0.3,
        epochs: 60,
        ..LdaParameters::default()
    };
    let pieces = Pieces::cut(&texts, WORDS, piece_words as usize);
    let work = Work { threads: NonZeroUsize::new(threads).unwrap(), ..Work::default() };
    let (topics, bounds) = fit(&pieces, WORDS, &parameters, &work).unwrap();
    (topics, bounds, pieces)
}

#[test]
fn planted_topics_and_the_levels_that_have_them_are_found() {
    let (topics, bounds, pieces) = fitted(2, 1000);
    assert_eq!(pieces.len(), 240);
    for pair in bounds.windows(2) {
        assert!(pair[1] > pair[0] - 1e-6, "the bound fell: {pair:?}");
    }
    // Nothing is known of a word before its topic is: ln 48 at the start, ln 12 and the topic in the end.
    let last = *bounds.last().unwrap();
    assert!((-(12_f64.ln()) - 1.0..-(12_f64.ln())).contains(&last), "{last}");
    let shares = Shares::new(&topics, &pieces, &planted().1);
    let (words, weights) = (shares.words(&topics), shares.weights());
    let mut found: Vec<usize> = (0..TOPICS)
        .map(|t| {
            let column: Vec<f32> = (0..WORDS).map(|word| words[word * TOPICS + t]).collect();
            let of = |plant: usize| column[plant * EACH..(plant + 1) * EACH].iter().sum::<f32>();
            let best = (0..TOPICS).max_by(|&a, &b| of(a).total_cmp(&of(b))).unwrap();
            let all: f32 = column.iter().sum();
            assert!(of(best) > 0.98 * all, "topic {t}: {} of {all}", of(best));
            // Only one level has it: √2 there, 0 in the other.
            let (own, other) = (best / 2, 1 - best / 2);
            assert!((weights[own * TOPICS + t] - 2_f32.sqrt()).abs() < 0.02, "{weights:?}");
            assert!(weights[other * TOPICS + t] < 0.15, "{weights:?}");
            best
        })
        .collect();
    found.sort_unstable();
    assert_eq!(found, [0, 1, 2, 3]);
}

#[test]
fn any_number_of_threads_gives_the_same_topics() {
    let bits = |threads| {
        let (topics, bounds, _) = fitted(threads, 25);
        let words = topics.words.packed().into_iter().map(f32::to_bits).collect::<Vec<_>>();
        (words, bounds.into_iter().map(f64::to_bits).collect::<Vec<_>>())
    };
    let one = bits(1);
    assert!(bits(2) == one && bits(5) == one);
}
