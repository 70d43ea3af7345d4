//! A block of input, and the documents in it.

use std::borrow::Cow;

use super::by::{LevelKey, Origin, Plan, filled};
use super::{CorpusError, InvalidUtf8, Missing, Place};
use crate::error::Error;

/// A document's place without owning the file's name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot<'a> {
    pub(crate) file: &'a str,
    pub(crate) line: u64,
    pub(crate) unit: &'static str,
}

impl Spot<'_> {
    pub(crate) fn place(&self) -> Place {
        Place { file: self.file.to_owned(), line: self.line, unit: self.unit }
    }
}

/// A field as a reader found it.
#[derive(Debug, Clone)]
pub(crate) enum Field<'a> {
    Absent,
    Null,
    Text(Cow<'a, str>),
    /// A number or a truth value, written out.
    Scalar(String),
    /// Something a covariate cannot be: what to call it.
    Other(&'static str),
}

/// A document, ready to be cut into words.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    pub(crate) spot: Spot<'a>,
    pub(crate) text: Cow<'a, str>,
    pub(crate) id: Option<Cow<'a, str>>,
    /// The raw value of every factor.
    pub(crate) covariates: Vec<Cow<'a, str>>,
}

impl Document<'_> {
    /// The level it has in the plan's n-th factor.
    pub(crate) fn level(&self, plan: &Plan, factor: usize) -> Result<LevelKey, Error> {
        let value = &*self.covariates[factor];
        let factor = &plan.factors[factor];
        let Some(bins) = &factor.bins else {
            return Ok(LevelKey { name: value.to_owned(), from: None });
        };
        let number = value.parse::<f64>().ok().filter(|x| x.is_finite());
        let number = number.ok_or_else(|| CorpusError::WrongValue {
            place: self.spot.place(),
            field: factor.name.clone(),
            expected: "a number, to be cut into ranges",
            got: format!("'{value}'"),
            way_out: "mend the document, or use --by with the field's name alone",
        })?;
        Ok(bins.level(number))
    }
}

/// What reading met on its way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Documents left out for a missing covariate.
    pub(crate) skipped: u64,
    /// Documents in which bytes were replaced.
    pub(crate) replaced: u64,
}

/// Takes the documents of a block, one after the other.
pub(crate) struct Sink<'s> {
    pub(crate) plan: &'s Plan,
    /// The file the block is of.
    pub(crate) file: &'s str,
    pub(crate) tally: &'s mut Tally,
    /// Bytes were replaced in the document at hand.
    pub(crate) replaced: bool,
    pub(crate) emit: &'s mut dyn FnMut(Document<'_>) -> Result<(), Error>,
}

impl Sink<'_> {
    /// Makes a document of a record's fields and hands it on, unless it is to be skipped. `path` is
    /// that inside the folder, for a text file of a folder; `there` lists the fields the record has.
    pub(crate) fn take(
        &mut self,
        spot: Spot<'_>,
        path: Option<&str>,
        fields: Vec<Field<'_>>,
        there: impl Fn() -> String,
    ) -> Result<(), Error> {
        self.tally.replaced += u64::from(std::mem::take(&mut self.replaced));
        let context = Context { plan: self.plan, spot, path };
        match context.document(fields, there, self.tally)? {
            Some(document) => (self.emit)(document),
            None => Ok(()),
        }
    }

    /// Bytes as text, by the rule the user chose.
    pub(crate) fn decode<'a>(
        &mut self,
        bytes: &'a [u8],
        spot: Spot<'_>,
    ) -> Result<Cow<'a, str>, Error> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(_) if self.plan.parameters.invalid_utf8 == InvalidUtf8::Replace => {
                self.replaced = true;
                Ok(String::from_utf8_lossy(bytes))
            }
            Err(error) => {
                let byte = error.valid_up_to() + 1;
                Err(CorpusError::InvalidUtf8 { place: spot.place(), byte }.into())
            }
        }
    }
}

/// What stands around a record's fields.
struct Context<'a> {
    plan: &'a Plan,
    spot: Spot<'a>,
    path: Option<&'a str>,
}

impl<'a> Context<'a> {
    /// The document; none if it is to be skipped.
    fn document(
        &self,
        mut fields: Vec<Field<'a>>,
        there: impl Fn() -> String,
        tally: &mut Tally,
    ) -> Result<Option<Document<'a>>, Error> {
        let mut covariates = Vec::with_capacity(self.plan.factors.len());
        for factor in &self.plan.factors {
            let value = match &factor.origin {
                Origin::Field(slot) => {
                    self.covariate(&factor.name, fields[*slot].clone(), &there)?
                }
                Origin::Folder => Some(match self.path()?.rsplit_once('/') {
                    Some((folder, _)) => Cow::Borrowed(folder),
                    None => Cow::Borrowed("."),
                }),
                Origin::Group(group) => self.group(group)?,
            };
            match value {
                Some(value) => covariates.push(value),
                None => {
                    tally.skipped += 1;
                    return Ok(None);
                }
            }
        }
        let id = match self.plan.id() {
            None => None,
            Some(slot) => match fields[slot].clone() {
                Field::Text(id) => Some(id),
                Field::Scalar(id) => Some(Cow::Owned(id)),
                other => {
                    return Err(self.refuse(
                        &self.plan.fields[slot],
                        &other,
                        "text or a number",
                        &there,
                    ));
                }
            },
        };
        let text = match std::mem::replace(&mut fields[Plan::TEXT], Field::Absent) {
            Field::Text(text) => text,
            Field::Scalar(text) if self.plan.text_may_be_number => Cow::Owned(text),
            Field::Null if self.plan.parameters.missing == Missing::Skip => {
                tally.skipped += 1;
                return Ok(None);
            }
            other => {
                return Err(self.refuse(&self.plan.fields[Plan::TEXT], &other, "text", &there));
            }
        };
        Ok(Some(Document { spot: self.spot, text, id, covariates }))
    }

    /// A covariate's value; none if the document is to be skipped for lack of it.
    fn covariate(
        &self,
        name: &str,
        field: Field<'a>,
        there: &dyn Fn() -> String,
    ) -> Result<Option<Cow<'a, str>>, Error> {
        let value = match field {
            Field::Text(text) => filled(text),
            Field::Scalar(text) => Some(Cow::Owned(text)),
            Field::Null => None,
            Field::Absent if self.plan.parameters.missing == Missing::Skip => None,
            other => return Err(self.refuse(name, &other, "text, a number or true/false", there)),
        };
        if value.is_none() && self.plan.parameters.missing == Missing::Refuse {
            let place = self.spot.place();
            let way_out = if self.plan.text_may_be_number || !self.plan.may_skip {
                "fill it in"
            } else {
                "fill it in, or leave such documents out with --missing skip"
            };
            return Err(
                CorpusError::EmptyCovariate { place, field: name.to_owned(), way_out }.into()
            );
        }
        Ok(value)
    }

    fn group(&self, group: &str) -> Result<Option<Cow<'a, str>>, Error> {
        let path = self.path()?;
        let pattern = self.plan.pattern.as_ref();
        let value = pattern
            .and_then(|pattern| pattern.captures(path))
            .and_then(|captures| captures.name(group).map(|m| m.range()))
            .map(|range| Cow::Borrowed(&path[range]))
            .filter(|value| !value.is_empty());
        if value.is_none() && self.plan.parameters.missing == Missing::Refuse {
            return Err(CorpusError::WrongValue {
                place: self.spot.place(),
                field: group.to_owned(),
                expected: "a path that --by name:REGEX matches",
                got: path.to_owned(),
                way_out: if self.plan.may_skip {
                    "mend the pattern, or leave such files out with --missing skip"
                } else {
                    "mend the pattern"
                },
            }
            .into());
        }
        Ok(value)
    }

    fn path(&self) -> Result<&'a str, Error> {
        self.path.ok_or_else(|| {
            let by = self.plan.needs_paths().unwrap_or("folder");
            CorpusError::NotAFolder { place: self.spot.place(), by }.into()
        })
    }

    fn refuse(
        &self,
        field: &str,
        found: &Field<'_>,
        expected: &'static str,
        there: &dyn Fn() -> String,
    ) -> Error {
        let place = self.spot.place();
        let field = field.to_owned();
        let got = match found {
            Field::Absent => {
                let way_out = if field == self.plan.fields[Plan::TEXT] {
                    // The words of a table of counts stand where a text would.
                    if self.plan.text_may_be_number {
                        "name the field that holds one word of a pair with --row"
                    } else {
                        "name the field that holds the text with --text"
                    }
                } else if self.plan.text_may_be_number {
                    "name one of these"
                } else if Some(&field) == self.plan.parameters.id.as_ref() {
                    "name one of these, or leave --id out"
                } else if self.plan.may_skip {
                    "name one of these, or leave such documents out with --missing skip"
                } else {
                    "name one of these"
                };
                return CorpusError::MissingField { place, field, there: there(), way_out }.into();
            }
            Field::Null => "nothing (null)".to_owned(),
            Field::Text(text) => format!("'{}'", text.chars().take(40).collect::<String>()),
            Field::Scalar(text) => format!("{text} (not a text)"),
            Field::Other(kind) => (*kind).to_owned(),
        };
        let way_out = "mend the document, or name another field";
        CorpusError::WrongValue { place, field, expected, got, way_out }.into()
    }
}
