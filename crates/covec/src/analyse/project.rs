//! Words on an axis of the user's, under each view.
//!
//! The axis goes from one set of words to another: `a = mean of x̂ over the right end − mean of x̂ over
//! the left end`, in the vectors of the view. A word's position is `cos(x, a)`: negative towards the left
//! end, positive towards the right.

use serde::Serialize;

use super::lens::normalise;
use super::{Answer, Lens, Part, SupportParameters, View, question};
use crate::error::Error;
use crate::model::Model;
use crate::work::Work;

/// An axis: `poor,cheap:rich,costly`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    left: Vec<usize>,
    right: Vec<usize>,
}

/// Where a word stands on an axis.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Position {
    /// The word.
    pub word: String,
    /// Under which levels.
    pub level: String,
    /// From −1 (left) to 1 (right); none where the word, or all words of an end, are too rare.
    pub position: Option<f64>,
    /// The same by the levels' weights alone.
    pub topical: Option<f64>,
    /// How often the word occurs there.
    pub count: u64,
    /// Words of the axis that occur often enough there.
    pub axis_words: usize,
}

impl Axis {
    /// Reads an axis as a user writes it.
    pub fn named(model: &Model, text: &str) -> Result<Self, Error> {
        let expected = "words, a colon, words: poor,cheap:rich,costly";
        let refused = |problem: String| question(problem, expected, "--axis LEFT,…:RIGHT,…");
        let ends: Vec<&str> = text.split(':').collect();
        let [left, right] = ends[..] else {
            return Err(refused(format!("--axis {text}: {} ends", ends.len())).into());
        };
        let read = |end: &str| -> Result<Vec<usize>, Error> {
            let words = end.split(',').map(str::trim).filter(|word| !word.is_empty());
            words.map(|word| model.word(word)).collect()
        };
        let axis = Self { left: read(left)?, right: read(right)? };
        if axis.left.is_empty() || axis.right.is_empty() {
            return Err(refused(format!("--axis {text}: an end without words")).into());
        }
        if let Some(&twice) = axis.left.iter().find(|word| axis.right.contains(word)) {
            let word = &model.vocabulary.words[twice];
            return Err(refused(format!("--axis {text}: '{word}' stands at both ends")).into());
        }
        Ok(axis)
    }
}

/// The position of every word under every view.
pub fn project(
    model: &Model,
    words: &[String],
    axis: &Axis,
    views: &[View],
    support: &SupportParameters,
    work: &Work<'_>,
) -> Result<Answer<Position>, Error> {
    View::possible(model, "project", views)?;
    let ids: Vec<u32> =
        words.iter().map(|word| Ok(model.word(word)? as u32)).collect::<Result<_, Error>>()?;
    let mut columns = Vec::new();
    for view in views {
        let there = |ends: &[usize]| -> Vec<usize> {
            let enough = |&&word: &&usize| view.count(model, word) >= support.min_support.0;
            ends.iter().filter(enough).copied().collect()
        };
        let (left, right) = (there(&axis.left), there(&axis.right));
        let known = !left.is_empty() && !right.is_empty();
        let mut cosines = [Part::Whole, Part::Topical].map(|_| vec![0.0; ids.len()]);
        for (cosines, part) in cosines.iter_mut().zip([Part::Whole, Part::Topical]) {
            let lens = Lens::new(model, view, part);
            *cosines = lens.cosines(&ids, &[&direction(&lens, model.dim, &left, &right)], work)?;
        }
        columns.push((view, known, left.len() + right.len(), cosines));
    }
    let mut rows = Vec::new();
    for (at, (word, &id)) in words.iter().zip(&ids).enumerate() {
        for (view, known, axis_words, cosines) in &columns {
            let count = view.count(model, id as usize);
            let sure = *known && count >= support.min_support.0;
            rows.push(Position {
                word: word.clone(),
                level: view.name.clone(),
                position: sure.then(|| f64::from(cosines[0][at])),
                topical: sure.then(|| f64::from(cosines[1][at])),
                count,
                axis_words: *axis_words,
            });
        }
    }
    Ok(Answer { rows, left_out: 0 })
}

/// From the mean of one end to the mean of the other.
fn direction(lens: &Lens<'_>, dim: usize, left: &[usize], right: &[usize]) -> Vec<f32> {
    let mut axis = vec![0.0; dim];
    for (end, sign) in [(left, -1.0), (right, 1.0)] {
        let share = sign / end.len().max(1) as f32;
        for &word in end {
            axis.iter_mut().zip(lens.direction(word)).for_each(|(sum, x)| *sum += share * x);
        }
    }
    normalise(&mut axis);
    axis
}
