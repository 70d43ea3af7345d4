//! Which dimensions levels do without, how large the others' weights are, and how zeros came about.

use covec::analyse::sparsity::{Bin, LevelZeros, SweepZeros};

use super::short;
use crate::{Bar, Bars, Chart, ChartError, Counts, Histogram, Lines, Marker, Series};

/// A bar for every level; those of a control in another colour.
pub fn zeros(levels: &[LevelZeros], dim: usize) -> Result<Chart, ChartError> {
    let factors: Vec<&str> =
        levels.iter().filter_map(|level| Some(level.level.split_once('=')?.0)).collect();
    let one = factors.windows(2).all(|pair| pair[0] == pair[1]);
    let control = levels.windows(2).any(|pair| pair[0].of != pair[1].of);
    let bar = |level: &LevelZeros| Bar {
        label: if one { short(&level.level) } else { &level.level }.to_owned(),
        value: level.zeros as f64,
        group: control.then(|| level.of.to_owned()),
        ..Bar::default()
    };
    let bars = Bars { bars: levels.iter().map(bar).collect(), ..Bars::default() };
    Ok(Chart::new("Dimensions that each level does without", bars)?
        .with_subtitle(format!("Weights that are exactly 0, of {dim}"))
        .with_x_label("zeros"))
}

/// All weights but the zeros, which have no width.
pub fn weights(bins: &[Bin]) -> Result<Chart, ChartError> {
    let own: Vec<&Bin> =
        bins.iter().filter(|bin| bin.level == "all" && bin.to > bin.from).collect();
    let mut edges: Vec<f64> = own.iter().map(|bin| bin.from).collect();
    edges.extend(own.last().map(|bin| bin.to));
    let counts = own.iter().map(|bin| bin.count as f64).collect();
    let histogram = Histogram {
        edges,
        groups: vec![Counts { name: String::new(), counts }],
        markers: vec![Marker { value: 1.0, label: "average".to_owned() }],
    };
    Ok(Chart::new("How large the weights are", histogram)?
        .with_subtitle(
            "Weights of all levels that are not 0; 1 leaves a dimension as it is in the base",
        )
        .with_x_label("weight")
        .with_y_label("weights"))
}

/// Levels whose zeros are followed.
const FOLLOWED: usize = 20;

/// A line for every level, or those that end with most zeros: its zeros after each sweep of training.
pub fn sweeps(rows: &[SweepZeros]) -> Result<Chart, ChartError> {
    let last = rows.chunk_by(|a, b| a.sweep == b.sweep).next_back().unwrap_or_default();
    let mut order: Vec<usize> = (0..last.len()).collect();
    order.sort_by_key(|&level| std::cmp::Reverse(last[level].zeros));
    order.truncate(FOLLOWED);
    order.sort_unstable();
    let mut subtitle = "Weights that are exactly 0 after each sweep of training".to_owned();
    if order.len() < last.len() {
        subtitle +=
            &format!("; the {FOLLOWED} of {} levels that end with most of them", last.len());
    }
    let mut lines = Lines::default();
    for own in rows.chunk_by(|a, b| a.sweep == b.sweep) {
        lines.categories.push(own[0].sweep.to_string());
        for (place, row) in order.iter().filter_map(|&level| own.get(level)).enumerate() {
            if lines.series.len() == place {
                lines.series.push(Series { name: row.level.clone(), values: Vec::new() });
            }
            lines.series[place].values.push(Some(f64::from(row.zeros).into()));
        }
    }
    Ok(Chart::new("How zeros came about", lines)?
        .with_subtitle(subtitle)
        .with_x_label("sweep")
        .with_y_label("zeros"))
}
