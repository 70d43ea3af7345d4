//! Test sets, held to the plainest way to compute their scores, on random models.
#![allow(clippy::unwrap_used)]

mod common;

use common::{tiny_model, work};
use covec::analyse::View;
use covec::evaluate::{EvaluateParameters, Item, Kind, Missing, Scored, TestSet, evaluate};
use covec::model::{Deviations, Model};
use covec::parameters::Whole;
use proptest::prelude::*;

/// Random vectors and weights for 60 words, 4 dimensions and 3 levels.
fn random() -> impl Strategy<Value = Model> {
    let vectors = proptest::collection::vec(-1.0_f32..1.0, 240);
    let weights = proptest::collection::vec(0.1_f32..2.0, 12);
    let model = std::sync::OnceLock::<Model>::new();
    (vectors, weights).prop_map(move |(vectors, weights)| {
        let tiny = || Model::open(&tiny_model(tempfile::tempdir().unwrap().path(), 1)).unwrap();
        let mut model = model.get_or_init(tiny).clone();
        model.vectors = vectors.into();
        model.weights = weights.into();
        model.deviations = Deviations::new(4, Vec::new(), Vec::new(), Vec::new());
        model
    })
}

fn vector(model: &Model, view: &View, word: usize) -> Vec<f64> {
    let mut vector: Vec<f64> = model.vector(word).iter().map(|x| f64::from(*x)).collect();
    for &level in &view.levels {
        vector.iter_mut().zip(model.weight(level)).for_each(|(x, w)| *x *= f64::from(*w));
    }
    vector
}

fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

/// Items of words by their places; those beyond the vocabulary are words that the model does not have.
fn test(model: &Model, kind: Kind, items: &[Vec<usize>]) -> TestSet {
    let word = |place: &usize| {
        model.vocabulary.words.get(*place).cloned().unwrap_or_else(|| format!("no{place}"))
    };
    let item = |(number, places): (usize, &Vec<usize>)| Item {
        words: places.iter().map(word).collect(),
        // No two alike: ranks are then plain places.
        rating: ((number * 7) % items.len()) as f64 + number as f64 / 1000.0,
        category: format!("c{}", number % 3),
    };
    TestSet { name: "t".to_owned(), kind, items: items.iter().enumerate().map(item).collect() }
}

fn parameters(missing: Missing) -> EvaluateParameters {
    EvaluateParameters { missing, resamples: Whole(20), ..EvaluateParameters::default() }
}

fn score(rows: &[Scored], level: &str, measure: &str) -> Option<f64> {
    rows.iter().find(|row| row.level == level && row.measure == measure).unwrap().score
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn similarity_is_the_correlation_of_ranks(
        model in random(),
        pairs in proptest::collection::vec(proptest::collection::vec(0_usize..66, 2), 8..40),
    ) {
        let set = test(&model, Kind::Similarity, &pairs);
        let mut views = View::each(&model);
        views.push(View::base());
        let rows = evaluate(&model, std::slice::from_ref(&set), &views, &parameters(Missing::Omit), &work(2, 1 << 20)).unwrap();
        for view in &views {
            let known: Vec<_> = set.items.iter().zip(&pairs).filter(|(_, p)| p.iter().all(|i| *i < 60)).collect();
            let row = rows.iter().find(|row| row.level == view.name).unwrap();
            prop_assert_eq!((row.used, row.items), (known.len(), pairs.len()));
            let of = |p: &[usize]| cosine(&vector(&model, view, p[0]), &vector(&model, view, p[1]));
            let cosines: Vec<f64> = known.iter().map(|(_, p)| of(p)).collect();
            // Pairs of a word with itself have the same cosine, but for rounding.
            let same = |a: &f64, b: &f64| (a - b).abs() < 1e-5;
            let doubtful = cosines.iter().enumerate().any(|(i, a)| cosines[..i].iter().any(|b| same(a, b)));
            if doubtful || known.len() < 3 {
                continue;
            }
            let rank = |x: &[f64]| x.iter().map(|a| x.iter().filter(|b| *b < a).count() as f64).collect::<Vec<_>>();
            let ratings: Vec<f64> = known.iter().map(|(item, _)| item.rating).collect();
            let n = known.len() as f64;
            let squares: f64 = rank(&ratings).iter().zip(rank(&cosines)).map(|(a, b)| (a - b).powi(2)).sum();
            let expected = 1.0 - 6.0 * squares / (n * (n * n - 1.0));
            prop_assert!((row.score.unwrap() - expected).abs() < 1e-9, "{:?} {expected}", row.score);
        }
    }

    #[test]
    fn analogies_are_right_where_the_best_word_is_the_expected_one(
        model in random(),
        questions in proptest::collection::vec(proptest::collection::vec(0_usize..62, 4), 1..30),
    ) {
        let view = View::of_factor(&model, 0).remove(1);
        let mut questions = questions;
        // Some whose answer is right.
        for question in questions.iter_mut().step_by(2) {
            if question[..3].iter().all(|i| *i < 60) {
                question[3] = expected(&model, &view, question, 0);
            }
        }
        let set = test(&model, Kind::Analogies, &questions);
        let views = std::slice::from_ref(&view);
        let of = |threads| evaluate(&model, std::slice::from_ref(&set), views, &parameters(Missing::Omit), &work(threads, 1 << 20)).unwrap();
        let rows = of(1);
        prop_assert_eq!(&rows, &of(3));
        let known: Vec<_> = questions.iter().filter(|q| q.iter().all(|i| *i < 60)).collect();
        for (by, measure) in ["3CosAdd", "3CosMul"].into_iter().enumerate() {
            let right = known.iter().filter(|q| expected(&model, &view, q, by) == q[3]).count();
            let found = score(&rows, &view.name, measure);
            prop_assert_eq!(found, (!known.is_empty()).then(|| right as f64 / known.len() as f64));
        }
    }
}

fn expected(model: &Model, view: &View, question: &[usize], by: usize) -> usize {
    let of = |word: usize| vector(model, view, word);
    let [a, b, c] = [of(question[0]), of(question[1]), of(question[2])];
    let score = |d: &usize| {
        let d = of(*d);
        let [a, b, c] = [cosine(&d, &a), cosine(&d, &b), cosine(&d, &c)];
        let half = |x: f64| (1.0 + x) / 2.0;
        if by == 0 { b - a + c } else { half(b) * half(c) / (half(a) + 0.001) }
    };
    let others = (0..60).filter(|word| !question[..3].contains(word));
    others.max_by(|x, y| score(x).total_cmp(&score(y))).unwrap()
}

#[test]
fn the_mean_stands_for_missing_words_and_levels_are_averaged() {
    let home = tempfile::tempdir().unwrap();
    let model = Model::open(&tiny_model(home.path(), 1)).unwrap();
    let pairs: Vec<Vec<usize>> = (0..30).map(|i| vec![i, 61 - i]).collect();
    let tests =
        [test(&model, Kind::Similarity, &pairs), test(&model, Kind::Categories, &pairs[..9])];
    let views = View::each(&model);
    let ask = |missing, resamples| {
        let parameters = EvaluateParameters { resamples: Whole(resamples), ..parameters(missing) };
        evaluate(&model, &tests, &views, &parameters, &work(2, 1 << 20)).unwrap()
    };
    let (omit, mean) = (ask(Missing::Omit, 20), ask(Missing::Mean, 0));
    assert_eq!((omit[0].used, omit[0].items), (28, 30));
    assert_eq!((mean[0].used, mean[0].items), (30, 30));
    // Coverage is of what the model knows, whatever becomes of the rest.
    assert_eq!(omit[0].coverage, mean[0].coverage);
    assert!(omit[0].low.unwrap() <= omit[0].high.unwrap() && mean[0].low.is_none());
    let levels: Vec<f64> = omit[..3].iter().map(|row| row.score.unwrap()).collect();
    let average = omit.iter().find(|row| row.level == "mean of 3 levels").unwrap();
    assert!((average.score.unwrap() - levels.iter().sum::<f64>() / 3.0).abs() < 1e-12);
    let purity = |name: &str| score(&omit, &views[0].name, name).unwrap();
    let alone = [purity("purity of k-means"), purity("purity of joining")];
    assert_eq!(purity("purity"), alone[0].max(alone[1]));
    assert!(alone.iter().all(|purity| (1.0 / 3.0..=1.0).contains(purity)));
}
