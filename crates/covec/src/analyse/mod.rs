//! Stage 6: answers.
//!
//! * **In:** a [`Model`](crate::model::Model), the levels it is looked at under ([`View`]), and a question.
//! * **Out:** plain rows, which the command line prints and the report draws. Each file is one
//!   question; its header holds definition and formula.
//! * **Invariants:** the same rows at any number of threads; ties go to the more common word. A row
//!   that speaks of a word under a level says how often it occurs there, and words below
//!   `--min-support` are left out and counted.
//! * **Cost:** of a word: one pass over the vectors. Of all words: products of blocks, never a table of all
//!   pairs.

pub mod analogy;
pub mod attribute;
mod candidates;
pub mod clusters;
pub mod coherence;
mod company;
pub mod concordance;
mod context;
pub mod control;
pub mod covariates;
pub mod documents;
pub mod drift;
mod error;
pub mod explain;
mod factor;
pub(crate) mod gram;
mod groups;
pub mod histogram;
mod lens;
pub mod map;
pub mod moved;
pub mod neighborhood;
pub mod neighbors;
pub mod peers;
pub mod project;
mod reread;
pub mod similarity;
pub mod sparsity;
pub mod specificity;
mod support;
pub mod telling;
pub mod topics;
mod view;

pub use error::AnalyseError;
pub(crate) use error::question;
pub use factor::{factor_named, levels_of};
pub use groups::Groups;
pub(crate) use lens::normalise;
pub use lens::{Lens, Part};
pub use support::{Answer, SupportParameters};
pub use view::View;
