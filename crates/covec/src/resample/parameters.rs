//! How replicates are drawn: the part that users choose.

use crate::corpus::By;
use crate::parameters::{Whole, choice, parameters};

choice! {
    /// Among what units are drawn.
    pub enum Within {
        /// Those of the same cell: levels keep their size.
        Levels = "levels",
        /// All.
        Nothing = "nothing",
    }
}

parameters! {
    /// How a bootstrap draws.
    pub struct BootstrapParameters {
        unit: Vec<By> = Vec::new(), "FIELD", "none: every document",
            "a field, as --by takes it" if |_: &Vec<By>| true,
            "What is drawn: documents that agree in this belong together, say a speaker's; repeat it for several fields";
        within: Within = Within::Levels, "WHAT", "levels",
            "levels or nothing" if |_: &Within| true,
            "levels: units are drawn within their level, which keeps its size; nothing: whole, wherever they lie";
        sweeps: u32 = 2, "N", "2",
            "1 to 100" if |n: &u32| (1..=100).contains(n),
            "Sweeps of each refit: more cost more, and bring weights nearer to where the drawn documents would have them";
        afresh: u32 = 12, "N", "12",
            "0, or 1 to 1000" if |n: &u32| *n <= 1000,
            "Of every N draws one is also fitted from the start, with another seed: by these intervals are widened to what refits cannot show; 0: none";
        seed: Whole = Whole(1), "N", "1",
            "a whole number" if |_: &Whole| true,
            "The same seed draws the same replicates";
    }
}

parameters! {
    /// How labels are shuffled.
    pub struct PermuteParameters {
        unit: Vec<By> = Vec::new(), "FIELD", "none: every document",
            "a field, as --by takes it" if |_: &Vec<By>| true,
            "What changes its level: documents that agree in this keep together; repeat it for several fields";
        factor: Option<String> = None, "NAME", "the first",
            "a factor of the model" if |_: &Option<String>| true,
            "The factor whose levels are shuffled";
        within: Vec<String> = Vec::new(), "FACTOR", "every other factor",
            "a factor of the model, or nothing" if |_: &Vec<String>| true,
            "Units change places only if they agree in this factor; repeat it for several; nothing: with any other";
        sweeps: u32 = 2, "N", "2",
            "1 to 100" if |n: &u32| (1..=100).contains(n),
            "Sweeps of each refit";
        afresh: u32 = 25, "N", "25",
            "0, or 1 to 1000" if |n: &u32| *n <= 1000,
            "Of every N shuffles one is also fitted from the start, with another seed: p of topical parts is held to what such fits find by chance, which is more; 0: none";
        seed: Whole = Whole(1), "N", "1",
            "a whole number" if |_: &Whole| true,
            "The same seed draws the same replicates";
    }
}
