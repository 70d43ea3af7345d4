//! What can be said in a question: declared once, read from the address, and told by the OpenAPI document.

use std::collections::BTreeMap;

use covec::analyse::SupportParameters;
use covec::parameters::Whole;

use super::reply::Format;
use crate::Desk;
use crate::fault::Fault;

/// Characters of a value.
pub(crate) const LONGEST: usize = 500;
/// Levels that are looked at beside each other.
pub(crate) const MOST_LEVELS: usize = 24;

/// Something that can be said.
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) kind: Kind,
}

/// What can be said of it.
pub(crate) enum Kind {
    /// A text that must be there.
    Needed,
    /// A text.
    Text,
    /// Texts, each with the name before it.
    Texts,
    /// A whole number from the first to the last, with a default in between.
    Number(usize, usize, usize),
    /// A whole number without a default.
    Maybe(usize, usize),
    /// One of these; the first where nothing is said.
    Choice(&'static [&'static str]),
    /// `true` or `false`, which is the default.
    Switch,
}

pub(crate) const MIN_SUPPORT: Parameter = Parameter {
    name: "min_support",
    about: "Words that occur less often in a level are left out there; by default as the explorer was told",
    kind: Kind::Maybe(0, 1_000_000_000),
};
pub(crate) const LEVELS: Parameter = Parameter {
    name: "in",
    about: "factor=level, several joined by commas, or base; repeat it to compare; by default the base and every \
            level of the first factor",
    kind: Kind::Texts,
};
pub(crate) const FROM: Parameter = Parameter {
    name: "from",
    about: "The level that is compared with, or base",
    kind: Kind::Needed,
};
pub(crate) const TO: Parameter =
    Parameter { name: "to", about: "The level that is looked at", kind: Kind::Needed };
pub(crate) const FACTOR: Parameter = Parameter {
    name: "factor",
    about: "The factor whose levels are compared; by default the first",
    kind: Kind::Text,
};
pub(crate) const SURE: Parameter = Parameter {
    name: "sure",
    about: "Also ask every replicate: rows get intervals, p and q",
    kind: Kind::Switch,
};
pub(crate) const WORD: Parameter =
    Parameter { name: "word", about: "The word that is looked at", kind: Kind::Needed };

/// How many rows, in all or of each kind.
pub(crate) const fn rows(default: usize, most: usize) -> Parameter {
    Parameter {
        name: "n",
        about: "How many rows, in each list",
        kind: Kind::Number(1, default, most),
    }
}

/// What was said.
#[derive(Debug)]
pub(crate) struct Asked {
    values: BTreeMap<&'static str, Vec<String>>,
    numbers: BTreeMap<&'static str, usize>,
    pub(crate) format: Format,
    pub(crate) body: String,
}

impl Asked {
    pub(crate) fn read(
        known: &'static [Parameter],
        formats: &[Format],
        pairs: &[(String, String)],
    ) -> Result<Self, Fault> {
        let mut asked = Self {
            values: BTreeMap::new(),
            numbers: BTreeMap::new(),
            format: Format::Json,
            body: String::new(),
        };
        for (name, value) in pairs {
            if value.chars().count() > LONGEST {
                return Err(Fault::unreadable(format!(
                    "{name}: a value of more than {LONGEST} characters"
                )));
            }
            if name == "format" {
                asked.format = Format::named(value, formats)?;
                continue;
            }
            let Some(parameter) = known.iter().find(|parameter| parameter.name == name) else {
                let names: Vec<&str> = known.iter().map(|parameter| parameter.name).collect();
                let expected =
                    format!("expected: {}", [&names[..], &["format"]].concat().join(", "));
                return Err(Fault::unreadable(format!("no parameter '{name}' here\n{expected}")));
            };
            let values = asked.values.entry(parameter.name).or_default();
            values.push(value.clone());
            let most = if matches!(parameter.kind, Kind::Texts) { MOST_LEVELS } else { 1 };
            if values.len() > most {
                return Err(Fault::unreadable(format!(
                    "{name} is said {} times\nexpected: at most {most}",
                    values.len()
                )));
            }
        }
        for parameter in known {
            asked.check(parameter)?;
        }
        Ok(asked)
    }

    /// Whether a value is one of its kind; takes defaults.
    fn check(&mut self, Parameter { name, about, kind }: &Parameter) -> Result<(), Fault> {
        let given = self.values.get(name).and_then(|values| values.first()).cloned();
        let wrong = |expected: String| {
            let got = given.as_ref().map_or("is missing".to_owned(), |got| format!("is '{got}'"));
            Err(Fault::unreadable(format!("{name} {got}\nexpected: {expected}")))
        };
        match (kind, &given) {
            (Kind::Needed, None) => wrong((*about).to_owned()),
            (Kind::Needed | Kind::Text | Kind::Texts, _) => Ok(()),
            (Kind::Number(least, _, most) | Kind::Maybe(least, most), Some(text)) => {
                match text.parse::<usize>().ok().filter(|n| (*least..=*most).contains(n)) {
                    Some(number) => {
                        self.numbers.insert(name, number);
                        Ok(())
                    }
                    None => wrong(format!("a whole number from {least} to {most}")),
                }
            }
            (Kind::Number(_, default, _), None) => {
                self.numbers.insert(name, *default);
                Ok(())
            }
            (Kind::Choice(choices), Some(text)) if !choices.contains(&text.as_str()) => {
                wrong(choices.join(", "))
            }
            (Kind::Choice(choices), None) => {
                self.values.insert(name, vec![choices[0].to_owned()]);
                Ok(())
            }
            (Kind::Switch, Some(text)) if text != "true" && text != "false" => {
                wrong("true or false".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// The text under a name; empty where nothing was said.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.given(name).unwrap_or_default()
    }

    pub(crate) fn given(&self, name: &str) -> Option<&str> {
        self.values.get(name).and_then(|values| values.first()).map(String::as_str)
    }

    pub(crate) fn texts(&self, name: &str) -> &[String] {
        self.values.get(name).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn number(&self, name: &str) -> usize {
        self.numbers.get(name).copied().unwrap_or_default()
    }

    pub(crate) fn maybe(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    pub(crate) fn switch(&self, name: &str) -> bool {
        self.given(name) == Some("true")
    }

    /// How often a word must occur.
    pub(crate) fn support(&self, desk: &Desk) -> SupportParameters {
        match self.maybe(MIN_SUPPORT.name) {
            Some(least) => SupportParameters { min_support: Whole(least as u64) },
            None => desk.support.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[Parameter] = &[WORD, LEVELS, SURE, rows(10, 100)];

    fn read(query: &[(&str, &str)]) -> Result<Asked, String> {
        let pairs: Vec<(String, String)> =
            query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Asked::read(KNOWN, &[Format::Json, Format::Csv], &pairs).map_err(|fault| fault.message)
    }

    #[test]
    fn what_is_said_is_held_to_what_can_be_said() {
        let asked = read(&[("word", "a"), ("in", "x"), ("in", "y"), ("n", "7")]);
        let asked = asked.unwrap_or_else(|message| panic!("{message}"));
        assert_eq!((asked.text("word"), asked.number("n"), asked.switch("sure")), ("a", 7, false));
        assert_eq!(asked.texts("in").len(), 2);
        for (query, said) in [
            (&[("n", "1")][..], "word is missing"),
            (&[("word", "a"), ("n", "0")], "n is '0'"),
            (&[("word", "a"), ("n", "-1")], "n is '-1'"),
            (&[("word", "a"), ("n", "99999999999999999999999")], "from 1 to 100"),
            (&[("word", "a"), ("word", "b")], "word is said 2 times"),
            (&[("word", "a"), ("wrod", "b")], "no parameter 'wrod'"),
            (&[("word", "a"), ("sure", "yes")], "true or false"),
            (&[("word", "a"), ("format", "png")], "format is 'png'"),
        ] {
            let told = read(query).map(|_| ());
            assert!(told.as_ref().is_err_and(|message| message.contains(said)), "{told:?} {said}");
        }
        let long = "x".repeat(LONGEST + 1);
        assert!(read(&[("word", &long)]).is_err());
        assert!(read(&[("word", &long[1..])]).is_ok());
    }
}
