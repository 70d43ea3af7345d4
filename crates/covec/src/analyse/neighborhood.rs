//! The words around a word on a plane, view beside view: a map that can be set in motion.
//!
//! How far a word is from the middle is its true distance in the view; in which direction it lies is the
//! same in every view, so that all movement is to and fro. Directions come from the base: of the
//! neighbours' vectors, each without its part along the word's own, the first two principal components
//! give every neighbour an angle, and the angles are then spread evenly in their order. So what is
//! alike lies side by side, and no two words lie on one ray.
//!
//! ```text
//! distance_jk = ‖x̂_ik − x̂_jk‖ = √(2 − 2 cos)        x = distance · cos φ_j      y = distance · sin φ_j
//! ```
//!
//! **Cost:** neighbours² · dimensions.

use std::f64::consts::TAU;

use serde::Serialize;

use super::map::{centre, components};
use super::neighbors::Nearness;
use super::{Lens, Part, View};
use crate::error::Error;
use crate::model::Model;

/// A neighbour's place in a view.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Place {
    /// Under which levels.
    pub level: String,
    /// The near word.
    pub neighbor: String,
    /// Cosine of the two vectors; none where a word is too rare to say.
    pub cosine: Option<f64>,
    /// How far it is from the word: 0 for the same direction, 2 for the opposite one.
    pub distance: Option<f64>,
    /// Its direction, in radians; the same in every view.
    pub angle: f64,
}

/// The words of `near`, which is what [`nearness`](super::neighbors::nearness) says of `word`, in every view of it.
pub fn neighborhood(model: &Model, word: &str, near: &Nearness) -> Result<Vec<Place>, Error> {
    let angles = angles(model, word, &near.words)?;
    let mut rows = Vec::with_capacity(near.cosines.len());
    for (view, (level, _)) in near.levels.iter().enumerate() {
        for (place, neighbor) in near.words.iter().enumerate() {
            let cosine = near.cosines[place * near.levels.len() + view];
            rows.push(Place {
                level: level.clone(),
                neighbor: neighbor.clone(),
                cosine,
                distance: cosine.map(|cosine| (2.0 - 2.0 * cosine).max(0.0).sqrt()),
                angle: angles[place],
            });
        }
    }
    Ok(rows)
}

/// A direction for every word, no two alike.
fn angles(model: &Model, word: &str, words: &[String]) -> Result<Vec<f64>, Error> {
    let lens = Lens::new(model, &View::base(), Part::Whole);
    let middle: Vec<f64> = lens.direction(model.word(word)?).into_iter().map(f64::from).collect();
    let mut rows = Vec::with_capacity(words.len());
    for word in words {
        let vector = lens.direction(model.word(word)?);
        let along: f64 = vector.iter().zip(&middle).map(|(x, m)| f64::from(*x) * m).sum();
        let off = vector.iter().zip(&middle).map(|(x, m)| f64::from(*x) - along * m);
        rows.push(off.collect::<Vec<f64>>());
    }
    centre(&mut rows);
    let places = components(&rows).0;
    let mut order: Vec<usize> = (0..words.len()).collect();
    let turn = |at: usize| places[at][1].atan2(places[at][0]);
    order.sort_by(|&a, &b| turn(a).total_cmp(&turn(b)).then(a.cmp(&b)));
    let mut angles = vec![0.0; words.len()];
    for (rank, at) in order.into_iter().enumerate() {
        angles[at] = TAU * rank as f64 / words.len() as f64;
    }
    Ok(angles)
}
