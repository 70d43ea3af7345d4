"""Document vectors under covariates as a step of scikit-learn.

>>> from sklearn.linear_model import LogisticRegression
>>> from sklearn.pipeline import make_pipeline
>>> from covec.sklearn import CovariateEmbedding
>>> embedding = CovariateEmbedding(by="party", min_count=1, dim=2, sweeps=2, held_out=0)
>>> pipeline = make_pipeline(embedding, LogisticRegression())
>>> pipeline.fit(speeches, [0, 1, 0, 1]).predict(speeches).shape
(4,)
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy

from . import _corpus
from .errors import CorpusError, MissingPackage
from .making import fit
from .model import Model

try:
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils.validation import check_is_fitted
except ImportError:
    raise MissingPackage(
        "covec.sklearn needs scikit-learn, which is not installed\n  way out: pip install 'covec[sklearn]'"
    ) from None

# What decides the result; where it goes and how the work is done is not the estimator's.
_LEFT_OUT = {"data", "output", "keep_tensor", "force", "resume", "checkpoint"}


def _parameters() -> list[inspect.Parameter]:
    """Its own parameters: those of `covec.fit` that decide the result, and two of its own."""
    self = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    kind = inspect.Parameter.KEYWORD_ONLY
    taken = inspect.signature(fit).parameters.values()
    own = [
        inspect.Parameter("smooth", kind, default=1e-3, annotation="float"),
        inspect.Parameter("unknown", kind, default="refuse", annotation="str"),
    ]
    return [self, *(p.replace(kind=kind) for p in taken if p.name not in _LEFT_OUT), *own]


class CovariateEmbedding(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Learns a model of documents with covariates; transforms documents to vectors under their own.

    Takes tables (pandas, polars, Arrow) or sequences of dictionaries, with a column of texts (`text`) and
    those of the covariates (`by`). A sequence of texts will do where there is no covariate. Its
    parameters are those of `covec.fit`, and:

    smooth : float, default: 0.001
        How far common words are turned down (`Model.documents`).
    unknown : str, default: refuse
        What becomes of documents with a level that was not learnt: refuse them, or base.

    Attributes
    ----------
    model_ : covec.Model
    n_features_out_ : int
    """

    def __init__(self, **parameters: Any) -> None:
        bound = inspect.signature(type(self).__init__).bind(self, **parameters)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            if name != "self":
                setattr(self, name, value)

    __init__.__signature__ = inspect.Signature(_parameters())  # type: ignore[attr-defined]

    def fit(self, X: Any, y: Any = None) -> CovariateEmbedding:
        """Counts the documents and trains a model on them."""
        parameters = self.get_params(deep=False)
        for name in ("smooth", "unknown"):
            parameters.pop(name)
        defaults = inspect.signature(type(self).__init__).parameters
        given = {name: value for name, value in parameters.items() if value is not defaults[name].default}
        self.model_: Model = fit(_documents(X, self.text), **given)
        self.n_features_out_ = self.model_.dim
        return self

    def transform(self, X: Any) -> numpy.ndarray:
        """A vector for every document, under its own levels."""
        check_is_fitted(self, "model_")
        data = _documents(X, self.text)
        return self.model_.documents(data, smooth=self.smooth, unknown=self.unknown, quiet=self.quiet)

    def get_feature_names_out(self, input_features: Any = None) -> numpy.ndarray:
        """The dimensions by number, as `Model.topics` names them."""
        check_is_fitted(self, "model_")
        return numpy.array([f"dimension{t + 1}" for t in range(self.model_.dim)], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.input_tags.dict = True
        tags.requires_fit = True
        return tags


def _documents(X: Any, text: str) -> Any:
    """Documents as `covec.fit` takes them; texts alone become records."""
    if hasattr(X, "iloc") or hasattr(X, "__arrow_c_stream__") or _is_table(X):
        return X
    if isinstance(X, str) or not hasattr(X, "__iter__"):
        raise CorpusError(f"X is of type {type(X).__name__}\n  expected: {_corpus.EXPECTED}")
    rows = list(X)
    if rows and all(isinstance(row, str) for row in rows):
        return [{text: row} for row in rows]
    return rows


def _is_table(X: Any) -> bool:
    return hasattr(X, "collect") and hasattr(X, "sink_parquet")
