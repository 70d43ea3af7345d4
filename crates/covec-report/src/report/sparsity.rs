//! Which dimensions levels do without.

use covec::analyse::sparsity::{self, Bin, LevelZeros};

use super::figures::{count, counted, percent};
use super::sheet::{Sheet, drawn};
use super::{Question, ReportError};
use crate::answers::short as level_name;
use crate::{Bar, Bars, Chart, ChartError, Counts, Histogram, Marker};

const BINS: usize = 40;

pub(super) fn write(question: &Question<'_>, sheet: &mut Sheet) -> Result<(), ReportError> {
    let model = question.model;
    sheet.section("sparsity", "What levels do without");
    let levels = sparsity::levels(model);
    let zeros: u64 = levels.iter().map(|level| level.zeros as u64).sum();
    sheet.text(&format!(
        "Where a level's weight cannot be told from 0 it is 0: the level does without the dimension. {} of {} are \
         ({}).",
        counted(zeros, "weight"),
        count(model.weights.len() as u64),
        percent(zeros as f64 / model.weights.len().max(1) as f64),
    ));
    sheet.note(
        "A zero says that the corpus gives no reason for the dimension in the level, not that the level could not have it. How many \
         zeros chance alone makes depends on the size of a level; covec sparsity --control TENSOR measures it.",
    );
    if zeros > 0 {
        drawn(sheet, bars(&levels, model.dim))?;
    }
    drawn(sheet, weights(&sparsity::histogram(model, BINS)))?;
    Ok(())
}

fn bars(levels: &[LevelZeros], dim: usize) -> Result<Chart, ChartError> {
    let several = levels.iter().filter_map(|level| level.level.split_once('=')).collect::<Vec<_>>();
    let one = several.windows(2).all(|pair| pair[0].0 == pair[1].0);
    let bar = |level: &LevelZeros| Bar {
        label: if one { level_name(&level.level) } else { &level.level }.to_owned(),
        value: level.zeros as f64,
        ..Bar::default()
    };
    let bars = Bars { bars: levels.iter().map(bar).collect(), ..Bars::default() };
    Ok(Chart::new("Dimensions that each level does without", bars)?
        .with_subtitle(format!("Weights that are exactly 0, of {dim}"))
        .with_x_label("zeros"))
}

/// All weights but the zeros, which have no width.
fn weights(bins: &[Bin]) -> Result<Chart, ChartError> {
    let own: Vec<&Bin> =
        bins.iter().filter(|bin| bin.level == "all" && bin.to > bin.from).collect();
    let mut edges: Vec<f64> = own.iter().map(|bin| bin.from).collect();
    edges.extend(own.last().map(|bin| bin.to));
    let counts = own.iter().map(|bin| bin.count as f64).collect();
    let histogram = Histogram {
        edges,
        groups: vec![Counts { name: "weights".to_owned(), counts }],
        markers: vec![Marker { value: 1.0, label: "average".to_owned() }],
    };
    Ok(Chart::new("How large the weights are", histogram)?
        .with_subtitle(
            "Weights of all levels that are not 0; 1 leaves a dimension as it is in the base",
        )
        .with_x_label("weight")
        .with_y_label("weights"))
}
