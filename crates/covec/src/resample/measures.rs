//! What of each analysis has error bars, and what it is in another model.

use super::interval::Scale;
use super::sure::{Measure, Measured};
use crate::analyse::analogy::Analogy;
use crate::analyse::covariates::{Nearest, Pair};
use crate::analyse::drift::{Mover, distance};
use crate::analyse::explain::{CauseRow, explain};
use crate::analyse::moved::{self, Moved, MovedPair};
use crate::analyse::neighbors::{Neighbor, cosine};
use crate::analyse::project::Position;
use crate::analyse::similarity::Similarity;
use crate::analyse::sparsity::{LevelZeros, MODEL};
use crate::analyse::specificity::Specificity;
use crate::analyse::topics::DimensionWeight;
use crate::analyse::{Part, SupportParameters, View};
use crate::error::Error;
use crate::model::Model;
use crate::work::Work;

/// Measures of a row, `by weights` if they come of the levels' weights alone; then its subject, and the names of what it is about.
macro_rules! measured {
    ($row:ty: $($name:literal $scale:ident $(by $weights:ident)? = $value:expr),+; $subject:expr; $views:expr) => {
        impl Measured for $row {
            const MEASURES: &'static [Measure] = &[$(Measure {
                name: $name,
                scale: Scale::$scale,
                by_weights: {
                    const BY: &[&str] = &[$(stringify!($weights))?];
                    !BY.is_empty()
                },
            }),+];
            fn subject(&self) -> String {
                let subject: fn(&Self) -> String = $subject;
                subject(self)
            }
            fn views(&self) -> Vec<&str> {
                let views: fn(&Self) -> Vec<&str> = $views;
                views(self)
            }
            fn measures(&self) -> Vec<Option<f64>> {
                vec![$({ let value: fn(&Self) -> Option<f64> = $value; value(self) }),+]
            }
        }
    };
}

measured!(Similarity: "cosine" Cosine = |row| row.cosine, "topical" Cosine = |row| row.topical;
    |row| format!("{}\0{}\0{}", row.level, row.a, row.b);
    |row| vec![&row.level]);
measured!(Specificity: "specificity" Square = |row| Some(row.specificity),
    "topical" Square by weights = |row| Some(row.topical); |row| row.word.clone();
    |_| Vec::new());
measured!(Neighbor: "cosine" Cosine = |row| Some(row.cosine), "topical" Cosine = |row| Some(row.topical);
    |row| format!("{}\0{}\0{}", row.level, row.word, row.neighbor);
    |row| vec![&row.level]);
measured!(Moved: "own" Distance = |row| Some(row.own), "topical" Distance by weights = |row| Some(row.topical);
    |row| format!("{}\0{}\0{}", row.from, row.to, row.word);
    |row| vec![&row.from, &row.to]);
measured!(Mover: "ratio" Positive = |row| Some(row.ratio), "topical" Positive = |row| Some(row.topical),
    "own" Positive = |row| Some(row.own); |row| format!("{}\0{}\0{}\0{}", row.from, row.to, row.word, row.other);
    |row| vec![&row.from, &row.to]);
measured!(MovedPair: "ratio" Positive = |row| Some(row.ratio), "topical" Positive = |row| Some(row.topical),
    "own" Positive = |row| Some(row.own); |row| format!("{}\0{}\0{}\0{}", row.from, row.to, row.a, row.b);
    |row| vec![&row.from, &row.to]);
measured!(Position: "position" Cosine = |row| row.position, "topical" Cosine = |row| row.topical;
    |row| format!("{}\0{}", row.level, row.word);
    |row| vec![&row.level]);
measured!(Nearest: "distance" Square by weights = |row| Some(row.distance);
    |row| format!("{}\0{}", row.level, row.nearest);
    |row| vec![&row.level, &row.nearest]);
measured!(Pair: "distance" Square by weights = |row| Some(row.distance); |row| format!("{}\0{}", row.a, row.b);
    |row| vec![&row.a, &row.b]);
measured!(Analogy: "add" Cosine = |row| Some(row.add), "mul" Positive = |row| Some(row.mul),
    "difference" Cosine = |row| Some(row.difference); |row| format!("{}\0{}", row.level, row.word);
    |row| vec![&row.level]);
measured!(DimensionWeight: "square" Positive = |row| Some(row.square);
    |row| format!("{}\0{}", row.dimension, row.level);
    |row| vec![&row.level]);
measured!(CauseRow<'_>: "contribution" Plain = |row| Some(row.cause.contribution);
    |row| format!("{}\0{}\0{}", row.from, row.to, row.cause.dimension);
    |row| vec![row.from, row.to]);

measured!(LevelZeros: "zeros" Positive = |row| Some(row.zeros as f64);
    |row| format!("{}\0{}", row.of, row.level);
    // What a control is trained on is drawn by itself.
    |row| if row.of == MODEL { vec![&row.level] } else { Vec::new() });

/// Cosines of pairs of words under a view.
fn cosines(model: &Model, [a, b]: [&str; 2], view: &str) -> Result<[f64; 2], Error> {
    let view = View::named(model, view)?;
    let (a, b) = (model.word(a)?, model.word(b)?);
    Ok([Part::Whole, Part::Topical].map(|part| cosine(model, a, b, &view, part)))
}

/// Ratio of distances of a pair, and its topical and own part.
fn ratios(model: &Model, pair: [&str; 2], from: &str, to: &str) -> Result<[f64; 3], Error> {
    let (from, to) = (cosines(model, pair, from)?, cosines(model, pair, to)?);
    let ratio = |part: usize| distance(to[part] as f32) / distance(from[part] as f32);
    Ok([ratio(0), ratio(1), ratio(0) / ratio(1)])
}

/// The cosines of neighbours in another model.
pub fn of_neighbors(model: &Model, rows: &[Neighbor]) -> Result<Vec<f64>, Error> {
    let of = |row: &Neighbor| cosines(model, [&row.word, &row.neighbor], &row.level);
    Ok(rows.iter().map(of).collect::<Result<Vec<_>, _>>()?.concat())
}

/// The ratios of movers in another model.
pub fn of_movers(model: &Model, rows: &[Mover]) -> Result<Vec<f64>, Error> {
    let of = |row: &Mover| ratios(model, [&row.word, &row.other], &row.from, &row.to);
    Ok(rows.iter().map(of).collect::<Result<Vec<_>, _>>()?.concat())
}

/// The ratios of pairs in another model.
pub fn of_pairs(model: &Model, rows: &[MovedPair]) -> Result<Vec<f64>, Error> {
    let of = |row: &MovedPair| ratios(model, [&row.a, &row.b], &row.from, &row.to);
    Ok(rows.iter().map(of).collect::<Result<Vec<_>, _>>()?.concat())
}

/// What dimensions contribute in another model.
pub fn of_causes(
    model: &Model,
    rows: &[CauseRow<'_>],
    support: &SupportParameters,
) -> Result<Vec<f64>, Error> {
    let mut values = Vec::with_capacity(rows.len());
    for row in rows {
        let [from, to] = [row.from, row.to].map(|name| View::named(model, name));
        let told = explain(model, row.word_a, row.word_b, &from?, &to?, support)?;
        let own = told.dimensions.iter().find(|cause| cause.dimension == row.cause.dimension);
        values.push(own.map_or(f64::NAN, |cause| cause.contribution));
    }
    Ok(values)
}

/// The weights that levels give dimensions in another model.
pub fn of_weights(model: &Model, rows: &[DimensionWeight]) -> Result<Vec<f64>, Error> {
    let of = |row: &DimensionWeight| -> Result<f64, Error> {
        let view = View::named(model, &row.level)?;
        let weight = |&level: &usize| f64::from(model.weight(level)[row.dimension - 1]);
        Ok(view.levels.iter().map(weight).map(|weight| weight * weight).product())
    };
    rows.iter().map(of).collect()
}

/// How far words moved in another model; all from one view to another.
pub fn of_moved(
    model: &Model,
    rows: &[Moved],
    (from, to): (&View, &View),
    support: &SupportParameters,
    work: &Work<'_>,
) -> Result<Vec<f64>, Error> {
    let moves = moved::moves(model, from, to, support, work)?;
    let mut places = vec![usize::MAX; model.vocabulary.len()];
    moves.iter().zip(0..).for_each(|(own, place)| places[own.word as usize] = place);
    let of = |row: &Moved| -> Result<[f64; 2], Error> {
        let place = places[model.word(&row.word)?];
        Ok(moves.get(place).map_or([f64::NAN; 2], |moved| [moved.own, moved.topical]))
    };
    Ok(rows.iter().map(of).collect::<Result<Vec<_>, _>>()?.concat())
}
