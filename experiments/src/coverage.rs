//! Do 95 % intervals hold the truth 95 times in a hundred?
//!
//! The text of a world, or real text, is cut into parts, which are independent corpora of one kind. What an interval should hold is
//! what the same fit says of all parts together, a corpus many times as large. A fit also draws small corpora more strongly
//! towards no difference than large ones, and no resampling of a small corpus shows that; so intervals are held to the mean over the
//! parts too: what the fit says of corpora of this size.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

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
use crate::lots::Lots;
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

/// Where independent corpora of one kind come from.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Source {
    /// The world of this number.
    World(u64),
    /// Real text with its own labels, from the file of that name beside the one that all studies stand on.
    Real { kind: &'static str, file: &'static str, by: &'static str },
}

const REAL: [Source; 2] = [
    Source::Real { kind: "tweets", file: "congress6_small.jsonl", by: "congress" },
    Source::Real { kind: "posts", file: "reddit_politics7.jsonl", by: "community" },
];

impl Source {
    fn name(self) -> String {
        match self {
            Self::World(number) => format!("world {number}"),
            Self::Real { kind, .. } => kind.to_owned(),
        }
    }

    /// Covariate and dimensions.
    fn fit(self) -> (&'static str, u32) {
        match self {
            Self::World(_) => ("group", 6),
            Self::Real { by, .. } => (by, 50),
        }
    }

    fn parts(self, quick: bool) -> usize {
        match self {
            Self::World(_) if quick => 6,
            Self::World(_) => 20,
            Self::Real { .. } => 10,
        }
    }

    /// Where real text lies, if there is any.
    fn path(self, lab: &Lab) -> Option<PathBuf> {
        match self {
            Self::World(_) => None,
            Self::Real { file, .. } => Some(lab.real.as_ref()?.with_file_name(file)),
        }
    }

    /// All of the text: so many corpora of about 300,000 words (60,000 if it should be quick).
    fn lines(self, lab: &Lab, parts: usize, home: &Path) -> Result<Vec<String>, String> {
        let number = match self {
            Self::World(number) => number,
            Self::Real { .. } => {
                let mut lines = lines(&self.path(lab).ok_or("no real text")?)?;
                Lots::new(100).shuffle(&mut lines);
                return Ok(lines);
            }
        };
        let (words, each) = if lab.quick { ("150", 60_000) } else { ("500", 300_000) };
        let tokens = (each * parts).to_string();
        let size = [("words", words), ("tokens", tokens.as_str()), ("levels", "3"), ("dim", "6")];
        let planted = [("shares", "0.6,0.3,0.1"), ("differing", "20"), ("zeros", "0")];
        lines(&world(&[&size[..], &planted[..]].concat(), 100 + number, home, &lab.work)?)
    }
}

/// What the whole of a source told, and each of its parts.
type Told = (Value, Vec<Value>);

pub fn study(lab: &mut Lab) -> Result<String, String> {
    let worlds = if lab.quick { 1 } else { 4 };
    let worlds: Vec<Source> = (0..worlds).map(Source::World).collect();
    let about = "group-1 has 60 % of the text, group-2 30 %, group-3 10 %.";
    let mut text = table("worlds", about, &asked(lab, &worlds)?);
    if !lab.quick {
        for source in REAL {
            if !source.path(lab).is_some_and(|path| path.is_file()) {
                continue;
            }
            let (by, _) = source.fit();
            let about = format!(
                "By {by}, of which every corpus has a tenth of the text; dimensions are not the same in two fits, so weights cannot be compared."
            );
            text += &table(&source.name(), &about, &asked(lab, &[source])?);
        }
    }
    Ok(text)
}

/// What the parts of some sources told.
fn asked(lab: &mut Lab, sources: &[Source]) -> Result<Vec<Told>, String> {
    let mut told = Vec::new();
    for &source in sources {
        let (parts, draws) = (source.parts(lab.quick), if lab.quick { 39 } else { 99 });
        let names: Vec<String> =
            (0..=parts).map(|part| format!("{} part {part}", source.name())).collect();
        // Made when a part needs it, and once.
        let whole = OnceCell::new();
        let results = lab.each("coverage", &names, |lab, part, home| {
            if whole.get().is_none() {
                let _ = whole.set(Whole::new(lab, source, parts)?);
            }
            let whole = whole.get().ok_or("nothing to take parts of")?;
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
            told.push((whole, results.map(|(_, value)| value).collect()));
        }
    }
    Ok(told)
}

fn table(kind: &str, about: &str, sources: &[Told]) -> String {
    let mut rows = Vec::new();
    let subjects =
        sources.iter().filter_map(|(whole, _)| whole.as_object()).flat_map(|own| own.keys());
    let level = |subject: &String| Some(subject.split('/').nth(1)?.split_once('=')?.1.to_owned());
    let levels: BTreeSet<String> = subjects.filter_map(level).collect();
    for (at, measure) in MEASURES.into_iter().enumerate() {
        let of_levels: Vec<Option<&str>> = match at {
            2 | 3 => vec![None],
            _ => std::iter::once(None).chain(levels.iter().map(|level| Some(&**level))).collect(),
        };
        for level in of_levels {
            let mut tally = [[0_usize; 2]; 4];
            let mut low_side = 0;
            for (whole, parts) in sources {
                let mut means: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
                let mine = |subject: &str| {
                    subject.starts_with(&format!("{measure}/"))
                        && level.is_none_or(|level| subject.contains(&format!("={level}/")))
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
            if tally[0][1] == 0 {
                continue;
            }
            let share = |[held, all]: [usize; 2]| percent(held as f64 / all as f64);
            let name = level.map_or(measure.to_owned(), |level| format!("{measure}, {level}"));
            let mut row = vec![name, tally[0][1].to_string()];
            row.extend(tally.map(share));
            row.push(percent(low_side as f64 / tally[0][1] as f64));
            rows.push(row);
        }
    }
    let corpora: usize = sources.iter().map(|(_, parts)| parts.len()).sum();
    let title = format!("Coverage of 95 % intervals: {corpora} corpora of {kind}");
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

/// All of a source's text, and the fit to it.
struct Whole {
    lines: Vec<String>,
    source: Source,
    fitted: Fitted,
    _home: tempfile::TempDir,
}

impl Whole {
    fn new(lab: &Lab, source: Source, parts: usize) -> Result<Self, String> {
        let home = tempfile::tempdir().map_err(|e| e.to_string())?;
        let lines = source.lines(lab, parts, home.path())?;
        let all = home.path().join("all.jsonl");
        write(&all, &lines)?;
        let fitted = fit(source, &all, home.path(), lab)?;
        Ok(Self { lines, source, fitted, _home: home })
    }
}

fn fit(source: Source, corpus: &Path, home: &Path, lab: &Lab) -> Result<Fitted, String> {
    let (by, dim) = source.fit();
    Fitted::new(corpus, Some(by), Some(dim), home, &lab.work)
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
    let fitted = fit(whole.source, &own, home, lab)?;
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
