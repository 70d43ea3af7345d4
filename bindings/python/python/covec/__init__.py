"""Covariate-specific word vectors: how language differs between groups.

A corpus whose documents carry covariates (author, party, forum, year) goes in; what words mean under each
of them comes out.

>>> import covec
>>> model = covec.fit(speeches, text="text", by="party", min_count=1, dim=2, sweeps=2, held_out=0)
>>> model
<covec.Model of 10 words, 2 dimensions; party: 2 levels>
>>> model.vectors(party="R").shape
(10, 2)

`speeches` is a pandas, polars or Arrow table, an iterable of dictionaries, or the path of a file. Functions
carry the names of the commands, and the same parameters: `covec.count`, `covec.train`, `covec.extend`,
`covec.bootstrap`, `covec.permute`. Every question to a model is a method that returns a data frame, with
`plot()`: `model.neighbors`, `model.drift`, `model.explain`, `model.topics` and so on.
"""

from . import charts, datasets, errors
from ._covec import VERSION as __version__
from .errors import (
    AnalyseError,
    ArtefactError,
    CorpusError,
    Error,
    EvaluateError,
    ExploreError,
    FileError,
    InternalError,
    MissingPackage,
    ModelError,
    Note,
    ParameterError,
    ResampleError,
    TensorError,
    TrainError,
    VocabularyError,
)
from .explorer import Explorer
from .making import (
    Replicates,
    Tensor,
    bootstrap,
    count,
    extend,
    fit,
    import_counts,
    merge,
    permute,
    synth,
    train,
)
from .model import Model, load

__all__ = [
    "AnalyseError",
    "ArtefactError",
    "CorpusError",
    "Error",
    "EvaluateError",
    "ExploreError",
    "Explorer",
    "FileError",
    "InternalError",
    "MissingPackage",
    "Model",
    "ModelError",
    "Note",
    "ParameterError",
    "Replicates",
    "ResampleError",
    "Tensor",
    "TensorError",
    "TrainError",
    "VocabularyError",
    "__version__",
    "bootstrap",
    "charts",
    "count",
    "datasets",
    "errors",
    "extend",
    "fit",
    "import_counts",
    "load",
    "merge",
    "permute",
    "synth",
    "train",
]
