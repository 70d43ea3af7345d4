//! The words in strata, and the rounds in which strata meet.
//!
//! In a round no stratum is in two meetings, so meetings own all they change and can be held on any
//! thread. Over the rounds of an epoch every pair of words meets once.

use std::ops::Range;

use crate::train::examples::Examples;
use crate::train::state::State;
use crate::train::table::Table;

/// Strata, and rounds of an epoch: even, and the same for any number of threads.
pub(crate) const STRATA: usize = 16;

/// Some words that follow each other, with all that is theirs alone.
#[derive(Debug)]
pub(crate) struct Stratum<const M: usize> {
    pub(crate) words: Range<usize>,
    /// A row for every word.
    pub(crate) vectors: Table,
    /// level × words + word.
    pub(crate) biases: Vec<f32>,
    /// What the biases are drawn to.
    pub(crate) prior: Vec<f32>,
    /// What the rule remembers of each.
    pub(crate) vector_memory: [Table; M],
    pub(crate) bias_memory: [Vec<f32>; M],
}

/// What a rule remembers of all parameters: `M` numbers for each.
pub(crate) struct Memory<'a, const M: usize> {
    pub(crate) vectors: &'a mut [Vec<f32>],
    pub(crate) biases: &'a mut [Vec<f32>],
    pub(crate) weights: &'a mut [Vec<f32>],
}

impl<'a, const M: usize> Memory<'a, M> {
    /// Before the first step.
    pub(crate) fn start(state: &State, number: f32) -> Vec<Vec<f32>> {
        [state.vectors.all().len(), state.biases.len(), state.squares.all().len()]
            .into_iter()
            .flat_map(|len| std::iter::repeat_n(vec![number; len], M))
            .collect()
    }

    pub(crate) fn of(moments: &'a mut [Vec<f32>]) -> Self {
        let (vectors, rest) = moments.split_at_mut(M);
        let (biases, weights) = rest.split_at_mut(M);
        Self { vectors, biases, weights }
    }
}

impl<const M: usize> Stratum<M> {
    /// Takes what belongs to the words out of the state.
    pub(crate) fn take(words: Range<usize>, state: &State, memory: &Memory<'_, M>) -> Self {
        let table = |all: &[f32]| {
            let stride = state.vectors.stride();
            let mut table = Table::new(words.len(), state.dim());
            table.all_mut().copy_from_slice(&all[words.start * stride..words.end * stride]);
            table
        };
        let columns = |all: &[f32]| -> Vec<f32> {
            all.chunks_exact(state.words())
                .flat_map(|level| &level[words.clone()])
                .copied()
                .collect()
        };
        Self {
            vectors: table(state.vectors.all()),
            biases: columns(&state.biases),
            prior: columns(&state.prior),
            vector_memory: std::array::from_fn(|m| table(&memory.vectors[m])),
            bias_memory: std::array::from_fn(|m| columns(&memory.biases[m])),
            words,
        }
    }

    /// A word's bias where these levels meet.
    #[inline(always)]
    pub(crate) fn bias(&self, place: usize, levels: &[usize]) -> f32 {
        levels.iter().map(|level| self.biases[level * self.words.len() + place]).sum()
    }

    /// Puts it back.
    pub(crate) fn put(&self, state: &mut State, memory: &mut Memory<'_, M>) {
        let (stride, words) = (state.vectors.stride(), state.words());
        let rows = self.words.start * stride..self.words.end * stride;
        let columns = |own: &[f32], all: &mut [f32]| {
            if !own.is_empty() {
                for (own, all) in
                    own.chunks_exact(self.words.len()).zip(all.chunks_exact_mut(words))
                {
                    all[self.words.clone()].copy_from_slice(own);
                }
            }
        };
        state.vectors.all_mut()[rows.clone()].copy_from_slice(self.vectors.all());
        columns(&self.biases, &mut state.biases);
        for m in 0..M {
            memory.vectors[m][rows.clone()].copy_from_slice(self.vector_memory[m].all());
            columns(&self.bias_memory[m], &mut memory.biases[m]);
        }
    }
}

/// The words cut into strata of about equally many entries; some may be empty.
pub(crate) fn cut(examples: &Examples) -> Vec<Range<usize>> {
    let words = examples.words();
    let (mut first, mut sum) = (0, 0);
    (1..=STRATA as u64)
        .map(|number| {
            let from = first;
            while first < words
                && (sum < examples.entries * number / STRATA as u64 || number == STRATA as u64)
            {
                sum += examples.len(first) as u64;
                first += 1;
            }
            from..first
        })
        .collect()
}

/// Who meets whom: a round in which every stratum meets itself, then a tournament by the circle
/// method. The earlier stratum, whose words are the more frequent, comes first: it gives the rows,
/// which then are few and long.
pub(crate) fn rounds() -> Vec<Vec<(usize, usize)>> {
    let turning = STRATA - 1;
    let themselves = (0..STRATA).map(|stratum| (stratum, stratum)).collect();
    let others = (0..turning).map(|round| {
        let fixed = (round, turning);
        let across = (1..STRATA / 2).map(|k| {
            let (a, b) = ((round + k) % turning, (round + turning - k) % turning);
            (a.min(b), a.max(b))
        });
        std::iter::once(fixed).chain(across).collect()
    });
    std::iter::once(themselves).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_two_strata_meet_once_and_nobody_is_in_two_meetings() {
        let mut met = BTreeSet::new();
        let rounds = rounds();
        assert_eq!(rounds.len(), STRATA);
        for round in rounds {
            let mut busy = BTreeSet::new();
            for (a, b) in round {
                assert!(a <= b && met.insert((a, b)));
                assert!(busy.insert(a) && (a == b || busy.insert(b)));
            }
            assert_eq!(busy.len(), STRATA);
        }
        assert_eq!(met.len(), STRATA * (STRATA + 1) / 2);
    }
}
