//! A is to B as C is to which word D?
//!
//! With x̂ the normalised vectors under a view, three scores of D, the larger the better:
//!
//! ```text
//! add         cos(d, b̂ − â + ĉ)                                        Mikolov et al. 2013
//! mul         s(d, b) · s(d, c) / (s(d, a) + ε),  s = (1 + cos) / 2     Levy & Goldberg 2014
//! difference  cos(b̂ − â, d̂ − ĉ)                                        Tian et al. 2018
//! ```
//!
//! A word D is *enriched* where its rank differs most between views: the ratio of its worst rank to its best.

use serde::Serialize;

use super::drift::enough;
use super::lens::{dot, normalise};
use super::{Answer, Lens, Part, SupportParameters, View, question};
use crate::error::Error;
use crate::model::Model;
use crate::parameters::{choice, parameters};
use crate::work::Work;

parameters! {
    /// How analogies are ranked.
    pub struct AnalogyParameters {
        score: Score = Score::Add, "add|mul|difference", "add",
            "add, mul or difference" if |_: &Score| true,
            "What the words are ranked by";
    }
}

choice! {
    /// A score of an analogy.
    pub enum Score {
        /// Cosine with the sum.
        Add = "add",
        /// Product of similarities.
        Mul = "mul",
        /// Cosine of the differences.
        Difference = "difference",
    }
}

/// An answer to an analogy.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Analogy {
    /// Under which levels.
    pub level: String,
    /// 1 for the best.
    pub rank: usize,
    /// D.
    pub word: String,
    /// Cosine with b − a + c.
    pub add: f64,
    /// Product of similarities.
    pub mul: f64,
    /// Cosine of the differences.
    pub difference: f64,
    /// How often D occurs there.
    pub count: u64,
}

/// A word that fits an analogy better in one view than in another.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Enriched {
    /// D.
    pub word: String,
    /// Its rank in the base.
    pub base_rank: usize,
    /// How often it occurs there.
    pub base_count: u64,
    /// Its best rank.
    pub best_rank: usize,
    /// The level of that.
    pub best_level: String,
    /// How often it occurs there.
    pub best_count: u64,
    /// Its worst rank.
    pub worst_rank: usize,
    /// The level of that.
    pub worst_level: String,
    /// How often it occurs there.
    pub worst_count: u64,
}

/// The best words D under every view, best first.
pub fn analogy(
    model: &Model,
    abc: [&str; 3],
    views: &[View],
    n: usize,
    parameters: &AnalogyParameters,
    support: &SupportParameters,
    work: &Work<'_>,
) -> Result<Answer<Analogy>, Error> {
    View::possible(model, "analogy", views)?;
    let ids = ids(model, abc)?;
    let ranking = Ranking { model, ids, parameters, support, work };
    let (mut rows, mut left_out) = (Vec::new(), 0);
    for view in views {
        for id in ids {
            enough(model, id, &[view], support)?;
        }
        let ranked = ranking.ranked(view)?;
        left_out = left_out.max(model.vocabulary.len() - ranked.len() - 3);
        rows.extend(ranked.iter().take(n).enumerate().map(|(place, (word, scores))| Analogy {
            level: view.name.clone(),
            rank: place + 1,
            word: model.vocabulary.words[*word].clone(),
            add: scores[0],
            mul: scores[1],
            difference: scores[2],
            count: view.count(model, *word),
        }));
    }
    Ok(Answer { rows, left_out })
}

/// The words D whose rank differs most between views; only views in which all words of the question, and
/// D, occur often enough.
pub fn enriched(
    model: &Model,
    abc: [&str; 3],
    views: &[View],
    parameters: &AnalogyParameters,
    support: &SupportParameters,
    work: &Work<'_>,
) -> Result<Answer<Enriched>, Error> {
    View::possible(model, "analogy", views)?;
    let ids = ids(model, abc)?;
    let enough = |view: &&View| ids.iter().all(|&id| enough(model, id, &[view], support).is_ok());
    let there: Vec<&View> = views.iter().filter(enough).collect();
    if there.len() < 2 {
        return Err(question(
            format!(
                "'{}' occur often enough together in {} of {} levels",
                abc.join("', '"),
                there.len(),
                views.len()
            ),
            "two levels or more to compare",
            "lower --min-support, or other words",
        )
        .into());
    }
    let ranking = Ranking { model, ids, parameters, support, work };
    let base = ranking.ranks(&View::base())?;
    let mut of_views = Vec::new();
    for view in &there {
        of_views.push(ranking.ranks(view)?);
    }
    let mut rows: Vec<Enriched> = Vec::new();
    for word in 0..model.vocabulary.len() {
        let own: Vec<(usize, usize)> = of_views
            .iter()
            .enumerate()
            .filter_map(|(view, ranks)| ranks[word].map(|rank| (rank, view)))
            .collect();
        let (Some(&best), Some(&worst)) =
            (own.iter().min(), own.iter().max_by_key(|(rank, view)| (*rank, usize::MAX - view)))
        else {
            continue;
        };
        if own.len() < 2 {
            continue;
        }
        let name = |view: usize| there[view].name.clone();
        rows.push(Enriched {
            word: model.vocabulary.words[word].clone(),
            base_rank: base[word].unwrap_or(0),
            base_count: View::base().count(model, word),
            best_rank: best.0,
            best_level: name(best.1),
            best_count: there[best.1].count(model, word),
            worst_rank: worst.0,
            worst_level: name(worst.1),
            worst_count: there[worst.1].count(model, word),
        });
    }
    let ratio = |row: &Enriched| row.worst_rank as f64 / row.best_rank as f64;
    rows.sort_by(|a, b| ratio(b).total_cmp(&ratio(a)));
    Ok(Answer { left_out: model.vocabulary.len() - 3 - rows.len(), rows })
}

fn ids(model: &Model, abc: [&str; 3]) -> Result<[usize; 3], Error> {
    let [a, b, c] = abc;
    let ids = [model.word(a)?, model.word(b)?, model.word(c)?];
    if ids[0] == ids[1] {
        let problem = format!("'{a}' is to '{b}' as anything to itself");
        return Err(question(problem, "two different words A and B", "name another").into());
    }
    Ok(ids)
}

/// How words are ranked.
struct Ranking<'a> {
    model: &'a Model,
    ids: [usize; 3],
    parameters: &'a AnalogyParameters,
    support: &'a SupportParameters,
    work: &'a Work<'a>,
}

impl Ranking<'_> {
    /// The rank of every word that has one.
    fn ranks(&self, view: &View) -> Result<Vec<Option<usize>>, Error> {
        let mut ranks = vec![None; self.model.vocabulary.len()];
        for (place, (word, _)) in self.ranked(view)?.iter().enumerate() {
            ranks[*word] = Some(place + 1);
        }
        Ok(ranks)
    }

    /// All words but those of the question with their three scores, best first.
    fn ranked(&self, view: &View) -> Result<Vec<(usize, [f64; 3])>, Error> {
        let Self { model, ids, parameters, support, work } = self;
        let lens = Lens::new(model, view, Part::Whole);
        let [a, b, c] = ids.map(|id| lens.direction(id));
        let step: Vec<f32> = a.iter().zip(&b).map(|(a, b)| b - a).collect();
        let mut aim: Vec<f32> = step.iter().zip(&c).map(|(step, c)| step + c).collect();
        normalise(&mut aim);
        let length = f64::from(dot(&step, &step)).sqrt();
        let along_c = f64::from(dot(&step, &c));
        let mut words = support.words(model, &[view]);
        words.retain(|&word| !ids.contains(&(word as usize)));
        let cosines = lens.cosines(&words, &[&a, &b, &c, &aim], work)?;
        let score = |(&word, cosines): (&u32, &[f32])| {
            let [to_a, to_b, to_c, to_aim] = [0, 1, 2, 3].map(|at| f64::from(cosines[at]));
            let similar = |cosine: f64| 0.5 * (1.0 + cosine);
            let mul = similar(to_b) * similar(to_c) / (similar(to_a) + 1e-3);
            // (b − a)·(d − c), by what is there already.
            let along = to_b - to_a - along_c;
            let apart = (2.0 - 2.0 * to_c).max(0.0).sqrt();
            let scale = length * apart;
            let difference = if scale > 0.0 { along / scale } else { 0.0 };
            (word as usize, [to_aim, mul, difference])
        };
        let mut all: Vec<(usize, [f64; 3])> =
            words.iter().zip(cosines.chunks_exact(4)).map(score).collect();
        let by = match parameters.score {
            Score::Add => 0,
            Score::Mul => 1,
            Score::Difference => 2,
        };
        all.sort_by(|x, y| y.1[by].total_cmp(&x.1[by]).then(x.0.cmp(&y.0)));
        Ok(all)
    }
}
