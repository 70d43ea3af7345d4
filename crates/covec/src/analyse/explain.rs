//! Which dimensions brought two words together, or drove them apart, from one view to another.
//!
//! With x̂ the words' normalised vectors, `d² = Σ_t (x̂_at − x̂_bt)²`, so the change of the squared
//! distance is a sum over dimensions:
//!
//! ```text
//! contribution_t = (x̂_at − x̂_bt)²_T − (x̂_at − x̂_bt)²_F        Σ_t = d_T² − d_F²
//! ```
//!
//! Large where the words differ along a dimension that the level stresses or ignores. `topical` is the same
//! with c ∘ v alone, `own` what the words' deviations add.

use std::collections::BTreeMap;

use serde::Serialize;

use super::drift::{distance, enough};
use super::lens::dot;
use super::topics::{STABLE, ends};
use super::{Lens, Part, SupportParameters, View, question};
use crate::error::Error;
use crate::model::{Model, Need};
use crate::work::Work;

/// A move, and what caused it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// One word.
    pub a: String,
    /// The other.
    pub b: String,
    /// The view they are compared with.
    pub from: String,
    /// The view in which they are looked at.
    pub to: String,
    /// Their distance in the one.
    pub distance_from: f64,
    /// Their distance in the other.
    pub distance_to: f64,
    /// The latter by the levels' weights alone.
    pub distance_topical: f64,
    /// How often each of them occurs there, and here.
    pub counts: [[u64; 2]; 2],
    /// All dimensions, those that contributed most first.
    pub dimensions: Vec<Cause>,
}

/// What a dimension contributed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Cause {
    /// The dimension, from 1.
    pub dimension: usize,
    /// To the change of the squared distance; negative: closer.
    pub contribution: f64,
    /// The part of the levels' weights.
    pub topical: f64,
    /// The part of the words' own deviations.
    pub own: f64,
    /// The first word's coordinate in the base, of its vector of length 1.
    pub a: f64,
    /// The second word's.
    pub b: f64,
    /// The squared weight of the dimension in the view they are compared with.
    pub weight_from: f64,
    /// The squared weight in the view in which they are looked at.
    pub weight_to: f64,
    /// How far several seeds agree on the dimension, where they were run.
    pub agreement: Option<f64>,
    /// Its words: positive end | negative end.
    pub words: String,
    /// The squared weight that every level gives it.
    pub weights: BTreeMap<String, f64>,
}

/// A cause, and of what.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CauseRow<'a> {
    /// One word.
    pub word_a: &'a str,
    /// The other.
    pub word_b: &'a str,
    /// The view the words are compared with.
    pub from: &'a str,
    /// The view in which they are looked at.
    pub to: &'a str,
    /// How often the first word occurs in the view they are compared with.
    pub a_count_from: u64,
    /// How often the second does.
    pub b_count_from: u64,
    /// How often the first word occurs in the view in which they are looked at.
    pub a_count_to: u64,
    /// How often the second does.
    pub b_count_to: u64,
    /// The cause.
    #[serde(flatten)]
    pub cause: Cause,
}

/// Words of an end of a dimension that are told.
const WORDS: usize = 5;
/// Dimensions of a paragraph.
const TOLD: usize = 3;

/// Why two words moved.
pub fn explain(
    model: &Model,
    a: &str,
    b: &str,
    from: &View,
    to: &View,
    support: &SupportParameters,
) -> Result<Explanation, Error> {
    View::comparable(model, "explain", [from, to])?;
    model.gives(Need::Topics, "explain")?;
    let ids = [model.word(a)?, model.word(b)?];
    if ids[0] == ids[1] {
        return Err(
            question(format!("'{a}' and '{b}' are one word"), "two words", "name another").into()
        );
    }
    for id in ids {
        enough(model, id, &[from, to], support)?;
    }
    let lens = |view, part| {
        let lens = Lens::new(model, view, part);
        (ids.map(|id| lens.direction(id)), lens.weight)
    };
    let squares = |[a, b]: &[Vec<f32>; 2]| -> Vec<f64> {
        a.iter().zip(b).map(|(a, b)| f64::from(a - b).powi(2)).collect()
    };
    let (whole_from, weight_from) = lens(from, Part::Whole);
    let (whole_to, weight_to) = lens(to, Part::Whole);
    let [topical_from, topical_to] = [from, to].map(|view| lens(view, Part::Topical).0);
    let base = lens(&View::base(), Part::Topical).0;
    let changes = |from: &[Vec<f32>; 2], to: &[Vec<f32>; 2]| -> Vec<f64> {
        squares(to).iter().zip(squares(from)).map(|(to, from)| to - from).collect()
    };
    let whole = changes(&whole_from, &whole_to);
    let topical = changes(&topical_from, &topical_to);
    let names = model.covariates.level_names();
    let agreement = model.record.training.agreement.as_ref();
    let mut dimensions: Vec<Cause> = (0..model.dim)
        .map(|t| Cause {
            dimension: t + 1,
            contribution: whole[t],
            topical: topical[t],
            own: whole[t] - topical[t],
            a: f64::from(base[0][t]),
            b: f64::from(base[1][t]),
            weight_from: f64::from(weight_from[t]).powi(2),
            weight_to: f64::from(weight_to[t]).powi(2),
            agreement: agreement.and_then(|told| told.dimensions.get(t).copied()),
            words: String::new(),
            weights: (names.iter().enumerate())
                .map(|(level, name)| (name.clone(), f64::from(model.weight(level)[t]).powi(2)))
                .collect(),
        })
        .collect();
    dimensions.sort_by(|a, b| b.contribution.abs().total_cmp(&a.contribution.abs()));
    let apart = |[a, b]: &[Vec<f32>; 2]| distance(dot(a, b));
    Ok(Explanation {
        a: a.to_owned(),
        b: b.to_owned(),
        from: from.name.clone(),
        to: to.name.clone(),
        distance_from: apart(&whole_from),
        distance_to: apart(&whole_to),
        distance_topical: apart(&topical_to),
        counts: [from, to].map(|view| ids.map(|id| view.count(model, id))),
        dimensions,
    })
}

impl Explanation {
    /// Keeps the `n` dimensions that contributed most, and tells their words.
    pub fn first(
        mut self,
        model: &Model,
        n: usize,
        support: &SupportParameters,
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        self.dimensions.truncate(n);
        let places: Vec<usize> = self.dimensions.iter().map(|cause| cause.dimension - 1).collect();
        let ends = ends(model, &places, WORDS, support, work)?;
        for (cause, ends) in self.dimensions.iter_mut().zip(ends) {
            cause.words = ends.map(|words| words.join(", ")).join(" | ");
        }
        Ok(self)
    }

    /// A row for every dimension that is left.
    pub fn rows(&self) -> impl Iterator<Item = CauseRow<'_>> {
        let [[a_count_from, b_count_from], [a_count_to, b_count_to]] = self.counts;
        self.dimensions.iter().map(move |cause| CauseRow {
            word_a: &self.a,
            word_b: &self.b,
            from: &self.from,
            to: &self.to,
            a_count_from,
            b_count_from,
            a_count_to,
            b_count_to,
            cause: cause.clone(),
        })
    }

    /// All of it in a paragraph.
    pub fn paragraph(&self) -> String {
        let (before, after) = (self.distance_from, self.distance_to);
        let ratio = after / before;
        let how = match ratio {
            r if r < 0.98 => "closer to each other",
            r if r > 1.02 => "further from each other",
            _ => "about as far from each other",
        };
        let [[a_from, b_from], [a_to, b_to]] = self.counts;
        let mut text = format!(
            "'{}' and '{}' are {how} in {} ({a_to} and {b_to} occurrences) than in {} ({a_from} and {b_from}): their \
             distance goes from {before:.2} to {after:.2}, a ratio of {ratio:.2}. By the level's weights alone it \
             would be {:.2}; the rest is in the two words' own use.",
            self.a, self.b, self.to, self.from, self.distance_topical
        );
        if how.starts_with("about") {
            text = text.replacen(" than in ", " as in ", 1);
        }
        let sign = (after - before).signum();
        let causes: Vec<&Cause> = self
            .dimensions
            .iter()
            .filter(|cause| cause.contribution * sign > 0.0)
            .take(TOLD)
            .collect();
        if causes.is_empty() {
            return text;
        }
        text += if sign < 0.0 {
            " What brings them together most: "
        } else {
            " What drives them apart most: "
        };
        let told: Vec<String> = causes
            .iter()
            .map(|cause| {
                let unsure = match cause.agreement {
                    Some(agreement) if agreement < STABLE => ", not the same in every seed",
                    _ => "",
                };
                format!(
                    "dimension {} ({}{unsure}), whose squared weight goes from {:.2} to {:.2} and along which they \
                     stand at {:.2} and {:.2} ({:+.3} of {:+.3})",
                    cause.dimension,
                    cause.words,
                    cause.weight_from,
                    cause.weight_to,
                    cause.a,
                    cause.b,
                    cause.contribution,
                    after * after - before * before
                )
            })
            .collect();
        text + &told.join("; ") + "."
    }
}
