//! How steady lists are: what else would stand in them, had other documents been drawn.

use std::path::PathBuf;

use serde::Serialize;

use super::measures::of_neighbors;
use super::sure::test_together;
use super::{Replicate, Resamples, Sure};
use crate::analyse::attribute::{AttributeParameters, Attribution, attribute};
use crate::analyse::neighbors::{Change, Neighbor, neighbors};
use crate::analyse::{Answer, Groups, SupportParameters, View};
use crate::error::Error;
use crate::model::Model;
use crate::work::Work;

/// Neighbours that are near.
pub const NEAREST: usize = 10;

/// A neighbour with error bars, and in what share of the draws it is among the [`NEAREST`].
#[derive(Debug, Clone, Serialize)]
pub struct Steady {
    /// The neighbour.
    #[serde(flatten)]
    pub sure: Sure<Neighbor>,
    /// The share; none where no documents were drawn again.
    pub among_nearest: Option<f64>,
}

/// The `n` nearest words of words under every view, each with how steady it is.
pub fn steady_neighbors(
    model: &Model,
    words: &[String],
    views: &[View],
    n: usize,
    support: &SupportParameters,
    resamples: &Resamples,
    work: &Work<'_>,
) -> Result<Answer<Steady>, Error> {
    let kept = |row: &Neighbor| row.change != Some(Change::Lost);
    let name = |row: &Neighbor| format!("{}\0{}", row.level, row.neighbor);
    let mut steady = Answer::default();
    for word in words {
        let mut own = neighbors(model, word, views, n, support, work)?;
        own.rows.retain(kept);
        let things: Vec<String> = own.rows.iter().map(name).collect();
        let near = |replicate: &Replicate| -> Result<Vec<String>, Error> {
            let found = neighbors(&replicate.model, word, views, NEAREST, support, work)?;
            Ok(found.rows.iter().filter(|row| kept(row)).map(name).collect())
        };
        let shares = resamples.shares(model, &things, near, work)?;
        let sure = resamples.sure(model, own.rows, of_neighbors, work)?;
        let rows = sure.into_iter().enumerate().map(|(place, sure)| {
            let among_nearest = shares.as_ref().map(|shares| shares[place]);
            Steady { sure, among_nearest }
        });
        steady.join(Answer { rows: rows.collect(), left_out: own.left_out });
    }
    // They were picked from all words that occur often enough there.
    let tested = words.len() * support.picks(model, views);
    test_together(steady.rows.iter_mut().map(|row| &mut row.sure), tested);
    Ok(steady)
}

/// A candidate for a text, and in what share of the draws it is the first.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Chosen {
    /// The candidate.
    #[serde(flatten)]
    pub row: Attribution,
    /// The share.
    pub chosen_in: f64,
}

/// In what share of the draws each of some candidates, found by the same question, is named first; none where no
/// documents were drawn again.
pub fn chosen(
    model: &Model,
    rows: &[Attribution],
    texts: &[PathBuf],
    (factor, groups): (Option<&str>, Option<&Groups>),
    parameters: &AttributeParameters,
    resamples: &Resamples,
    work: &Work<'_>,
) -> Result<Option<Vec<Chosen>>, Error> {
    let name = |row: &Attribution| format!("{}\0{}", row.text, row.candidate);
    let first = |replicate: &Replicate| -> Result<Vec<String>, Error> {
        let told = attribute(&replicate.recounted(), texts, factor, groups, parameters, work)?;
        Ok(told.rows.iter().filter(|row| row.rank == 1).map(name).collect())
    };
    let things: Vec<String> = rows.iter().map(name).collect();
    let shares = resamples.shares(model, &things, first, work)?;
    let chosen = |shares: Vec<f64>| {
        let rows = rows.iter().cloned().zip(shares);
        rows.map(|(row, chosen_in)| Chosen { row, chosen_in }).collect()
    };
    Ok(shares.map(chosen))
}
