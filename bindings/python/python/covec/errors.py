"""What can go wrong, a class for every stage, all under `covec.Error`.

A message says what is wrong, where, what was expected and the way out.
"""


class Error(Exception):
    """Why covec refused or failed."""


class ParameterError(Error, ValueError):
    """A parameter outside its range, or one that does not exist."""


class CorpusError(Error, ValueError):
    """The corpus, or a table given for one, cannot be read as asked."""


class VocabularyError(Error, KeyError):
    """A word that is not there, or no sensible vocabulary."""

    def __str__(self) -> str:
        # KeyError would show the message quoted, on one line.
        return str(self.args[0]) if self.args else ""


class TensorError(Error, ValueError):
    """A tensor cannot be read, made or joined; a level that does not exist."""


class ModelError(Error, ValueError):
    """A model cannot be read or used."""


class TrainError(Error, ValueError):
    """Training cannot begin or go on."""


class AnalyseError(Error, ValueError):
    """A question has no answer as it was put."""


class ResampleError(Error, ValueError):
    """Replicates cannot be drawn or used."""


class EvaluateError(Error, ValueError):
    """A test set cannot be used."""


class ExploreError(Error, OSError):
    """The explorer cannot begin: an address that is taken, a corpus that is not there."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class ArtefactError(Error, FileExistsError):
    """An output is in the way, or not covec's own."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class FileError(Error, OSError):
    """The operating system refused: a missing file, a full disk."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class MissingPackage(Error, ImportError):
    """A package that is needed for this, and not for the rest, is not installed."""


class InternalError(Error, RuntimeError):
    """A fault of covec itself."""


class Note(UserWarning):
    """A thing to know about the work, such as which levels were left out."""
