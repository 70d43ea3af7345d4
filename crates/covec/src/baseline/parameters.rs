//! What decides a baseline, beside the tensor and the parameters of training.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::parameters::{Parameter, Whole, parameters};
use crate::train::{TrainParameters, Vectors};

parameters! {
    /// How levels are fitted, each by itself.
    pub struct SliceParameters {
        vectors: Vectors = Vectors::Tied, "tied|untied", "tied",
            "tied or untied" if |_: &Vectors| true,
            "tied: a vector for every word, fitted as covec train does it; untied: a word and a context vector, added up in the end, fitted as GloVe was published, for all of --sweeps";
    }
}

parameters! {
    /// How levels are turned onto each other.
    pub struct RotationParameters {
        min_anchor: Whole = Whole(20), "N", "20",
            "a whole number" if |_: &Whole| true,
            "Words that occur this often in both of two levels are what one is turned onto the other by; all they have in common, where these are fewer than the dimensions";
    }
}

parameters! {
    /// How associations are measured and factorised.
    pub struct PpmiParameters {
        pooled: bool = false, "", "off",
            "a switch" if |_: &bool| true,
            "Of all text together, without levels";
        smoothing: f64 = 0.75, "X", "0.75",
            "a number from 0 to 1" if |x: &f64| (0.0..=1.0).contains(x),
            "Contexts are expected by their counts to this power, so that rare ones do not seem too telling";
        shift: f64 = 1.0, "X", "1",
            "a positive number" if |x: &f64| x.is_finite() && *x > 0.0,
            "The logarithm of this is taken off every association before what is negative becomes 0";
        power: f64 = 0.5, "X", "0.5",
            "a number from 0 to 1" if |x: &f64| (0.0..=1.0).contains(x),
            "Dimensions are scaled by their singular values to this power";
    }
}

/// The parameters of training that a fit to one level depends on.
const GLOVE: [&str; 11] = [
    "dim",
    "seed",
    "sweeps",
    "tolerance",
    "x_max",
    "alpha",
    "diagonal",
    "ridge",
    "chance",
    "held_out",
    "learning_rate",
];
/// Those that a factorisation depends on.
const FACTORISED: [&str; 2] = ["dim", "seed"];

fn of_training(names: &'static [&str]) -> impl Iterator<Item = &'static Parameter> {
    TrainParameters::TABLE.iter().filter(|row| names.contains(&row.name))
}

/// The rows of the table of training that GloVe fits take.
pub fn glove_table() -> impl Iterator<Item = &'static Parameter> {
    of_training(&GLOVE)
}

/// The rows of the table of training that factorisations take.
pub fn factorised_table() -> impl Iterator<Item = &'static Parameter> {
    of_training(&FACTORISED)
}

/// Parameters as `run.json` tells them.
pub(super) fn told<P: Serialize>(parameters: &P) -> BTreeMap<String, String> {
    let Ok(Value::Object(all)) = serde_json::to_value(parameters) else { return BTreeMap::new() };
    let text = |value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    all.into_iter().map(|(name, value)| (name, text(value))).collect()
}
