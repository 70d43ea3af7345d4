//! How far the axes of several seeds agree: what they share belongs to the corpus, what they do not
//! to chance.

use super::average::between;
use super::blocks::{Run, Trainer};
use super::canonical::Axis;
use super::parameters::TrainParameters;
use super::record::Agreement;
use super::state::State;
use super::table::Table;
use crate::error::Error;
use crate::parameters::Whole;
use crate::work::Work;

/// Trains with the seeds that follow and lays the axes beside those of `state`; `begin` gives the
/// start of a run by its parameters, `train` brings it to its end.
pub(crate) fn agreement(
    trainer: &Trainer<'_>,
    state: &State,
    begin: impl Fn(&TrainParameters) -> Result<Run, Error>,
    train: impl Fn(&Trainer<'_>, &mut Run) -> Result<(), Error>,
) -> Result<Option<Agreement>, Error> {
    let parameters = trainer.parameters;
    if parameters.seeds < 2 {
        return Ok(None);
    }
    let own = centred(&state.vectors);
    let mut told = Agreement { dimensions: vec![0.0; state.dim()], ..Agreement::default() };
    for next in 1..u64::from(parameters.seeds) {
        let seed = parameters.seed.0.wrapping_add(next);
        trainer.work.observer.note(&format!("seed {seed}, to see how far the axes agree"));
        let parameters = TrainParameters { seed: Whole(seed), ..parameters.clone() };
        let trainer = Trainer { parameters: &parameters, ..*trainer };
        let mut run = begin(&parameters)?;
        train(&trainer, &mut run)?;
        run.state.canonical(trainer.work)?;
        let matched = alike(&own, &centred(&run.state.vectors), trainer.work)?;
        told.seeds.push(seed);
        told.means.push(
            matched.iter().map(|(_, cosine)| cosine.abs()).sum::<f64>() / matched.len() as f64,
        );
        for (sum, (_, cosine)) in told.dimensions.iter_mut().zip(matched) {
            *sum += cosine.abs() / f64::from(parameters.seeds - 1);
        }
    }
    Ok(Some(told))
}

/// Brings the dimensions of a state into the order, and to the signs, of these vectors of the same words: each to the one it is
/// most like.
pub(crate) fn align(state: &mut State, vectors: &Table, work: &Work<'_>) -> Result<(), Error> {
    let matched = alike(&centred(vectors), &centred(&state.vectors), work)?;
    let axis = |(from, cosine)| Axis { from, flipped: cosine < 0.0 };
    state.rearrange(&matched.into_iter().map(axis).collect::<Vec<_>>());
    Ok(())
}

/// For each axis of the first the one of the second that it is matched to, and their cosine.
fn alike(own: &Table, other: &Table, work: &Work<'_>) -> Result<Vec<(usize, f64)>, Error> {
    let cosines = between(own, other, work)?;
    let matched = matched(own.width(), |a, b| cosines[(a, b)].abs());
    Ok(matched.into_iter().enumerate().map(|(a, b)| (b, cosines[(a, b)])).collect())
}

/// Columns with mean 0 and length 1.
fn centred(vectors: &Table) -> Table {
    let (words, dim) = (vectors.rows(), vectors.width());
    let mut sums = vec![(0.0_f64, 0.0_f64); dim];
    for word in 0..words {
        for (sum, &x) in sums.iter_mut().zip(vectors.row(word)) {
            sum.0 += f64::from(x);
            sum.1 += f64::from(x) * f64::from(x);
        }
    }
    let mut out = Table::new(words, dim);
    for word in 0..words {
        for (t, x) in out.row_mut(word)[..dim].iter_mut().enumerate() {
            let mean = sums[t].0 / words as f64;
            let length = libm::sqrt((sums[t].1 - mean * sums[t].0).max(f64::MIN_POSITIVE));
            *x = ((f64::from(vectors.row(word)[t]) - mean) / length) as f32;
        }
    }
    out
}

/// The one that each of the first is matched to: the closest pair is matched first, then the closest of
/// those that are left.
fn matched(count: usize, alike: impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let mut pairs: Vec<(f64, usize, usize)> = (0..count)
        .flat_map(|a| (0..count).map(move |b| (a, b)))
        .map(|(a, b)| (alike(a, b), a, b))
        .collect();
    pairs.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    let mut of_first = vec![None; count];
    let mut taken = vec![false; count];
    for (_, a, b) in pairs {
        if of_first[a].is_none() && !taken[b] {
            of_first[a] = Some(b);
            taken[b] = true;
        }
    }
    of_first.into_iter().map(Option::unwrap_or_default).collect()
}

#[cfg(test)]
mod tests {
    use super::matched;

    #[test]
    fn every_axis_is_matched_once_and_the_closest_first() {
        let alike = [[0.9, 0.8, 0.1], [0.95, 0.2, 0.3], [0.5, 0.1, 0.4]];
        assert_eq!(matched(3, |a, b| alike[a][b]), [1, 0, 2]);
    }
}
