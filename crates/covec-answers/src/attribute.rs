//! Whose texts are, and who is named when the known ones are drawn again.

use std::path::PathBuf;

use covec::analyse::Groups;
use covec::analyse::attribute::{AttributeParameters, Attributed, Attribution, Trust, attribute};
use covec::model::Model;
use covec::resample::Resamples;
use covec::resample::steady::chosen;
use covec::{Error, Work};

use crate::question::refused;
use crate::{Question, Table, Told};

/// Texts of which is asked whose they are.
pub struct Texts<'a> {
    /// Files or folders of files, each a text.
    pub texts: &'a [PathBuf],
    /// The factor whose levels are candidates.
    pub factor: Option<&'a str>,
    /// Groups of levels that are the candidates instead.
    pub groups: Option<&'a Groups>,
    /// What they are ranked by.
    pub parameters: &'a AttributeParameters,
}

impl Texts<'_> {
    /// All candidates, by rank.
    pub fn attribute(&self, model: &Model, work: &Work<'_>) -> Result<Attributed, Error> {
        attribute(model, self.texts, self.factor, self.groups, self.parameters, work)
    }

    /// The candidates as a table; with replicates, in what share of them each is the first.
    pub fn table(
        &self,
        model: &Model,
        rows: &[Attribution],
        resamples: Option<&Resamples>,
        work: &Work<'_>,
    ) -> Result<Table, Error> {
        let of = (self.factor, self.groups);
        let drawn = match resamples {
            None => None,
            Some(resamples) => {
                chosen(model, rows, self.texts, of, self.parameters, resamples, work)?
            }
        };
        Ok(drawn.map_or_else(|| Table::of(rows), |drawn| Table::of(&drawn)))
    }
}

pub(crate) fn answer(question: &Question<'_>) -> Result<Told, Error> {
    let Question { model, asked, work, most, resamples, .. } = question;
    let mut parameters = AttributeParameters::default();
    asked.take(AttributeParameters::TABLE, |name, text| parameters.set(name, text))?;
    question.needed("text", "files or folders of files, each a text")?;
    let groups = match (asked.text("group"), asked.paths("groups").first()) {
        (Some(spec), Some(path)) => Some(Groups::read(model, spec, path)?),
        (None, None) => None,
        _ => {
            return Err(refused(
                "--group and --groups belong together",
                "which column of which table",
                "give both, or neither",
            ));
        }
    };
    let texts = Texts {
        texts: &asked.paths("text"),
        factor: asked.text("factor"),
        groups: groups.as_ref(),
        parameters: &parameters,
    };
    let Attributed { mut rows, trust } = texts.attribute(model, work)?;
    rows.retain(|row| row.rank <= *most);
    let table = texts.table(model, &rows, resamples.as_ref(), work)?;
    Ok(Told { notes: trust.iter().map(trusted).collect(), ..table.into() })
}

/// How far to trust a score.
pub fn trusted(trust: &Trust) -> String {
    let Trust { score, right, of, .. } = trust;
    let score = serde_json::to_value(score).unwrap_or_default();
    let score = score.as_str().unwrap_or_default();
    format!("{score} names the right group for {right} of {of} known levels left out in turn")
}
