//! Levels on a plane: the first two principal components of their profiles.
//!
//! With X the profiles of the K levels, each of length 1 where distances are cosines, and every
//! column centred, the places are U·√Λ of the two largest eigenvalues of X Xᵀ = U Λ Uᵀ; `explained`
//! is λ/Σλ of each. The sign of an axis is such that the level furthest from the middle has a
//! positive place, so the same model always gives the same map.
//!
//! **Cost:** levels³ + levels² · dimensions.

use faer::{Mat, Side};
use serde::Serialize;

use super::Groups;
use super::covariates::{Distance, Levels, enough};
use crate::error::Error;
use crate::model::Model;

/// Levels on a plane.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Map {
    /// The levels in their order.
    pub points: Vec<Point>,
    /// The share of the profiles' variance that each axis shows.
    pub explained: [f64; 2],
}

/// A level on the plane.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Point {
    /// The level.
    pub level: String,
    /// Words of its documents.
    pub tokens: u64,
    /// Its group, where there are groups.
    pub group: Option<String>,
    /// Its place along the first axis.
    pub x: f64,
    /// Along the second.
    pub y: f64,
}

/// Maps the levels of a factor, which has three or more.
pub fn map(
    model: &Model,
    factor: usize,
    levels: &Levels,
    groups: Option<&Groups>,
) -> Result<Map, Error> {
    enough(model, factor, 3, "a map")?;
    let (places, explained) = components(&rows(levels));
    let point = |(level, place): (usize, &[f64; 2])| Point {
        level: levels.names[level].clone(),
        tokens: levels.tokens[level],
        group: groups.and_then(|groups| groups.of_level[level].clone()),
        x: place[0],
        y: place[1],
    };
    Ok(Map { points: places.iter().enumerate().map(point).collect(), explained })
}

/// The profiles as the distances see them, centred.
fn rows(levels: &Levels) -> Vec<Vec<f64>> {
    let mut rows = levels.profiles.clone();
    if levels.distance != Distance::Euclidean {
        for row in &mut rows {
            let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.0 {
                row.iter_mut().for_each(|x| *x /= length);
            }
        }
    }
    centre(&mut rows);
    rows
}

/// Takes the mean off every column.
pub(super) fn centre(rows: &mut [Vec<f64>]) {
    let count = rows.len() as f64;
    for t in 0..rows.first().map_or(0, Vec::len) {
        let mean = rows.iter().map(|row| row[t]).sum::<f64>() / count;
        rows.iter_mut().for_each(|row| row[t] -= mean);
    }
}

/// The places of centred rows along their first two principal components, and what each explains.
pub(super) fn components(rows: &[Vec<f64>]) -> (Vec<[f64; 2]>, [f64; 2]) {
    let count = rows.len();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let gram = Mat::from_fn(count, count, |a, b| dot(&rows[a], &rows[b]));
    let total: f64 = (0..count).map(|level| gram[(level, level)]).sum();
    let mut places = vec![[0.0; 2]; count];
    let mut explained = [0.0; 2];
    let eigen = gram.self_adjoint_eigen(Side::Lower);
    let Ok(eigen) = eigen.map_err(|_| ()) else { return (places, explained) };
    if total <= 0.0 {
        return (places, explained);
    }
    for axis in 0..count.min(2) {
        let place = count - 1 - axis;
        let value = eigen.S()[place].max(0.0);
        let along = |level: usize| eigen.U()[(level, place)] * value.sqrt();
        // Of two levels equally far the first decides.
        let furthest = (0..count).rev().max_by(|&a, &b| along(a).abs().total_cmp(&along(b).abs()));
        let sign = if furthest.is_some_and(|level| along(level) < 0.0) { -1.0 } else { 1.0 };
        for (level, place) in places.iter_mut().enumerate() {
            place[axis] = sign * along(level);
        }
        explained[axis] = value / total;
    }
    (places, explained)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn places_are_those_of_power_iteration(
            numbers in prop::collection::vec(-1.0_f64..1.0, 6 * 5),
        ) {
            let mut rows: Vec<Vec<f64>> = numbers.chunks(5).map(<[f64]>::to_vec).collect();
            // Two axes that stand out, so that power iteration finds them soon.
            for (row, numbers) in rows.iter_mut().zip(numbers.chunks(5)) {
                row[0] *= 20.0;
                row[1] = 5.0 * numbers[1];
            }
            for t in 0..5 {
                let mean = rows.iter().map(|row| row[t]).sum::<f64>() / 6.0;
                rows.iter_mut().for_each(|row| row[t] -= mean);
            }
            let (places, explained) = components(&rows);
            let total: f64 = rows.iter().flatten().map(|x| x * x).sum();
            let mut rest = rows.clone();
            for axis in 0..2 {
                let mut direction = vec![0.3, 0.5, 0.7, 0.2, 0.4];
                for _ in 0..2000 {
                    let mut next = [0.0; 5];
                    for row in &rest {
                        let along: f64 = row.iter().zip(&direction).map(|(a, b)| a * b).sum();
                        next.iter_mut().zip(row).for_each(|(n, x)| *n += along * x);
                    }
                    let length = next.iter().map(|x| x * x).sum::<f64>().sqrt();
                    direction = next.iter().map(|x| x / length).collect();
                }
                let along: Vec<f64> = rest
                    .iter()
                    .map(|row| row.iter().zip(&direction).map(|(a, b)| a * b).sum())
                    .collect();
                let share = along.iter().map(|x| x * x).sum::<f64>() / total;
                prop_assume!(axis == 1 || share > 0.7);
                let sharp = explained[0] - explained[1] > 0.05 && explained[1] > 0.001;
                prop_assume!(sharp);
                prop_assert!((explained[axis] - share).abs() < 1e-3, "{explained:?} {share}");
                let sign = if (along[0] < 0.0) == (places[0][axis] < 0.0) { 1.0 } else { -1.0 };
                for (row, x) in along.iter().enumerate() {
                    if axis == 0 {
                        prop_assert!((places[row][0] - sign * x).abs() < 1e-3);
                    }
                }
                for (row, x) in rest.iter_mut().zip(&along) {
                    row.iter_mut().zip(&direction).for_each(|(r, d)| *r -= x * d);
                }
                let furthest = places.iter().map(|p| p[axis]).fold(0.0_f64, |a, b| if b.abs() > a.abs() { b } else { a });
                prop_assert!(furthest > 0.0);
            }
        }
    }

    #[test]
    fn levels_that_are_all_alike_are_at_one_place() {
        let (places, explained) = components(&vec![vec![0.0; 4]; 3]);
        assert_eq!((places, explained), (vec![[0.0; 2]; 3], [0.0; 2]));
    }
}
