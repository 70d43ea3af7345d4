//! What decides a topic model, beside the corpus and its tensor.

use crate::parameters::{Whole, parameters};

parameters! {
    /// How topics are fitted.
    pub struct LdaParameters {
        topics: u32 = 50, "N", "50",
            "2 to 2000" if |n: &u32| (2..=2000).contains(n),
            "Topics, which are the model's dimensions";
        piece_words: u32 = 1000, "N", "1000",
            "10 to 1000000" if |n: &u32| (10..=1_000_000).contains(n),
            "Words of a piece at most: a longer document is cut into pieces of equal length, each a document to the method";
        seed: Whole = Whole(1), "N", "1",
            "a whole number" if |_: &Whole| true,
            "The same seed gives the same bits, at any number of threads";
        epochs: u32 = 100, "N", "100",
            "1 to 10000" if |n: &u32| (1..=10_000).contains(n),
            "Times the corpus is gone through at most";
        tolerance: f64 = 1e-4, "X", "0.0001",
            "a number from 0 on, below 1" if |x: &f64| (0.0..1.0).contains(x),
            "Stop when an epoch raises the bound by less than this share";
        mixing: f64 = 0.1, "X", "0.1",
            "a positive number" if |x: &f64| x.is_finite() && *x > 0.0,
            "Prior of a piece's topics: the smaller, the fewer of them a piece has (alpha)";
        smoothing: f64 = 0.01, "X", "0.01",
            "a positive number" if |x: &f64| x.is_finite() && *x > 0.0,
            "Prior of a topic's words: the smaller, the fewer of them a topic has (eta)";
    }
}
