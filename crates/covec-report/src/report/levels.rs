//! Which levels are alike: a map and a tree for every factor with three levels or more.

use covec::analyse::clusters::{Clusters, clusters};
use covec::analyse::covariates::{Distance, Levels};
use covec::analyse::map::{Map, map};

use super::figures::{count, percent, short};
use super::sheet::{Sheet, drawn};
use super::table::{Cell, Table};
use super::{Question, ReportError};
use crate::answers::short as level_name;
use crate::{Chart, ChartError, Dendrogram, Leaf, Merge, Point, Scatter};

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
        drawn(sheet, map_chart(&map(model, factor, &levels, None)?))?;
        drawn(sheet, tree(&levels, &clusters(model, factor, &levels)?))?;
        let mut table = Table::new(["level", "words", "nearest level", "distance"])
            .with_caption("The nearest level of each");
        for near in levels.nearest(1, None) {
            table.push(vec![
                Cell::text(&near.level),
                Cell::number(&count(near.tokens)),
                Cell::text(&near.nearest),
                Cell::number(&short(near.distance)),
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

fn map_chart(map: &Map) -> Result<Chart, ChartError> {
    // The largest are named first.
    let mut order: Vec<&covec::analyse::map::Point> = map.points.iter().collect();
    order.sort_by(|a, b| b.tokens.cmp(&a.tokens));
    let points = order.into_iter().map(|point| Point {
        label: level_name(&point.level).to_owned(),
        x: point.x,
        y: point.y,
        ..Point::default()
    });
    let [first, second] = map.explained.map(percent);
    Ok(Chart::new("Map of the levels", Scatter { points: points.collect(), ..Scatter::default() })?
        .with_subtitle(
            "The two directions in which the levels' weights differ most; the axes have no names of their own",
        )
        .with_x_label(format!("first component ({first} of the differences)"))
        .with_y_label(format!("second component ({second})")))
}

fn tree(levels: &Levels, clusters: &Clusters) -> Result<Chart, ChartError> {
    let leaves = levels
        .names
        .iter()
        .map(|name| Leaf { label: level_name(name).to_owned(), ..Leaf::default() });
    let merges =
        clusters.merges.iter().map(|merge| Merge { a: merge.a, b: merge.b, height: merge.height });
    let tree = Dendrogram { leaves: leaves.collect(), merges: merges.collect() };
    Ok(Chart::new("Tree of the levels", tree)?
        .with_subtitle(
            "The nearest are joined first; where a join stands says how far apart its sides are",
        )
        .with_x_label("mean distance"))
}
