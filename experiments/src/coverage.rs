//! Do 95 % intervals hold the truth 95 times in a hundred?
//!
//! A world's text is cut into parts, which are independent corpora of one world. What an interval should hold is
//! what the same fit says of all parts together, a corpus many times as large. A fit also draws small corpora more strongly
//! towards no difference than large ones, and no resampling of a small corpus shows that; so intervals are held to the mean over the
//! parts too: what the fit says of corpora of this size.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::Path;

use covec::analyse::specificity::specificity;
use covec::analyse::topics::DimensionWeight;
use covec::analyse::{SupportParameters, View};
use covec::model::Model;
use covec::resample::measures::of_weights;
use covec::resample::{IntervalKind, Resamples, Sure, SureParameters, as_in};
use serde_json::{Value, json};

use crate::corpora::{lines, world, write};
use crate::fitted::Fitted;
use crate::lab::Lab;
use crate::moves::moves;
use crate::numbers::mean;
use crate::table::{percent, section};

const MEASURES: [&str; 5] =
    ["own drift", "topical drift", "specificity", "topical specificity", "weights (squares)"];
const KINDS: [IntervalKind; 2] = [IntervalKind::Basic, IntervalKind::Percentile];
/// Dimensions of a part and of the whole are the same if their vectors correlate as much.
const SAME: f64 = 0.95;

/// Values by subject, e.g. measure, level and word: estimate, or estimate, interval and how often the word occurs there.
type Values = BTreeMap<String, Vec<f64>>;

pub fn study(lab: &mut Lab) -> Result<String, String> {
    let (worlds, parts, draws) = if lab.quick { (1, 6, 39) } else { (2, 20, 99) };
    let mut by_world = Vec::new();
    for number in 0..worlds {
        let names: Vec<String> =
            (0..=parts).map(|part| format!("world {number} part {part}")).collect();
        // Made when a part needs it, and once.
        let whole = OnceCell::new();
        let results = lab.each("coverage", &names, |lab, part, home| {
            if whole.get().is_none() {
                let _ = whole.set(Whole::new(lab, number, parts)?);
            }
            let whole = whole.get().ok_or("no world")?;
            match part.checked_sub(1) {
                None => {
                    let fitted = &whole.fitted;
                    let folder = fitted.drawn(39, &lab.work)?;
                    let resamples = fitted.open(folder, &SureParameters::default())?;
                    let same: Vec<Option<usize>> = (0..fitted.model.dim).map(Some).collect();
                    Ok(json!(intervals(lab, &fitted.model, &resamples, &same)?))
                }
                Some(part) => one(lab, whole, part, parts, draws, home),
            }
        })?;
        let mut results = results.into_iter();
        // Part 0 is the whole.
        if let Some((_, whole)) = results.next().filter(|(name, _)| name.ends_with("part 0")) {
            let parts: Vec<Value> = results.map(|(_, value)| value).collect();
            by_world.push((whole, parts));
        }
    }
    Ok(table(&by_world))
}

fn table(by_world: &[(Value, Vec<Value>)]) -> String {
    let mut rows = Vec::new();
    let levels = ["group-1", "group-2", "group-3"];
    for (at, measure) in MEASURES.into_iter().enumerate() {
        let of_levels: Vec<Option<&str>> = match at {
            2 | 3 => vec![None],
            _ => std::iter::once(None).chain(levels.into_iter().map(Some)).collect(),
        };
        for level in of_levels {
            let mut tally = [[0_usize; 2]; 4];
            let mut low_side = 0;
            for (whole, parts) in by_world {
                let mut means: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
                let mine = |subject: &str| {
                    subject.starts_with(&format!("{measure}/"))
                        && level.is_none_or(|level| subject.contains(&format!("={level}")))
                };
                let number = |value: &Value, at: usize| value[at].as_f64();
                for (subject, value) in parts.iter().filter_map(Value::as_object).flatten() {
                    if mine(subject) {
                        means.entry(subject.as_str()).or_default().extend(number(value, 0));
                    }
                }
                for (subject, value) in parts.iter().filter_map(Value::as_object).flatten() {
                    let Some(truth) = whole[subject].get(0).and_then(Value::as_f64) else {
                        continue;
                    };
                    if !mine(subject) {
                        continue;
                    }
                    let expected = mean(&means[subject.as_str()]);
                    for (kind, places) in [[1, 2], [3, 4]].into_iter().enumerate() {
                        let [Some(low), Some(high)] = places.map(|at| number(value, at)) else {
                            continue;
                        };
                        let holds = |x: f64| usize::from(low <= x && x <= high);
                        tally[kind][0] += holds(truth);
                        tally[kind][1] += 1;
                        tally[kind + 2][0] += holds(expected);
                        tally[kind + 2][1] += 1;
                        low_side += usize::from(kind == 0 && truth > high);
                    }
                }
            }
            let share = |[held, all]: [usize; 2]| percent(held as f64 / all.max(1) as f64);
            let name = level.map_or(measure.to_owned(), |level| format!("{measure}, {level}"));
            let mut row = vec![name, tally[0][1].to_string()];
            row.extend(tally.map(share));
            row.push(percent(low_side as f64 / tally[0][1].max(1) as f64));
            rows.push(row);
        }
    }
    let corpora: usize = by_world.iter().map(|(_, parts)| parts.len()).sum();
    let title =
        format!("Coverage of 95 % intervals: {corpora} corpora of {} worlds", by_world.len());
    let about = "group-1 has 60 % of the text, group-2 30 %, group-3 10 %.";
    let head = [
        "interval of",
        "intervals",
        "basic holds the large corpus",
        "percentile does",
        "basic holds the mean of corpora of this size",
        "percentile does",
        "basic lies below the large corpus",
    ];
    section(&title, about, &head, &rows)
}

/// A world, and the fit to all of its text.
struct Whole {
    lines: Vec<String>,
    fitted: Fitted,
    _home: tempfile::TempDir,
}

impl Whole {
    fn new(lab: &Lab, number: u64, parts: usize) -> Result<Self, String> {
        let home = tempfile::tempdir().map_err(|e| e.to_string())?;
        let (words, each) = if lab.quick { ("150", 60_000) } else { ("500", 300_000) };
        let tokens = (each * parts).to_string();
        let size = [("words", words), ("tokens", tokens.as_str()), ("levels", "3"), ("dim", "6")];
        let planted = [("shares", "0.6,0.3,0.1"), ("differing", "20"), ("zeros", "0")];
        let text =
            world(&[&size[..], &planted[..]].concat(), 100 + number, home.path(), &lab.work)?;
        let fitted = Fitted::new(&text, Some("group"), Some(6), home.path(), &lab.work)?;
        Ok(Self { lines: lines(&text)?, fitted, _home: home })
    }
}

/// The intervals of a part.
fn one(
    lab: &Lab,
    whole: &Whole,
    part: usize,
    parts: usize,
    draws: u64,
    home: &Path,
) -> Result<Value, String> {
    let own = home.join("part.jsonl");
    let cut = |part: usize| part * whole.lines.len() / parts;
    write(&own, &whole.lines[cut(part)..cut(part + 1)])?;
    let fitted = Fitted::new(&own, Some("group"), Some(6), home, &lab.work)?;
    let folder = fitted.drawn(draws, &lab.work)?;
    let matched = matched(&fitted.model, &whole.fitted.model);
    let mut values = Values::new();
    for interval in KINDS {
        let parameters = SureParameters { interval, ..SureParameters::default() };
        let resamples = fitted.open(folder.clone(), &parameters)?;
        for (subject, own) in intervals(lab, &fitted.model, &resamples, &matched)? {
            let value = values.entry(subject).or_insert_with(|| vec![own[0]]);
            value.extend(&own[1..]);
        }
    }
    Ok(json!(values))
}

/// For each dimension of a model, that of another which is the same, if any.
fn matched(model: &Model, other: &Model) -> Vec<Option<usize>> {
    let column = |model: &Model, words: &[usize], t: usize| -> Vec<f64> {
        let own: Vec<f64> = words.iter().map(|&word| f64::from(model.vector(word)[t])).collect();
        let middle = mean(&own);
        let length = own.iter().map(|x| (x - middle).powi(2)).sum::<f64>().sqrt();
        own.iter().map(|x| (x - middle) / length).collect()
    };
    let both: Vec<(usize, usize)> = model
        .vocabulary
        .words
        .iter()
        .enumerate()
        .filter_map(|(word, name)| Some((word, other.word(name).ok()?)))
        .collect();
    let (ours, theirs): (Vec<usize>, Vec<usize>) = both.into_iter().unzip();
    (0..model.dim)
        .map(|t| {
            let own = column(model, &ours, t);
            (0..other.dim).find(|&s| {
                let other = column(other, &theirs, s);
                own.iter().zip(&other).map(|(a, b)| a * b).sum::<f64>().abs() >= SAME
            })
        })
        .collect()
}

/// Weights of levels as rows.
fn weights(model: &Model) -> Vec<DimensionWeight> {
    let views = View::of_factor(model, 0);
    let row = |view: &View, t: usize| DimensionWeight {
        dimension: t + 1,
        level: view.name.clone(),
        square: f64::from(model.weight(view.levels[0])[t]).powi(2),
        tokens: 0,
    };
    views.iter().flat_map(|view| (0..model.dim).map(move |t| row(view, t))).collect()
}

/// What a model says: corrected estimate, and both ends of the interval.
fn intervals(
    lab: &Lab,
    model: &Model,
    resamples: &Resamples,
    matched: &[Option<usize>],
) -> Result<Values, String> {
    let support = SupportParameters::default();
    let fail = |e: covec::Error| e.to_string();
    let mut values = Values::new();
    for view in View::of_factor(model, 0) {
        for sure in moves(model, resamples, &view, &lab.work)? {
            for (kind, measure) in MEASURES[..2].iter().enumerate() {
                let name = format!("{measure}/{}/{}", view.name, sure.row.word);
                put(&mut values, name, &sure, kind);
            }
        }
    }
    let views = View::of_factor(model, 0);
    let ask = |model: &_| specificity(model, &views, &[], &support, &lab.work);
    let rows = ask(model).map_err(fail)?.rows;
    for sure in resamples
        .sure(model, rows, |model, rows| Ok(as_in(rows, &ask(model)?.rows)), &lab.work)
        .map_err(fail)?
    {
        for kind in 0..2 {
            put(&mut values, format!("{}/{}", MEASURES[2 + kind], sure.row.word), &sure, kind);
        }
    }
    for sure in resamples.sure(model, weights(model), of_weights, &lab.work).map_err(fail)? {
        if let Some(same) = matched[sure.row.dimension - 1] {
            put(&mut values, format!("{}/{}/{}", MEASURES[4], sure.row.level, same + 1), &sure, 0);
        }
    }
    Ok(values)
}

fn put<R>(values: &mut Values, subject: String, sure: &Sure<R>, measure: usize) {
    if let Some(interval) = sure.bars[measure].interval {
        values.insert(subject, vec![interval.corrected, interval.low, interval.high]);
    }
}
