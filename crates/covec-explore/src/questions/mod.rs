//! The questions that can be asked: each a file, with what can be said in it, and its answer from the library.

mod analogy;
mod attribute;
mod drift;
mod enriched;
mod evidence;
mod explain;
mod levels;
mod model;
mod moved;
mod neighborhood;
mod neighbors;
mod similarity;
mod topics;
mod weights;
mod words;

use covec::Work;
use covec::analyse::topics::Wanted;
use covec::analyse::{View, factor_named};
use covec::resample::Resamples;
use serde::Serialize;

use crate::Desk;
use crate::api::parameters::{Asked, FACTOR, Kind, Parameter, SURE};
use crate::api::reply::{Format, Reply};
use crate::fault::Fault;

/// A question.
pub(crate) struct Question {
    /// Its address.
    pub(crate) name: &'static str,
    /// What it asks.
    pub(crate) about: &'static str,
    pub(crate) parameters: &'static [Parameter],
    pub(crate) formats: &'static [Format],
    /// Whether it goes through all words, or the corpus; with replicates every question is long.
    pub(crate) long: bool,
    /// Whether a text is sent with it.
    pub(crate) takes_text: bool,
    pub(crate) answer: Answer,
}

/// All of them.
pub(crate) const ALL: &[Question] = &[
    model::QUESTION,
    words::QUESTION,
    neighbors::QUESTION,
    neighborhood::QUESTION,
    similarity::QUESTION,
    drift::QUESTION,
    explain::QUESTION,
    evidence::QUESTION,
    moved::QUESTION,
    levels::QUESTION,
    topics::QUESTION,
    weights::QUESTION,
    analogy::QUESTION,
    enriched::QUESTION,
    attribute::QUESTION,
];

type Answer = fn(&Desk, &Asked, &Work<'_>) -> Result<Reply, Fault>;

impl Question {
    /// A quick one whose rows can be drawn.
    const fn new(
        name: &'static str,
        about: &'static str,
        parameters: &'static [Parameter],
        answer: Answer,
    ) -> Self {
        let formats = Format::ALL;
        Self { name, about, parameters, formats, long: false, takes_text: false, answer }
    }

    const fn without_picture(self) -> Self {
        Self { formats: Format::ROWS, ..self }
    }

    const fn long(self) -> Self {
        Self { long: true, ..self }
    }

    const fn with_text(self) -> Self {
        Self { takes_text: true, ..self }
    }

    pub(crate) fn is_long(&self, asked: &Asked) -> bool {
        self.long || asked.switch(SURE.name)
    }
}

/// The replicates, where a question is to be asked of them too.
fn resamples<'a>(desk: &'a Desk, asked: &Asked) -> Result<Option<&'a Resamples>, Fault> {
    match (asked.switch(SURE.name), &desk.resamples) {
        (false, _) => Ok(None),
        (true, Some(resamples)) => Ok(Some(resamples)),
        (true, None) => Err(Fault::refused(
            "there are no replicates, so nothing is known of how sure this is\n\
             way out: covec bootstrap, then covec explore with --boot",
        )),
    }
}

/// One dimension.
const DIMENSION: Parameter =
    Parameter { name: "dimension", about: "One dimension alone", kind: Kind::Maybe(1, 1_000_000) };

/// The factor that is asked about, and which dimensions.
fn dimensions(desk: &Desk, asked: &Asked) -> Result<(usize, Wanted<'static>), Fault> {
    let factor = factor_named(&desk.model, asked.given(FACTOR.name))?;
    Ok((factor, asked.maybe(DIMENSION.name).map_or(Wanted::Spread, Wanted::One)))
}

/// The two levels that are compared.
fn compared(desk: &Desk, asked: &Asked) -> Result<(View, View), Fault> {
    let view = |name: &str| View::named(&desk.model, asked.text(name));
    let (from, to) = (view("from")?, view("to")?);
    from.differs_from(&to)?;
    Ok((from, to))
}

/// A view, and whether enough is there to speak of a word.
#[derive(Serialize)]
struct Seen {
    level: String,
    count: u64,
    enough: bool,
}

/// How often a word occurs in each of some views.
fn seen(desk: &Desk, asked: &Asked, word: usize, views: &[View]) -> Vec<Seen> {
    let least = asked.support(desk).min_support.0;
    let seen = |view: &View| {
        let count = view.count(&desk.model, word);
        Seen { level: view.name.clone(), count, enough: count >= least }
    };
    views.iter().map(seen).collect()
}
