//! Covariate-specific word vectors: how language differs between groups.
//!
//! A corpus whose documents carry covariates goes in; what words mean under each of them comes out.
//! The way of the data, one stage a module:
//!
//! 1. [`corpus`]: files, folders and streams become documents, each with its covariates and words.
//! 2. [`vocabulary`]: rules say which words are kept; a word's place is its id everywhere.
//! 3. [`tensor`]: which words stand near which, in every combination of levels, as a folder of files
//!    that other tools open.
//! 4. [`train`]: vectors, levels' weights and biases are fitted to the tensor.
//! 5. [`model`]: what came out, as a folder that other tools open; export.
//! 6. [`analyse`]: what words mean under levels, what moved and why, as plain rows.
//! 7. [`resample`]: how sure that is: documents drawn again, labels shuffled.
//! 8. [`evaluate`]: how good the vectors are, by the usual test sets.
//!
//! Beside the way stand [`baseline`], models that other methods make of the same tensor, [`synth`],
//! worlds of known truth, and [`parameters`], the one table of all parameters. [`Work`] says how the work is done; it never changes a result.
//!
//! ```
//! use covec::Work;
//! use covec::tensor::{self, CountParameters};
//!
//! # let home = tempfile::tempdir()?;
//! # let folder = home.path();
//! // A corpus: who speaks, and what they say.
//! let corpus = folder.join("corpus.jsonl");
//! std::fs::write(&corpus, r#"{"text": "freedom from want and freedom from fear", "party": "D"}
//! {"text": "the chief business of the people is business", "party": "R"}"#)?;
//!
//! // Count what stands near what, for each party.
//! let mut parameters = CountParameters::default();
//! parameters.set("by", "party")?;
//! parameters.set("min_count", "1")?;
//! let tensor =
//!     tensor::count(&[corpus], parameters.check()?, &folder.join("tensor"), &Work::default())?;
//!
//! // What stands near "freedom"?
//! let row = tensor.row(tensor.word("freedom")?)?;
//! let nearest = (0..row.values.len()).max_by(|&a, &b| row.values[a].total_cmp(&row.values[b]));
//! let word = &tensor.vocabulary.words[row.cols[nearest.unwrap()] as usize];
//! assert_eq!(word, "from");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod analyse;
mod artefact;
pub mod baseline;
pub mod corpus;
mod error;
pub mod evaluate;
mod lots;
mod memo;
pub mod model;
mod parallel;
pub mod parameters;
mod parquet_file;
pub mod resample;
mod scratch;
mod special;
mod suggest;
pub mod synth;
pub mod tensor;
pub mod train;
pub mod vocabulary;
mod work;

pub use error::Error;
pub use work::{Observer, Progress, Silent, Work};

/// Who wrote a Parquet file.
pub(crate) const CREATED_BY: &str = concat!("covec ", env!("CARGO_PKG_VERSION"));
