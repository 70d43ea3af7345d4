//! Chooses the ridge: some words are solved anew at several strengths, everything else as it stands,
//! and judged by their held-out pairs. A twentieth of a sweep for each strength.

use super::blocks::{Run, Trainer};
use super::examples::Held;
use super::loss;
use super::record::RidgeTrial;
use super::row::{Desk, Problem};
use crate::error::Error;
use crate::lots::{End, Lots, Stream};
use crate::parallel;

/// Neighbouring strengths differ by this factor.
const FACTOR: f64 = 2.0;
/// Held-out loss that is larger by this share is as good.
const NEARLY: f64 = 0.015;
/// Where the next strength predicts better by less than this share there is little to come, next to what is as good.
const LITTLE: f64 = NEARLY / 6.0;
/// Steps of conjugate gradients: nearly exact. With 3, the same ridges are chosen on the State of the Union, reddit and the tweets of
/// Congress, but twice as strong a one on 107 novels, where MEN is 0.622 then, and 0.634 with 5.
const STEPS: usize = 5;
/// Rounds after which the ridge stays as it is.
const ROUNDS: usize = 5;

/// The ridges that were in use when rounds were held, each with its sweep: a round tries them first.
fn in_use(run: &Run) -> impl Iterator<Item = (u32, f64)> {
    let rounds = run.record.ridges.chunk_by(|one, next| one.sweep == next.sweep);
    rounds.map(|round| (round[0].sweep, round[0].ridge))
}

/// Whether no sweep has been made with the ridge yet.
pub(crate) fn is_new(run: &Run) -> bool {
    let sweep = run.record.sweeps.len() as u32;
    in_use(run).last().is_some_and(|(held, ridge)| held == sweep && ridge != run.ridge)
}

/// Moves the ridge to the strongest of its neighbours that predicts nearly best; settles when that is
/// the ridge itself, or one that it has left before.
pub(crate) fn choose(trainer: &Trainer<'_>, run: &mut Run) -> Result<(), Error> {
    let examples = trainer.examples;
    if examples.held.is_empty() {
        run.ridge_settled = true;
        return Ok(());
    }
    let sweep = run.record.sweeps.len() as u32;
    let mut words: Vec<usize> = (0..examples.words()).collect();
    Stream::new(trainer.parameters.seed.0, End::Sample, u64::from(sweep)).shuffle(&mut words);
    let total: usize = examples.entries as usize;
    let mut left = (total / 20).max(20_000);
    let sample: Vec<usize> = words
        .into_iter()
        .take_while(|&word| {
            let go = left > 0;
            left = left.saturating_sub(examples.len(word));
            go
        })
        .collect();
    let mut sampled = vec![false; examples.words()];
    for &word in &sample {
        sampled[word] = true;
    }
    let average = trainer.average(&run.state)?;
    let met = trainer.met(&run.state)?;
    let chance = trainer.chance(&run.state)?;
    let mut tried: Vec<(f64, f64)> = Vec::new();
    let mut judge = |ridge: f64| -> Result<f64, Error> {
        let problem = Problem {
            state: &run.state,
            own: None,
            average: &average,
            chance: chance.as_ref(),
            strengths: trainer.strengths(ridge),
            steps: STEPS,
        };
        let state = &run.state;
        let solved = parallel::map(
            trainer.work.threads,
            sample.len(),
            &mut Vec::new(),
            || Desk::new(state),
            |desk, i| problem.solve(examples, sample[i], desk),
        )?;
        let mut own = run.state.clone();
        for (&word, solved) in sample.iter().zip(&solved) {
            super::blocks::store(&mut own, word, solved);
        }
        // Pairs with one end among the sample: the other end stands as it stood.
        let half = |held: &&Held| sampled[held.row as usize] != sampled[held.col as usize];
        let pair = |place: usize| examples.held.get(place).filter(half);
        let count = examples.held.len();
        let sums = loss::missed(&own, &own.vectors, &met, count, pair, trainer.work)?;
        let (squares, weights) = loss::together(&sums);
        let held_out = if weights > 0.0 { squares / weights } else { 0.0 };
        tried.push((ridge, held_out));
        Ok(held_out)
    };
    let now = run.ridge;
    let mut best = (now, judge(now)?);
    for direction in [FACTOR, 1.0 / FACTOR] {
        let mut ridge = now * direction;
        // At most a hundredfold in one go.
        for _ in 0..7 {
            let held_out = judge(ridge)?;
            let gain = best.1 - held_out;
            if gain > 0.0 {
                best = (ridge, held_out);
            }
            if gain <= LITTLE * held_out {
                break;
            }
            ridge *= direction;
        }
        if best.0 != now {
            break;
        }
    }
    // Of ridges that predict nearly as well the strongest: what held-out pairs hardly tell apart,
    // the meanings of words do.
    let nearly = best.1 * (1.0 + NEARLY);
    let chosen = tried.iter().filter(|(_, held_out)| *held_out <= nearly);
    let chosen = chosen.map(|(ridge, _)| *ridge).fold(best.0, f64::max);
    let before: Vec<f64> = in_use(run).map(|(_, ridge)| ridge).collect();
    run.record.ridges.extend(tried.into_iter().map(|(ridge, held_out)| RidgeTrial {
        sweep,
        ridge,
        held_out,
    }));
    // Where it was before: other words tell the two apart otherwise, so nearly all as well.
    let returns = before.contains(&chosen);
    run.ridge = if returns { chosen.max(now) } else { chosen };
    run.ridge_settled = chosen == now || returns || before.len() + 1 >= ROUNDS;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::parameters::TrainParameters;
    use crate::train::record::Sweep;
    use crate::train::state::State;

    #[test]
    fn a_ridge_is_new_until_a_sweep_was_made_with_it() {
        let mut run = Run::start(State::random(4, 2), &TrainParameters::default());
        let sweep = Sweep::default();
        run.record.sweeps = vec![sweep.clone(), sweep.clone()];
        let trial = |ridge| RidgeTrial { sweep: 2, ridge, held_out: 0.5 };
        run.record.ridges = vec![trial(0.01), trial(0.02)];
        for (ridge, new) in [(0.01, false), (0.02, true)] {
            run.ridge = ridge;
            assert_eq!(is_new(&run), new);
        }
        run.record.sweeps.push(sweep);
        assert!(!is_new(&run));
    }
}
