//! Words in categories: are they gathered by their vectors as people gather them?
//!
//! The words' vectors, at length 1, are put into as many clusters as there are categories. Every cluster is
//! given to the category that most of its words are of; **purity** is the share of words that are of
//! their cluster's category. Clusters are made by k-means (the best of ten starts, by the distance to the
//! centres) and by joining the nearest two (Ward's criterion, mean and farthest cosine distance; the purest of
//! the three). `purity` is the better of both, as the usual benchmark has it: it looks at the answer, so
//! compare it only with figures made the same way.
//!
//! For the interval words are drawn again, while clusters and what they are given to stand: a cluster that could choose anew
//! for every draw would seem purer than it is.

use kodama::{Method, linkage};

use super::resampled::{Resampling, mean};
use super::{Measure, Space, TestSet};
use crate::error::Error;
use crate::lots::{End, Lots, Stream};
use crate::work::Work;

/// Starts of k-means, and rounds of each at most.
const STARTS: u64 = 10;
const ROUNDS: usize = 300;

pub(super) fn measures(
    test: &TestSet,
    space: &Space<'_>,
    seed: u64,
    resampling: &Resampling,
    work: &Work<'_>,
) -> Result<(usize, Vec<Measure>), Error> {
    let (mut vectors, mut names) = (Vec::new(), Vec::new());
    for item in &test.items {
        if let Some(vector) = space.vector(space.find(&item.words[0])) {
            vectors.push(vector);
            names.push(item.category.as_str());
        }
    }
    let mut distinct = names.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let number = |name: &&str| distinct.binary_search(name).unwrap_or(0);
    let categories: Vec<usize> = names.iter().map(number).collect();
    let count = distinct.len();
    let name = ["purity", "purity of k-means", "purity of joining"];
    if vectors.len() < 2 {
        let none = |name| Measure { name, score: None, draws: Vec::new() };
        return Ok((vectors.len(), name.map(none).into()));
    }
    work.proceed()?;
    let by_means = k_means(&vectors, count, seed);
    work.proceed()?;
    let pure = |clusters: &[usize]| right(clusters, &categories, count).iter().sum::<f64>();
    let mut by_joining = Vec::new();
    for method in [Method::Ward, Method::Average, Method::Complete] {
        let clusters = joined(&vectors, count, method);
        if by_joining.is_empty() || pure(&clusters) > pure(&by_joining) {
            by_joining = clusters;
        }
    }
    let best = if pure(&by_joining) > pure(&by_means) { &by_joining } else { &by_means };
    let measure = |(name, clusters): (&'static str, &Vec<usize>)| {
        let right = right(clusters, &categories, count);
        let purity = |times: &[u32]| mean(&right, times);
        let score = purity(&vec![1; right.len()]);
        Measure { name, score, draws: resampling.of(right.len(), purity) }
    };
    let measures = name.into_iter().zip([best, &by_means, &by_joining]).map(measure);
    Ok((vectors.len(), measures.collect()))
}

/// For every word 1 if it is of the category that most words of its cluster are of; else 0. Of equal
/// categories the first counts.
fn right(clusters: &[usize], categories: &[usize], count: usize) -> Vec<f64> {
    let mut table = vec![0_u32; count * count];
    for (cluster, category) in clusters.iter().zip(categories) {
        table[cluster * count + category] += 1;
    }
    let most = |row: &[u32]| (0..count).rev().max_by_key(|&category| row[category]);
    let given: Vec<Option<usize>> = table.chunks(count).map(most).collect();
    let right = |(cluster, category): (&usize, &usize)| given[*cluster] == Some(*category);
    clusters.iter().zip(categories).map(|pair| f64::from(u8::from(right(pair)))).collect()
}

fn squared(a: &[f32], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (f64::from(*a) - b).powi(2)).sum()
}

/// The clusters of the best of some starts.
fn k_means(vectors: &[Vec<f32>], count: usize, seed: u64) -> Vec<usize> {
    let mut best: Option<(f64, Vec<usize>)> = None;
    for start in 0..STARTS {
        let (spread, clusters) = one_start(vectors, count, Stream::new(seed, End::Clusters, start));
        if best.as_ref().is_none_or(|(least, _)| spread < *least) {
            best = Some((spread, clusters));
        }
    }
    best.map(|(_, clusters)| clusters).unwrap_or_default()
}

/// Lloyd's rounds from centres that are drawn far from each other (k-means++).
fn one_start(vectors: &[Vec<f32>], count: usize, mut lots: Stream) -> (f64, Vec<usize>) {
    let wide = |vector: &[f32]| vector.iter().map(|x| f64::from(*x)).collect::<Vec<_>>();
    let mut centres = vec![wide(&vectors[lots.below(vectors.len())])];
    let mut far: Vec<f64> = vec![f64::INFINITY; vectors.len()];
    while centres.len() < count {
        let last = &centres[centres.len() - 1];
        far.iter_mut().zip(vectors).for_each(|(far, vector)| *far = far.min(squared(vector, last)));
        let mut left = lots.share() * far.iter().sum::<f64>();
        let drawn = far.iter().position(|far| {
            left -= far;
            left < 0.0
        });
        centres.push(wide(&vectors[drawn.unwrap_or(vectors.len() - 1)]));
    }
    let mut clusters = vec![usize::MAX; vectors.len()];
    let mut spread = 0.0;
    for _ in 0..ROUNDS {
        spread = 0.0;
        let mut changed = false;
        for (vector, cluster) in vectors.iter().zip(&mut clusters) {
            let (mut nearest, mut least) = (0, f64::INFINITY);
            for (place, centre) in centres.iter().enumerate() {
                let distance = squared(vector, centre);
                if distance < least {
                    (nearest, least) = (place, distance);
                }
            }
            changed |= *cluster != nearest;
            *cluster = nearest;
            spread += least;
        }
        if !changed {
            break;
        }
        for (place, centre) in centres.iter_mut().enumerate() {
            let own = || vectors.iter().zip(&clusters).filter(|(_, c)| **c == place);
            let size = own().count() as f64;
            // A centre that nothing is nearest to stays where it is.
            if size > 0.0 {
                centre.fill(0.0);
                for (vector, _) in own() {
                    centre.iter_mut().zip(vector).for_each(|(sum, x)| *sum += f64::from(*x) / size);
                }
            }
        }
    }
    (spread, clusters)
}

/// The clusters that are left when the nearest two were joined until there are so many.
fn joined(vectors: &[Vec<f32>], count: usize, method: Method) -> Vec<usize> {
    let n = vectors.len();
    let cosine = |a: &[f32], b: &[f32]| -> f64 {
        a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    };
    let mut distances: Vec<f64> = Vec::with_capacity(n * (n - 1) / 2);
    for (place, a) in vectors.iter().enumerate() {
        distances.extend(vectors[place + 1..].iter().map(|b| match method {
            // Of vectors of length 1: |a − b|² = 2 − 2 cos.
            Method::Ward => (2.0 - 2.0 * cosine(a, b)).max(0.0).sqrt(),
            _ => 1.0 - cosine(a, b),
        }));
    }
    let tree = linkage(&mut distances, n, method);
    let mut parents: Vec<usize> = (0..2 * n - 1).collect();
    for (step, joined) in tree.steps().iter().take(n.saturating_sub(count)).enumerate() {
        parents[joined.cluster1] = n + step;
        parents[joined.cluster2] = n + step;
    }
    let root = |mut cluster: usize| {
        while parents[cluster] != cluster {
            cluster = parents[cluster];
        }
        cluster
    };
    let roots: Vec<usize> = (0..n).map(root).collect();
    let mut distinct = roots.clone();
    distinct.sort_unstable();
    distinct.dedup();
    roots.iter().map(|root| distinct.binary_search(root).unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn purity_of_a_known_example() {
        // Three clusters of 5, 5 and 4 words whose largest categories have 4, 3 and 3.
        let clusters = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2];
        let categories = [0, 0, 0, 0, 1, 1, 1, 1, 0, 2, 2, 2, 2, 0];
        let found = right(&clusters, &categories, 3);
        assert_eq!(found, [1., 1., 1., 1., 0., 1., 1., 1., 0., 0., 1., 1., 1., 0.]);
        // A tie goes to the first category, and a cluster without words to none.
        assert_eq!(right(&[0, 0], &[1, 0], 2), [0., 1.]);
    }

    #[test]
    fn both_ways_find_clusters_that_lie_apart() {
        let mut lots = Stream::new(1, End::Sample, 0);
        let mut vectors = Vec::new();
        let mut categories = Vec::new();
        for word in 0..60 {
            let mut vector: Vec<f32> = (0..8).map(|_| 0.15 * lots.normal() as f32).collect();
            vector[word % 4] += 1.0;
            crate::analyse::normalise(&mut vector);
            vectors.push(vector);
            categories.push(word % 4);
        }
        let pure = |clusters: &[usize]| right(clusters, &categories, 4).iter().sum::<f64>();
        assert_eq!(pure(&k_means(&vectors, 4, 1)), 60.0);
        for method in [Method::Ward, Method::Average, Method::Complete] {
            let clusters = joined(&vectors, 4, method);
            assert_eq!(pure(&clusters), 60.0, "{method:?}");
            assert_eq!(clusters.iter().max(), Some(&3));
        }
        assert_eq!(k_means(&vectors, 4, 1), k_means(&vectors, 4, 1));
    }
}
