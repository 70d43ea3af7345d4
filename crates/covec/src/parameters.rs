//! The one table of parameters.
//!
//! A parameter's name, default, range and meaning stand in one place, beside its type. The command
//! line, the Python package and `docs/parameters.md` are all made from [`TABLES`], so they cannot
//! drift apart. Parameters decide the result; what does not (threads, memory) is in [`crate::Work`].

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One row of the table: everything a surface needs to offer the parameter.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Name in Rust and Python; the command line writes `-` for `_`.
    pub name: &'static str,
    /// What a value looks like, e.g. `N` or `FIELD`; empty for a switch.
    pub value: &'static str,
    /// The default, in words.
    pub default: &'static str,
    /// What is allowed, in words.
    pub range: &'static str,
    /// What it does.
    pub meaning: &'static str,
    /// Can be given several times.
    pub repeats: bool,
}

impl Parameter {
    /// A parameter that is either given or not.
    pub fn is_switch(&self) -> bool {
        self.value.is_empty()
    }

    /// The flag on the command line, `--min-count`.
    pub fn flag(&self) -> String {
        format!("--{}", self.name.replace('_', "-"))
    }
}

/// A refused parameter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{flag} {given}: {problem}expected {expected}")]
pub struct ParameterError {
    /// The flag, as on the command line.
    pub flag: String,
    /// What was given.
    pub given: String,
    /// What is wrong with it, as the first half of a sentence; may be empty.
    pub problem: String,
    /// What is allowed.
    pub expected: String,
}

/// A value that can be read from the command line.
pub trait Value: Sized {
    /// Whether it gathers several values.
    const REPEATS: bool = false;
    /// Takes one text into the value. The error says what is wrong beyond being out of range; it
    /// may be empty.
    fn take(&mut self, text: &str) -> Result<(), String>;
}

macro_rules! value_from_str {
    ($($kind:ty),*) => {$(
        impl Value for $kind {
            fn take(&mut self, text: &str) -> Result<(), String> {
                *self = parse_plain(text)?;
                Ok(())
            }
        }
    )*};
}
value_from_str!(String, bool, u32, u64, f64);

impl<T: FromStr<Err: Display>> Value for Option<T> {
    fn take(&mut self, text: &str) -> Result<(), String> {
        *self = Some(parse(text)?);
        Ok(())
    }
}

impl<T: FromStr<Err: Display>> Value for Vec<T> {
    const REPEATS: bool = true;
    fn take(&mut self, text: &str) -> Result<(), String> {
        self.push(parse(text)?);
        Ok(())
    }
}

fn parse<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

/// Numbers and plain text: what the range says is all there is to say.
fn parse_plain<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| String::new())
}

/// A choice between named values: the names are what users write and what `run.json` holds.
macro_rules! choice {
    ($(#[$doc:meta])* pub enum $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$variant_doc])* #[serde(rename = $text)] $variant),* }
        impl std::str::FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($text => Ok(Self::$variant),)*
                    _ => Err(String::new()),
                }
            }
        }
        impl $crate::parameters::Value for $name {
            fn take(&mut self, text: &str) -> Result<(), String> {
                *self = text.parse()?;
                Ok(())
            }
        }
    };
}
pub(crate) use choice;

/// Declares a stage's parameters: the struct, its defaults, its rows of the table and its checks.
macro_rules! parameters {
    (
        $(#[$doc:meta])*
        pub struct $name:ident {
            $( $field:ident: $kind:ty = $default:expr, $value:literal, $default_text:literal,
               $range:literal if $check:expr, $meaning:literal; )*
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        pub struct $name { $( #[doc = $meaning] pub $field: $kind ),* }

        impl Default for $name {
            fn default() -> Self { Self { $( $field: $default ),* } }
        }

        impl $name {
            /// This stage's rows of the table of parameters.
            pub const TABLE: &'static [$crate::parameters::Parameter] = &[$(
                $crate::parameters::Parameter {
                    name: stringify!($field),
                    value: $value,
                    default: $default_text,
                    range: $range,
                    meaning: $meaning,
                    repeats: <$kind as $crate::parameters::Value>::REPEATS,
                }
            ),*];

            /// Sets the parameter of this name from text, as a user writes it.
            pub fn set(&mut self, name: &str, text: &str) -> Result<(), $crate::parameters::ParameterError> {
                match name {
                    $( stringify!($field) => $crate::parameters::Value::take(&mut self.$field, text)
                        .map_err(|problem| $crate::parameters::refusal_because(Self::TABLE, name, text, &problem)), )*
                    _ => Err($crate::parameters::unknown(name)),
                }
            }

            /// Every value inside its range.
            #[allow(clippy::redundant_closure_call)]
            pub fn check(&self) -> Result<(), $crate::parameters::ParameterError> {
                $( if !($check)(&self.$field) {
                    return Err($crate::parameters::refusal(
                        Self::TABLE, stringify!($field), &$crate::parameters::written(&self.$field)));
                } )*
                Ok(())
            }
        }
    };
}
pub(crate) use parameters;

/// A value as a user writes it, not as Rust shows it.
pub(crate) fn written<T: Serialize + std::fmt::Debug>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        Ok(serde_json::Value::Number(number)) => number.to_string(),
        _ => format!("{value:?}"),
    }
}

pub(crate) fn refusal(table: &[Parameter], name: &str, given: &str) -> ParameterError {
    refusal_because(table, name, given, "")
}

pub(crate) fn refusal_because(
    table: &[Parameter],
    name: &str,
    given: &str,
    problem: &str,
) -> ParameterError {
    let expected = table.iter().find(|row| row.name == name).map_or("", |row| row.range);
    ParameterError {
        flag: format!("--{}", name.replace('_', "-")),
        given: given.to_owned(),
        problem: if problem.is_empty() { String::new() } else { format!("{problem}; ") },
        expected: expected.to_owned(),
    }
}

pub(crate) fn unknown(name: &str) -> ParameterError {
    ParameterError {
        flag: format!("--{}", name.replace('_', "-")),
        given: String::new(),
        problem: String::new(),
        expected: "a parameter of this stage".to_owned(),
    }
}

/// The whole table, stage by stage.
pub const TABLES: &[(&str, &[Parameter])] = &[
    ("Corpus", crate::corpus::CorpusParameters::TABLE),
    ("Vocabulary", crate::vocabulary::VocabularyParameters::TABLE),
    ("Counting", crate::tensor::WindowParameters::TABLE),
    ("Collocates", crate::tensor::collocates::CollocateParameters::TABLE),
    ("Import", crate::tensor::ImportParameters::TABLE),
    ("Training", crate::train::TrainParameters::TABLE),
    ("Baselines: slices", crate::baseline::SliceParameters::TABLE),
    ("Baselines: rotation", crate::baseline::RotationParameters::TABLE),
    ("Baselines: ppmi-svd", crate::baseline::PpmiParameters::TABLE),
    ("Baselines: s-efe", crate::baseline::SEfeParameters::TABLE),
    ("Baselines: lda", crate::baseline::LdaParameters::TABLE),
    ("Export", crate::model::export::ExportParameters::TABLE),
    ("Analyses", crate::analyse::SupportParameters::TABLE),
    ("Drift", crate::analyse::drift::DriftParameters::TABLE),
    ("Analogy", crate::analyse::analogy::AnalogyParameters::TABLE),
    ("Attribution", crate::analyse::attribute::AttributeParameters::TABLE),
    ("Bootstrap", crate::resample::BootstrapParameters::TABLE),
    ("Permutation", crate::resample::PermuteParameters::TABLE),
    ("Stability", crate::resample::stability::StabilityParameters::TABLE),
    ("Error bars", crate::resample::SureParameters::TABLE),
    ("Evaluation", crate::evaluate::EvaluateParameters::TABLE),
    ("Synth", crate::synth::SynthParameters::TABLE),
    ("Plant", crate::synth::plant::PlantParameters::TABLE),
];

/// The table as Markdown: the text of `docs/parameters.md`.
pub fn markdown() -> String {
    let mut page = String::from(
        "# Parameters\n\nMade from the one table in `crates/covec/src/parameters.rs` by \
         `cargo xtask docs`; a test keeps it in step.\n",
    );
    for (stage, table) in TABLES {
        page +=
            &format!("\n## {stage}\n\n| flag | default | allowed | meaning |\n|---|---|---|---|\n");
        for row in *table {
            let repeats = if row.repeats { " (repeatable)" } else { "" };
            let flag = format!("{} {}", row.flag(), row.value);
            let cell = |text: &str| text.replace('|', "\\|");
            page += &format!(
                "| `{}`{repeats} | {} | {} | {} |\n",
                cell(flag.trim()),
                cell(row.default),
                cell(row.range),
                cell(row.meaning)
            );
        }
    }
    page
}

/// A number of bytes as people write it: `512M`, `4G`, `100000`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bytes(pub u64);

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for Bytes {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = String::new;
        let text = text.trim().trim_end_matches(['b', 'B']).trim_end_matches('i');
        let (number, shift) = match text.chars().last() {
            Some('k' | 'K') => (&text[..text.len() - 1], 10),
            Some('m' | 'M') => (&text[..text.len() - 1], 20),
            Some('g' | 'G') => (&text[..text.len() - 1], 30),
            Some('t' | 'T') => (&text[..text.len() - 1], 40),
            _ => (text, 0),
        };
        let number: f64 = number.trim().parse().map_err(|_| wrong())?;
        let bytes = number * (1_u64 << shift) as f64;
        if bytes.is_finite() && (1.0..1e18).contains(&bytes) {
            Ok(Self(bytes as u64))
        } else {
            Err(wrong())
        }
    }
}

impl Value for Bytes {
    fn take(&mut self, text: &str) -> Result<(), String> {
        *self = text.parse()?;
        Ok(())
    }
}

/// A whole number as people write it: `2000000`, `2e6`, `2_000_000`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Whole(pub u64);

impl std::fmt::Debug for Whole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for Whole {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let plain = text.replace('_', "");
        if let Ok(number) = plain.parse() {
            return Ok(Self(number));
        }
        match plain.parse::<f64>() {
            Ok(x) if x >= 0.0 && x.fract() == 0.0 && x < 9e15 => Ok(Self(x as u64)),
            _ => Err(String::new()),
        }
    }
}

impl Value for Whole {
    fn take(&mut self, text: &str) -> Result<(), String> {
        *self = text.parse()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_numbers_are_read_as_people_write_them() {
        assert_eq!("512M".parse(), Ok(Bytes(512 << 20)));
        assert_eq!("1.5GiB".parse(), Ok(Bytes(3 << 29)));
        assert_eq!("100".parse(), Ok(Bytes(100)));
        for bad in ["", "G", "-1M", "nanG", "0", "1e30G"] {
            assert!(bad.parse::<Bytes>().is_err(), "{bad}");
        }
        assert_eq!("2e6".parse(), Ok(Whole(2_000_000)));
        assert_eq!("2_000".parse(), Ok(Whole(2_000)));
        for bad in ["1.5", "-3", "x", "inf"] {
            assert!(bad.parse::<Whole>().is_err(), "{bad}");
        }
    }

    #[test]
    fn names_are_unique_over_all_stages_of_counting() {
        let names: Vec<_> =
            TABLES[..3].iter().flat_map(|(_, t)| t.iter().map(|p| p.name)).collect();
        let distinct: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(names.len(), distinct.len());
    }
}
