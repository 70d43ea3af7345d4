//! A step: a batch of stretches is drawn and looked at, and all that is learned moves.
//!
//! Five turns, each shared by threads: stretches are drawn; parts find what they are asked for; vectors are
//! made; stretches are looked at; parts move. Nothing is written by two, and sums are taken in the order of
//! the text, or of the parts: the same bits at any number of threads.

use super::climb::{Climb, precision};
use super::compose::Compose;
use super::expected::Expected;
use super::felt::{Feel, Felt};
use super::network::{Network, Slopes};
use super::part::{Index, Part};
use super::stretches::{Draw, Drawn, Stretch};
use super::{SEfeParameters, Sharing};
use crate::error::Error;
use crate::parallel::{self, Pieces};
use crate::train::table::Table;
use crate::work::Work;

/// All that is learned.
#[derive(Debug)]
pub(super) struct Learning {
    pub(super) parts: Vec<Part>,
    /// By level; empty where levels have no networks.
    pub(super) networks: Vec<Network>,
}

/// What does not change.
pub(super) struct Setting<'a> {
    pub(super) draw: Draw<'a>,
    pub(super) expected: Expected,
    pub(super) parameters: &'a SEfeParameters,
    pub(super) work: &'a Work<'a>,
}

/// How likely a batch was.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Likely {
    pub(super) sum: f64,
    pub(super) targets: u64,
}

impl Learning {
    pub(super) fn start(words: usize, levels: usize, parameters: &SEfeParameters) -> Self {
        let (hidden, dim) = (parameters.hidden as usize, parameters.dim as usize);
        let part = |number| Part::start(number, words, levels, parameters);
        let network = |level| Network::start(hidden, dim, parameters.seed.0, level);
        let networks = match parameters.sharing {
            Sharing::Hierarchical => Vec::new(),
            Sharing::Amortised => (0..levels).map(network).collect(),
        };
        Self { parts: (0..super::part::PARTS).map(part).collect(), networks }
    }

    /// Draws the stretches with an epoch's key, and moves.
    pub(super) fn step(
        &mut self,
        setting: &Setting<'_>,
        stretches: &[&Stretch],
        key: u64,
    ) -> Result<Likely, Error> {
        let threads = setting.work.threads;
        let draw = &setting.draw;
        let batch = parallel::tasks(threads, stretches.len(), |at| {
            setting.work.proceed()?;
            Ok(draw.draw(stretches[at], key))
        })?;
        let parts = Pieces::even(&mut self.parts, 1);
        let indices = parallel::tasks(threads, parts.len(), |at| {
            let own = parts.take(at).iter_mut().map(|part| part.index(&batch, draw.outside()));
            Ok(own.last().unwrap_or_default())
        })?;
        let composed = self.compose(setting, &indices)?;
        let felt = parallel::tasks(threads, batch.len(), |at| {
            Ok(pulp::Arch::new().dispatch(Feel {
                drawn: &batch[at],
                parts: &self.parts,
                firsts: &composed.firsts,
                vectors: &composed.vectors,
                window: draw.window,
                outside: draw.outside(),
                each: draw.negatives + 1,
            }))
        })?;
        self.climb(setting, &batch, &indices, &composed, &felt)?;
        Ok(Likely {
            sum: felt.iter().map(|felt| felt.likelihood).sum(),
            targets: batch.iter().map(|drawn| drawn.targets.len() as u64).sum(),
        })
    }

    /// The vectors of a batch.
    fn compose(&self, setting: &Setting<'_>, indices: &[Index]) -> Result<Composed, Error> {
        let counts = || indices.iter().map(|index| index.vectors.len());
        let firsts = counts().scan(0, |next, count| {
            let first = *next;
            *next += count;
            Some(first)
        });
        let firsts: Vec<usize> = firsts.collect();
        let hidden = self.networks.first().map_or(0, Network::units);
        let mut vectors = Table::new(counts().sum(), setting.parameters.dim as usize);
        let mut units = vec![0.0; vectors.rows() * hidden];
        let stride = vectors.stride();
        let vector_pieces = Pieces::cut(vectors.all_mut(), counts().map(|count| count * stride));
        let unit_pieces = Pieces::cut(&mut units, counts().map(|count| count * hidden));
        parallel::tasks(setting.work.threads, self.parts.len(), |at| {
            pulp::Arch::new().dispatch(Compose {
                part: &self.parts[at],
                index: &indices[at],
                networks: &self.networks,
                vectors: vector_pieces.take(at),
                units: unit_pieces.take(at),
            });
            Ok(())
        })?;
        Ok(Composed { firsts, vectors, units, hidden })
    }

    /// Moves the parts, then the networks.
    fn climb(
        &mut self,
        setting: &Setting<'_>,
        batch: &[Drawn],
        indices: &[Index],
        composed: &Composed,
        felt: &[Felt],
    ) -> Result<(), Error> {
        let (hidden, networks) = (composed.hidden, &self.networks);
        let parts = Pieces::even(&mut self.parts, 1);
        let of_parts = parallel::tasks(setting.work.threads, parts.len(), |at| {
            let index = &indices[at];
            let first = composed.firsts[at] * hidden;
            let moved = parts.take(at).iter_mut().map(|part| {
                pulp::Arch::new().dispatch(Climb {
                    part,
                    index,
                    networks,
                    units: &composed.units[first..first + index.vectors.len() * hidden],
                    batch,
                    felt,
                    each: setting.draw.negatives + 1,
                    expected: &setting.expected,
                    parameters: setting.parameters,
                })
            });
            Ok(moved.last().unwrap_or_default())
        })?;
        let mut of_parts = of_parts.into_iter();
        let Some(mut sums) = of_parts.next() else { return Ok(()) };
        for own in of_parts {
            for ((_, sum), (_, own)) in sums.iter_mut().zip(&own) {
                sum.add(own);
            }
        }
        for (level, slopes) in &sums {
            self.teach(setting, batch, *level, slopes);
        }
        Ok(())
    }

    /// Moves a level's network.
    fn teach(&mut self, setting: &Setting<'_>, batch: &[Drawn], level: usize, slopes: &Slopes) {
        let own = batch.iter().filter(|drawn| drawn.level == level);
        let targets: usize = own.map(|drawn| drawn.targets.len()).sum();
        let share = targets as f32 / setting.expected.targets[level].max(1.0);
        let pull = precision(setting.parameters.spread) * share;
        self.networks[level].step(slopes, pull, setting.parameters.rate as f32);
    }

    /// All words' vectors as context, word after word.
    pub(super) fn contexts(&self, words: usize) -> Vec<f32> {
        let of = |word: u32| {
            let (part, row) = super::part::place(word);
            let table = &self.parts[part].contexts.at;
            &table.row(row)[..table.width()]
        };
        (0..words as u32).flat_map(of).copied().collect()
    }

    /// All words' vectors in a level, word after word.
    pub(super) fn vectors(&self, words: usize, level: usize) -> Result<Vec<f32>, Error> {
        let index = |part: &Part| Index {
            vectors: (0..part.rows).map(|row| (level, row)).collect(),
            ..Index::default()
        };
        let hidden = self.networks.first().map_or(0, Network::units);
        let mut tables = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let mut table = Table::new(part.rows, part.common.at.width());
            pulp::Arch::new().dispatch(Compose {
                part,
                index: &index(part),
                networks: &self.networks,
                vectors: table.all_mut(),
                units: &mut vec![0.0; part.rows * hidden],
            });
            tables.push(table);
        }
        let of = |word: u32| {
            let (part, row) = super::part::place(word);
            &tables[part].row(row)[..tables[part].width()]
        };
        Ok((0..words as u32).flat_map(of).copied().collect())
    }
}

/// A batch's vectors.
struct Composed {
    /// By part: its first.
    firsts: Vec<usize>,
    vectors: Table,
    /// The values of the networks' units for each vector.
    units: Vec<f32>,
    hidden: usize,
}
