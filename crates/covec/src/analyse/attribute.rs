//! Whose is this text?
//!
//! A text is counted by the rules and words of the model, its weights are fitted with the vectors
//! frozen, and it is compared with every level of a factor, or every group of levels: by the
//! closeness of their weights, and by the likelihood of its words (formulas in `candidates.rs`). A
//! model always names somebody, so beside every attribution stands how often the same scores name the
//! right group for the texts that are known: each level in turn is taken out of its group and
//! attributed to what remains. The weights of known levels were found together with the vectors, which
//! a new text's were not, so for closeness this is a bound from above. A level that is alone cannot
//! be left out; without groups there is nothing to measure, and nothing is claimed.
//!
//! On novels the likelihood names authors best, which is why it ranks by default.
//!
//! Cost: one count of the text, a few passes over its pairs, then words × candidates.

use std::path::PathBuf;

use serde::Serialize;

use super::candidates::{Candidates, Sample, Scores};
use super::{Groups, question};
use crate::corpus::{Source, texts};
use crate::error::Error;
use crate::model::{Model, Need};
use crate::parallel;
use crate::parameters::{Whole, choice, parameters};
use crate::train::{Alone, alone};
use crate::work::Work;

choice! {
    /// What candidates are ranked by.
    #[derive(Default)]
    pub enum Score {
        /// How likely the text's words are.
        #[default]
        Likelihood = "likelihood",
        /// How alike the weights are.
        Closeness = "closeness",
        /// Both, standardised.
        Combined = "combined",
    }
}

impl Score {
    const ALL: [Self; 3] = [Self::Likelihood, Self::Closeness, Self::Combined];

    fn of(self, scores: &Scores) -> f64 {
        match self {
            Self::Likelihood => scores.likelihood,
            Self::Closeness => scores.closeness,
            Self::Combined => scores.combined,
        }
    }
}

parameters! {
    /// What is said of a text.
    pub struct AttributeParameters {
        score: Score = Score::Likelihood, "SCORE", "likelihood",
            "likelihood, closeness or combined" if |_: &Score| true,
            "What candidates are ranked by: likelihood of the text's words, closeness of its weights, or both";
        min_words: Whole = Whole(1000), "N", "1000",
            "a whole number" if |_: &Whole| true,
            "Refuse texts with fewer words that the model knows";
    }
}

/// A candidate for a text.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Attribution {
    /// The text.
    pub text: String,
    /// Its words that the model knows.
    pub words: u64,
    /// 1 for the best.
    pub rank: usize,
    /// The level or group.
    pub candidate: String,
    /// Cosine of centred squared weights.
    pub closeness: f64,
    /// Nats a word by which the candidate predicts the text's words better than the average does.
    pub likelihood: f64,
    /// Mean of both, standardised over the candidates.
    pub combined: f64,
    /// Levels of the candidate whose group was named rightly when they were left out; none where
    /// that cannot be told.
    pub known_right: Option<usize>,
    /// Of how many.
    pub known: Option<usize>,
}

/// How often a score names the right group for what is known.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Trust {
    /// The score.
    pub score: Score,
    /// Levels whose group was named rightly when they were left out.
    pub right: usize,
    /// Levels that could be left out.
    pub of: usize,
    /// Whose share would be right if the largest group were always named.
    pub guessing: f64,
}

/// All that is said of some texts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Attributed {
    /// Text after text, best candidate first.
    pub rows: Vec<Attribution>,
    /// A row for every score; none without groups.
    pub trust: Vec<Trust>,
}

/// Ranks the levels of a factor, or groups of them, for every text: every file is a text, plain ones
/// as they are, others with all their documents.
pub fn attribute(
    model: &Model,
    inputs: &[PathBuf],
    factor: Option<&str>,
    groups: Option<&Groups>,
    parameters: &AttributeParameters,
    work: &Work<'_>,
) -> Result<Attributed, Error> {
    model.gives(Need::Training, "attribute")?;
    let factor = factor_of(model, factor, groups)?;
    let candidates = Candidates::new(model, factor, groups);
    if candidates.list.len() < 2 {
        let only = candidates.list.first().map_or("nobody", |candidate| &candidate.name);
        let problem = format!("there is no choice: the only candidate is {only}");
        let expected = "two levels or groups at least";
        return Err(question(problem, expected, "another --factor or --group").into());
    }
    let sources = texts(inputs, &mut |note| work.observer.note(&note))?;
    let known = match groups {
        Some(groups) => left_out(&candidates, groups, work)?,
        None => Vec::new(),
    };
    let mut rows = Vec::new();
    for source in sources {
        work.proceed()?;
        let name = source.name();
        let text = fitted(model, source, parameters.min_words.0, work)?;
        let shape = candidates.shape(text.squares.iter().copied());
        let scores = candidates.scores(&Sample { shape, counts: &text.counts }, None);
        let words = text.counts.iter().sum();
        rows.extend(ranked(&candidates, &scores, parameters.score).into_iter().enumerate().map(
            |(place, (candidate, scores))| {
                let tested = known.iter().filter(|known| known.group == candidate);
                let right = tested.clone().filter(|known| known.named(parameters.score));
                Attribution {
                    text: name.clone(),
                    words,
                    rank: place + 1,
                    candidate: candidates.list[candidate].name.clone(),
                    closeness: scores.closeness,
                    likelihood: scores.likelihood,
                    combined: scores.combined,
                    known_right: groups.map(|_| right.count()),
                    known: groups.map(|_| tested.count()),
                }
            },
        ));
    }
    Ok(Attributed { rows, trust: trust(&candidates, &known) })
}

/// The factor's place.
fn factor_of(model: &Model, name: Option<&str>, groups: Option<&Groups>) -> Result<usize, Error> {
    let names: Vec<&str> = model.covariates.factors.iter().map(|f| f.name.as_str()).collect();
    if names.is_empty() {
        let problem = "the model has no factors, so there is nobody to attribute a text to";
        let expected = "a model of a corpus counted with --by";
        return Err(question(problem, expected, "count with --by and train again").into());
    }
    let place = match name {
        None => groups.map_or(0, |groups| groups.factor),
        Some(name) => names.iter().position(|other| *other == name).ok_or_else(|| {
            let suggestion = crate::suggest::did_you_mean(name, names.iter().copied());
            let problem = format!("--factor {name}: the model has no such factor{suggestion}");
            question(problem, names.join(", "), "name one of these")
        })?,
    };
    if let Some(groups) = groups.filter(|groups| groups.factor != place) {
        let problem = format!("--factor {} with groups of {}", names[place], names[groups.factor]);
        return Err(question(problem, "one factor", "leave --factor out").into());
    }
    Ok(place)
}

/// A text's counts and weights; short ones are refused before anything is fitted.
fn fitted(model: &Model, source: Source, least: u64, work: &Work<'_>) -> Result<Alone, Error> {
    let name = source.name();
    let enough = |counts: &[u64]| {
        let words: u64 = counts.iter().sum();
        if words >= least {
            return Ok(());
        }
        let problem = format!("{name}: {words} words that the model knows: too short to attribute");
        let expected = format!("{least} or more");
        let way_out = format!("a longer text, or --min-words {words} if you must");
        Err(question(problem, expected, way_out).into())
    };
    alone(model, source, enough, work)
}

/// Candidates from best to worst; of equals the first by name.
fn ranked(
    candidates: &Candidates<'_>,
    scores: &[Option<Scores>],
    score: Score,
) -> Vec<(usize, Scores)> {
    let all = scores.iter().enumerate();
    let mut ranked: Vec<(usize, Scores)> =
        all.filter_map(|(place, scores)| Some((place, (*scores)?))).collect();
    ranked.sort_by(|a, b| {
        let names = |place: usize| &candidates.list[place].name;
        score.of(&b.1).total_cmp(&score.of(&a.1)).then_with(|| names(a.0).cmp(names(b.0)))
    });
    ranked
}

/// What became of a level that was left out.
struct Known {
    /// Its own group, as a place among the candidates.
    group: usize,
    /// The group that each of [`Score::ALL`] names.
    named: Vec<Option<usize>>,
}

impl Known {
    /// Whether a score names its own group.
    fn named(&self, score: Score) -> bool {
        let place = Score::ALL.iter().position(|other| *other == score);
        place.is_some_and(|place| self.named[place] == Some(self.group))
    }
}

/// Leaves out every level whose group has another.
fn left_out(
    candidates: &Candidates<'_>,
    groups: &Groups,
    work: &Work<'_>,
) -> Result<Vec<Known>, Error> {
    let mut levels = Vec::new();
    for level in 0..groups.of_level.len() {
        let own = candidates.list.iter().position(|group| group.levels.contains(&level));
        if let Some(group) = own.filter(|&group| candidates.list[group].levels.len() > 1) {
            levels.push((level, group));
        }
    }
    parallel::map(
        work.threads,
        levels.len(),
        &mut Vec::new(),
        || (),
        |(), task| {
            work.proceed()?;
            let (level, group) = levels[task];
            let scores = candidates.scores(&candidates.known(level), Some(level));
            let best = |score| Some(ranked(candidates, &scores, score).first()?.0);
            Ok(Known { group, named: Score::ALL.into_iter().map(best).collect() })
        },
    )
}

fn trust(candidates: &Candidates<'_>, known: &[Known]) -> Vec<Trust> {
    if known.is_empty() {
        return Vec::new();
    }
    let of_group = |group: usize| known.iter().filter(|known| known.group == group).count();
    let largest = (0..candidates.list.len()).map(of_group).max().unwrap_or(0);
    let row = |score: Score| Trust {
        score,
        right: known.iter().filter(|known| known.named(score)).count(),
        of: known.len(),
        guessing: largest as f64 / known.len() as f64,
    };
    Score::ALL.into_iter().map(row).collect()
}
