//! Covariates: where a document's levels come from, and how numbers become levels.

use std::borrow::Cow;
use std::str::FromStr;

use regex::Regex;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{CorpusError, CorpusParameters};

/// One `--by`: a covariate's source.
#[derive(Debug, Clone)]
pub enum By {
    /// A field of the document, and how its numbers are cut, if they are.
    Field {
        /// The field.
        name: String,
        /// How numbers become levels.
        bins: Option<Bins>,
    },
    /// The folder a text file lies in.
    Folder,
    /// Named groups of a pattern on a text file's path.
    Name(Regex),
}

/// How numbers become levels, which then have an order.
#[derive(Debug, Clone, PartialEq)]
pub enum Bins {
    /// Equal steps: `year:10`.
    Width(f64),
    /// Between given numbers: `year:1861,1913,1946`.
    Cuts(Vec<f64>),
}

impl PartialEq for By {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl std::fmt::Display for By {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Field { name, bins: None } => f.write_str(name),
            Self::Field { name, bins: Some(Bins::Width(width)) } => write!(f, "{name}:{width}"),
            Self::Field { name, bins: Some(Bins::Cuts(cuts)) } => {
                // One cut alone reads as a width; the comma tells them apart.
                let cuts: Vec<_> = cuts.iter().map(f64::to_string).collect();
                let comma = if cuts.len() == 1 { "," } else { "" };
                write!(f, "{name}:{}{comma}", cuts.join(","))
            }
            Self::Folder => f.write_str("folder"),
            Self::Name(regex) => write!(f, "name:{regex}"),
        }
    }
}

impl FromStr for By {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refuse = str::to_owned;
        if text == "folder" {
            return Ok(Self::Folder);
        }
        if let Some(pattern) = text.strip_prefix("name:") {
            let regex = Regex::new(pattern).map_err(|error| refuse(&error.to_string()))?;
            if regex.capture_names().flatten().next().is_none() {
                return Err(refuse("the pattern names no group, such as (?<author>[^_]+)"));
            }
            return Ok(Self::Name(regex));
        }
        if text.is_empty() {
            return Err(refuse("the field has no name"));
        }
        // A field's own name may hold a colon, so only numbers after the last one are a rule.
        if let Some((name, rule)) = text.rsplit_once(':')
            && !name.is_empty()
            && !rule.is_empty()
            && rule.bytes().all(|b| b"0123456789.,-+eE".contains(&b))
        {
            let numbers: Result<Vec<f64>, _> =
                rule.trim_end_matches(',').split(',').map(|n| n.trim().parse::<f64>()).collect();
            let numbers = numbers.map_err(|_| refuse("the numbers after ':' cannot be read"))?;
            if numbers.iter().any(|x| !x.is_finite()) {
                return Err(refuse("the numbers after ':' must be finite"));
            }
            let bins = if let [width] = numbers[..]
                && !rule.contains(',')
            {
                if width <= 0.0 {
                    return Err(refuse("a width must be positive"));
                }
                Bins::Width(width)
            } else {
                if numbers.windows(2).any(|pair| pair[0] >= pair[1]) {
                    return Err(refuse("cut points must rise"));
                }
                Bins::Cuts(numbers)
            };
            return Ok(Self::Field { name: name.to_owned(), bins: Some(bins) });
        }
        Ok(Self::Field { name: text.to_owned(), bins: None })
    }
}

impl Serialize for By {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for By {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// One `--order`: a factor's levels in their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The factor.
    pub factor: String,
    /// All its levels.
    pub levels: Vec<String>,
}

impl FromStr for Order {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (factor, levels) = text.split_once('=').ok_or("")?;
        Ok(Self {
            factor: factor.to_owned(),
            levels: levels.split(',').map(|level| level.trim().to_owned()).collect(),
        })
    }
}

/// A level as it is found: its name, and where it stands among ordered ones.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LevelKey {
    pub(crate) name: String,
    /// Lower end of a bin; what ordered levels are sorted by.
    pub(crate) from: Option<f64>,
}

impl Bins {
    /// The level of a number.
    pub(crate) fn level(&self, x: f64) -> LevelKey {
        match self {
            Self::Width(width) => {
                let steps = x / width;
                // 0.3 is 3 steps of 0.1, though not to the last bit.
                let near = (steps - steps.round()).abs() < 1e-9;
                let steps = if near { steps.round() } else { steps.floor() };
                // As many decimals as the width has; and never -0.
                let digits = width.to_string().split_once('.').map_or(0, |(_, d)| d.len());
                let edge = |n: f64| {
                    let text = format!("{:.digits$}", n * width);
                    text.parse::<f64>().unwrap_or(n * width) + 0.0
                };
                let low = edge(steps);
                let whole = width.fract() == 0.0;
                let name = match *width {
                    1.0 => format!("{low}"),
                    10.0 => format!("{low}s"),
                    _ if whole => format!("{low}..{}", low + width - 1.0),
                    _ => format!("{low}..{}", edge(steps + 1.0)),
                };
                LevelKey { name, from: Some(low) }
            }
            Self::Cuts(cuts) => {
                let above = cuts.partition_point(|cut| *cut <= x);
                // Whole cuts are written as the whole numbers they hold: ..1860, 1861..1912, 1913..
                let last = |cut: f64| {
                    if cuts.iter().all(|c| c.fract() == 0.0) { cut - 1.0 } else { cut }
                };
                let name = match (above.checked_sub(1).map(|i| cuts[i]), cuts.get(above)) {
                    (None, Some(&high)) => format!("..{}", last(high)),
                    (Some(low), Some(&high)) => format!("{low}..{}", last(high)),
                    (Some(low), None) => format!("{low}.."),
                    (None, None) => "..".to_owned(),
                };
                let from = above.checked_sub(1).map_or(f64::MIN, |i| cuts[i]);
                LevelKey { name, from: Some(from) }
            }
        }
    }
}

/// Where a factor's raw value stands in a document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Origin {
    /// The n-th of [`Plan::fields`].
    Field(usize),
    Folder,
    /// A named group of [`Plan::pattern`].
    Group(String),
}

/// A factor to be read.
#[derive(Debug, Clone)]
pub(crate) struct FactorPlan {
    pub(crate) name: String,
    pub(crate) origin: Origin,
    pub(crate) bins: Option<Bins>,
}

/// What to take out of every document.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) parameters: CorpusParameters,
    /// Fields to pick: the text first, then the id, if any, then the covariates.
    pub(crate) fields: Vec<String>,
    pub(crate) factors: Vec<FactorPlan>,
    pub(crate) pattern: Option<Regex>,
    /// A number may stand where the text does: the words of a table of counts may be numbers.
    pub(crate) text_may_be_number: bool,
    /// Documents that lack a covariate can be left out by who asks.
    pub(crate) may_skip: bool,
}

impl Plan {
    pub(crate) const TEXT: usize = 0;

    pub(crate) fn new(parameters: &CorpusParameters) -> Result<Self, CorpusError> {
        Self::with_units(parameters, &[])
    }

    /// The same for documents that are gathered into units by what they agree in; that may be a factor, too.
    pub(crate) fn with_units(
        parameters: &CorpusParameters,
        units: &[By],
    ) -> Result<Self, CorpusError> {
        let all = || parameters.by.iter().chain(units);
        let refuse = |by: &By, problem: &str| CorpusError::By {
            given: by.to_string(),
            problem: problem.to_owned(),
        };
        let mut plan = Self {
            parameters: parameters.clone(),
            fields: vec![parameters.text.clone()],
            factors: Vec::new(),
            pattern: None,
            text_may_be_number: false,
            may_skip: units.is_empty(),
        };
        if let Some(id) = &parameters.id {
            plan.slot(id);
        }
        for by in all() {
            if let By::Name(regex) = by {
                if plan.pattern.is_some() {
                    return Err(refuse(by, "only one name:REGEX can be given"));
                }
                plan.pattern = Some(regex.clone());
            }
        }
        let groups: Vec<String> = plan
            .pattern
            .iter()
            .flat_map(|regex| regex.capture_names().flatten().map(str::to_owned))
            .collect();
        for (place, by) in all().enumerate() {
            let is_unit = place >= parameters.by.len();
            let factors = match by {
                By::Folder => {
                    vec![FactorPlan { name: "folder".into(), origin: Origin::Folder, bins: None }]
                }
                By::Field { name, bins } => {
                    let origin = if groups.contains(name) {
                        Origin::Group(name.clone())
                    } else {
                        Origin::Field(plan.slot(name))
                    };
                    vec![FactorPlan { name: name.clone(), origin, bins: bins.clone() }]
                }
                // Groups that another --by names are taken there, where they may be cut into bins.
                By::Name(_) => groups
                    .iter()
                    .filter(|group| {
                        let named = |b: &By| matches!(b, By::Field { name, .. } if name == *group);
                        !parameters.by.iter().any(named)
                    })
                    .map(|group| FactorPlan {
                        name: group.clone(),
                        origin: Origin::Group(group.clone()),
                        bins: None,
                    })
                    .collect(),
            };
            for factor in factors {
                if !is_unit && plan.factors.iter().any(|f| f.name == factor.name) {
                    return Err(refuse(by, "this factor is named twice; once is enough"));
                }
                plan.factors.push(factor);
            }
        }
        for order in &parameters.order {
            if !plan.factors.iter().any(|factor| factor.name == order.factor) {
                return Err(CorpusError::Order {
                    factor: order.factor.clone(),
                    problem: "no --by names this factor".to_owned(),
                });
            }
        }
        Ok(plan)
    }

    /// The slot of the id among the fields.
    pub(crate) fn id(&self) -> Option<usize> {
        let id = self.parameters.id.as_ref()?;
        self.fields.iter().position(|field| field == id)
    }

    fn slot(&mut self, field: &str) -> usize {
        self.fields.iter().position(|f| f == field).unwrap_or_else(|| {
            self.fields.push(field.to_owned());
            self.fields.len() - 1
        })
    }

    /// Whether a covariate is read off paths: what to call it in a message.
    pub(crate) fn needs_paths(&self) -> Option<&'static str> {
        self.factors.iter().find_map(|factor| match factor.origin {
            Origin::Folder => Some("folder"),
            Origin::Group(_) => Some("name:REGEX"),
            Origin::Field(_) => None,
        })
    }
}

/// A covariate's value, trimmed; nothing if there is nothing in it.
pub(crate) fn filled(value: Cow<'_, str>) -> Option<Cow<'_, str>> {
    match value {
        Cow::Borrowed(text) => Some(text.trim()).filter(|t| !t.is_empty()).map(Cow::Borrowed),
        Cow::Owned(text) => {
            Some(text.trim()).filter(|t| !t.is_empty()).map(|t| Cow::Owned(t.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(by: &str, x: f64) -> String {
        match by.parse().unwrap() {
            By::Field { bins: Some(bins), .. } => bins.level(x).name,
            other => panic!("{other:?} has no bins"),
        }
    }

    #[test]
    fn numbers_become_levels_by_width() {
        assert_eq!(level("year:10", 1799.0), "1790s");
        assert_eq!(level("year:1", 1799.0), "1799");
        assert_eq!(level("year:50", 1799.0), "1750..1799");
        assert_eq!(level("score:0.5", 0.7), "0.5..1");
        assert_eq!(level("t:10", -0.5), "-10s");
        assert_eq!(level("t:10", -0.0), "0s");
        let tenths = [0.0, 0.1, 0.3, 0.35, 0.6, 0.7].map(|x| level("s:0.1", x));
        assert_eq!(tenths, ["0..0.1", "0.1..0.2", "0.3..0.4", "0.3..0.4", "0.6..0.7", "0.7..0.8"]);
    }

    #[test]
    fn numbers_become_levels_by_cut_points() {
        let by = "year:1861,1913,1946";
        let names = [1790.0, 1860.0, 1861.0, 1945.0, 1946.0, 2020.0].map(|x| level(by, x));
        assert_eq!(names, ["..1860", "..1860", "1861..1912", "1913..1945", "1946..", "1946.."]);
        assert_eq!(level("age:65,", 64.0), "..64");
    }

    #[test]
    fn what_is_written_is_read_again() {
        for text in
            ["party", "year:10", "year:1861,1913", "age:65,", "folder", "a:b", "name:(?<x>.)"]
        {
            assert_eq!(text.parse::<By>().unwrap().to_string(), text);
        }
        assert!(matches!("a:b".parse(), Ok(By::Field { bins: None, .. })));
    }

    #[test]
    fn nonsense_is_refused_with_the_reason() {
        for (text, reason) in [
            ("", "no name"),
            ("year:-3", "positive"),
            ("year:5,3", "rise"),
            ("year:1..2", "cannot be read"),
            ("name:[", "regex"),
            ("name:abc", "names no group"),
        ] {
            let error = text.parse::<By>().unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn groups_of_a_path_can_be_cut_like_fields() {
        let by = ["name:(?<author>[a-z]+)_(?<year>[0-9]+)", "year:10"];
        let parameters = CorpusParameters {
            by: by.iter().map(|b| b.parse().unwrap()).collect(),
            ..Default::default()
        };
        let plan = Plan::new(&parameters).unwrap();
        let names: Vec<_> =
            plan.factors.iter().map(|f| (f.name.as_str(), f.bins.is_some())).collect();
        assert_eq!(names, [("author", false), ("year", true)]);
    }
}
