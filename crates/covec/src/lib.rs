//! # covec: covariate-specific word vectors
#![doc = ""]

mod artefact;
pub mod corpus;
mod error;
mod parallel;
pub mod parameters;
mod scratch;
mod suggest;
pub mod synth;
pub mod tensor;
pub mod vocabulary;
mod work;

pub use error::Error;
pub use work::{Observer, Progress, Silent, Work};

/// Who wrote a Parquet file.
pub(crate) const CREATED_BY: &str = concat!("covec ", env!("CARGO_PKG_VERSION"));
