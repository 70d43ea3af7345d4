//! The step held to an obvious slow reference: the objective in double precision, and its slopes by differences.
#![allow(clippy::unwrap_used)]

use std::num::NonZeroUsize;

use super::climb::precision;
use super::part::{PARTS, place};
use super::*;
use crate::baseline::texts::Text;
use crate::lots::{Lots, PlaceLots};
use crate::vocabulary::Vocabulary;

const WORDS: usize = 37;
const LEVELS: usize = 3;
const DIM: usize = 5;
const HIDDEN: usize = 3;
const WINDOW: usize = 2;

/// Text of three levels, by chance, with words outside the vocabulary.
fn texts() -> (Texts, Vocabulary) {
    let mut lots = PlaceLots::new(11, 0);
    let (mut words, mut documents) = (Vec::new(), Vec::new());
    for document in 0..9_u32 {
        let start = words.len();
        words.extend((0..30 + document * 40).map(|_| lots.below(WORDS + 3).min(WORDS) as u32));
        documents.push(Text { cell: document % LEVELS as u32, words: start..words.len() });
    }
    let mut level_counts = vec![vec![0; WORDS]; LEVELS];
    for text in &documents {
        for &word in words[text.words.clone()].iter().filter(|word| (**word as usize) < WORDS) {
            level_counts[text.cell as usize][word as usize] += 1;
        }
    }
    let counts = (0..WORDS).map(|word| level_counts.iter().map(|own| own[word]).sum()).collect();
    let vocabulary = Vocabulary {
        words: (0..WORDS).map(|word| word.to_string()).collect(),
        counts,
        documents: vec![1; WORDS],
        level_counts,
    };
    (Texts { documents, words }, vocabulary)
}

fn parameters(sharing: Sharing) -> SEfeParameters {
    SEfeParameters {
        sharing,
        dim: DIM as u32,
        hidden: HIDDEN as u32,
        negatives: 3,
        frequent: 0.02,
        spread: 1.5,
        level_spread: 0.4,
        batch: 300,
        ..SEfeParameters::default()
    }
}

fn setting<'a>(
    texts: &'a Texts,
    vocabulary: &Vocabulary,
    parameters: &'a SEfeParameters,
    work: &'a Work<'a>,
) -> Setting<'a> {
    let draw = Draw {
        texts,
        window: WINDOW,
        negatives: parameters.negatives as usize,
        kept: kept(&vocabulary.counts, parameters.frequent),
        noise: Noise::new(&vocabulary.counts),
    };
    let expected = Expected::new(vocabulary, &draw);
    Setting { draw, expected, parameters, work }
}

/// All that is learned, as one list of numbers: contexts, common, own (level after level), then every level's
/// network, sought before added.
fn numbers(learning: &Learning, squares: bool) -> Vec<f64> {
    let mut all = Vec::new();
    let mut add = |learned: &super::learned::Learned, row: usize| {
        let table = if squares { &learned.squares } else { &learned.at };
        all.extend(table.row(row)[..DIM].iter().map(|&x| f64::from(x)));
    };
    let parts = &learning.parts;
    let words = || (0..WORDS as u32).map(place);
    words().for_each(|(part, row)| add(&parts[part].contexts, row));
    words().for_each(|(part, row)| add(&parts[part].common, row));
    if learning.networks.is_empty() {
        for level in 0..LEVELS {
            words().for_each(|(part, row)| add(&parts[part].own, level * parts[part].rows + row));
        }
    }
    for network in &learning.networks {
        (0..HIDDEN).for_each(|unit| add(&network.sought, unit));
        (0..HIDDEN).for_each(|unit| add(&network.added, unit));
    }
    all
}

/// A word's vector in a level, of that list.
fn vector(numbers: &[f64], sharing: Sharing, level: usize, word: usize) -> Vec<f64> {
    let row = |at: usize| &numbers[at * DIM..(at + 1) * DIM];
    let common = row(WORDS + word);
    match sharing {
        Sharing::Hierarchical => {
            let own = row((2 + level) * WORDS + word);
            common.iter().zip(own).map(|(a, b)| a + b).collect()
        }
        Sharing::Amortised => {
            let mut sum = common.to_vec();
            let first = 2 * WORDS + level * 2 * HIDDEN;
            for unit in 0..HIDDEN {
                let value = dot(row(first + unit), common).tanh();
                let added = row(first + HIDDEN + unit);
                sum.iter_mut().zip(added).for_each(|(sum, x)| *sum += value * x);
            }
            sum
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The objective of a batch: the likelihood, and of every prior the share that counts.
fn objective(numbers: &[f64], setting: &Setting<'_>, batch: &[super::stretches::Drawn]) -> f64 {
    let sharing = setting.parameters.sharing;
    let outside = WORDS as u32;
    let mut sum = 0.0;
    let mut items = vec![vec![0.0; WORDS]; LEVELS];
    let mut places = [0.0; WORDS];
    let mut targets = [0.0; LEVELS];
    for drawn in batch {
        targets[drawn.level] += drawn.targets.len() as f64;
        for &word in drawn.words.iter().filter(|word| **word != outside) {
            places[word as usize] += 1.0;
        }
        for (target, &at) in drawn.targets.iter().enumerate() {
            let mut context = vec![0.0; DIM];
            for (place, &word) in drawn.words.iter().enumerate() {
                if place != at as usize && place.abs_diff(at as usize) <= WINDOW && word != outside
                {
                    let own = &numbers[word as usize * DIM..(word as usize + 1) * DIM];
                    context.iter_mut().zip(own).for_each(|(sum, x)| *sum += x);
                }
            }
            let each = setting.draw.negatives + 1;
            for (n, &word) in drawn.items[target * each..(target + 1) * each].iter().enumerate() {
                if word != outside {
                    let own = vector(numbers, sharing, drawn.level, word as usize);
                    let x = dot(&context, &own) * if n == 0 { 1.0 } else { -1.0 };
                    sum -= (-x).exp().ln_1p();
                    items[drawn.level][word as usize] += 1.0;
                }
            }
        }
    }
    let pull = f64::from(precision(setting.parameters.spread));
    let own_pull = f64::from(precision(setting.parameters.level_spread));
    let mut prior = |row: usize, pull: f64| {
        let own = &numbers[row * DIM..(row + 1) * DIM];
        sum -= pull / 2.0 * dot(own, own);
    };
    for word in 0..WORDS {
        prior(word, pull * places[word] / f64::from(setting.expected.contexts[word]));
        let uses: f64 = items.iter().map(|own| own[word]).sum();
        prior(WORDS + word, pull * uses / f64::from(setting.expected.common[word]));
        for level in (0..LEVELS).filter(|_| sharing == Sharing::Hierarchical) {
            let share = items[level][word] / f64::from(setting.expected.items(level, word));
            prior((2 + level) * WORDS + word, own_pull * share);
        }
    }
    for level in (0..LEVELS).filter(|_| sharing == Sharing::Amortised) {
        let share = targets[level] / f64::from(setting.expected.targets[level]);
        let first = 2 * WORDS + level * 2 * HIDDEN;
        (first..first + 2 * HIDDEN).for_each(|row| prior(row, pull * share));
    }
    sum
}

fn stretches(texts: &Texts) -> Vec<Stretch> {
    cut(texts, &[vec![0], vec![1], vec![2]])
}

#[test]
fn the_slopes_of_a_step_are_those_of_the_objective() {
    let (texts, vocabulary) = texts();
    let work = Work::default();
    for sharing in [Sharing::Hierarchical, Sharing::Amortised] {
        let parameters = parameters(sharing);
        let setting = setting(&texts, &vocabulary, &parameters, &work);
        let mut learning = Learning::start(WORDS, LEVELS, &parameters);
        // Away from the start, where much is 0.
        let mut lots = PlaceLots::new(5, 5);
        let mut scatter = |learned: &mut super::learned::Learned| {
            for row in 0..learned.at.rows() {
                learned.at.row_mut(row)[..DIM].fill_with(|| (0.4 * lots.normal()) as f32);
            }
        };
        for part in &mut learning.parts {
            let all = [&mut part.contexts, &mut part.common, &mut part.own];
            all.into_iter().for_each(&mut scatter);
        }
        for network in &mut learning.networks {
            [&mut network.sought, &mut network.added].into_iter().for_each(&mut scatter);
        }
        let all = stretches(&texts);
        let batch: Vec<&Stretch> = all.iter().take(7).collect();
        let key = key(3, 0);
        let drawn: Vec<_> = batch.iter().map(|stretch| setting.draw.draw(stretch, key)).collect();
        let before = numbers(&learning, false);
        let likely = learning.step(&setting, &batch, key).unwrap();
        // AdaGrad began with no memory: what it remembers now are the squares of the slopes.
        let squares = numbers(&learning, true);
        let after = numbers(&learning, false);
        let slopes = squares
            .iter()
            .zip(before.iter().zip(&after))
            .map(|(square, (from, to))| square.sqrt() * if to < from { -1.0 } else { 1.0 });
        let whole = objective(&before, &setting, &drawn);
        assert!(whole < likely.sum && likely.sum < 0.0, "{whole} {}", likely.sum);
        let mut steep = 0;
        for (at, slope) in slopes.enumerate() {
            let step = 1e-5;
            let mut moved = before.clone();
            moved[at] += step;
            let up = objective(&moved, &setting, &drawn);
            moved[at] -= 2.0 * step;
            let expected = (up - objective(&moved, &setting, &drawn)) / (2.0 * step);
            let close = 1e-3 * (1.0 + expected.abs());
            assert!((slope - expected).abs() < close, "{sharing:?} {at}: {slope} {expected}");
            steep += usize::from(expected.abs() > 0.1);
        }
        assert!(steep > before.len() / 2, "{steep} of {}", before.len());
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let (texts, vocabulary) = texts();
    for sharing in [Sharing::Hierarchical, Sharing::Amortised] {
        let parameters = parameters(sharing);
        let learned = |threads: usize| {
            let threads = NonZeroUsize::new(threads).unwrap();
            let work = Work { threads, ..Work::default() };
            let setting = setting(&texts, &vocabulary, &parameters, &work);
            let mut learning = Learning::start(WORDS, LEVELS, &parameters);
            let all = stretches(&texts);
            for epoch in 0..3 {
                for batch in batches(&all, 300, 1, epoch) {
                    let batch: Vec<&Stretch> = batch.iter().map(|&at| &all[at]).collect();
                    learning.step(&setting, &batch, key(1, epoch)).unwrap();
                }
            }
            numbers(&learning, false).into_iter().map(f64::to_bits).collect::<Vec<_>>()
        };
        let one = learned(1);
        assert!(learned(2) == one && learned(5) == one && learned(PARTS + 3) == one);
    }
}

#[test]
fn steps_make_the_text_more_likely() {
    let (texts, vocabulary) = texts();
    let work = Work::default();
    for sharing in [Sharing::Hierarchical, Sharing::Amortised] {
        let parameters = parameters(sharing);
        let setting = setting(&texts, &vocabulary, &parameters, &work);
        let mut learning = Learning::start(WORDS, LEVELS, &parameters);
        let all = stretches(&texts);
        let mut step = || {
            let all: Vec<&Stretch> = all.iter().collect();
            let likely = learning.step(&setting, &all, key(1, 0)).unwrap();
            likely.sum / likely.targets as f64
        };
        let first = step();
        let last = (0..200).map(|_| step()).last().unwrap();
        assert!((first + 4.0 * std::f64::consts::LN_2).abs() < 0.2, "{first}");
        assert!(last > first + 0.5, "{first} {last}");
    }
}
