//! What is planted in real text.

use crate::parameters::{ParameterError, Whole, parameters, refusal};

parameters! {
    /// What is planted in real text.
    pub struct PlantParameters {
        pairs: u32 = 40, "N", "40",
            "a whole number, 1 or more" if |n: &u32| *n > 0,
            "Pairs of words to swap";
        probability: f64 = 0.5, "P", "0.5",
            "0 to 1" if |p: &f64| (0.0..=1.0).contains(p),
            "How likely each occurrence becomes the other word of its pair";
        least: u64 = 100, "N", "100",
            "a whole number, 1 or more" if |n: &u64| *n > 0,
            "Words to swap occur this often in the level or more, and 3 times as often elsewhere";
        most: u64 = 1000, "N", "1000",
            "a whole number, not below --least" if |_: &u64| true,
            "Words to swap occur this often in the level or less";
        seed: Whole = Whole(1), "N", "1",
            "a whole number" if |_: &Whole| true,
            "The same seed makes the same bytes, at any number of threads";
        with: Vec<String> = Vec::new(), "FIELD", "none",
            "the name of a field" if |all: &Vec<String>| all.iter().all(|name| !name.is_empty()),
            "A further field to carry along, such as the speaker; read like a covariate";
    }
}

impl PlantParameters {
    /// Every parameter inside its range, alone and together.
    pub(super) fn checked(&self) -> Result<(), ParameterError> {
        self.check()?;
        if self.most < self.least {
            return Err(refusal(Self::TABLE, "most", &self.most.to_string()));
        }
        Ok(())
    }

    /// How often a word to swap occurs outside the level, so that there is something to compare with.
    pub(super) fn elsewhere(&self) -> u64 {
        self.least.saturating_mul(3)
    }
}
