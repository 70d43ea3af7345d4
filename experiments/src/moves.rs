//! How far words moved from the base to a level, with error bars.

use covec::Work;
use covec::analyse::drift::DriftParameters;
use covec::analyse::moved::{self, Moved};
use covec::analyse::{SupportParameters, View};
use covec::model::Model;
use covec::resample::measures::of_moved;
use covec::resample::{Resamples, Sure};

pub fn moves(
    model: &Model,
    resamples: &Resamples,
    view: &View,
    work: &Work<'_>,
) -> Result<Vec<Sure<Moved>>, String> {
    let fail = |e: covec::Error| e.to_string();
    let (base, support) = (View::base(), SupportParameters::default());
    let found = moved::words(model, &base, view, &DriftParameters::default(), &support, work);
    let ask = |model: &_, rows: &[_]| of_moved(model, rows, (&base, view), &support, work);
    resamples.sure(model, found.map_err(fail)?.rows, ask, work).map_err(fail)
}
