//! The one error of the library: a variant per stage, each with its own kinds.

use std::path::{Path, PathBuf};

use crate::analyse::AnalyseError;
use crate::artefact::ArtefactError;
use crate::baseline::BaselineError;
use crate::corpus::CorpusError;
use crate::evaluate::EvaluateError;
use crate::model::ModelError;
use crate::parameters::ParameterError;
use crate::resample::ResampleError;
use crate::synth::plant::PlantError;
use crate::tensor::TensorError;
use crate::train::TrainError;
use crate::vocabulary::VocabularyError;

/// Why a stage refused or failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter outside its range.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The corpus cannot be read as asked.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// No sensible vocabulary follows from the rules.
    #[error(transparent)]
    Vocabulary(#[from] VocabularyError),
    /// A tensor cannot be read, made or joined.
    #[error(transparent)]
    Tensor(#[from] TensorError),
    /// A model cannot be read or used.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Training cannot begin or go on.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// A question has no answer.
    #[error(transparent)]
    Analyse(#[from] AnalyseError),
    /// Replicates cannot be drawn or used.
    #[error(transparent)]
    Resample(#[from] ResampleError),
    /// A test set cannot be used.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// A baseline cannot be made.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    /// Nothing can be planted in a text.
    #[error(transparent)]
    Plant(#[from] PlantError),
    /// An output folder or file is in the way, or not covec's own.
    #[error(transparent)]
    Artefact(#[from] ArtefactError),
    /// The operating system refused: a full disk, a missing permission.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried, e.g. `write`.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The observer asked to stop.
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// The observer asked to stop, and what was done until then is kept.
    #[error("interrupted; training so far is kept in {}\n  go on with: {go_on}", checkpoint.display())]
    Kept {
        /// Where.
        checkpoint: PathBuf,
        /// How to go on.
        go_on: String,
    },
}

impl Error {
    pub(crate) fn io(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }

    /// Whether the input is to blame (the command line ends with code 2) or the machine (code 1).
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Io { source, .. } => matches!(
                source.kind(),
                std::io::ErrorKind::NotFound
                    | std::io::ErrorKind::PermissionDenied
                    | std::io::ErrorKind::IsADirectory
                    | std::io::ErrorKind::NotADirectory
            ),
            other if other.is_interruption() => false,
            _ => true,
        }
    }

    /// Whether the observer asked to stop (the command line ends with code 130).
    pub fn is_interruption(&self) -> bool {
        matches!(
            self,
            Self::Interrupted
                | Self::Kept { .. }
                | Self::Resample(ResampleError::Interrupted { .. })
        )
    }
}

/// Adds to an [`std::io::Error`] what was done to which file.
pub(crate) trait IoContext<T> {
    fn at(self, action: &'static str, path: &Path) -> Result<T, Error>;
}

impl<T> IoContext<T> for std::io::Result<T> {
    fn at(self, action: &'static str, path: &Path) -> Result<T, Error> {
        self.map_err(|source| Error::io(action, path, source))
    }
}

/// Parquet's writer wraps the errors of the disk; this unwraps them again.
pub(crate) fn parquet_write(path: &Path) -> impl Fn(parquet::errors::ParquetError) -> Error + '_ {
    move |error| {
        let text = error.to_string();
        let source = match error {
            parquet::errors::ParquetError::External(inner) => match inner.downcast() {
                Ok(io) => *io,
                Err(other) => std::io::Error::other(other),
            },
            _ => std::io::Error::other(text),
        };
        Error::io("write", path, source)
    }
}
