//! Analogies: of how many is the best word D, of all but A, B and C, the one that people expect?
//!
//! ```text
//! 3CosAdd   cos(d, b) − cos(d, a) + cos(d, c)                           Mikolov et al. 2013
//! 3CosMul   s(d, b) · s(d, c) / (s(d, a) + ε),  s = (1 + cos) / 2       Levy & Goldberg 2014
//! ```
//!
//! With a mean vector for missing words, an analogy whose D is missing is lost. Of equal words the more common
//! one counts.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use super::resampled::{Resampling, mean};
use super::{Measure, Space, TestSet};
use crate::error::Error;
use crate::parallel;
use crate::work::Work;

/// Words of the vocabulary that a task takes.
const STRETCH: usize = 2048;
/// What keeps 3CosMul finite.
const EPSILON: f32 = 0.001;

/// A question: the places of A, B and C among the distinct words, and what must come out.
struct Asked {
    places: [usize; 3],
    /// Ids of A, B and C, which cannot be the answer.
    given: [Option<u32>; 3],
    answer: Option<u32>,
}

pub(super) fn measures(
    test: &TestSet,
    space: &Space<'_>,
    resampling: &Resampling,
    work: &Work<'_>,
) -> Result<(usize, Vec<Measure>), Error> {
    let dim = space.model.dim;
    let mut queries: Vec<f32> = Vec::new();
    let mut place_of = std::collections::BTreeMap::new();
    let mut asked = Vec::new();
    for item in &test.items {
        let ids: Vec<Option<usize>> = item.words.iter().map(|word| space.find(word)).collect();
        if !ids.iter().all(|id| space.covers(*id)) {
            continue;
        }
        let place = |id: &Option<usize>| {
            *place_of.entry(*id).or_insert_with(|| {
                queries.extend(space.vector(*id).unwrap_or_default());
                queries.len() / dim - 1
            })
        };
        let places: Vec<usize> = ids[..3].iter().map(place).collect();
        let id = |place: usize| ids[place].map(|id| id as u32);
        asked.push(Asked {
            places: [places[0], places[1], places[2]],
            given: [id(0), id(1), id(2)],
            answer: id(3),
        });
    }
    let best = best(space, &queries, &asked, work)?;
    let measure = |(name, of): (&'static str, usize)| {
        let right = |(asked, best): (&Asked, &[Best; 2])| {
            f64::from(u8::from(asked.answer.is_some() && asked.answer == best[of].word))
        };
        let right: Vec<f64> = asked.iter().zip(&best).map(right).collect();
        let score = mean(&right, &vec![1; right.len()]);
        Measure { name, score, draws: resampling.of(right.len(), |times| mean(&right, times)) }
    };
    let measures = [("3CosAdd", 0), ("3CosMul", 1)].into_iter().map(measure).collect();
    Ok((asked.len(), measures))
}

/// The best word so far.
#[derive(Debug, Clone, Copy)]
struct Best {
    score: f32,
    word: Option<u32>,
}

const NONE: Best = Best { score: f32::NEG_INFINITY, word: None };

/// The best words of every question, by either score.
fn best(
    space: &Space<'_>,
    queries: &[f32],
    asked: &[Asked],
    work: &Work<'_>,
) -> Result<Vec<[Best; 2]>, Error> {
    let dim = space.model.dim;
    let count = queries.len() / dim;
    let words: Vec<u32> = (0..space.model.vocabulary.len() as u32).collect();
    let parts: Vec<&[u32]> = words.chunks(STRETCH).collect();
    let alone = Work { threads: std::num::NonZeroUsize::MIN, ..*work };
    let found = parallel::tasks(work.threads, parts.len(), |part| {
        work.proceed()?;
        let words = parts[part];
        let vectors = space.directions(words, &alone)?;
        let mut cosines = vec![0.0_f32; count * words.len()];
        matmul(
            MatMut::from_row_major_slice_mut(&mut cosines, count, words.len()),
            Accum::Replace,
            MatRef::from_row_major_slice(queries, count, dim),
            MatRef::from_row_major_slice(&vectors, words.len(), dim).transpose(),
            1.0,
            Par::Seq,
        );
        let row = |place: usize| &cosines[place * words.len()..(place + 1) * words.len()];
        let of = |asked: &Asked| {
            let [a, b, c] = asked.places.map(row);
            let mut best = [NONE; 2];
            for (index, &word) in words.iter().enumerate() {
                let (a, b, c) = (a[index], b[index], c[index]);
                let half = |cosine: f32| (1.0 + cosine) / 2.0;
                let scores = [b - a + c, half(b) * half(c) / (half(a) + EPSILON)];
                for (best, score) in best.iter_mut().zip(scores) {
                    if score > best.score && !asked.given.contains(&Some(word)) {
                        *best = Best { score, word: Some(word) };
                    }
                }
            }
            best
        };
        Ok(asked.iter().map(of).collect::<Vec<_>>())
    })?;
    let mut all = vec![[NONE; 2]; asked.len()];
    for part in found {
        for (all, part) in all.iter_mut().zip(part) {
            for (all, part) in all.iter_mut().zip(part) {
                if part.score > all.score {
                    *all = part;
                }
            }
        }
    }
    Ok(all)
}
