//! How training went.

use covec::model::Model;

use crate::{Chart, ChartError, Lines, Series};

/// The losses, each as a share of what it was after the first sweep: the two are weighted differently.
pub fn losses(model: &Model) -> Result<Chart, ChartError> {
    let sweeps = &model.record.training.sweeps;
    let series = |name: &str, numbers: Vec<Option<f64>>| {
        let first = numbers.iter().flatten().copied().next().filter(|first| *first > 0.0);
        let share = |x: &Option<f64>| Some((x.as_ref()? / first?).into());
        Series { name: name.to_owned(), values: numbers.iter().map(share).collect() }
    };
    let lines = Lines {
        categories: sweeps.iter().map(|sweep| sweep.sweep.to_string()).collect(),
        series: vec![
            series("training", sweeps.iter().map(|sweep| Some(sweep.loss)).collect()),
            series("held out", sweeps.iter().map(|sweep| sweep.held_out).collect()),
        ],
        ..Lines::default()
    };
    Ok(Chart::new("Loss, sweep by sweep", lines)?
        .with_subtitle(
            "As a share of what it was after the first sweep; a dent is where the axes were turned",
        )
        .with_x_label("sweep")
        .with_y_label("share of the first loss"))
}
