//! Beside the way: other methods on the same counts, to compare with.
//!
//! * **In:** a tensor folder ([`crate::tensor`]), or a corpus.
//! * **Out:** a [`Model`](crate::model::Model) like any other, so that the same analyses and tests can be put to it; its
//!   `run.json` says which method made it, and what cannot be asked of it is refused by name
//!   ([`Need`](crate::model::Need)). In words: `docs/baselines.md`.
//! * **Invariants:** the same bits for any number of threads and any memory. Methods that predict counts keep the same
//!   pairs out as [`crate::train`] does.
//! * **Cost:** a file for each method says.

mod error;
mod glove;
mod lda;
mod parameters;
mod ppmi;
mod procrustes;
mod rotation;
mod s_efe;
mod slices;
mod svd;
mod texts;
mod within;

pub use error::BaselineError;
pub use glove::{pooled, slices};
pub use lda::{LdaParameters, lda};
pub use parameters::{
    PpmiParameters, RotationParameters, SliceParameters, factorised_table, glove_table,
};
pub use ppmi::ppmi_svd;
pub use procrustes::procrustes;
pub use s_efe::{SEfeParameters, Sharing, s_efe};
pub use slices::{Origin, Slice, Slices};

pub use crate::train::Vectors;
