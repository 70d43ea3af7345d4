//! Which levels are alike: a map and a tree.

use covec::analyse::Groups;
use covec::analyse::clusters::Clusters;
use covec::analyse::covariates::Levels;
use covec::analyse::map::Map;

use super::short;
use crate::{Chart, ChartError, Dendrogram, Leaf, Merge, Point, Scatter};

/// The levels on a plane, coloured by group where there are groups.
pub fn map(map: &Map) -> Result<Chart, ChartError> {
    // The largest are named first.
    let mut order: Vec<&covec::analyse::map::Point> = map.points.iter().collect();
    order.sort_by_key(|point| std::cmp::Reverse(point.tokens));
    let points = order.into_iter().map(|point| Point {
        label: short(&point.level).to_owned(),
        x: point.x,
        y: point.y,
        group: point.group.clone(),
        ..Point::default()
    });
    let [first, second] = map.explained.map(|share| format!("{:.0} %", 100.0 * share));
    Ok(Chart::new("Map of the levels", Scatter { points: points.collect(), ..Scatter::default() })?
        .with_subtitle(
            "The two directions in which the levels' weights differ most; the axes have no names of their own",
        )
        .with_x_label(format!("first component ({first} of the differences)"))
        .with_y_label(format!("second component ({second})")))
}

/// The levels as a tree, the nearest joined first.
pub fn tree(
    levels: &Levels,
    clusters: &Clusters,
    groups: Option<&Groups>,
) -> Result<Chart, ChartError> {
    let leaves = levels.names.iter().enumerate().map(|(level, name)| Leaf {
        label: short(name).to_owned(),
        group: groups.and_then(|groups| groups.of_level.get(level).cloned().flatten()),
    });
    let merges =
        clusters.merges.iter().map(|merge| Merge { a: merge.a, b: merge.b, height: merge.height });
    let tree = Dendrogram { leaves: leaves.collect(), merges: merges.collect() };
    Ok(Chart::new("Tree of the levels", tree)?
        .with_subtitle(
            "The nearest are joined first; where a join stands says how far apart its sides are",
        )
        .with_x_label("mean distance"))
}
