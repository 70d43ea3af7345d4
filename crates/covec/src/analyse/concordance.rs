//! Lines of the corpus in which a word occurs, as they are written there: the evidence behind numbers.
//!
//! A model does not hold its corpus, so the corpus is given again; it is read by the rules the model
//! says it was counted by (fields, covariates, words). A line answers a request if its document has
//! all levels of the view and the word occurs there, together with the near word, where one is asked
//! for, within the window that was counted with.
//!
//! Which lines are shown of many: every line draws a lot from its place in the corpus, the `n` lowest
//! are kept and shown in the order of the corpus. So each line has the same chance, they are spread as
//! the word is, and the choice depends on neither threads nor what else is asked.
//!
//! Cost: one pass over the corpus, however many requests there are; memory for the lines alone.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::PathBuf;

use serde::Serialize;

use super::View;
use super::context::around;
use super::reread::{Levels, rules};
use crate::corpus::tokens::Tokenizer;
use crate::corpus::{Batch, Document, Feeder, Plan, Tally, each_batch, expand};
use crate::error::{Error, IoContext};
use crate::lots::{Lots, PairLots};
use crate::model::Model;
use crate::tensor::{CountParameters, Gaps};
use crate::work::Work;

/// Lines that are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// In which documents.
    pub view: View,
    /// The word, by its id.
    pub word: usize,
    /// A word that must stand near it.
    pub near: Option<usize>,
}

/// A line in which a word occurs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The word that was asked for.
    pub word: String,
    /// The word near it, if one was asked for.
    pub near: Option<String>,
    /// The view that was asked for.
    pub view: String,
    /// What stands before it.
    pub left: String,
    /// The word as it is written there.
    pub written: String,
    /// What stands after it.
    pub right: String,
    /// The document: its id, or its place in the corpus.
    pub document: String,
    /// The document's levels.
    pub level: String,
}

/// What was found for a request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evidence {
    /// Some of the lines, in the order of the corpus.
    pub lines: Vec<Line>,
    /// How many there are.
    pub found: u64,
}

/// Reads the corpus once and finds at most `n` lines for every request, with `width` characters to
/// either side.
pub fn evidence(
    model: &Model,
    corpus: &[PathBuf],
    requests: &[Request],
    n: usize,
    width: usize,
    work: &Work<'_>,
) -> Result<Vec<Evidence>, Error> {
    let rules = rules(model)?;
    let plan = Plan::new(&rules.corpus)?;
    let sources = expand(corpus, rules.corpus.input_format, &mut |note| work.observer.note(&note))?;
    let here = std::env::temp_dir();
    let scratch = tempfile::tempdir_in(&here).at("make a temporary folder in", &here)?;
    let search = Search::new(model, rules, &plan, requests, n, width);
    let mut desks: Vec<Desk<'_>> = (0..work.threads.get()).map(|_| search.desk()).collect();
    let feeder = Feeder::new(&plan, &sources, scratch.path());
    each_batch(feeder, &mut desks, "looking for lines", work, |desk, batch| {
        search.batch(batch, desk)
    })?;
    let mut all: Vec<Kept> = requests.iter().map(|_| Kept::default()).collect();
    for desk in desks {
        for (sum, kept) in all.iter_mut().zip(desk.kept) {
            sum.found += kept.found;
            sum.lines.extend(kept.lines);
        }
    }
    Ok(all.into_iter().map(|kept| kept.evidence(n)).collect())
}

/// A line's place: batch, document in it, word in the document.
type Spot = (u64, u32, u32);

/// The lines with the lowest lots so far.
#[derive(Debug, Default)]
struct Kept {
    lines: BTreeMap<(u64, Spot), Line>,
    found: u64,
}

impl Kept {
    /// Counts a line, and keeps it if its lot is low enough.
    fn offer(&mut self, spot: Spot, n: usize, line: impl FnOnce() -> Line) {
        self.found += 1;
        let lot = PairLots::new(spot.0 << 32 | u64::from(spot.1), spot.2, u32::MAX).bits();
        let full = self.lines.len() >= n;
        if full && self.lines.last_key_value().is_none_or(|(last, _)| *last < (lot, spot)) {
            return;
        }
        self.lines.insert((lot, spot), line());
        if full {
            self.lines.pop_last();
        }
    }

    fn evidence(self, n: usize) -> Evidence {
        let lowest = self.lines.into_iter().take(n);
        let mut lines: Vec<(Spot, Line)> = lowest.map(|((_, spot), line)| (spot, line)).collect();
        lines.sort_unstable_by_key(|(spot, _)| *spot);
        let lines = lines.into_iter().map(|(_, line)| line).collect();
        Evidence { lines, found: self.found }
    }
}

/// A word's place in a document: which word, and where it is written.
type Hit = (u32, Range<usize>);

/// What the threads share.
struct Search<'a> {
    model: &'a Model,
    plan: &'a Plan,
    requests: &'a [Request],
    /// For every request, the slots of its words.
    slots: Vec<(usize, Option<usize>)>,
    /// The slot of a word that is looked for; none for others that have a place.
    words: HashMap<&'a [u8], Option<usize>>,
    looked_for: usize,
    /// Whether words outside the vocabulary take no place.
    close: bool,
    window: u32,
    n: usize,
    width: usize,
}

/// What a thread has of its own.
struct Desk<'a> {
    tokenizer: Tokenizer,
    tally: Tally,
    kept: Vec<Kept>,
    /// By slot.
    hits: Vec<Vec<Hit>>,
    levels: Levels<'a>,
}

impl<'a> Search<'a> {
    fn new(
        model: &'a Model,
        rules: &CountParameters,
        plan: &'a Plan,
        requests: &'a [Request],
        n: usize,
        width: usize,
    ) -> Self {
        let close = rules.window.gaps == Gaps::Close;
        let all: &[String] = if close { &model.vocabulary.words } else { &[] };
        let mut words: HashMap<&[u8], Option<usize>> =
            all.iter().map(|word| (word.as_bytes(), None)).collect();
        let mut looked_for = 0;
        let mut slot = |word: usize| {
            let slot = words.entry(model.vocabulary.words[word].as_bytes()).or_default();
            *slot.get_or_insert_with(|| {
                looked_for += 1;
                looked_for - 1
            })
        };
        let slots = requests.iter().map(|r| (slot(r.word), r.near.map(&mut slot))).collect();
        let window = rules.window.window;
        Self { model, plan, requests, slots, words, looked_for, close, window, n, width }
    }

    fn desk(&self) -> Desk<'a> {
        Desk {
            tokenizer: Tokenizer::new(&self.plan.parameters),
            tally: Tally::default(),
            kept: self.requests.iter().map(|_| Kept::default()).collect(),
            hits: vec![Vec::new(); self.looked_for],
            levels: Levels::new(self.model, self.plan),
        }
    }

    /// Looks for lines in a batch; returns its words.
    fn batch(&self, batch: &Batch<'_>, desk: &mut Desk<'a>) -> Result<u64, Error> {
        let (mut number, mut words) = (0, 0);
        let mut tally = std::mem::take(&mut desk.tally);
        let read = batch.each(self.plan, &mut tally, |document| {
            words += self.document(&document, (batch.sequence, number), desk)?;
            number += 1;
            Ok(())
        });
        desk.tally = tally;
        read.map(|_| words)
    }

    /// Looks for lines in a document; returns its words.
    fn document(
        &self,
        document: &Document<'_>,
        (batch, number): (u64, u32),
        desk: &mut Desk<'a>,
    ) -> Result<u64, Error> {
        let own = desk.levels.of(self.plan, document)?;
        let holds = |request: &Request| request.view.levels.iter().all(|l| own.contains(&Some(*l)));
        if !self.requests.iter().any(holds) {
            return Ok(0);
        }
        desk.hits.iter_mut().for_each(Vec::clear);
        let mut place = 0;
        let (hits, kept) = (&mut desk.hits, &mut desk.kept);
        desk.tokenizer.each_at(&document.text, |word, written| {
            let found = self.words.get(word);
            if let Some(Some(slot)) = found {
                hits[*slot].push((place, written));
            }
            place += u32::from(!self.close || found.is_some());
        });
        let asked = self.requests.iter().zip(&self.slots).zip(kept);
        for ((request, &(word, near)), kept) in asked.filter(|((request, _), _)| holds(request)) {
            for (at, written) in &hits[word] {
                let also = match near {
                    None => None,
                    Some(near) => match nearest(&hits[near], *at, self.window) {
                        Some(also) => Some(also),
                        None => continue,
                    },
                };
                kept.offer((batch, number, *at), self.n, || {
                    self.line(request, document, written.clone(), also)
                });
            }
        }
        Ok(u64::from(place))
    }

    fn line(
        &self,
        request: &Request,
        document: &Document<'_>,
        written: Range<usize>,
        also: Option<Range<usize>>,
    ) -> Line {
        let word = |id: usize| self.model.vocabulary.words[id].clone();
        let [left, written, right] = around(&document.text, written, also, self.width);
        let id = document.id.as_deref().map(str::to_owned);
        Line {
            word: word(request.word),
            near: request.near.map(word),
            view: request.view.name.clone(),
            left,
            written,
            right,
            document: id.unwrap_or_else(|| document.spot.place().to_string()),
            level: self.level_name(document),
        }
    }

    /// `party=R,year=1980s`; what cannot be read was refused before.
    fn level_name(&self, document: &Document<'_>) -> String {
        let name = |(f, factor): (usize, &crate::corpus::FactorPlan)| {
            let level = document.level(self.plan, f).map_or_else(|_| String::new(), |key| key.name);
            format!("{}={level}", factor.name)
        };
        self.plan.factors.iter().enumerate().map(name).collect::<Vec<_>>().join(",")
    }
}

/// Where the nearest of some words stands that is within the window of a place, and not at it.
fn nearest(hits: &[Hit], place: u32, window: u32) -> Option<Range<usize>> {
    let start = hits.partition_point(|(at, _)| at + window < place);
    let within = hits[start..].iter().take_while(|(at, _)| *at <= place + window);
    let others = within.filter(|(at, _)| *at != place);
    others.min_by_key(|(at, _)| at.abs_diff(place)).map(|(_, written)| written.clone())
}
