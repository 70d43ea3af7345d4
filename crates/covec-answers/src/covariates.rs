//! Which levels of a factor are alike, as rows.

use covec::Error;
use covec::analyse::Groups;
use covec::analyse::clusters::{Clusters, clusters};
use covec::analyse::covariates::{Distance, Levels, Nearest, Pair, SameGroup};
use covec::analyse::map::map;
use covec::model::Model;
use covec::resample::{as_in, picked_from};
use serde_json::json;

use crate::question::refused;
use crate::{Question, Table, Told};

pub(crate) fn answer(question: &Question<'_>) -> Result<Told, Error> {
    let Question { model, asked, work, most, resamples, .. } = question;
    let show = asked.choice("show", &["nearest", "distances", "clusters", "map"])?;
    let distance = asked.choice("distance", &["cosine", "euclidean", "weights", "mutual"])?;
    let groups = groups(question)?;
    let named = question.factor()?;
    let factor = match asked.text("factor") {
        None => groups.first().map_or(named, |groups| groups.factor),
        Some(_) => named,
    };
    of_one_factor(model, factor, &groups)?;
    let distance: Distance = distance.parse().unwrap_or(Distance::Cosine);
    let of = |model: &Model| Levels::new(model, factor, distance);
    let (levels, first) = (of(model)?, groups.first());
    // What is given as n is kept to; by default it is of nearest levels only.
    let some = if asked.has("n") { *most } else { usize::MAX };
    if let Some(resamples) = resamples {
        has_bars(distance)?;
        return match show {
            "nearest" => {
                let ask = |model: &Model, rows: &[Nearest]| {
                    Ok(as_in(rows, &of(model)?.nearest(usize::MAX, first)))
                };
                let rows = resamples.sure(model, levels.nearest(*most, first), ask, work)?;
                let rows = picked_from(rows, levels.pairs().len());
                let shares = groups.iter().map(|groups| alike(groups, levels.same_group(groups)));
                Ok(shares.fold(Table::of_some(&rows).into(), Told::noting))
            }
            "distances" => {
                let ask = |model: &Model, rows: &[Pair]| Ok(as_in(rows, &of(model)?.pairs()));
                let rows = resamples.sure(model, levels.pairs(), ask, work)?;
                Ok(Table::of_some(&rows).first(some).into())
            }
            _ => Err(refused(
                format!("--show {show} has no error bars"),
                "--show nearest or --show distances",
                "one of these, or no --boot",
            )),
        };
    }
    let told = match show {
        "distances" => Table::of(&levels.pairs()).first(some).into(),
        "clusters" => merges(&levels, &clusters(model, factor, &levels)?).into(),
        "map" => {
            let map = map(model, factor, &levels, first)?;
            let [x, y] = map.explained.map(|share| 100.0 * share);
            Told::from(Table::of(&map.points).first(some))
                .noting(format!("x shows {x:.1} % of the variance of the profiles, y {y:.1} %"))
        }
        _ => Table::of(&levels.nearest(*most, first)).into(),
    };
    let shares = groups.iter().map(|groups| alike(groups, levels.same_group(groups)));
    Ok(shares.fold(told, Told::noting))
}

/// An error where error bars would say nothing.
pub fn has_bars(distance: Distance) -> Result<(), Error> {
    match distance {
        Distance::Mutual => Err(refused(
            "--distance mutual has no error bars: it says which levels are near, not how far they are".to_owned(),
            "--distance cosine, euclidean or weights",
            "one of these, or no --boot",
        )),
        _ => Ok(()),
    }
}

fn groups(question: &Question<'_>) -> Result<Vec<Groups>, Error> {
    let paths = question.asked.paths("groups");
    let Some(path) = paths.first() else { return Ok(Vec::new()) };
    let specs = question.asked.texts("group").iter();
    specs.map(|spec| Groups::read(question.model, spec, path)).collect()
}

/// An error unless all groups are of levels of one factor.
pub fn of_one_factor(model: &Model, factor: usize, groups: &[Groups]) -> Result<(), Error> {
    let Some(other) = groups.iter().find(|groups| groups.factor != factor) else { return Ok(()) };
    let [wanted, given] =
        [factor, other.factor].map(|factor| model.covariates.factors[factor].name.as_str());
    Err(refused(
        format!("--group {given}:{} is of another factor than {wanted}", other.name),
        format!("groups of {wanted}"),
        "ask for one factor at a time",
    ))
}

/// How often the nearest level is of the same group, in a sentence.
pub fn alike(groups: &Groups, same: Option<SameGroup>) -> String {
    match same {
        None => format!("{}: no group has two levels", groups.name),
        Some(same) => format!(
            "{}: the nearest level is of the same group for {} of {} levels in groups of two or more ({:.1} %; by \
             chance {:.1} %)",
            same.groups,
            same.same,
            same.levels,
            100.0 * same.share,
            100.0 * same.chance
        ),
    }
}

/// The merges as rows, with the place of every level among the leaves after them.
pub fn merges(levels: &Levels, tree: &Clusters) -> Table {
    let mut table = Table::new(["kind", "number", "a", "b", "height", "levels"]);
    let name = |cluster: usize| match levels.names.get(cluster) {
        Some(name) => name.clone(),
        None => format!("merge {}", cluster - levels.len() + 1),
    };
    for (place, merge) in tree.merges.iter().enumerate() {
        table.push(vec![
            json!("merge"),
            json!(place + 1),
            json!(name(merge.a)),
            json!(name(merge.b)),
            json!(merge.height),
            json!(merge.size),
        ]);
    }
    for (place, &level) in tree.order.iter().enumerate() {
        let leaf = [json!("leaf"), json!(place + 1), json!(levels.names[level]), json!(null)];
        table.push(leaf.into_iter().chain([json!(null), json!(1)]).collect());
    }
    table
}
