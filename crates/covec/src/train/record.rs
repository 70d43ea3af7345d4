//! How training went, as `run.json` tells it. Nothing in it depends on threads, memory or time.

use serde::{Deserialize, Serialize};

use super::met::Met;

/// How training went.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// Why it stopped.
    pub stopped: String,
    /// The ridge on the vectors that was used in the end.
    pub ridge: f64,
    /// The ridges that were tried on held-out pairs.
    pub ridges: Vec<RidgeTrial>,
    /// Sweep after sweep.
    pub sweeps: Vec<Sweep>,
    /// By cell: the share of its core that no choice of axes made diagonal, at the last axis step.
    /// Empty where there was none.
    pub off_diagonal: Vec<CellShare>,
    /// What the words' own deviations did; none without them.
    pub deviations: Option<Deviating>,
    /// How predictions are read before they are held to the counts of pairs that met.
    #[serde(default, skip_serializing_if = "Met::is_plain")]
    pub met: Met,
    /// How far other seeds agree; none where only one was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
}

impl Training {
    /// Follows levels and cells to their new numbers; of the levels that came in between nothing
    /// is said.
    pub(crate) fn renumber(&mut self, levels: &[usize], of: usize, cells: &[u32]) {
        fn spread<T: Clone + Default>(old: &mut Vec<T>, levels: &[usize], of: usize) {
            let mut new = vec![T::default(); of];
            for (value, &level) in old.iter().zip(levels) {
                new[level] = value.clone();
            }
            *old = new;
        }
        for sweep in &mut self.sweeps {
            spread(&mut sweep.held_out_levels, levels, of);
            spread(&mut sweep.zeros, levels, of);
        }
        for share in &mut self.off_diagonal {
            share.cell = cells[share.cell as usize];
        }
        if let Some(deviations) = &mut self.deviations {
            spread(&mut deviations.ridges, levels, of);
            spread(&mut deviations.held_out_without, levels, of);
            spread(&mut deviations.held_out_with, levels, of);
        }
    }
}

/// One sweep over all entries.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    /// Its number, from 1.
    pub sweep: u32,
    /// ½ · mean over the entries of weight · residual².
    pub loss: f64,
    /// The same with every penalty, which is what a sweep lowers.
    pub objective: f64,
    /// Weighted mean of the squared residuals of held-out pairs; none where nothing is held out.
    pub held_out: Option<f64>,
    /// The same by level, all factors' levels in a row.
    pub held_out_levels: Vec<Option<f64>>,
    /// Weights that are exactly 0, by level.
    pub zeros: Vec<u32>,
    /// Whether the axes were turned before it.
    pub turned: bool,
}

/// A ridge that was tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RidgeTrial {
    /// After which sweep.
    pub sweep: u32,
    /// The ridge.
    pub ridge: f64,
    /// Weighted mean of the squared residuals of held-out pairs of some words.
    pub held_out: f64,
}

/// A share of a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CellShare {
    /// The cell.
    pub cell: u32,
    /// The share.
    pub share: f64,
}

/// What the words' own deviations did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Deviating {
    /// The ridge that draws deviations to 0, relative like the vectors' own, as it was chosen on levels of middling size.
    pub ridge: f64,
    /// Each level's own, which is larger where that one does not help; none where no strength does.
    pub ridges: Vec<Option<f64>>,
    /// With several factors: what deviations are taken times where a level of every factor adds its own. Of one level alone they are
    /// taken as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Words and levels that deviate.
    pub stored: u64,
    /// Held-out loss without them, by level.
    pub held_out_without: Vec<Option<f64>>,
    /// Held-out loss with them, by level; a level that they do not help has none.
    pub held_out_with: Vec<Option<f64>>,
}

/// How far the axes of other seeds agree with the model's own.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// The other seeds.
    pub seeds: Vec<u64>,
    /// For every other seed: the mean over the dimensions of |cos| with the axis each is matched to.
    pub means: Vec<f64>,
    /// For every dimension of the model: the mean over the other seeds.
    pub dimensions: Vec<f64>,
}

impl Agreement {
    /// The mean over seeds and dimensions.
    pub fn mean(&self) -> f64 {
        self.means.iter().sum::<f64>() / self.means.len().max(1) as f64
    }
}
