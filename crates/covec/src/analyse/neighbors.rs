//! The words nearest to a word, by the cosine of their vectors, level beside level.
//!
//! Under a view the nearness of words i and j is `cos(x_i, x_j)`, x being their vectors there. What
//! is near in a later view and was not in the first is *gained*, the reverse is *lost*.

use serde::Serialize;

use super::{Answer, Lens, Part, SupportParameters, View};
use crate::error::Error;
use crate::model::Model;
use crate::work::Work;

/// A near word.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Neighbor {
    /// The word that was asked for.
    pub word: String,
    /// Under which levels.
    pub level: String,
    /// How often it occurs there.
    pub count: u64,
    /// 1 for the nearest; none where the neighbour is too rare there to be ranked.
    pub rank: Option<usize>,
    /// The near word.
    pub neighbor: String,
    /// Cosine of the two vectors.
    pub cosine: f64,
    /// The same by the levels' weights alone, without deviations.
    pub topical: f64,
    /// How often the near word occurs there.
    pub neighbor_count: u64,
    /// Compared with the first view; none in the first itself.
    pub change: Option<Change>,
}

/// What became of a neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// Near in the first view as well.
    Kept,
    /// Not near in the first view.
    Gained,
    /// Near in the first view alone.
    Lost,
}

/// The `n` nearest words of a word under every view in which it occurs often enough, nearest first,
/// then those that were lost.
pub fn neighbors(
    model: &Model,
    word: &str,
    views: &[View],
    n: usize,
    support: &SupportParameters,
    work: &Work<'_>,
) -> Result<Answer<Neighbor>, Error> {
    View::possible(model, "neighbors", views)?;
    let id = model.word(word)?;
    let (mut rows, mut left_out) = (Vec::new(), 0);
    let mut first: Option<Vec<usize>> = None;
    for view in views.iter().filter(|view| view.count(model, id) >= support.min_support.0) {
        let list = List::new(model, id, view, support, work)?;
        left_out = left_out.max(model.vocabulary.len() - 1 - list.all.len());
        let near = list.nearest(n);
        for (place, &(other, cosine)) in near.iter().enumerate() {
            let change = first.as_ref().map(|old| match old.contains(&other) {
                true => Change::Kept,
                false => Change::Gained,
            });
            rows.push(list.row(other, Some(place + 1), cosine, change));
        }
        let own: Vec<usize> = near.iter().map(|&(other, _)| other).collect();
        for &other in first.iter().flatten().filter(|other| !own.contains(other)) {
            let place = list.all.iter().find(|near| near.0 == other);
            let cosine = place.map_or_else(|| list.cosine(other, Part::Whole), |near| near.1);
            rows.push(list.row(
                other,
                place.map(|near| list.rank(near)),
                cosine,
                Some(Change::Lost),
            ));
        }
        first.get_or_insert(own);
    }
    Ok(Answer { rows, left_out })
}

/// How near every word of some lists is under every view, also where it is not among the nearest.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Nearness {
    /// The words, those first that are nearest in an earlier view than in any other.
    pub words: Vec<String>,
    /// The views in which the word that was asked for occurs often enough, and how often.
    pub levels: Vec<(String, u64)>,
    /// Cosines, word after word; none where a word is too rare to say.
    pub cosines: Vec<Option<f64>>,
}

/// How near the words of the lists of one word (`rows`) are under every view.
pub fn nearness(
    model: &Model,
    word: &str,
    rows: &[Neighbor],
    views: &[View],
    support: &SupportParameters,
) -> Result<Nearness, Error> {
    let id = model.word(word)?;
    let least = support.min_support.0;
    let views: Vec<&View> = views.iter().filter(|view| view.count(model, id) >= least).collect();
    let mut names: Vec<&String> =
        rows.iter().filter(|row| row.word == word).map(|row| &row.neighbor).collect();
    names.sort_unstable();
    names.dedup();
    let mut found: Vec<(usize, f64, &String, Vec<Option<f64>>)> = Vec::new();
    for name in names {
        let other = model.word(name)?;
        let near = |view: &&View| {
            let often = view.count(model, other) >= least;
            often.then(|| cosine(model, id, other, view, Part::Whole))
        };
        let cosines: Vec<Option<f64>> = views.iter().map(near).collect();
        // The base is no point of a trend.
        let levels = cosines.iter().enumerate().filter(|(at, _)| views[*at].name != View::BASE);
        let mut levels: Vec<(usize, f64)> =
            levels.filter_map(|(at, x)| Some((at, (*x)?))).collect();
        levels.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let (place, most) = levels
            .first()
            .copied()
            .unwrap_or((0, cosines.first().copied().flatten().unwrap_or(0.0)));
        found.push((place, most, name, cosines));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(b.2)));
    Ok(Nearness {
        words: found.iter().map(|own| own.2.clone()).collect(),
        levels: views.iter().map(|view| (view.name.clone(), view.count(model, id))).collect(),
        cosines: found.into_iter().flat_map(|own| own.3).collect(),
    })
}

/// All words by their nearness to one.
struct List<'a> {
    model: &'a Model,
    word: usize,
    view: &'a View,
    /// Every other word that occurs often enough, with its cosine.
    all: Vec<(usize, f64)>,
}

/// The nearest first; of equally near ones the more common.
fn nearer(a: &(usize, f64), b: &(usize, f64)) -> std::cmp::Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
}

impl<'a> List<'a> {
    fn new(
        model: &'a Model,
        word: usize,
        view: &'a View,
        support: &SupportParameters,
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        let mut words = support.words(model, &[view]);
        words.retain(|&other| other as usize != word);
        let lens = Lens::new(model, view, Part::Whole);
        let cosines = lens.cosines(&words, &[&lens.direction(word)], work)?;
        let all = words.iter().zip(cosines).map(|(&w, x)| (w as usize, f64::from(x))).collect();
        Ok(Self { model, word, view, all })
    }

    /// The `n` nearest words.
    fn nearest(&self, n: usize) -> Vec<(usize, f64)> {
        let mut near = self.all.clone();
        if n > 0 && n < near.len() {
            near.select_nth_unstable_by(n - 1, nearer);
        }
        near.truncate(n);
        near.sort_by(nearer);
        near
    }

    /// The rank of a word among all.
    fn rank(&self, word: &(usize, f64)) -> usize {
        1 + self.all.iter().filter(|other| nearer(other, word).is_lt()).count()
    }

    fn cosine(&self, other: usize, part: Part) -> f64 {
        cosine(self.model, self.word, other, self.view, part)
    }

    fn row(
        &self,
        other: usize,
        rank: Option<usize>,
        cosine: f64,
        change: Option<Change>,
    ) -> Neighbor {
        let words = &self.model.vocabulary.words;
        Neighbor {
            word: words[self.word].clone(),
            level: self.view.name.clone(),
            count: self.view.count(self.model, self.word),
            rank,
            neighbor: words[other].clone(),
            cosine,
            topical: self.cosine(other, Part::Topical),
            neighbor_count: self.view.count(self.model, other),
            change,
        }
    }
}

/// The cosine of two words' vectors under a view.
pub(crate) fn cosine(model: &Model, a: usize, b: usize, view: &View, part: Part) -> f64 {
    let lens = Lens::new(model, view, part);
    let (a, b) = (lens.direction(a), lens.direction(b));
    f64::from(super::lens::dot(&a, &b).clamp(-1.0, 1.0))
}
