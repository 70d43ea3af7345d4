//! Analyses, each held to the plainest way to compute it, on random models.
#![allow(clippy::unwrap_used)]

mod common;

use common::{tiny_model, work};
use covec::analyse::analogy::{AnalogyParameters, analogy, enriched};
use covec::analyse::drift::{Direction, DriftParameters, drift};
use covec::analyse::explain::explain;
use covec::analyse::moved::{self, Moved, MovedBy};
use covec::analyse::neighborhood::neighborhood;
use covec::analyse::neighbors::{Change, nearness, neighbors};
use covec::analyse::project::{Axis, project};
use covec::analyse::similarity::similarity;
use covec::analyse::specificity::specificity;
use covec::analyse::telling::telling;
use covec::analyse::{SupportParameters, View};
use covec::model::{Deviations, Model};
use covec::parameters::Whole;
use proptest::prelude::*;

/// A model of 60 words, 4 dimensions and 3 levels.
fn tiny() -> Model {
    let home = tempfile::tempdir().unwrap();
    Model::open(&tiny_model(home.path(), 1)).unwrap()
}

/// The same with random numbers; every third word deviates in levels 1 and 2, and not in 0.
fn random() -> impl Strategy<Value = Model> {
    let numbers = |n: usize| proptest::collection::vec(-1.0_f32..1.0, n);
    let weights = proptest::collection::vec(0.0_f32..2.0, 12);
    let counts = proptest::collection::vec(0_u64..60, 180);
    let model = std::sync::OnceLock::<Model>::new();
    (numbers(240), weights, numbers(160), counts).prop_map(
        move |(vectors, weights, own, counts)| {
            let mut model = model.get_or_init(tiny).clone();
            model.vectors = vectors.into();
            model.weights = weights.into();
            let words: Vec<u32> = (0..60).filter(|word| word % 3 == 0).collect();
            let of: Vec<u32> = words.iter().chain(&words).copied().collect();
            let levels: Vec<u32> =
                (0..2 * words.len()).map(|at| 1 + (at >= words.len()) as u32).collect();
            let halves: Vec<half::f16> = own.into_iter().map(half::f16::from_f32).collect();
            model.deviations = Deviations::new(4, of, levels, halves);
            for (level, counts) in counts.chunks(60).enumerate() {
                model.vocabulary.level_counts[level] = counts.to_vec();
            }
            model.vocabulary.counts = vec![100; 60];
            model
        },
    )
}

fn support(least: u64) -> SupportParameters {
    SupportParameters { min_support: Whole(least) }
}

fn id(model: &Model, word: &str) -> usize {
    model.word(word).unwrap()
}

/// A word's vector of length 1 under a view.
fn unit(model: &Model, word: usize, view: &View, own: bool) -> Vec<f64> {
    let vector = match own {
        true => model.vector_in(word, &view.levels),
        false => model.reweighted(word, &view.levels),
    };
    let length = vector.iter().map(|&x| f64::from(x).powi(2)).sum::<f64>().sqrt();
    vector.iter().map(|&x| f64::from(x) / length.max(1e-30)).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn cosine(model: &Model, a: usize, b: usize, view: &View, own: bool) -> f64 {
    dot(&unit(model, a, view, own), &unit(model, b, view, own))
}

fn apart(model: &Model, a: usize, b: usize, view: &View, own: bool) -> f64 {
    (2.0 - 2.0 * cosine(model, a, b, view, own)).max(0.0).sqrt().max(1e-3)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 2e-3 * (1.0 + b.abs())
}

/// The words that occur often enough under all of the views.
fn there(model: &Model, views: &[&View], least: u64) -> Vec<usize> {
    (0..60).filter(|&w| views.iter().all(|view| view.count(model, w) >= least)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_neighborhood_keeps_true_distances_and_one_direction_a_word(model in random()) {
        let mut views = vec![View::base()];
        views.extend(View::of_factor(&model, 0));
        let word = model.vocabulary.words[0].clone();
        let (support, work) = (support(5), work(1, 1 << 30));
        let rows = neighbors(&model, &word, &views, 5, &support, &work).unwrap().rows;
        let near = nearness(&model, &word, &rows, &views, &support).unwrap();
        let places = neighborhood(&model, &word, &near).unwrap();
        prop_assert_eq!(places.len(), near.words.len() * near.levels.len());
        let mut angles: Vec<f64> = Vec::new();
        for place in &places {
            let other = id(&model, &place.neighbor);
            let view = views.iter().find(|view| view.name == place.level).unwrap();
            let [a, b] = [0, other].map(|word| unit(&model, word, view, true));
            let apart = a.iter().zip(&b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            match place.distance {
                Some(distance) => prop_assert!((distance - apart).abs() < 1e-3, "{distance} {apart}"),
                None => prop_assert!(view.count(&model, other) < 5),
            }
            let first = places.iter().find(|own| own.neighbor == place.neighbor).unwrap();
            prop_assert_eq!(first.angle, place.angle);
            if place.level == View::BASE {
                prop_assert!(angles.iter().all(|angle| (angle - place.angle).abs() > 1e-6));
                angles.push(place.angle);
            }
        }
    }

    #[test]
    fn neighbors_are_those_of_a_plain_search(model in random(), word in 0_usize..60) {
        let views = [View::base(), View::named(&model, "group-2").unwrap()];
        let name = model.vocabulary.words[word].clone();
        let answer = neighbors(&model, &name, &views, 5, &support(10), &work(2, 1 << 30)).unwrap();
        for view in views.iter().filter(|view| view.count(&model, word) >= 10) {
            let mut plain: Vec<(f64, usize)> = there(&model, &[view], 10)
                .into_iter()
                .filter(|&other| other != word)
                .map(|other| (cosine(&model, word, other, view, true), other))
                .collect();
            plain.sort_by(|a, b| b.0.total_cmp(&a.0));
            let found: Vec<_> = answer
                .rows
                .iter()
                .filter(|row| row.level == view.name && row.change != Some(Change::Lost))
                .collect();
            prop_assert_eq!(found.len(), plain.len().min(5));
            for (row, (cosine, _)) in found.iter().zip(&plain) {
                prop_assert!(near(row.cosine, *cosine), "{row:?} {cosine}");
                prop_assert_eq!(row.neighbor_count, view.count(&model, id(&model, &row.neighbor)));
            }
        }
    }

    #[test]
    fn nearness_is_the_cosine_under_every_view(model in random(), word in 0_usize..60) {
        let mut views = View::each(&model);
        views.insert(0, View::base());
        let name = model.vocabulary.words[word].clone();
        let rows = neighbors(&model, &name, &views, 3, &support(10), &work(1, 1 << 30)).unwrap().rows;
        let found = nearness(&model, &name, &rows, &views, &support(10)).unwrap();
        let own: Vec<&View> = views.iter().filter(|view| view.count(&model, word) >= 10).collect();
        let names: Vec<&String> = found.levels.iter().map(|(level, _)| level).collect();
        prop_assert_eq!(names, own.iter().map(|view| &view.name).collect::<Vec<_>>());
        prop_assert_eq!(found.cosines.len(), found.words.len() * own.len());
        for row in &rows {
            prop_assert!(found.words.contains(&row.neighbor));
        }
        let mut before = 0;
        for (other, cosines) in found.words.iter().zip(found.cosines.chunks(own.len().max(1))) {
            let other = id(&model, other);
            let mut best = (f64::NEG_INFINITY, 0);
            for (place, (view, found)) in own.iter().zip(cosines).enumerate() {
                prop_assert_eq!(found.is_some(), view.count(&model, other) >= 10);
                let Some(found) = found else { continue };
                prop_assert!(near(*found, cosine(&model, word, other, view, true)));
                if view.name != "base" && *found > best.0 {
                    best = (*found, place);
                }
            }
            prop_assert!(best.1 >= before, "in the order of the views in which they are nearest");
            before = best.1;
        }
    }

    #[test]
    fn two_words_are_as_near_as_their_vectors(model in random(), a in 0_usize..60, b in 0_usize..60) {
        let views = View::each(&model);
        let words = &model.vocabulary.words;
        let answer = similarity(&model, &words[a], &words[b], &views, &support(10)).unwrap();
        for (row, view) in answer.rows.iter().zip(&views) {
            let enough = view.count(&model, a).min(view.count(&model, b)) >= 10;
            prop_assert_eq!(row.cosine.is_some(), enough);
            if enough {
                prop_assert!(near(row.cosine.unwrap(), cosine(&model, a, b, view, true)));
                prop_assert!(near(row.topical.unwrap(), cosine(&model, a, b, view, false)));
            }
        }
    }

    #[test]
    fn what_moved_to_and_from_a_word_is_what_distances_say(model in random()) {
        let (from, to) = (View::named(&model, "group-1").unwrap(), View::named(&model, "group-3").unwrap());
        let words = there(&model, &[&from, &to], 10);
        prop_assume!(words.len() > 3);
        let word = words[0];
        let name = &model.vocabulary.words[word];
        let all = DriftParameters { near: Whole(0), ..DriftParameters::default() };
        let answer = drift(&model, name, (&from, &to), 100, &all, &support(10), &work(2, 1 << 30)).unwrap();
        let mut last = (0.0, f64::INFINITY);
        for row in &answer.rows {
            let other = id(&model, &row.other);
            let ratio = |own| apart(&model, word, other, &to, own) / apart(&model, word, other, &from, own);
            prop_assert!(near(row.ratio, ratio(true)) && near(row.topical, ratio(false)), "{row:?}");
            prop_assert!(near(row.ratio, row.topical * row.own));
            match row.direction {
                Direction::Closer => prop_assert!(last.0 <= row.ratio && row.ratio < 1.0),
                Direction::Further => prop_assert!(last.1 >= row.ratio && row.ratio > 1.0),
            }
            last = match row.direction {
                Direction::Closer => (row.ratio, last.1),
                Direction::Further => (0.0, row.ratio),
            };
        }
        prop_assert_eq!(answer.rows.len(), words.len() - 1);
        let moved = moved::words(&model, &from, &to, &all, &support(10), &work(1, 1 << 30)).unwrap();
        let overlap = moved.rows.iter().find(|row| row.word == *name).unwrap().overlap;
        // Equal to rounding may swap places.
        let one = 1.0 / (words.len() - 1) as f64;
        prop_assert!(answer.rows.iter().all(|row| (row.overlap - overlap).abs() < 1.01 * one));
    }

    #[test]
    fn a_word_keeps_the_nearest_words_it_had(model in random()) {
        let (from, to) = (View::base(), View::named(&model, "group-2").unwrap());
        let words = there(&model, &[&from, &to], 10);
        prop_assume!(words.len() > 8);
        let parameters = DriftParameters { overlap: Whole(5), ..DriftParameters::default() };
        let moved = moved::words(&model, &from, &to, &parameters, &support(10), &work(1, 1 << 30)).unwrap();
        for row in moved.rows.iter().take(5) {
            let answer = drift(&model, &row.word, (&from, &to), 3, &parameters, &support(10), &work(1, 1 << 30)).unwrap();
            prop_assert!(answer.rows.iter().all(|own| (own.overlap - row.overlap).abs() < 0.201), "{row:?}");
        }
    }

    #[test]
    fn how_far_words_moved_is_the_change_of_their_company(model in random()) {
        let (from, to) = (View::base(), View::named(&model, "group-2").unwrap());
        let words = there(&model, &[&from, &to], 10);
        prop_assume!(words.len() > 8);
        let parameters = DriftParameters { overlap: Whole(5), ..DriftParameters::default() };
        let answer = moved::words(&model, &from, &to, &parameters, &support(10), &work(2, 1 << 30)).unwrap();
        prop_assert_eq!(answer.rows.len(), words.len());
        prop_assert_eq!(answer.left_out, 60 - words.len());
        // The plain way: every word's predicted log counts with every word, twice.
        let total = |view: &View| (0..60).map(|w| view.count(&model, w)).sum::<u64>() as f64;
        let p = |w| 0.5 * (from.count(&model, w) as f64 / total(&from) + to.count(&model, w) as f64 / total(&to));
        let c: Vec<f64> = model.weight(1).iter().map(|&x| f64::from(x).powi(2)).collect();
        let v = |w: usize, t: usize| f64::from(model.vector(w)[t]);
        let spread = |change: &dyn Fn(usize) -> f64| {
            let x: Vec<f64> = (0..60).map(|j| (0..4).map(|t| change(t) * v(j, t)).sum()).collect();
            let mean: f64 = (0..60).map(|j| p(j) * x[j]).sum();
            (0..60).map(|j| p(j) * (x[j] - mean).powi(2)).sum::<f64>().sqrt()
        };
        let delta = |w: usize, level: usize, t: usize| {
            model.deviations.of(w, level).map_or(0.0, |own| own[t].to_f64())
        };
        for row in &answer.rows {
            let w = id(&model, &row.word);
            let topical = spread(&|t| (c[t] - 1.0) * v(w, t));
            let mean = |t| (0..3).map(|level| delta(w, level, t)).sum::<f64>() / 3.0;
            let own = spread(&|t| 0.5 * (c[t] + 1.0) * (delta(w, 1, t) - mean(t)));
            prop_assert!(near(row.topical, topical) && near(row.own, own), "{row:?} {topical} {own}");
            let nearest = |view: &View| {
                let mut others: Vec<usize> = words.iter().copied().filter(|&o| o != w).collect();
                others.sort_by(|&a, &b| cosine(&model, w, b, view, true).total_cmp(&cosine(&model, w, a, view, true)));
                others.truncate(5);
                others
            };
            let (a, b) = (nearest(&from), nearest(&to));
            let kept = a.iter().filter(|w| b.contains(w)).count() as f64 / 5.0;
            // Equal to rounding may swap places.
            prop_assert!((row.overlap - kept).abs() < 0.201, "{row:?} {kept}");
        }
    }

    #[test]
    fn pairs_that_moved_most_are_found_among_all(model in random()) {
        let (from, to) = (View::named(&model, "group-2").unwrap(), View::named(&model, "group-3").unwrap());
        let words = there(&model, &[&from, &to], 20);
        prop_assume!(words.len() > 3);
        let answer = moved::pairs(&model, &from, &to, 4, &support(20), &work(3, 1 << 30)).unwrap();
        let mut plain = [Vec::new(), Vec::new()];
        for (at, &a) in words.iter().enumerate() {
            for &b in &words[at + 1..] {
                let ratio = |own| apart(&model, a, b, &to, own) / apart(&model, a, b, &from, own);
                plain[0].push(ratio(false));
                plain[1].push(ratio(true) / ratio(false));
            }
        }
        for (part, mut plain) in [MovedBy::Topical, MovedBy::Own].into_iter().zip(plain) {
            plain.sort_by(f64::total_cmp);
            for direction in [Direction::Closer, Direction::Further] {
                let found: Vec<f64> = answer.rows.iter()
                    .filter(|row| row.part == part && row.direction == direction)
                    .map(|row| if part == MovedBy::Topical { row.topical } else { row.own })
                    .collect();
                let beyond = |x: &&f64| if direction == Direction::Closer { **x < 1.0 } else { **x > 1.0 };
                let wanted: Vec<f64> = match direction {
                    Direction::Closer => plain.iter().filter(beyond).take(4).copied().collect(),
                    Direction::Further => plain.iter().rev().filter(beyond).take(4).copied().collect(),
                };
                prop_assert_eq!(found.len(), wanted.len());
                for (found, wanted) in found.iter().zip(wanted) {
                    prop_assert!((found / wanted - 1.0).abs() < 0.02, "{part:?} {direction:?} {found} {wanted}");
                }
            }
        }
    }

    #[test]
    fn the_dimensions_explain_all_of_a_move(model in random()) {
        let (from, to) = (View::base(), View::named(&model, "group-3").unwrap());
        let words = there(&model, &[&from, &to], 0);
        let names = &model.vocabulary.words;
        let told = explain(&model, &names[words[0]], &names[words[3]], &from, &to, &support(0)).unwrap();
        let sum: f64 = told.dimensions.iter().map(|cause| cause.contribution).sum();
        let square = |view, own| apart(&model, words[0], words[3], view, own).powi(2);
        prop_assert!(near(sum, square(&to, true) - square(&from, true)));
        let topical: f64 = told.dimensions.iter().map(|cause| cause.topical).sum();
        prop_assert!(near(topical, square(&to, false) - square(&from, false)));
        prop_assert!(told.dimensions.windows(2).all(|p| p[0].contribution.abs() >= p[1].contribution.abs()));
        let cause = &told.dimensions[0];
        let weight = f64::from(model.weight(2)[cause.dimension - 1]).powi(2);
        prop_assert!(near(cause.weight_to, weight) && cause.weight_from == 1.0);
        prop_assert!(near(cause.weights["group=group-3"], weight));
    }

    #[test]
    fn specificity_is_the_mean_over_pairs_of_levels(model in random()) {
        let views = View::of_factor(&model, 0);
        let answer = specificity(&model, &views, &[], &support(15), &work(2, 1 << 30)).unwrap();
        for row in &answer.rows {
            let w = id(&model, &row.word);
            let there: Vec<&View> = views.iter().filter(|view| view.count(&model, w) >= 15).collect();
            let (mut sum, mut pairs) = (0.0, 0.0);
            for a in 0..there.len() {
                for b in a + 1..there.len() {
                    sum += 1.0 - dot(&unit(&model, w, there[a], true), &unit(&model, w, there[b], true));
                    pairs += 1.0;
                }
            }
            prop_assert!((row.specificity - sum / pairs).abs() < 1e-4, "{row:?} {}", sum / pairs);
            prop_assert_eq!(row.levels, there.len());
        }
        prop_assert!(answer.rows.is_sorted_by(|a, b| a.excess >= b.excess));
        let enough = (0..60).filter(|&w| views.iter().filter(|v| v.count(&model, w) >= 15).count() >= 2);
        prop_assert_eq!(enough.count(), answer.rows.len());
    }

    #[test]
    fn analogies_are_scored_as_defined(model in random()) {
        let names = &model.vocabulary.words;
        let view = View::named(&model, "group-2").unwrap();
        let abc = [&names[0][..], &names[4], &names[8]];
        let answer = analogy(&model, abc, std::slice::from_ref(&view), 100, &AnalogyParameters::default(), &support(0), &work(2, 1 << 30)).unwrap();
        prop_assert_eq!(answer.rows.len(), 57);
        let [a, b, c] = [0, 4, 8].map(|w| unit(&model, w, &view, true));
        let minus = |x: &[f64], y: &[f64]| -> Vec<f64> { x.iter().zip(y).map(|(x, y)| x - y).collect() };
        let cos = |x: &[f64], y: &[f64]| dot(x, y) / (dot(x, x) * dot(y, y)).sqrt();
        let step = minus(&b, &a);
        let aim: Vec<f64> = step.iter().zip(&c).map(|(s, c)| s + c).collect();
        for row in &answer.rows {
            let d = unit(&model, id(&model, &row.word), &view, true);
            prop_assert!(near(row.add, cos(&d, &aim)), "{row:?}");
            let s = |x: &[f64]| 0.5 * (1.0 + dot(&d, x));
            prop_assert!(near(row.mul, s(&b) * s(&c) / (s(&a) + 1e-3)), "{row:?}");
            prop_assert!((row.difference - cos(&step, &minus(&d, &c))).abs() < 0.01, "{row:?}");
        }
        prop_assert!(answer.rows.windows(2).all(|pair| pair[0].add >= pair[1].add));
    }

    #[test]
    fn enriched_analogies_have_the_ranks_that_levels_give(model in random()) {
        let names = &model.vocabulary.words;
        let abc = [&names[1][..], &names[2], &names[3]];
        let views = View::of_factor(&model, 0);
        let found = enriched(&model, abc, &views, &AnalogyParameters::default(), &support(0), &work(1, 1 << 30)).unwrap();
        let all = analogy(&model, abc, &views, 100, &AnalogyParameters::default(), &support(0), &work(1, 1 << 30)).unwrap();
        for row in &found.rows {
            let ranks: Vec<usize> = all.rows.iter().filter(|a| a.word == row.word).map(|a| a.rank).collect();
            prop_assert_eq!(row.best_rank, *ranks.iter().min().unwrap());
            prop_assert_eq!(row.worst_rank, *ranks.iter().max().unwrap());
        }
        prop_assert_eq!(found.rows.len(), 57);
    }

    #[test]
    fn a_word_stands_where_the_axis_says(model in random()) {
        let names = &model.vocabulary.words;
        let axis = Axis::named(&model, &format!("{},{}:{}", names[5], names[6], names[9])).unwrap();
        let view = View::named(&model, "group-3").unwrap();
        let words = [names[0].clone(), names[7].clone()];
        let answer = project(&model, &words, &axis, std::slice::from_ref(&view), &support(0), &work(1, 1 << 30)).unwrap();
        let u = |w| unit(&model, w, &view, true);
        let axis: Vec<f64> = (0..4).map(|t| u(9)[t] - 0.5 * (u(5)[t] + u(6)[t])).collect();
        for (row, word) in answer.rows.iter().zip([0, 7]) {
            let wanted = dot(&u(word), &axis) / dot(&axis, &axis).sqrt();
            prop_assert!(near(row.position.unwrap(), wanted), "{row:?} {wanted}");
        }
    }

    #[test]
    fn threads_change_nothing(model in random()) {
        let (from, to) = (View::base(), View::named(&model, "group-2").unwrap());
        let name = &model.vocabulary.words[3];
        let told = |threads| {
            let work = work(threads, 1 << 30);
            let none = support(0);
            let parameters = DriftParameters::default();
            (
                neighbors(&model, name, &[from.clone(), to.clone()], 10, &none, &work).unwrap().rows,
                drift(&model, name, (&from, &to), 10, &parameters, &none, &work).unwrap().rows,
                moved::words(&model, &from, &to, &parameters, &none, &work).unwrap().rows,
                moved::pairs(&model, &from, &to, 10, &none, &work).unwrap().rows,
            )
        };
        let one = told(1);
        prop_assert_eq!(&one, &told(2));
        prop_assert_eq!(&one, &told(5));
    }
}

#[test]
fn telling_words_stand_out_and_gather_in_few_documents() {
    let mut model = tiny();
    model.vocabulary.counts = vec![100; 60];
    // Two words in three are in hardly any document.
    for cell in &mut model.covariates.cells {
        (cell.documents, cell.tokens) = (0, 0);
    }
    (model.covariates.cells[0].documents, model.covariates.cells[0].tokens) = (50, 100_000);
    let few = |word: usize| if word.is_multiple_of(3) { 50 } else { 1 };
    model.vocabulary.documents = (0..60).map(few).collect();
    let level = |name: &str, far: &[(usize, f64)]| -> Vec<Moved> {
        let row = |word: usize| Moved {
            to: name.to_owned(),
            word: model.vocabulary.words[word].clone(),
            own: far
                .iter()
                .find(|(other, _)| *other == word)
                .map_or(0.1 + 0.001 * (word % 7) as f64, |(_, own)| *own),
            // Too rare in one level to count there: words 10 and below in `b`.
            count_to: if name == "b" && word <= 10 { 39 } else { 60 },
            ..Moved::default()
        };
        (0..60).map(row).collect()
    };
    // 21 stands out and falls anywhere; 4 stands out, in one level that counts; 20 and 40 are as wanted.
    let a = level("a", &[(21, 0.9), (4, 0.8), (20, 0.3)]);
    let b = level("b", &[(40, 0.5), (20, 0.2)]);
    let found = telling(&model, &[&a, &b], &support(20), 2);
    let told: Vec<(usize, &str)> =
        found.iter().map(|word| (id(&model, &word.word), word.level.as_str())).collect();
    assert_eq!(told, [(40, "b"), (20, "a")]);
    assert!(found[0].excess > found[1].excess && found[1].excess > 5.0, "{found:?}");
    // 22 stands out further, and is all too common.
    let mut common = model.clone();
    common.vocabulary.counts[22] += 1;
    let c = level("a", &[(22, 0.9), (20, 0.3)]);
    let found = telling(&common, &[&c, &b], &support(20), 60);
    assert!(found.iter().all(|word| id(&model, &word.word) != 22), "{found:?}");
    assert!(found.iter().any(|word| id(&model, &word.word) == 20), "{found:?}");
    // Where documents are not known, no word is passed over for them.
    model.vocabulary.documents = vec![0; 60];
    let found = telling(&model, &[&a, &b], &support(20), 1);
    assert_eq!(id(&model, &found[0].word), 21);
}
