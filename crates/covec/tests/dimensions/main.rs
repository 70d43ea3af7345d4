//! What is said of dimensions and of levels' weights is held to its definition, word by word, on
//! random models, and to what was planted.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
mod covariates;
mod sparsity;
mod topics;

use std::sync::OnceLock;

use common::{MEMORY, planted, trained};
use covec::model::Model;
use proptest::prelude::*;

/// A model of 60 words, 4 dimensions and 3 levels, and the folder with its tensor.
fn tiny() -> &'static (tempfile::TempDir, Model) {
    static TINY: OnceLock<(tempfile::TempDir, Model)> = OnceLock::new();
    TINY.get_or_init(|| {
        let home = tempfile::tempdir().unwrap();
        let model = Model::open(&common::tiny_model(home.path(), 1)).unwrap();
        (home, model)
    })
}

prop_compose! {
    /// The tiny model with other vectors, weights (some of them 0) and counts.
    fn random_model()(
        vectors in prop::collection::vec(-2.0_f32..2.0, 60 * 4),
        weights in prop::collection::vec(prop_oneof![1 => Just(0.0_f32), 3 => 0.0_f32..2.0], 3 * 4),
        counts in prop::collection::vec(0_u64..40, 60),
    ) -> Model {
        let mut model = tiny().1.clone();
        model.vectors = vectors.into();
        model.weights = weights.into();
        model.vocabulary.counts = counts;
        model
    }
}
