//! Levels gathered step by step: hierarchical clustering with average linkage.
//!
//! At first every level is a cluster; in every step the two nearest become one. How far two clusters
//! are is the mean over their pairs of levels. The order of the leaves is that of the tree, at every
//! merge the side with the level that comes first in the factor before the other, so that what is
//! alike stands together.
//!
//! **Cost:** levels².

use kodama::{Method, linkage};
use serde::Serialize;

use super::covariates::{Levels, enough};
use crate::error::Error;
use crate::model::Model;

/// The tree of a factor's levels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Clusters {
    /// The merges, the nearest first.
    pub merges: Vec<Merge>,
    /// The levels in the order of the leaves.
    pub order: Vec<usize>,
}

/// Two clusters that become one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Merge {
    /// One: a level, or, from the number of levels on, an earlier merge.
    pub a: usize,
    /// The other.
    pub b: usize,
    /// How far they are from each other.
    pub height: f64,
    /// Levels of the new cluster.
    pub size: usize,
}

/// Gathers the levels of a factor, which has three or more.
pub fn clusters(model: &Model, factor: usize, levels: &Levels) -> Result<Clusters, Error> {
    enough(model, factor, 3, "clusters")?;
    Ok(gathered(levels.len(), |a, b| levels.at(a, b)))
}

/// The places of some rows in an order in which what is alike stands together.
pub fn order(rows: &[Vec<f64>]) -> Vec<usize> {
    let between = |a: usize, b: usize| {
        let squares = rows[a].iter().zip(&rows[b]).map(|(a, b)| (a - b) * (a - b));
        squares.sum::<f64>().sqrt()
    };
    if rows.len() < 2 {
        return (0..rows.len()).collect();
    }
    gathered(rows.len(), between).order
}

fn gathered(count: usize, between: impl Fn(usize, usize) -> f64) -> Clusters {
    let mut condensed: Vec<f64> = (0..count)
        .flat_map(|a| (a + 1..count).map(move |b| (a, b)))
        .map(|(a, b)| between(a, b))
        .collect();
    let tree = linkage(&mut condensed, count, Method::Average);
    // The first level and all leaves of every cluster.
    let mut leaves: Vec<Vec<usize>> = (0..count).map(|level| vec![level]).collect();
    let mut merges = Vec::new();
    for step in tree.steps() {
        let least = |cluster: usize| leaves[cluster].iter().min().copied();
        let (mut a, mut b) = (step.cluster1, step.cluster2);
        if least(a) > least(b) {
            (a, b) = (b, a);
        }
        let both = [leaves[a].as_slice(), leaves[b].as_slice()].concat();
        merges.push(Merge { a, b, height: step.dissimilarity, size: both.len() });
        leaves.push(both);
    }
    Clusters { merges, order: leaves.pop().unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::super::covariates::Distance;
    use super::*;
    use proptest::prelude::*;

    /// Levels with these distances between each two.
    fn levels(count: usize, mut between: impl FnMut(usize, usize) -> f64) -> Levels {
        let mut distances = vec![0.0; count * count];
        for a in 0..count {
            for b in a + 1..count {
                let distance = between(a, b);
                distances[a * count + b] = distance;
                distances[b * count + a] = distance;
            }
        }
        Levels {
            names: (0..count).map(|level| format!("f={level}")).collect(),
            tokens: vec![1; count],
            distance: Distance::Cosine,
            profiles: Vec::new(),
            distances,
        }
    }

    /// Average linkage as its definition says: every step looks at all pairs of all clusters.
    fn naive(levels: &Levels) -> Vec<(f64, Vec<usize>)> {
        let mut clusters: Vec<Vec<usize>> = (0..levels.len()).map(|level| vec![level]).collect();
        let mut merges = Vec::new();
        while clusters.len() > 1 {
            let mut best = (f64::INFINITY, 0, 0);
            for a in 0..clusters.len() {
                for b in a + 1..clusters.len() {
                    let sum: f64 = clusters[a]
                        .iter()
                        .flat_map(|&x| clusters[b].iter().map(move |&y| levels.at(x, y)))
                        .sum();
                    let mean = sum / (clusters[a].len() * clusters[b].len()) as f64;
                    if mean < best.0 {
                        best = (mean, a, b);
                    }
                }
            }
            let other = clusters.remove(best.2);
            clusters[best.1].extend(other);
            clusters[best.1].sort_unstable();
            merges.push((best.0, clusters[best.1].clone()));
        }
        merges
    }

    proptest! {
        #[test]
        fn merges_are_those_of_the_definition(
            count in 2_usize..12,
            numbers in prop::collection::vec(0.0_f64..2.0, 66),
        ) {
            let mut next = numbers.into_iter();
            let levels = levels(count, |_, _| next.next().unwrap());
            let found = gathered(levels.len(), |a, b| levels.at(a, b));
            let mut sets: Vec<Vec<usize>> = (0..count).map(|level| vec![level]).collect();
            let expected = naive(&levels);
            prop_assert_eq!(found.merges.len(), expected.len());
            for (merge, (height, set)) in found.merges.iter().zip(expected) {
                let mut own = [sets[merge.a].clone(), sets[merge.b].clone()].concat();
                own.sort_unstable();
                prop_assert!((merge.height - height).abs() < 1e-9);
                prop_assert_eq!(merge.size, own.len());
                prop_assert_eq!(&own, &set);
                sets.push(own);
            }
            // Every cluster is a stretch of the leaves.
            let place = |level: &usize| found.order.iter().position(|leaf| leaf == level).unwrap();
            for set in sets {
                let places: Vec<usize> = set.iter().map(place).collect();
                let (first, last) = (places.iter().min().unwrap(), places.iter().max().unwrap());
                prop_assert_eq!(last - first + 1, set.len());
            }
        }
    }

    #[test]
    fn the_side_with_the_first_level_comes_first() {
        let near = |a: usize, b: usize| (a, b) == (1, 3) || (a, b) == (0, 2);
        let clusters = gathered(4, |a, b| if near(a, b) { 0.1 } else { 1.0 });
        assert_eq!(clusters.order, [0, 2, 1, 3]);
    }

    #[test]
    fn rows_that_are_alike_stand_together() {
        let rows = [[0.0, 1.0], [9.0, 9.0], [0.1, 1.1], [9.1, 8.9], [0.2, 0.9]];
        let found = order(&rows.map(|row| row.to_vec()));
        assert_eq!(found, [0, 2, 4, 1, 3]);
        assert_eq!(order(&[]), [0; 0]);
        assert_eq!(order(&[vec![1.0]]), [0]);
    }
}
