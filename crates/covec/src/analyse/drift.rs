//! What moved closer to a word, and what moved away from it, from one view to another.
//!
//! With `d(i, j) = ‖x_i/‖x_i‖ − x_j/‖x_j‖‖`, the distance of two words' normalised vectors under a view,
//! word j moved relative to word i by
//!
//! ```text
//! ratio   = d_T(i, j) / d_F(i, j)             below 1: closer in T than in F
//! topical = the same with c ∘ v alone          what the levels' weights make of it
//! own     = ratio / topical                    what the two words' deviations add
//! ```
//!
//! Beside it stands the share of its nearest words that i keeps (Gonen et al. 2020).

use serde::Serialize;

use super::gram;
use super::{AnalyseError, Answer, Lens, Part, SupportParameters, View};
use crate::error::Error;
use crate::model::Model;
use crate::parameters::{Whole, parameters};
use crate::work::Work;

parameters! {
    /// What of a drift is looked at.
    pub struct DriftParameters {
        overlap: Whole = Whole(100), "N", "100",
            "a whole number, 1 or more" if |n: &Whole| n.0 > 0,
            "Nearest words of which is counted how many a word keeps";
        near: Whole = Whole(500), "N", "500",
            "a whole number; 0 for all" if |_: &Whole| true,
            "Only words that are among the N nearest to a word in one of the two views are said to have moved to or from it";
    }
}

/// Below this a distance is rounding.
pub(crate) const LEAST_DISTANCE: f64 = 1e-3;

/// A word that moved relative to another.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Mover {
    /// The word that was asked for.
    pub word: String,
    /// The view it is compared with.
    pub from: String,
    /// The view in which it is looked at.
    pub to: String,
    /// `closer` or `further`.
    pub direction: Direction,
    /// The word that moved.
    pub other: String,
    /// d_T / d_F.
    pub ratio: f64,
    /// The part of the levels' weights.
    pub topical: f64,
    /// The part of the words' own deviations; ratio = topical · own.
    pub own: f64,
    /// Cosine in the view it is compared with.
    pub cosine_from: f64,
    /// Cosine in the view in which it is looked at.
    pub cosine_to: f64,
    /// How often the other word occurs there.
    pub count_from: u64,
    /// How often it occurs here.
    pub count_to: u64,
    /// How often the word that was asked for occurs there.
    pub word_count_from: u64,
    /// How often it occurs here.
    pub word_count_to: u64,
    /// Share of its nearest words that it keeps.
    pub overlap: f64,
}

/// Where something moved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Towards the word.
    #[default]
    Closer,
    /// Away from it.
    Further,
}

/// From one view to another, the `n` words that moved closest to a word and the `n` that moved furthest from it, those that
/// moved most first.
pub fn drift(
    model: &Model,
    word: &str,
    (from, to): (&View, &View),
    n: usize,
    parameters: &DriftParameters,
    support: &SupportParameters,
    work: &Work<'_>,
) -> Result<Answer<Mover>, Error> {
    parameters.check()?;
    View::comparable(model, "drift", [from, to])?;
    let id = model.word(word)?;
    enough(model, id, &[from, to], support)?;
    let mut words = support.words(model, &[from, to]);
    let left_out = model.vocabulary.len() - words.len();
    words.retain(|&other| other as usize != id);
    let cosines = |view, part| -> Result<Vec<f32>, Error> {
        let lens = Lens::new(model, view, part);
        lens.cosines(&words, &[&lens.direction(id)], work)
    };
    let whole = [cosines(from, Part::Whole)?, cosines(to, Part::Whole)?];
    let topical = [cosines(from, Part::Topical)?, cosines(to, Part::Topical)?];
    let mut ratios: Vec<(f64, usize)> = near(&whole, parameters.near.0 as usize)
        .into_iter()
        .map(|at| (ratio(whole[0][at], whole[1][at]), at))
        .collect();
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let most = (parameters.overlap.0 as usize).min(words.len()).max(1);
    let [before, after] = [0, 1].map(|view| gram::nearest(&whole[view], words.len(), most));
    let overlap = gram::common(&before, &after) as f64 / most as f64;
    let row = |direction, &(ratio_, at): &(f64, usize)| {
        let other = words[at] as usize;
        let topical = ratio(topical[0][at], topical[1][at]);
        Mover {
            word: word.to_owned(),
            from: from.name.clone(),
            to: to.name.clone(),
            direction,
            other: model.vocabulary.words[other].clone(),
            ratio: ratio_,
            topical,
            own: ratio_ / topical,
            cosine_from: f64::from(whole[0][at]),
            cosine_to: f64::from(whole[1][at]),
            count_from: from.count(model, other),
            count_to: to.count(model, other),
            word_count_from: from.count(model, id),
            word_count_to: to.count(model, id),
            overlap,
        }
    };
    let closer = ratios.iter().take_while(|(ratio, _)| *ratio < 1.0).take(n);
    let further = ratios.iter().rev().take_while(|(ratio, _)| *ratio > 1.0).take(n);
    let mut rows: Vec<Mover> = closer.map(|at| row(Direction::Closer, at)).collect();
    rows.extend(further.map(|at| row(Direction::Further, at)));
    Ok(Answer { rows, left_out })
}

/// The places of what is among the `n` nearest by one list of cosines or the other, in order.
fn near(cosines: &[Vec<f32>; 2], n: usize) -> Vec<usize> {
    let words = cosines[0].len();
    if n == 0 || n >= words {
        return (0..words).collect();
    }
    let mut places: Vec<usize> = cosines
        .iter()
        .flat_map(|cosines| gram::nearest(cosines, words, n))
        .map(|place| place as usize)
        .collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// An error where a word is too rare under one of the views.
pub(crate) fn enough(
    model: &Model,
    word: usize,
    views: &[&View],
    support: &SupportParameters,
) -> Result<(), AnalyseError> {
    let least = support.min_support.0;
    match views.iter().find(|view| view.count(model, word) < least) {
        None => Ok(()),
        Some(view) => Err(AnalyseError::TooRare {
            word: model.vocabulary.words[word].clone(),
            level: view.name.clone(),
            count: view.count(model, word),
            least,
        }),
    }
}

/// The distance of two vectors of length 1 with this cosine.
pub(crate) fn distance(cosine: f32) -> f64 {
    (2.0 - 2.0 * f64::from(cosine)).max(0.0).sqrt().max(LEAST_DISTANCE)
}

/// The ratio of two distances, given by cosines.
pub(crate) fn ratio(from: f32, to: f32) -> f64 {
    distance(to) / distance(from)
}
