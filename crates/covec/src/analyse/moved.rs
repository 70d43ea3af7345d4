//! What moved most from one view to another, over the whole vocabulary: words, and pairs of words.
//!
//! * Of a **word**: how far the company it is expected to keep differs, topical and own part in one unit
//!   (see [`Moved::own`] and the header of `company.rs`); and beside it the share of its nearest words
//!   that it keeps (Gonen et al. 2020: the fewer, the more its use differs), by whole vectors.
//! * Of a **pair**: the ratio of distances of [`super::drift`], topical and own part apart; the pairs with the smallest and
//!   largest of each.
//!
//! Cost: one to four products of all words with all words, `n² d` each.

use serde::Serialize;

use super::company::Company;
use super::drift::{Direction, DriftParameters, distance};
use super::gram;
use super::{AnalyseError, Answer, Lens, Part, SupportParameters, View};
use crate::error::Error;
use crate::model::Model;
use crate::work::Work;

/// A word that moved.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Moved {
    /// The view it is compared with.
    pub from: String,
    /// The view in which it is looked at.
    pub to: String,
    /// The word.
    pub word: String,
    /// Root mean square change of its predicted log counts by its own deviations.
    pub own: f64,
    /// The same by the levels' weights.
    pub topical: f64,
    /// Share of its nearest words that it keeps.
    pub overlap: f64,
    /// How often it occurs in the view it is compared with.
    pub count_from: u64,
    /// How often it occurs in the view in which it is looked at.
    pub count_to: u64,
}

/// A pair of words that moved.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MovedPair {
    /// The view it is compared with.
    pub from: String,
    /// The view in which it is looked at.
    pub to: String,
    /// By which part the pair is among those that moved most.
    pub part: MovedBy,
    /// `closer` or `further`.
    pub direction: Direction,
    /// One word.
    pub a: String,
    /// The other.
    pub b: String,
    /// d_T / d_F; topical · own.
    pub ratio: f64,
    /// The part of the levels' weights.
    pub topical: f64,
    /// The part of the words' own deviations.
    pub own: f64,
    /// How often the first word occurs in the view it is compared with.
    pub a_count_from: u64,
    /// How often the second does.
    pub b_count_from: u64,
    /// How often the first word occurs in the view in which it is looked at.
    pub a_count_to: u64,
    /// How often the second does.
    pub b_count_to: u64,
}

/// What moved something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MovedBy {
    /// The levels' weights.
    #[default]
    Topical,
    /// The words' own deviations.
    Own,
}

/// All words by how far they moved, by their own part.
pub fn words(
    model: &Model,
    from: &View,
    to: &View,
    parameters: &DriftParameters,
    support: &SupportParameters,
    work: &Work<'_>,
) -> Result<Answer<Moved>, Error> {
    parameters.check()?;
    let moves = moves(model, from, to, support, work)?;
    let words: Vec<u32> = moves.iter().map(|own| own.word).collect();
    let spaces =
        [from, to].map(|view| Lens::new(model, view, Part::Whole).directions(&words, work));
    let [from_space, to_space] = spaces;
    let (from_space, to_space) = (from_space?, to_space?);
    let most = (parameters.overlap.0 as usize).min(words.len().saturating_sub(1)).max(1);
    let kept = gram::bands(&[&from_space, &to_space], model.dim, work, |band| {
        let share = |word| {
            let [a, b] = [0, 1].map(|space| gram::nearest(band.cosines(space, word), word, most));
            gram::common(&a, &b) as f64 / most as f64
        };
        band.rows().map(share).collect::<Vec<f64>>()
    })?;
    let row = |(Move { word, topical, own }, overlap): (Move, f64)| Moved {
        from: from.name.clone(),
        to: to.name.clone(),
        word: model.vocabulary.words[word as usize].clone(),
        own,
        topical,
        overlap,
        count_from: from.count(model, word as usize),
        count_to: to.count(model, word as usize),
    };
    let mut rows: Vec<Moved> = moves.into_iter().zip(kept.concat()).map(row).collect();
    // Stable: of equal ones the more common stays first.
    rows.sort_by(|a, b| b.own.total_cmp(&a.own));
    Ok(Answer { left_out: model.vocabulary.len() - words.len(), rows })
}

/// How far a word moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Move {
    /// The word.
    pub word: u32,
    /// By the levels' weights.
    pub topical: f64,
    /// By its own deviations.
    pub own: f64,
}

/// How far each word moved that occurs often enough.
pub fn moves(
    model: &Model,
    from: &View,
    to: &View,
    support: &SupportParameters,
    work: &Work<'_>,
) -> Result<Vec<Move>, Error> {
    View::comparable(model, "drift", [from, to])?;
    let words = supported(model, from, to, support)?;
    let moves = Company::new(model, from, to).moves(&words, work)?;
    let pairs = words.into_iter().zip(moves);
    Ok(pairs.map(|(word, (topical, own))| Move { word, topical, own }).collect())
}

/// The pairs that moved most: for each part, the `n` that moved closest together and the `n` that moved
/// furthest apart. Without deviations there is no own part to speak of.
pub fn pairs(
    model: &Model,
    from: &View,
    to: &View,
    n: usize,
    support: &SupportParameters,
    work: &Work<'_>,
) -> Result<Answer<MovedPair>, Error> {
    View::comparable(model, "drift", [from, to])?;
    let words = supported(model, from, to, support)?;
    let space = |view, part| Lens::new(model, view, part).directions(&words, work);
    let mut spaces = vec![space(from, Part::Topical)?, space(to, Part::Topical)?];
    // Where nothing deviates the whole is the topical part.
    let deviates = |view: &View| view.levels.iter().any(|&level| model.deviations.any_in(level));
    let mut whole = [0, 1];
    for (place, view) in [from, to].into_iter().enumerate() {
        if deviates(view) {
            whole[place] = spaces.len();
            spaces.push(space(view, Part::Whole)?);
        }
    }
    let parts: &[MovedBy] = match spaces.len() {
        2 => &[MovedBy::Topical],
        _ => &[MovedBy::Topical, MovedBy::Own],
    };
    let slices: Vec<&[f32]> = spaces.iter().map(Vec::as_slice).collect();
    let lists = gram::later_bands(&slices, model.dim, work, |band| {
        let mut lists: Vec<Extremes> = parts.iter().map(|_| Extremes::new(n)).collect();
        for a in band.rows() {
            let cosines = |space| &band.cosines(space, a)[1..];
            let (from, to) = (cosines(0), cosines(1));
            let [whole_from, whole_to] = whole.map(cosines);
            for start in (0..from.len()).step_by(STRIDE) {
                let strides = [from, to, whole_from, whole_to].map(|all| squares(all, start));
                let topical = (strides[1], strides[0]);
                lists[0].take_all(topical, from.len() - start, (a, a + 1 + start));
                if let [_, own] = &mut lists[..] {
                    let times = |x: Stride, y: Stride| std::array::from_fn(|k| x[k] * y[k]);
                    let ratio = (times(strides[3], topical.1), times(strides[2], topical.0));
                    own.take_all(ratio, from.len() - start, (a, a + 1 + start));
                }
            }
        }
        lists
    })?;
    let mut rows = Vec::new();
    for (place, &part) in parts.iter().enumerate() {
        let mut all = Extremes::new(n);
        lists.iter().for_each(|lists| all.merge(&lists[place]));
        for (direction, list) in all.sorted() {
            rows.extend(list.iter().map(|&(_, a, b)| {
                let [a, b] = [a, b].map(|at| words[at as usize] as usize);
                pair(model, from, to, part, direction, a, b)
            }));
        }
    }
    Ok(Answer { rows, left_out: model.vocabulary.len() - words.len() })
}

fn supported(
    model: &Model,
    from: &View,
    to: &View,
    support: &SupportParameters,
) -> Result<Vec<u32>, AnalyseError> {
    let words = support.words(model, &[from, to]);
    let level = || format!("{} and {}", from.name, to.name);
    match words.len() {
        0 | 1 => Err(AnalyseError::NoWords { level: level(), least: support.min_support.0 }),
        _ => Ok(words),
    }
}

fn pair(
    model: &Model,
    from: &View,
    to: &View,
    part: MovedBy,
    direction: Direction,
    a: usize,
    b: usize,
) -> MovedPair {
    let at = |view, part| distance(super::neighbors::cosine(model, a, b, view, part) as f32);
    let topical = at(to, Part::Topical) / at(from, Part::Topical);
    let ratio = at(to, Part::Whole) / at(from, Part::Whole);
    MovedPair {
        from: from.name.clone(),
        to: to.name.clone(),
        part,
        direction,
        a: model.vocabulary.words[a].clone(),
        b: model.vocabulary.words[b].clone(),
        ratio,
        topical,
        own: ratio / topical,
        a_count_from: from.count(model, a),
        b_count_from: from.count(model, b),
        a_count_to: to.count(model, a),
        b_count_to: to.count(model, b),
    }
}

/// Pairs that are looked at together.
const STRIDE: usize = 16;
type Stride = [f32; STRIDE];

/// The squared distances that some cosines stand for, from `start` on; 1 where there are no more.
fn squares(cosines: &[f32], start: usize) -> Stride {
    let own = &cosines[start..cosines.len().min(start + STRIDE)];
    let mut squares = [1.0; STRIDE];
    for (square, cosine) in squares.iter_mut().zip(own) {
        *square = (2.0 - 2.0 * cosine).max(1e-6);
    }
    squares
}

/// How many times its squared distance a pair is apart, and its two words.
type Pair = (f32, u32, u32);

/// The smallest and largest of what it is shown.
struct Extremes {
    n: usize,
    low: Vec<Pair>,
    high: Vec<Pair>,
    /// What does not lie outside of these is not wanted any more.
    bounds: (f32, f32),
}

impl Extremes {
    fn new(n: usize) -> Self {
        Self { n, low: Vec::new(), high: Vec::new(), bounds: (1.0, 1.0) }
    }

    /// Takes the ratios of a stride of pairs, as numerators and denominators: those of a word with the words
    /// after `b`, of which `count` are left.
    fn take_all(&mut self, (over, under): (Stride, Stride), count: usize, (a, b): (usize, usize)) {
        // Almost always none is wanted; that is seen without a division or a branch for each. What is
        // close to the bounds is looked at.
        let (low, high) = (self.bounds.0 * (1.0 + 1e-5), self.bounds.1 * (1.0 - 1e-5));
        let any = (0..STRIDE)
            .fold(false, |any, k| any | (over[k] < low * under[k]) | (over[k] > high * under[k]));
        if any {
            for (k, (over, under)) in over.iter().zip(&under).enumerate().take(count) {
                self.take((over / under, a as u32, (b + k) as u32));
            }
        }
    }

    fn take(&mut self, pair: Pair) {
        if pair.0 < self.bounds.0 {
            self.low.push(pair);
        } else if pair.0 > self.bounds.1 {
            self.high.push(pair);
        } else {
            return;
        }
        if self.low.len().max(self.high.len()) >= 4 * self.n + 64 {
            self.trim();
        }
    }

    /// Keeps the `n` best of each; of equal ones those of more common words.
    fn trim(&mut self) {
        let ids = |pair: &Pair| (pair.1, pair.2);
        self.low.sort_by(|a, b| a.0.total_cmp(&b.0).then(ids(a).cmp(&ids(b))));
        self.high.sort_by(|a, b| b.0.total_cmp(&a.0).then(ids(a).cmp(&ids(b))));
        self.low.truncate(self.n);
        self.high.truncate(self.n);
        // Later pairs that equal the last one lose to it: pairs come in the order of their words.
        if self.n > 0 && self.low.len() == self.n {
            self.bounds.0 = self.low[self.n - 1].0;
        }
        if self.n > 0 && self.high.len() == self.n {
            self.bounds.1 = self.high[self.n - 1].0;
        }
    }

    fn merge(&mut self, other: &Self) {
        self.low.extend(&other.low);
        self.high.extend(&other.high);
        self.trim();
    }

    fn sorted(mut self) -> [(Direction, Vec<Pair>); 2] {
        self.trim();
        [(Direction::Closer, self.low), (Direction::Further, self.high)]
    }
}
