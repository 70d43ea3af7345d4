//! Spaces turned onto each other: orthogonal Procrustes (Hamilton et al. 2016, HistWords).
//!
//! Of the words that two spaces have in common, the anchors, vectors are brought to length 1 and centred: A in the one, B in the other. The
//! rotation R that brings A nearest to B is
//!
//! ```text
//! argmin ‖A R − B‖  over R'R = 1   =  U V',   where A'B = U Σ V'
//! ```
//!
//! and is applied to the vectors as they were. It changes no length and no angle within a level, so what a level says by
//! itself is what it said before; only what is said between levels becomes possible.
//!
//! The levels of an ordered factor are turned onto the level before them, as published: neighbours share most of their use.
//! Levels without an order are turned onto the vectors of all text, which has every word of every level, and gives no level
//! the say over the others; so is the first level of an ordered factor where there are further factors.
//!
//! **Cost:** words · dimensions² for every level.

use faer::Mat;

use super::error::BaselineError;
use super::glove::ALL;
use super::parameters::RotationParameters;
use super::slices::{Origin, Slice};
use crate::analyse::normalise;
use crate::error::Error;
use crate::train::Layout;
use crate::train::average::{between, multiplied};
use crate::train::table::Table;
use crate::work::Work;

/// Whether levels are turned onto the vectors of all text, which then are needed.
pub(super) fn needs_all(origin: &Origin<'_>) -> bool {
    match &Layout::new(origin.covariates).factors[..] {
        [(levels, ordered)] => levels.len() > 1 && !ordered,
        _ => true,
    }
}

/// Turns every level: onto the one before it, or onto the vectors of all text where they are needed.
pub(super) fn turn(
    origin: &Origin<'_>,
    levels: &mut [Slice],
    all: Option<&Slice>,
    dim: usize,
    parameters: &RotationParameters,
    work: &Work<'_>,
) -> Result<(), Error> {
    let names = origin.covariates.level_names();
    let name = |level: Option<usize>| match level {
        Some(level) => names.get(level).map_or(ALL, String::as_str),
        None => ALL,
    };
    let vocabulary = origin.vocabulary;
    let count = |level: Option<usize>, word: u32| {
        let counts = level.and_then(|level| vocabulary.level_counts.get(level));
        counts.unwrap_or(&vocabulary.counts)[word as usize]
    };
    for (range, ordered) in Layout::new(origin.covariates).factors {
        let mut before: Option<usize> = None;
        for level in range {
            work.proceed()?;
            // A level without vectors neither turns nor is turned onto.
            if levels[level].words.is_empty() {
                continue;
            }
            let onto = before.filter(|_| ordered);
            let Some(target) = onto.map(|before| &levels[before]).or(all) else {
                before = Some(level);
                continue;
            };
            let enough = |word: u32| {
                count(Some(level), word).min(count(onto, word)) >= parameters.min_anchor.0
            };
            let anchors = anchors(&levels[level], target, dim, enough);
            let (level_name, onto_name) = (name(Some(level)).to_owned(), name(onto).to_owned());
            if anchors.is_empty() {
                let error = BaselineError::NothingInCommon { level: level_name, onto: onto_name };
                return Err(error.into());
            }
            let (from, to): (Vec<usize>, Vec<usize>) = anchors.into_iter().unzip();
            let pairs = [(&levels[level], from), (target, to)];
            let [a, b] = pairs.map(|(slice, places)| prepared(slice, &places, dim));
            let rotation = rotation(&a, &b, work)?
                .ok_or(BaselineError::NotFinite { level: level_name, onto: onto_name })?;
            apply(&mut levels[level], &rotation, dim, work)?;
            before = Some(level);
        }
    }
    Ok(())
}

/// Words that two slices share, by their places in both: those that occur often enough, or all where these are fewer than the
/// dimensions.
fn anchors(a: &Slice, b: &Slice, dim: usize, enough: impl Fn(u32) -> bool) -> Vec<(usize, usize)> {
    let place = |(from, word): (usize, &u32)| Some((from, b.words.binary_search(word).ok()?));
    let both: Vec<(usize, usize)> = a.words.iter().enumerate().filter_map(place).collect();
    let often: Vec<(usize, usize)> =
        both.iter().copied().filter(|&(from, _)| enough(a.words[from])).collect();
    if often.len() >= dim { often } else { both }
}

/// Vectors of length 1, centred.
fn prepared(slice: &Slice, places: &[usize], dim: usize) -> Table {
    let mut table = Table::new(places.len(), dim);
    let mut mean = vec![0.0_f64; dim];
    for (row, place) in places.iter().enumerate() {
        let vector = &mut table.row_mut(row)[..dim];
        vector.copy_from_slice(&slice.vectors[place * dim..(place + 1) * dim]);
        normalise(vector);
        mean.iter_mut().zip(vector).for_each(|(sum, x)| *sum += f64::from(*x));
    }
    for row in 0..places.len() {
        let vector = table.row_mut(row).iter_mut().zip(&mean);
        vector.for_each(|(x, sum)| *x -= (sum / places.len() as f64) as f32);
    }
    table
}

/// The rotation that brings the rows of `a` nearest to those of `b`; none where they are not finite.
fn rotation(a: &Table, b: &Table, work: &Work<'_>) -> Result<Option<Mat<f64>>, Error> {
    let product = between(a, b, work)?;
    Ok(product.svd().ok().map(|svd| svd.U() * svd.V().transpose()))
}

fn apply(slice: &mut Slice, rotation: &Mat<f64>, dim: usize, work: &Work<'_>) -> Result<(), Error> {
    for numbers in [Some(&mut slice.vectors), slice.contexts.as_mut()].into_iter().flatten() {
        *numbers = multiplied(&Table::unpack(numbers, dim), rotation, work)?.packed();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lots::{End, Lots, Stream};

    /// Random vectors of these words.
    fn random(words: &[u32], dim: usize, number: u64) -> Slice {
        let mut lots = Stream::new(1, End::Sample, number);
        let vectors = (0..words.len() * dim).map(|_| lots.normal() as f32).collect();
        Slice { words: words.to_vec(), vectors, contexts: None }
    }

    /// A random rotation: the sides of a random matrix's decomposition.
    fn turned(dim: usize) -> Mat<f64> {
        let mut lots = Stream::new(2, End::Sample, 0);
        let matrix = Mat::from_fn(dim, dim, |_, _| lots.normal());
        let svd = matrix.svd().unwrap();
        svd.U() * svd.V().transpose()
    }

    #[test]
    fn a_planted_rotation_is_found_whatever_the_lengths() {
        let (dim, work) = (7, Work::default());
        let words: Vec<u32> = (0..90).collect();
        let there = random(&words, dim, 1);
        let mut here = there.clone();
        apply(&mut here, &turned(dim).transpose().to_owned(), dim, &work).unwrap();
        // Lengths differ from level to level; directions are what is turned by.
        for (row, vector) in here.vectors.chunks_exact_mut(dim).enumerate() {
            vector.iter_mut().for_each(|x| *x *= 1.0 + row as f32 / 10.0);
        }
        here.contexts = Some(here.vectors.clone());
        let places: Vec<usize> = (0..words.len()).collect();
        let [a, b] = [&here, &there].map(|slice| prepared(slice, &places, dim));
        let found = rotation(&a, &b, &work).unwrap().unwrap();
        let planted = turned(dim);
        for (s, t) in (0..dim).flat_map(|s| (0..dim).map(move |t| (s, t))) {
            assert!((found[(s, t)] - planted[(s, t)]).abs() < 1e-5, "{s} {t}");
        }
        apply(&mut here, &found, dim, &work).unwrap();
        for (row, vector) in here.vectors.chunks_exact(dim).enumerate() {
            for (x, expected) in vector.iter().zip(&there.vectors[row * dim..]) {
                let expected = expected * (1.0 + row as f32 / 10.0);
                assert!((x - expected).abs() < 1e-4, "{x} {expected}");
            }
        }
        assert_eq!(here.contexts.as_ref(), Some(&here.vectors));
    }

    #[test]
    fn anchors_are_words_of_both_that_occur_often_and_all_of_them_where_these_are_few() {
        let (a, b) = (random(&[0, 2, 3, 5, 8], 2, 1), random(&[1, 2, 5, 8, 9], 2, 2));
        assert_eq!(anchors(&a, &b, 2, |word| word < 6), [(1, 1), (3, 2)]);
        assert_eq!(anchors(&a, &b, 3, |word| word < 6), [(1, 1), (3, 2), (4, 3)]);
        assert!(anchors(&a, &random(&[1, 4], 2, 3), 2, |_| true).is_empty());
    }
}
