//! Rows with error bars: an analysis, asked of every replicate.

use std::collections::HashMap;
use std::path::PathBuf;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::interval::{Interval, Scale, SureParameters};
use super::lift::Lift;
use super::significance::{one_sided, p_values, q_values, two_sided};
use super::widening::{Ratio, Widening, widenings};
use super::{Replicate, Replicates, ResampleError};
use crate::analyse::{View, factor_named, levels_of};
use crate::error::Error;
use crate::model::Model;
use crate::work::{Progress, Work};

/// A number of a row that has error bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measure {
    /// Its name.
    pub name: &'static str,
    /// What kind of number it is.
    pub scale: Scale,
    /// Whether it comes of the levels' weights alone, and so of the axes they are weights of.
    pub by_weights: bool,
}

/// What of a row has error bars.
pub trait Measured {
    /// The measures.
    const MEASURES: &'static [Measure];
    /// What the row is about: by this it is found in the answer of a replicate.
    fn subject(&self) -> String;
    /// The names of the views it is about; of none, it is about all that were asked about.
    fn views(&self) -> Vec<&str>;
    /// Their values; none where one cannot be told.
    fn measures(&self) -> Vec<Option<f64>>;
}

/// The measures of `rows` as another answer has them, row after row; not a number where it has none.
pub fn as_in<R: Measured>(rows: &[R], other: &[R]) -> Vec<f64> {
    let places: HashMap<String, &R> = other.iter().map(|row| (row.subject(), row)).collect();
    let none = || vec![None; R::MEASURES.len()];
    let of = |row: &R| places.get(&row.subject()).map_or_else(none, |row| row.measures());
    rows.iter().flat_map(of).map(|value| value.unwrap_or(f64::NAN)).collect()
}

/// How sure a measure is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// The measure.
    pub name: &'static str,
    /// What kind of number it is.
    pub scale: Scale,
    /// Its interval, where documents were drawn again.
    pub interval: Option<Interval>,
    /// Where labels were shuffled: how often chance does as much.
    pub p: Option<f64>,
    /// The same over everything that was tested.
    pub q: Option<f64>,
}

/// A row with error bars.
#[derive(Debug, Clone, PartialEq)]
pub struct Sure<R> {
    /// The row.
    pub row: R,
    /// A bar for each of its measures.
    pub bars: Vec<Bar>,
    /// Which columns there are.
    columns: Columns,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Columns {
    intervals: bool,
    significance: bool,
}

impl<R> Sure<R> {
    /// Whether a measure that chance makes larger cannot be told from 0.
    pub fn may_be_nothing(&self, measure: &str) -> Option<bool> {
        let bar = self.bars.iter().find(|bar| bar.name == measure)?;
        bar.interval.map(|interval| interval.low <= 0.0)
    }
}

/// The same rows with q over all that were `tested`, of which these were picked.
pub fn picked_from<R>(mut rows: Vec<Sure<R>>, tested: usize) -> Vec<Sure<R>> {
    test_together(rows.iter_mut(), tested);
    rows
}

/// Gives each measure of rows q over all that were `tested`, of which these rows were picked; over the rows if they are more.
pub(super) fn test_together<'r, R: 'r>(rows: impl Iterator<Item = &'r mut Sure<R>>, tested: usize) {
    let mut all: Vec<&mut Vec<Bar>> = rows.map(|row| &mut row.bars).collect();
    for kind in 0..all.first().map_or(0, |bars| bars.len()) {
        let p: Vec<Option<f64>> = all.iter().map(|bars| bars[kind].p).collect();
        for (bars, q) in all.iter_mut().zip(q_values(&p, tested)) {
            bars[kind].q = q;
        }
    }
}

/// The rows without their error bars.
pub fn plain<R: Clone>(rows: &[Sure<R>]) -> Vec<R> {
    rows.iter().map(|sure| sure.row.clone()).collect()
}

/// How sure the measures of rows are, for those who draw the rows.
pub fn bars<R>(rows: &[Sure<R>]) -> Vec<Vec<Bar>> {
    rows.iter().map(|sure| sure.bars.clone()).collect()
}

impl<R: Serialize> Serialize for Sure<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let fields = serde_json::to_value(&self.row).map_err(serde::ser::Error::custom)?;
        for (name, value) in fields.as_object().into_iter().flatten() {
            map.serialize_entry(name, value)?;
        }
        for bar in &self.bars {
            if self.columns.intervals {
                let interval = bar.interval;
                if bar.scale.grows_by_chance() {
                    let corrected = interval.map(|interval| interval.corrected);
                    map.serialize_entry(&format!("{}_corrected", bar.name), &corrected)?;
                }
                map.serialize_entry(&format!("{}_low", bar.name), &interval.map(|i| i.low))?;
                map.serialize_entry(&format!("{}_high", bar.name), &interval.map(|i| i.high))?;
            }
            if self.columns.significance {
                map.serialize_entry(&format!("{}_p", bar.name), &bar.p)?;
                map.serialize_entry(&format!("{}_q", bar.name), &bar.q)?;
            }
        }
        map.end()
    }
}

/// Folders of replicates that answers are checked against.
#[derive(Debug, Clone)]
pub struct Resamples {
    /// Documents drawn again.
    pub drawn: Option<Replicates>,
    /// Labels shuffled.
    pub shuffled: Option<Replicates>,
    parameters: SureParameters,
}

impl Resamples {
    /// What intervals and p are, of these replicates; a sentence for each kind of folder.
    pub fn meaning(&self) -> Vec<String> {
        let drawn = self.drawn.iter().map(|drawn| {
            let afresh = match drawn.afresh.len() {
                ..Widening::LEAST => String::new(),
                fits => format!(", wider by what {fits} fits from the start add"),
            };
            format!(
                "[low, high]: where {} % of {} draws of the documents put it{afresh}; distances are corrected for what chance adds to them \
                 (docs/STATISTICS.md)",
                (self.parameters.confidence * 1000.0).round() / 10.0,
                drawn.numbers.len()
            )
        });
        let shuffled = self.shuffled.iter().map(|shuffled| {
            let afresh = match shuffled.afresh.len() {
                ..Widening::LEAST => String::new(),
                fits => format!("; p of topical parts by what {fits} fits from the start find"),
            };
            format!(
                "p: how often chance does as much, from {} shuffles of {}{afresh}; q: the same over all that the rows were picked from (of \
                 those with q ≤ 0.1 about a tenth is there by chance)",
                shuffled.numbers.len(),
                shuffled.plan.factor.as_deref().unwrap_or("the labels")
            )
        });
        drawn.chain(shuffled).collect()
    }

    /// What not to trust in them: too few replicates were also fitted from the start.
    pub fn cautions(&self) -> Vec<String> {
        let all = self.drawn.iter().chain(&self.shuffled);
        all.filter_map(Replicates::caution).map(str::to_owned).collect()
    }

    /// Opens folders of either kind, at most one of each.
    pub fn open(
        paths: &[PathBuf],
        model: &Model,
        parameters: &SureParameters,
    ) -> Result<Self, Error> {
        parameters.check()?;
        let mut this = Self { drawn: None, shuffled: None, parameters: parameters.clone() };
        for path in paths {
            let replicates = Replicates::open(path, model)?;
            let least = parameters.least();
            if !replicates.is_permutation() && replicates.numbers.len() < least {
                return Err(ResampleError::TooFewReplicates {
                    path: path.clone(),
                    got: replicates.numbers.len(),
                    least,
                    percent: (parameters.confidence * 1000.0).round() / 10.0,
                }
                .into());
            }
            let place =
                if replicates.is_permutation() { &mut this.shuffled } else { &mut this.drawn };
            if let Some(other) = place.replace(replicates) {
                return Err(ResampleError::Question {
                    problem: format!(
                        "{} and {} are both of covec {}",
                        other.path.display(),
                        path.display(),
                        other.plan.stage
                    ),
                    expected: "at most one folder of each kind".to_owned(),
                    way_out: "covec merge, to make one of them".to_owned(),
                }
                .into());
            }
        }
        Ok(this)
    }

    /// An answer with error bars. `rows` are the model's, all that are tested; `ask` says what their measures
    /// are in another model, as [`as_in`] does.
    pub fn sure<R: Measured>(
        &self,
        model: &Model,
        rows: Vec<R>,
        ask: impl Fn(&Model, &[R]) -> Result<Vec<f64>, Error>,
        work: &Work<'_>,
    ) -> Result<Vec<Sure<R>>, Error> {
        let kinds = R::MEASURES.len();
        let look_up = |replicate: &Replicate| ask(&replicate.model, &rows);
        let drawn = asked(self.drawn.as_ref(), model, work, &look_up)?;
        let widening = match (&drawn, &self.drawn) {
            (Some((_, table)), Some(replicates)) => {
                let afresh = afresh(replicates, model, work, &look_up)?;
                self.widening::<R>(rows.len(), &afresh, table)
            }
            _ => Vec::new(),
        };
        // Shuffles that tell of no row are not asked.
        let tells = self.told_by_shuffles(model, &rows)?;
        let telling = self.shuffled.as_ref().filter(|_| rows.is_empty() || tells.contains(&true));
        if let (Some(shuffled), None) = (&self.shuffled, telling) {
            let factor = shuffled.plan.factor.as_deref().unwrap_or("the labels");
            work.observer.note(&no_significance(shuffled, factor));
        }
        let shuffled = asked(telling, model, work, &look_up)?;
        let chance = match (&shuffled, telling) {
            (Some((reference, table)), Some(replicates)) => {
                // Fits from the start tell only of what comes of weights.
                let afresh = match R::MEASURES.iter().any(|measure| measure.by_weights) {
                    true => afresh(replicates, model, work, &look_up)?,
                    false => Vec::new(),
                };
                let refits = replicates.refits_of_afresh().into_iter().map(|at| &table[at][..]);
                let pairs: Vec<_> = afresh.iter().map(Vec::as_slice).zip(refits).collect();
                let lift = |(kind, measure): (usize, &Measure)| {
                    let places: Vec<usize> =
                        (0..rows.len()).map(|row| row * kinds + kind).collect();
                    measure.by_weights.then(|| Lift::of(measure.scale, &places, &pairs)).flatten()
                };
                let lifts = R::MEASURES.iter().enumerate().map(lift).collect();
                Some(Chance { reference, refits: table, lifts })
            }
            _ => None,
        };
        let columns = Columns { intervals: drawn.is_some(), significance: shuffled.is_some() };
        let mut bars: Vec<Vec<Bar>> = Vec::with_capacity(rows.len());
        for (place, row) in rows.iter().enumerate() {
            let own = R::MEASURES.iter().zip(row.measures()).enumerate();
            let bar = |(kind, (measure, value)): (usize, (&Measure, Option<f64>))| {
                let Measure { name, scale, .. } = *measure;
                let at = place * kinds + kind;
                let interval = drawn.as_ref().zip(value).and_then(|((reference, table), value)| {
                    let (own, widening) = (of(table, at), widening[at]);
                    self.parameters.interval(*measure, value, reference[at], &own, widening)
                });
                let chance = chance.as_ref().filter(|_| tells[place]).zip(value);
                let p = chance.and_then(|(chance, value)| chance.p(at, kind, scale, value));
                Bar { name, scale, interval, p, q: None }
            };
            bars.push(own.map(bar).collect());
        }
        let pairs = rows.into_iter().zip(bars);
        Ok(picked_from(pairs.map(|(row, bars)| Sure { row, bars, columns }).collect(), 0))
    }

    /// Of each row, whether shuffled labels tell anything of it: it is about a level of the factor that they were of. The base is
    /// what it is however they lie.
    fn told_by_shuffles<R: Measured>(&self, model: &Model, rows: &[R]) -> Result<Vec<bool>, Error> {
        let Some(shuffled) = &self.shuffled else { return Ok(vec![false; rows.len()]) };
        let factor = factor_named(model, shuffled.plan.factor.as_deref())?;
        let own = levels_of(model, factor);
        let mut known: HashMap<String, bool> = HashMap::new();
        let mut is_told = |name: &str| -> Result<bool, Error> {
            if let Some(&told) = known.get(name) {
                return Ok(told);
            }
            let told = View::named(model, name)?.levels.iter().any(|level| own.contains(level));
            known.insert(name.to_owned(), told);
            Ok(told)
        };
        let mut told = Vec::with_capacity(rows.len());
        for row in rows {
            let views = row.views();
            let mut any = views.is_empty();
            for view in views {
                any |= is_told(view)?;
            }
            told.push(any);
        }
        Ok(told)
    }

    /// The same for a question about all of these views: without shuffles where they are of another factor.
    pub fn about(mut self, model: &Model, views: &[View], work: &Work<'_>) -> Result<Self, Error> {
        if let Some(shuffled) = &self.shuffled {
            let factor = factor_named(model, shuffled.plan.factor.as_deref())?;
            let own = levels_of(model, factor);
            let asked = |view: &View| view.levels.iter().any(|level| own.contains(level));
            if !views.iter().any(asked) {
                let name = &model.covariates.factors[factor].name;
                work.observer.note(&no_significance(shuffled, name));
                self.shuffled = None;
            }
        }
        Ok(self)
    }

    /// How many times as wide as refits say the interval of each measure of each row is.
    fn widening<R: Measured>(
        &self,
        rows: usize,
        afresh: &[Vec<f64>],
        refits: &[Vec<f64>],
    ) -> Vec<Widening> {
        let kinds = R::MEASURES.len();
        let mut all = vec![Widening::NONE; rows * kinds];
        for (kind, &Measure { scale, .. }) in R::MEASURES.iter().enumerate() {
            let at = |row: usize| row * kinds + kind;
            let of_form = |form: &dyn Fn(f64) -> f64| {
                let own = |table: &[Vec<f64>], row: usize| -> Vec<f64> {
                    of(table, at(row)).into_iter().map(form).collect()
                };
                let ratio = |row: usize| Ratio::new(&own(afresh, row), &own(refits, row));
                let ratios: Vec<Option<Ratio>> = (0..rows).map(ratio).collect();
                widenings(&ratios, self.parameters.confidence)
            };
            for (row, powers) in of_form(&|x| scale.power(x)).into_iter().enumerate() {
                all[at(row)].powers = powers;
            }
            if scale.grows_by_chance() {
                for (row, roots) in of_form(&|x| scale.root(x)).into_iter().enumerate() {
                    all[at(row)].roots = roots;
                }
            }
        }
        all
    }

    /// In what share of the draws each of some things is among those that `ask` finds.
    pub fn shares(
        &self,
        model: &Model,
        things: &[String],
        ask: impl Fn(&Replicate) -> Result<Vec<String>, Error>,
        work: &Work<'_>,
    ) -> Result<Option<Vec<f64>>, Error> {
        let Some(drawn) = &self.drawn else { return Ok(None) };
        let mut counts = vec![0_usize; things.len()];
        for place in 0..drawn.numbers.len() {
            work.proceed()?;
            let found = ask(&drawn.replicate(model, place)?)?;
            for (count, thing) in counts.iter_mut().zip(things) {
                *count += usize::from(found.contains(thing));
            }
        }
        let all = drawn.numbers.len() as f64;
        Ok(Some(counts.into_iter().map(|count| count as f64 / all).collect()))
    }

    /// Whether words' company shifted in levels, as shuffled labels tell.
    pub fn shifted(&self, model: &Model, levels: &[usize]) -> Result<Option<Vec<Shifted>>, Error> {
        let Some(shuffled) = &self.shuffled else { return Ok(None) };
        let words = model.vocabulary.len();
        let factor = factor_named(model, shuffled.plan.factor.as_deref())?;
        if let Some(&other) = levels.iter().find(|level| !levels_of(model, factor).contains(level))
        {
            let name = &model.covariates.factors[factor].name;
            let asked = &model.covariates.level_names()[other];
            return Err(ResampleError::Question {
                problem: format!("{} says nothing of {asked}", shuffled.path.display()),
                expected: format!("a level of {name}, whose labels were shuffled"),
                way_out: "covec permute with --factor".to_owned(),
            }
            .into());
        }
        let Some(found) = shuffled.reference(model)?.shifts else { return Ok(None) };
        let null: Vec<_> = (0..shuffled.numbers.len())
            .map(|place| Ok(shuffled.replicate(model, place)?.shifts))
            .collect::<Result<_, Error>>()?;
        let null: Vec<_> = null.into_iter().flatten().collect();
        let mut rows = Vec::new();
        for &level in levels {
            let range = level * words..(level + 1) * words;
            let shuffles: Vec<&[f32]> =
                null.iter().map(|shifts| &shifts.scores[range.clone()]).collect();
            let scores = &found.scores[range.clone()];
            let counts = model.vocabulary.level_counts.get(level);
            let p = p_values(scores, &shuffles, counts.unwrap_or(&model.vocabulary.counts));
            for (word, p) in p.into_iter().enumerate() {
                let Some(p) = p else { continue };
                let at = range.start + word;
                let by_chance = mean(null.iter().map(|shifts| f64::from(shifts.squares[at])));
                let square = f64::from(found.squares[at]) - by_chance.unwrap_or(0.0);
                let (shift, score) = (square.max(0.0).sqrt(), f64::from(scores[word]));
                rows.push(Shifted { level, word, shift, score, p, q: 1.0 });
            }
        }
        let p: Vec<Option<f64>> = rows.iter().map(|row| Some(row.p)).collect();
        for (row, q) in rows.iter_mut().zip(q_values(&p, 0)) {
            row.q = q.unwrap_or(1.0);
        }
        Ok(Some(rows))
    }
}

/// Why there are no p and q where shuffles were given.
fn no_significance(shuffled: &Replicates, factor: &str) -> String {
    format!(
        "{}: the labels of {factor} were shuffled, which tells nothing of what these rows are about: no p, no q",
        shuffled.path.display()
    )
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) =
        numbers.filter(|x| !x.is_nan()).fold((0.0, 0.0), |(sum, count), x| (sum + x, count + 1.0));
    (count > 0.0).then(|| sum / count)
}

/// What the reference and the replicates of a folder answer.
type Asked = Option<(Vec<f64>, Vec<Vec<f64>>)>;

fn asked(
    replicates: Option<&Replicates>,
    model: &Model,
    work: &Work<'_>,
    ask: &dyn Fn(&Replicate) -> Result<Vec<f64>, Error>,
) -> Result<Asked, Error> {
    let Some(replicates) = replicates else { return Ok(None) };
    let reference = ask(&replicates.reference(model)?)?;
    let mut table = Vec::with_capacity(replicates.numbers.len());
    for place in 0..replicates.numbers.len() {
        work.proceed()?;
        let share = Some(place as f64 / replicates.numbers.len() as f64);
        work.observer.progress(Progress { stage: "asking replicates", share, words: 0 });
        table.push(ask(&replicates.replicate(model, place)?)?);
    }
    Ok(Some((reference, table)))
}

/// What the fits from the start answer.
fn afresh(
    replicates: &Replicates,
    model: &Model,
    work: &Work<'_>,
    ask: &dyn Fn(&Replicate) -> Result<Vec<f64>, Error>,
) -> Result<Vec<Vec<f64>>, Error> {
    let one = |place| {
        work.proceed()?;
        ask(&replicates.afresh(model, place)?)
    };
    (0..replicates.afresh.len()).map(one).collect()
}

/// What shuffled labels say of the measures of rows.
struct Chance<'a> {
    /// The corpus as it is, refitted like every shuffle.
    reference: &'a [f64],
    refits: &'a [Vec<f64>],
    /// Of each measure: where fits from the start, as the model is one, find more by chance.
    lifts: Vec<Option<Lift>>,
}

impl Chance<'_> {
    /// p of the measure at a place. Like is held to like: refits to the refit of the corpus, fits from the start to the model.
    fn p(&self, at: usize, kind: usize, scale: Scale, value: f64) -> Option<f64> {
        let (refits, reference) = (of(self.refits, at), self.reference[at]);
        match self.lifts[kind] {
            Some(lift) => one_sided(value, &lift.lifted(scale, &refits)),
            None if reference.is_nan() => None,
            None if scale.grows_by_chance() => one_sided(reference, &refits),
            None => two_sided(reference, &refits),
        }
    }
}

/// One measure in all replicates that have it.
fn of(table: &[Vec<f64>], at: usize) -> Vec<f64> {
    table.iter().map(|values| values[at]).filter(|x| !x.is_nan()).collect()
}

/// A word whose company was tested in a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shifted {
    /// The level.
    pub level: usize,
    /// The word.
    pub word: usize,
    /// How far its company is off, without what chance adds.
    pub shift: f64,
    /// What it is ranked by.
    pub score: f64,
    /// How often words of like frequency reach that score by chance.
    pub p: f64,
    /// The same over all words and levels that were tested.
    pub q: f64,
}
