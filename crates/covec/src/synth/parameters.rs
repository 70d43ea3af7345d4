//! What the planted world is like.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::parameters::{ParameterError, Value, Whole, parameters, refusal};

/// Words beyond this would take hours: the truth costs words² × dimensions.
const MOST_WORDS: u64 = 100_000;
/// Combinations of levels.
const MOST_CELLS: u64 = 10_000;

parameters! {
    /// The planted world.
    pub struct SynthParameters {
        seed: Whole = Whole(1), "N", "1",
            "a whole number" if |_: &Whole| true,
            "The same seed makes the same bytes, at any number of threads";
        tokens: Whole = Whole(2_000_000), "N", "2000000",
            "a whole number up to 1e10, at least one document for every combination of levels" if |n: &Whole| (1..=10_000_000_000).contains(&n.0),
            "Words of text to write";
        words: Whole = Whole(5000), "N", "5000",
            "2 to 100000" if |n: &Whole| (2..=MOST_WORDS).contains(&n.0),
            "Distinct words";
        levels: Levels = Levels(vec![4]), "N[,N…]", "4",
            "numbers from 1 on, joined by commas, 10000 combinations at most" if Levels::fit,
            "Levels of the covariate; 4,3 makes two covariates of 4 and 3 levels";
        dim: u32 = 20, "N", "20",
            "1 to the number of words" if |n: &u32| *n > 0,
            "Dimensions, which are the topics";
        document_words: u32 = 50, "N", "50",
            "a whole number, 1 or more" if |n: &u32| *n > 0,
            "Words of a document; the last one may be shorter";
        zeros: f64 = 0.15, "SHARE", "0.15",
            "a number from 0 on, below 1" if |x: &f64| (0.0..1.0).contains(x),
            "Share of the levels' weights that are exactly 0; every dimension keeps a level";
        differing: u32 = 20, "N", "20",
            "an even number, at most half of the words" if |n: &u32| n.is_multiple_of(2),
            "Words that are used differently in one level, two and two with each other's vector";
        strength: f64 = 1.0, "X", "1",
            "0 to 1" if |x: &f64| (0.0..=1.0).contains(x),
            "How far a differing word goes towards its partner's vector";
        zipf: f64 = 1.0, "X", "1",
            "0 to 3" if |x: &f64| (0.0..=3.0).contains(x),
            "How steeply frequencies fall: about 1/(rank + 2.7)^zipf";
        shares: Shares = Shares(Vec::new()), "X,X…", "equal",
            "equal, or a positive number for every level of the first covariate" if Shares::fit,
            "How much of the text each level of the first covariate gets";
        tensor: bool = false, "", "off",
            "a switch" if |_: &bool| true,
            "Write a tensor straight from the known factors instead of text";
        noise: Noise = Noise::None, "NOISE", "none",
            "none, log:X with X from 0 on, or poisson" if Noise::fit,
            "With --tensor: none, log:X (normal noise of that spread on the logarithm), or poisson (counts)";
        density: f64 = 1.0, "SHARE", "1",
            "0 to 1" if |x: &f64| (0.0..=1.0).contains(x),
            "With --tensor: share of the pairs of words that are seen";
        scale: f64 = 1e6, "X", "1e6",
            "a positive number" if |x: &f64| x.is_finite() && *x > 0.0,
            "With --tensor: sum of a combination's values, before noise and with every pair seen";
    }
}

/// Parameters that were checked.
#[derive(Debug, Clone, Copy)]
pub struct Checked<'a>(pub(super) &'a SynthParameters);

impl SynthParameters {
    /// Every parameter inside its range, alone and together; only what passes makes a world.
    pub fn checked(&self) -> Result<Checked<'_>, ParameterError> {
        self.check()?;
        let refuse = |name: &str, given: &dyn fmt::Display| {
            Err(refusal(Self::TABLE, name, &given.to_string()))
        };
        if u64::from(self.dim) > self.words.0 {
            return refuse("dim", &self.dim);
        }
        if u64::from(self.differing) * 2 > self.words.0 {
            return refuse("differing", &self.differing);
        }
        if !self.shares.0.is_empty() && self.shares.0.len() != self.levels.0[0] as usize {
            return refuse("shares", &self.shares);
        }
        Ok(Checked(self))
    }

    /// Number of combinations of levels.
    pub(super) fn cells(&self) -> usize {
        self.levels.0.iter().map(|&n| n as usize).product()
    }
}

/// The number of levels of every factor: `4` or `4,3`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Levels(pub Vec<u32>);

impl Levels {
    fn fit(&self) -> bool {
        let cells = self.0.iter().try_fold(1_u64, |cells, &n| cells.checked_mul(u64::from(n)));
        !self.0.is_empty() && cells.is_some_and(|cells| (1..=MOST_CELLS).contains(&cells))
    }
}

impl FromStr for Levels {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        numbers(text).map(Self)
    }
}

/// A share of the text for every level of the first factor; none where all get the same.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Shares(pub Vec<f64>);

impl Shares {
    fn fit(&self) -> bool {
        self.0.iter().all(|x| x.is_finite() && *x > 0.0)
    }
}

impl FromStr for Shares {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        if text == "equal" { Ok(Self(Vec::new())) } else { numbers(text).map(Self) }
    }
}

/// What is done to the values of a planted tensor.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Noise {
    /// Nothing: the logarithm of a value is the model.
    None,
    /// Normal noise of this standard deviation is added to the logarithm.
    Log(f64),
    /// The value becomes a Poisson count with that mean; zeros are dropped.
    Poisson,
}

impl Noise {
    fn fit(&self) -> bool {
        !matches!(self, Self::Log(spread) if !(spread.is_finite() && *spread >= 0.0))
    }
}

impl FromStr for Noise {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix("log:").map(str::parse)) {
            ("none", _) => Ok(Self::None),
            ("poisson", _) => Ok(Self::Poisson),
            (_, Some(Ok(spread))) => Ok(Self::Log(spread)),
            _ => Err("none, log:0.1 or poisson".to_owned()),
        }
    }
}

impl From<Noise> for String {
    fn from(noise: Noise) -> Self {
        noise.to_string()
    }
}

impl TryFrom<String> for Noise {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(&self.0))
    }
}

impl fmt::Display for Shares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "equal" } else { "" })?;
        f.write_str(&joined(&self.0))
    }
}

impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Log(spread) => write!(f, "log:{spread}"),
            Self::Poisson => f.write_str("poisson"),
        }
    }
}

/// These are shown as users write them, in refusals too, and read like any other value.
macro_rules! shown_as_written {
    ($($kind:ty),*) => {$(
        impl fmt::Debug for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
        impl Value for $kind {
            fn take(&mut self, text: &str) -> Result<(), String> {
                *self = text.parse()?;
                Ok(())
            }
        }
    )*};
}
shown_as_written!(Levels, Shares, Noise);

fn numbers<T: FromStr>(text: &str) -> Result<Vec<T>, String> {
    let number =
        |part: &str| part.trim().parse().map_err(|_| "numbers joined by commas".to_owned());
    text.split(',').map(number).collect()
}

fn joined<T: fmt::Display>(numbers: &[T]) -> String {
    let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    texts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_a_world_is_refused_by_name() {
        let refused = |given: &[(&str, &str)]| {
            let mut parameters = SynthParameters::default();
            let set = given.iter().try_for_each(|(name, text)| parameters.set(name, text));
            set.and_then(|()| parameters.checked().map(|_| ())).unwrap_err().to_string()
        };
        for (given, flag) in [
            (&[("dim", "30"), ("words", "20")][..], "--dim 30"),
            (&[("dim", "0")], "--dim 0"),
            (&[("words", "1")], "--words"),
            (&[("levels", "0")], "--levels 0"),
            (&[("levels", "4,0")], "--levels 4,0"),
            (&[("levels", "x")], "--levels x"),
            (&[("levels", "5000,5000")], "--levels 5000,5000"),
            (&[("zeros", "1")], "--zeros 1.0"),
            (&[("zeros", "NaN")], "--zeros NaN"),
            (&[("differing", "3")], "--differing 3"),
            (&[("differing", "12"), ("words", "20"), ("dim", "3")], "--differing 12"),
            (&[("shares", "0.5,0.5")], "--shares 0.5,0.5"),
            (&[("shares", "1,1,1,-1")], "--shares 1,1,1,-1"),
            (&[("shares", "1,1,1,0")], "--shares 1,1,1,0"),
            (&[("strength", "1.5")], "--strength 1.5"),
            (&[("noise", "loud")], "--noise loud"),
            (&[("noise", "log:-1")], "--noise log:-1"),
            (&[("density", "2")], "--density 2"),
            (&[("scale", "0")], "--scale 0"),
            (&[("tokens", "0")], "--tokens"),
            (&[("document_words", "0")], "--document-words 0"),
        ] {
            let refused = refused(given);
            assert!(
                refused.starts_with(flag) && refused.contains("expected"),
                "{given:?}: {refused}"
            );
        }
        assert!(SynthParameters::default().checked().is_ok());
    }

    #[test]
    fn noise_and_lists_are_read_as_they_are_shown() {
        for text in ["none", "poisson", "log:0.1"] {
            assert_eq!(text.parse::<Noise>().unwrap().to_string(), text);
        }
        assert_eq!("4,3".parse::<Levels>().unwrap().to_string(), "4,3");
        assert_eq!("equal".parse::<Shares>().unwrap().to_string(), "equal");
        assert_eq!("0.7,0.3".parse::<Shares>().unwrap().to_string(), "0.7,0.3");
    }
}
