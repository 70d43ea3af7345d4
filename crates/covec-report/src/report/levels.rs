//! Which levels are alike: a map and a tree for every factor with three levels or more.

use covec::analyse::clusters::clusters;
use covec::analyse::covariates::{Distance, Levels};
use covec::analyse::map::map;
use covec::resample::as_in;

use super::figures::{count, short};
use super::sheet::{Sheet, drawn};
use super::sure::estimate;
use super::table::{Cell, Table};
use super::{Question, ReportError};
use crate::answers::covariates as charts;

pub(super) fn write(question: &Question<'_>, sheet: &mut Sheet) -> Result<(), ReportError> {
    let model = question.model;
    sheet.section("alike", "Which levels are alike?");
    let factors = &model.covariates.factors;
    let large: Vec<(String, usize)> = factors
        .iter()
        .enumerate()
        .filter(|(_, factor)| factor.levels.len() >= 3)
        .map(|(place, factor)| (factor.name.clone(), place))
        .collect();
    if large.is_empty() {
        sheet.text(
            "A map and a tree need a factor with three levels or more, and this model has none.",
        );
        return Ok(());
    }
    sheet.text(
        "Levels are compared by their weights: which topics each stresses more than the others do, and which less. Near \
         each other on the map, and joined early in the tree, are levels that talk about similar things; it says nothing \
         about whether they say the same of them.",
    );
    sheet.choice("Factor", &large, |sheet, &factor| -> Result<(), ReportError> {
        let levels = Levels::new(model, factor, Distance::Cosine)?;
        drawn(sheet, charts::map(&map(model, factor, &levels, None)?))?;
        drawn(sheet, charts::tree(&levels, &clusters(model, factor, &levels)?, None))?;
        let mut table = Table::new(["level", "words", "nearest level", "distance"])
            .with_caption("The nearest level of each");
        let nearest = levels.nearest(1, None);
        let sureness = question.sureness(&nearest, |model, rows| {
            let levels = Levels::new(model, factor, Distance::Cosine)?;
            Ok(as_in(rows, &levels.nearest(usize::MAX, None)))
        })?;
        for (at, near) in nearest.iter().enumerate() {
            let distance = estimate(near.distance, sureness.get(at), "distance");
            table.push(vec![
                Cell::text(&near.level),
                Cell::number(&count(near.tokens)),
                Cell::text(&near.nearest),
                Cell::estimate(distance, short),
            ]);
        }
        sheet.table(&table);
        sheet.note(
            "Distances go from 0, the same profile, over 1, nothing in common, to 2, the opposite one. Of a small level the \
             profile is rough, and so is its place.",
        );
        Ok(())
    })
}
