//! x
use crate::parameters::{Whole, parameters};
parameters! {
    /// The planted world.
    pub struct SynthParameters {
        seed: Whole = Whole(1), "N", "1", "a whole number" if |_: &Whole| true, "Seed";
    }
}
