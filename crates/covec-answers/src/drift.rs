//! What moved: words, pairs, or words around a word; with error bars, which moves are more than chance.

use covec::analyse::drift::{DriftParameters, Mover, drift};
use covec::analyse::moved::{self, Moved, MovedPair};
use covec::analyse::{Answer, SupportParameters, View};
use covec::model::Model;
use covec::resample::measures::{of_moved, of_movers, of_pairs};
use covec::resample::tested::{MOST, Tested, Tests, tested};
use covec::resample::{Resamples, Sure, picked_from};
use covec::{Error, Work};

use crate::{Question, Table, Told, evidence};

/// What words can be sorted by; the first unless another is asked for.
pub const ORDERS: [&str; 3] = ["own", "topical", "overlap"];

/// What is compared, and how.
pub struct Drift<'a> {
    /// The model.
    pub model: &'a Model,
    /// From where to where.
    pub comparisons: &'a [(View, View)],
    /// What counts as near.
    pub parameters: &'a DriftParameters,
    /// Which words are too rare.
    pub support: &'a SupportParameters,
    /// Rows of each comparison.
    pub most: usize,
    /// How the work is done.
    pub work: &'a Work<'a>,
}

pub(crate) fn answer(question: &Question<'_>) -> Result<Told, Error> {
    let Question { model, asked, support, work, most, resamples } = question;
    let mut parameters = DriftParameters::default();
    asked.take(DriftParameters::TABLE, |name, text| parameters.set(name, text))?;
    parameters.check()?;
    let (show, by) = (asked.choice("show", &["words", "pairs"])?, asked.choice("by", &ORDERS)?);
    let comparisons = question.comparisons()?;
    let drift = Drift {
        model,
        comparisons: &comparisons,
        parameters: &parameters,
        support,
        most: *most,
        work,
    };
    let words = asked.texts("word");
    let told = match (resamples, show) {
        (None, _) if !words.is_empty() => evidence::told(question, drift.around(words)?),
        (None, "pairs") => evidence::told(question, drift.pairs()?),
        (None, _) => Ok(question.told(&drift.words(by)?)),
        (Some(resamples), _) if !words.is_empty() => {
            evidence::told_sure(question, drift.sure_around(words, resamples)?)
        }
        (Some(resamples), "pairs") => evidence::told_sure(question, drift.sure_pairs(resamples)?),
        (Some(resamples), _) => {
            let (tested, notes) = drift.tested(by, resamples)?;
            let left_out = tested.left_out;
            Ok(Told { left_out, notes, ..Table::of_some(&tested.rows).into() })
        }
    };
    Ok(View::lacking_own(model, &comparisons).into_iter().fold(told?, Told::noting))
}

impl Drift<'_> {
    /// Words that moved most, over the whole vocabulary.
    fn words(&self, by: &str) -> Result<Answer<Moved>, Error> {
        let mut answer = Answer::default();
        for (from, to) in self.comparisons {
            let mut own = self.all_words(from, to, by)?;
            own.rows.truncate(self.most);
            answer.join(own);
        }
        Ok(answer)
    }

    fn all_words(&self, from: &View, to: &View, by: &str) -> Result<Answer<Moved>, Error> {
        let mut own = moved::words(self.model, from, to, self.parameters, self.support, self.work)?;
        sort(&mut own.rows, by);
        Ok(own)
    }

    /// Pairs of words that moved most.
    pub fn pairs(&self) -> Result<Answer<MovedPair>, Error> {
        let mut answer = Answer::default();
        for (from, to) in self.comparisons {
            let own = moved::pairs(self.model, from, to, self.most, self.support, self.work)?;
            answer.join(own);
        }
        Ok(answer)
    }

    /// What moved relative to words. Where several levels are compared, those in which a word is rare
    /// are passed over.
    pub fn around(&self, words: &[String]) -> Result<Answer<Mover>, Error> {
        let Self { model, support, parameters, most, work, .. } = *self;
        let mut answer = Answer::default();
        for word in words {
            let id = model.word(word)?;
            let views: Vec<View> = self.comparisons.iter().map(|(_, to)| to.clone()).collect();
            support.anywhere(model, &[id], &views)?;
            for (from, to) in self.comparisons {
                let least = from.count(model, id).min(to.count(model, id));
                if least >= support.min_support.0 || self.comparisons.len() == 1 {
                    answer.join(drift(model, word, (from, to), most, parameters, support, work)?);
                }
            }
        }
        Ok(answer)
    }

    /// Words that occur often enough in both views of each comparison.
    fn words_compared(&self) -> impl Iterator<Item = usize> + '_ {
        let words = |(from, to): &(View, View)| self.support.words(self.model, &[from, to]).len();
        self.comparisons.iter().map(words)
    }

    /// Pairs of words that moved most, picked from all, each with how sure that is.
    pub fn sure_pairs(&self, resamples: &Resamples) -> Result<Answer<Sure<MovedPair>>, Error> {
        let Answer { rows, left_out } = self.pairs()?;
        let rows = resamples.sure(self.model, rows, of_pairs, self.work)?;
        let tested = self.words_compared().map(|words| words * words.saturating_sub(1) / 2).sum();
        Ok(Answer { rows: picked_from(rows, tested), left_out })
    }

    /// What moved relative to words, picked from all words, each with how sure that is.
    pub fn sure_around(
        &self,
        words: &[String],
        resamples: &Resamples,
    ) -> Result<Answer<Sure<Mover>>, Error> {
        let Answer { rows, left_out } = self.around(words)?;
        let rows = resamples.sure(self.model, rows, of_movers, self.work)?;
        let others: usize = self.words_compared().map(|words| words.saturating_sub(1)).sum();
        Ok(Answer { rows: picked_from(rows, words.len() * others), left_out })
    }

    /// Words that moved most, each with how sure that is; and how many moved by more than chance, a
    /// sentence for every comparison.
    pub fn tested(
        &self,
        by: &str,
        resamples: &Resamples,
    ) -> Result<(Answer<Tested>, Vec<String>), Error> {
        let Self { model, support, work, .. } = *self;
        let tests = Tests::new(resamples, model, self.comparisons)?;
        let (mut all, mut lengths, mut left_out) = (Vec::new(), Vec::new(), 0);
        for (from, to) in self.comparisons {
            let own = self.all_words(from, to, by)?;
            let measure =
                |model: &_, rows: &[Moved]| of_moved(model, rows, (from, to), support, work);
            let sure = resamples.sure(model, own.rows, measure, work)?;
            lengths.push(sure.len());
            all.extend(sure);
            left_out = left_out.max(own.left_out);
        }
        // Words of all comparisons are tested together; none was picked.
        let mut all = tested(picked_from(all, 0), tests.as_ref()).into_iter();
        let (mut answer, mut told) = (Answer { rows: Vec::new(), left_out }, Vec::new());
        for ((_, to), len) in self.comparisons.iter().zip(lengths) {
            let mut tested: Vec<Tested> = all.by_ref().take(len).collect();
            if tests.is_some() && by == ORDERS[0] {
                let score = |row: &Tested| row.test.and_then(|test| test.score).unwrap_or(0.0);
                tested.sort_by(|a, b| score(b).total_cmp(&score(a)));
            }
            let moved = tested.iter().filter(|row| row.verdict.is_none()).count();
            told.push(match tests {
                Some(_) => format!(
                    "{}: {moved} of {len} words moved by more than chance (q ≤ {MOST})",
                    to.name
                ),
                None => format!(
                    "{}: {moved} of {len} words have intervals of own drift above 0, each by itself, so some by chance (--boot of covec \
                     permute as well says how many)",
                    to.name
                ),
            });
            tested.truncate(self.most);
            answer.rows.extend(tested);
        }
        Ok((answer, told))
    }
}

/// Words by another part than their own use.
pub fn sort(rows: &mut [Moved], by: &str) {
    match by {
        "topical" => rows.sort_by(|a, b| b.topical.total_cmp(&a.topical)),
        "overlap" => rows.sort_by(|a, b| a.overlap.total_cmp(&b.overlap)),
        _ => {}
    }
}
