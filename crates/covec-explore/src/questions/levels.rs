//! Which levels of a factor are alike.

use covec::Work;
use covec::analyse::clusters::clusters;
use covec::analyse::covariates::{Distance, Levels, Nearest, Pair};
use covec::analyse::factor_named;
use covec::analyse::map::map;
use covec::model::Model;
use covec::resample::{as_in, picked_from};
use covec_report::answers::covariates as charts;

use super::{Question, resamples};
use crate::Desk;
use crate::api::parameters::{Asked, FACTOR, Kind, Parameter, SURE};
use crate::api::reply::Reply;
use crate::fault::Fault;

pub(super) const QUESTION: Question = Question::new(
    "levels",
    "Which levels of a factor are alike: a map, the merges of a tree, the nearest of each, or all distances",
    &[
        FACTOR,
        Parameter {
            name: "show",
            about: "Which rows; nearest and distances can have intervals",
            kind: Kind::Choice(&["map", "clusters", "nearest", "distances"]),
        },
        SURE,
    ],
    answer,
);

fn answer(desk: &Desk, asked: &Asked, work: &Work<'_>) -> Result<Reply, Fault> {
    let model = &desk.model;
    let factor = factor_named(model, asked.given("factor"))?;
    let groups = desk.groups.as_ref().filter(|groups| groups.factor == factor);
    let of = |model: &Model| Levels::new(model, factor, Distance::Cosine);
    let levels = of(model)?;
    let resamples = resamples(desk, asked)?;
    let tree = || clusters(model, factor, &levels);
    match (asked.text("show"), resamples) {
        ("nearest", Some(resamples)) => {
            let ask = |model: &Model, rows: &[Nearest]| {
                Ok(as_in(rows, &of(model)?.nearest(usize::MAX, groups)))
            };
            let rows = resamples.sure(model, levels.nearest(1, groups), ask, work)?;
            Reply::of(picked_from(rows, levels.pairs().len()))
        }
        ("distances", Some(resamples)) => {
            let ask = |model: &Model, rows: &[Pair]| Ok(as_in(rows, &of(model)?.pairs()));
            Reply::of(resamples.sure(model, levels.pairs(), ask, work)?)
        }
        (_, Some(_)) => Err(Fault::refused(
            "maps and trees have no intervals\nexpected: show=nearest or show=distances with sure=true",
        )),
        ("map", None) => {
            let map = map(model, factor, &levels, groups)?;
            Reply::of(&map.points)?
                .with("explained", map.explained)
                .drawn(asked, || charts::map(&map))
        }
        ("clusters", None) => {
            let tree = tree()?;
            Reply::of(&tree.merges)?
                .with("order", &tree.order)
                .with("levels", &levels.names)
                .drawn(asked, || charts::tree(&levels, &tree, groups))
        }
        (show, None) => {
            let reply = match show {
                "nearest" => Reply::of(levels.nearest(1, groups)),
                _ => Reply::of(levels.pairs()),
            };
            let tree = tree()?;
            reply?.drawn(asked, || charts::tree(&levels, &tree, groups))
        }
    }
}
