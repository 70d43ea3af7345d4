"""Document vectors under covariates as a step of scikit-learn."""

# Written by stubs.py.

from typing import Any

import numpy
from sklearn.base import BaseEstimator, TransformerMixin

from .model import Model

Many = Any


class CovariateEmbedding(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    def __init__(
        self,
        *,
        text: str = 'text',
        by: Many = None,
        quiet: bool | None = None,
        order: Many | None = None,
        id: str | None = None,
        input_format: str | None = None,
        tokens: str = 'words',
        keep_case: bool = False,
        missing: str = 'refuse',
        invalid_utf8: str = 'refuse',
        max_document: str = '64M',
        min_level_tokens: int = 0,
        words: str | os.PathLike[str] | None = None,
        min_count: int | None = None,
        min_documents: int = 1,
        min_level_count: Many | None = None,
        drop_top: int = 0,
        max_words: int | None = None,
        window: int = 8,
        weights: str = 'inverse',
        gaps: str = 'keep',
        min_entry: float | None = None,
        dim: int = 100,
        solver: str = 'blocks',
        seed: int = 1,
        seeds: int = 1,
        sweeps: int = 40,
        tolerance: float = 0.01,
        x_max: float = 100,
        alpha: float = 0.75,
        diagonal: str = 'drop',
        ridge: float | str = 'auto',
        chance: float | str = 'auto',
        ridge_weights: float = 40,
        tie: float = 100,
        start: str = 'ones',
        axes: int = 2,
        held_out: float = 0.02,
        deviations: bool | str = 'on',
        min_support: int = 20,
        learning_rate: float | str = 'auto',
        threads: int | None = None,
        memory: str = '4G',
        smooth: float = 0.001,
        unknown: str = 'refuse',
    ) -> None: ...
    def fit(self, X: Any, y: Any = None) -> CovariateEmbedding: ...
    def transform(self, X: Any) -> numpy.ndarray: ...
    def get_feature_names_out(self, input_features: Any = None) -> numpy.ndarray: ...
    model_: Model
    n_features_out_: int
