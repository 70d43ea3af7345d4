//! What decides structured embeddings, beside the corpus and its tensor.

use crate::parameters::{Whole, choice, parameters};

parameters! {
    /// How structured embeddings are fitted.
    pub struct SEfeParameters {
        sharing: Sharing = Sharing::Hierarchical, "RULE", "hierarchical",
            "hierarchical or amortised" if |_: &Sharing| true,
            "What a level's vectors share with the others': a common mean, or a common vector that the level's network turns";
        dim: u32 = 100, "N", "100",
            "1 to 2000" if |n: &u32| (1..=2000).contains(n),
            "Dimensions of the vectors";
        seed: Whole = Whole(1), "N", "1",
            "a whole number" if |_: &Whole| true,
            "The same seed gives the same bits, at any number of threads";
        epochs: u32 = 10, "N", "10",
            "1 to 10000" if |n: &u32| (1..=10_000).contains(n),
            "Times the corpus is gone through";
        negatives: u32 = 10, "N", "10",
            "1 to 100" if |n: &u32| (1..=100).contains(n),
            "Words drawn against each word of the text, by their count to the power of 0.75";
        frequent: f64 = 1e-4, "SHARE", "0.0001",
            "a number from 0 on" if |x: &f64| x.is_finite() && *x >= 0.0,
            "A word that is a larger share f of the corpus is passed over with probability 1 - sqrt(SHARE/f); 0 for none";
        spread: f64 = 10.0, "X", "10",
            "a positive number" if |x: &f64| x.is_finite() && *x > 0.0,
            "Standard deviation that is expected of context vectors, common vectors and networks";
        level_spread: f64 = 0.1, "X", "0.1",
            "a positive number" if |x: &f64| x.is_finite() && *x > 0.0,
            "Standard deviation that is expected of a level's vectors about the common ones (hierarchical)";
        hidden: u32 = 25, "N", "25",
            "1 to 1000" if |n: &u32| (1..=1000).contains(n),
            "Hidden units of a level's network (amortised)";
        batch: u32 = 4096, "N", "4096",
            "1 to 1000000" if |n: &u32| (1..=1_000_000).contains(n),
            "Words of the text between two steps";
        rate: f64 = 0.1, "X", "0.1",
            "a positive number" if |x: &f64| x.is_finite() && *x > 0.0,
            "Step of AdaGrad";
    }
}

choice! {
    /// What the vectors of a word under different levels share.
    pub enum Sharing {
        /// They scatter about a common vector.
        Hierarchical = "hierarchical",
        /// They are made of a common vector by a network of the level's own.
        Amortised = "amortised",
    }
}
