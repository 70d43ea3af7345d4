//! Books by the vectors of their words, for a method whose levels weigh nothing: S-EFE.
//!
//! A level's profile is what `covec covariates` makes of weights, made of vectors: of every word that a level has, its vector there less
//! its mean over the levels, all words in a row; two levels are as far apart as 1 − cos of their profiles.
//!
//! * **In:** the folder of a model with one factor. * **Out:** rows as `covec covariates` prints them, a map and a tree as SVG.

use std::path::Path;

use covec::analyse::clusters::clusters;
use covec::analyse::covariates::{Distance, Levels, mutual};
use covec::analyse::map::map;
use covec::analyse::{Groups, View};
use covec::model::Model;
use covec_report::answers::covariates as charts;
use serde_json::{Value, json};

/// What the pictures show, which is not weights.
const ABOUT: &str = "By how the vectors of all words differ from their mean over the levels";

pub fn compare(path: &Path, groups: &Path, distance: &str) -> Result<Value, String> {
    let fail = |e: covec::Error| e.to_string();
    let model = Model::open(path).map_err(fail)?;
    let groups = Groups::read(&model, "book:author", groups).map_err(fail)?;
    let mut levels = profiled(&model);
    if distance.parse() == Ok(Distance::Mutual) {
        levels.distances = mutual(&levels.distances, levels.len());
    }
    let nearest: Vec<Value> = (0..levels.len())
        .filter_map(|level| Some((level, *levels.near(level).first()?)))
        .map(|(level, near)| json!({"level": levels.names[level], "nearest": levels.names[near]}))
        .collect();
    let tree = clusters(&model, 0, &levels).map_err(fail)?;
    let tree = charts::tree(&levels, &tree, Some(&groups))
        .map_err(|e| e.to_string())?
        .with_subtitle(ABOUT);
    let map = map(&model, 0, &levels, Some(&groups)).map_err(fail)?;
    let map = charts::map(&map).map_err(|e| e.to_string())?.with_subtitle(ABOUT);
    Ok(json!({"nearest": nearest, "map": map.svg(), "clusters": tree.svg()}))
}

fn profiled(model: &Model) -> Levels {
    let views = View::of_factor(model, 0);
    let count = views.len();
    let mut profiles: Vec<Vec<f64>> = vec![Vec::new(); count];
    for word in 0..model.vocabulary.len() {
        let vectors: Vec<Vec<f32>> =
            views.iter().map(|view| model.vector_in(word, &view.levels)).collect();
        for t in 0..model.dim {
            let middle = vectors.iter().map(|x| f64::from(x[t])).sum::<f64>() / count as f64;
            for (profile, vector) in profiles.iter_mut().zip(&vectors) {
                profile.push(f64::from(vector[t]) - middle);
            }
        }
    }
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let lengths: Vec<f64> = profiles.iter().map(|own| dot(own, own).sqrt().max(1e-300)).collect();
    let distances = (0..count * count)
        .map(|at| (at / count, at % count))
        .map(|(a, b)| match a == b {
            true => 0.0,
            false => 1.0 - dot(&profiles[a], &profiles[b]) / (lengths[a] * lengths[b]),
        })
        .collect();
    let tokens = model.covariates.factors[0].levels.iter().map(|level| level.tokens).collect();
    let names = views.into_iter().map(|view| view.name).collect();
    Levels { names, tokens, distance: Distance::Cosine, profiles, distances }
}
