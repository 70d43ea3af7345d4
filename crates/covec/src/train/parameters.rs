//! What decides a model, beside the tensor.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::parameters::{ParameterError, Value, Whole, choice, parameters};

parameters! {
    /// How a model is trained.
    pub struct TrainParameters {
        dim: u32 = 100, "N", "100",
            "1 to 2000" if |n: &u32| (1..=2000).contains(n),
            "Dimensions of the vectors, which are the topics";
        solver: Solver = Solver::Blocks, "SOLVER", "blocks",
            "blocks, adam or adagrad" if |_: &Solver| true,
            "blocks: exact steps row by row; adam: the paper's; adagrad: GloVe's";
        seed: Whole = Whole(1), "N", "1",
            "a whole number" if |_: &Whole| true,
            "The same seed gives the same bits, at any number of threads";
        seeds: u32 = 1, "N", "1",
            "1 to 100" if |n: &u32| (1..=100).contains(n),
            "Train with this many seeds, one after the other, and tell how far their axes agree; the model is that of the first";
        sweeps: u32 = 40, "N", "40",
            "1 to 100000" if |n: &u32| (1..=100_000).contains(n),
            "Sweeps over all entries at most; training stops before when it stands still";
        tolerance: f64 = 0.01, "X", "0.01",
            "a number from 0 on, below 1" if |x: &f64| (0.0..1.0).contains(x),
            "Stop when in a sweep neither the loss nor the held-out loss falls by this share";
        x_max: f64 = 100.0, "X", "100",
            "a positive number" if |x: &f64| x.is_finite() && *x > 0.0,
            "Counts from here on weigh 1, smaller ones (count/x-max)^alpha";
        alpha: f64 = 0.75, "X", "0.75",
            "0 to 2" if |x: &f64| (0.0..=2.0).contains(x),
            "How steeply the weight of an entry falls with its count";
        diagonal: Diagonal = Diagonal::Drop, "keep|drop", "drop",
            "keep or drop" if |_: &Diagonal| true,
            "Pairs of a word with itself: a product of a vector with itself cannot fall below 0, as their counts do, so they are left out unless kept";
        ridge: AutoOr = AutoOr::Auto, "X", "auto",
            "auto, or a number from 0 on" if |r: &AutoOr| r.at().is_none_or(|x| x.is_finite() && x >= 0.0),
            "How strongly vectors are drawn to 0, relative to the average word's data; auto chooses on held-out entries";
        chance: AutoOr = AutoOr::Auto, "X", "auto",
            "auto, or a number from 0 on" if |x: &AutoOr| x.at().is_none_or(|x| x.is_finite() && x >= 0.0),
            "How much pairs that never met count, beside the data of those that did: all are drawn to what chance would make of them. 0: only pairs that met count, as in the paper (auto: 2, with several factors 1; 0 with adam and adagrad, and for baselines)";
        ridge_weights: f64 = 40.0, "X", "40",
            "a number from 0 on" if |x: &f64| x.is_finite() && *x >= 0.0,
            "How strongly the levels' squared weights are drawn to 1: the inverse of the variance expected of them";
        tie: f64 = 100.0, "X", "100",
            "a number from 0 on" if |x: &f64| x.is_finite() && *x >= 0.0,
            "How strongly the squared weights of neighbouring levels of an ordered factor are drawn to each other; 0 leaves them free";
        start: Start = Start::Ones, "START", "ones",
            "unit or ones" if |_: &Start| true,
            "Where the levels' weights start: random unit vectors (the paper's), or all alike";
        axes: u32 = 2, "N", "2",
            "a whole number" if |_: &u32| true,
            "An axis step after every N sweeps, which turns the dimensions so that levels only reweight them; 0 for none";
        held_out: f64 = 0.02, "SHARE", "0.02",
            "0 to 0.5" if |x: &f64| (0.0..=0.5).contains(x),
            "Share of the pairs kept out of training to judge it by";
        deviations: Switch = Switch::On, "on|off", "on",
            "on or off" if |_: &Switch| true,
            "Let a word deviate from its base vector in levels where it occurs often enough";
        min_support: Whole = Whole(20), "N", "20",
            "a whole number" if |_: &Whole| true,
            "Occurrences in a level from which on a word may deviate there";
        learning_rate: AutoOr = AutoOr::Auto, "X", "auto",
            "auto, or a positive number" if |x: &AutoOr| x.at().is_none_or(|x| x.is_finite() && x > 0.0),
            "Step of adam (auto: 0.01) and adagrad (auto: 0.05)";
    }
}

/// Parameters that were checked.
#[derive(Debug, Clone, Copy)]
pub struct Checked<'a>(pub(crate) &'a TrainParameters);

impl TrainParameters {
    /// How strongly all pairs are drawn to what chance would make of them, with so many factors. With several, biases say less of
    /// a cell: on the State of the Union by era and party 1 does as well on word tests as 2 (MEN 0.490), and predicts
    /// held-out pairs better (0.568 against 0.623).
    pub(crate) fn chance(&self, factors: usize) -> f64 {
        self.chance.at().unwrap_or(match self.solver {
            Solver::Blocks if factors > 1 => 1.0,
            Solver::Blocks => 2.0,
            Solver::Adam | Solver::Adagrad => 0.0,
        })
    }

    /// Every parameter inside its range; only what passes can be trained by.
    pub fn checked(&self) -> Result<Checked<'_>, ParameterError> {
        self.check()?;
        let given = self.chance.at().filter(|chance| *chance > 0.0);
        if let (Some(chance), Solver::Adam | Solver::Adagrad) = (given, self.solver) {
            return Err(ParameterError {
                flag: "--chance".to_owned(),
                given: chance.to_string(),
                problem: "adam and adagrad know of pairs that met alone: ".to_owned(),
                expected: "0, or --solver blocks".to_owned(),
            });
        }
        Ok(Checked(self))
    }
}

choice! {
    /// How the objective is minimised.
    pub enum Solver {
        /// Exact steps: a word's vector and biases together, then a level's weights.
        Blocks = "blocks",
        /// Adam on everything, as in the paper.
        Adam = "adam",
        /// AdaGrad on everything, as GloVe does it.
        Adagrad = "adagrad",
    }
}

choice! {
    /// Where the levels' weights start.
    pub enum Start {
        /// Random unit vectors, as in the paper.
        Unit = "unit",
        /// All alike.
        Ones = "ones",
    }
}

choice! {
    /// What becomes of pairs of a word with itself.
    pub enum Diagonal {
        /// They count like any other; the word's own vector on the other side is held fixed while
        /// its row is solved.
        Keep = "keep",
        /// They are left out.
        Drop = "drop",
    }
}

choice! {
    /// On or off.
    pub enum Switch {
        /// On.
        On = "on",
        /// Off.
        Off = "off",
    }
}

/// A number that can be left to covec.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum AutoOr {
    /// Left to covec.
    Auto,
    /// Given.
    At(f64),
}

impl AutoOr {
    /// The number, where it was given.
    pub fn at(&self) -> Option<f64> {
        match *self {
            Self::Auto => None,
            Self::At(x) => Some(x),
        }
    }
}

impl fmt::Debug for AutoOr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => write!(f, "auto"),
            Self::At(x) => write!(f, "{x}"),
        }
    }
}

impl From<AutoOr> for String {
    fn from(number: AutoOr) -> Self {
        format!("{number:?}")
    }
}

impl TryFrom<String> for AutoOr {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for AutoOr {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            _ => text.parse().map(Self::At).map_err(|_| String::new()),
        }
    }
}

impl Value for AutoOr {
    fn take(&mut self, text: &str) -> Result<(), String> {
        *self = text.parse()?;
        Ok(())
    }
}
