"""A model: what words mean, and what every level makes of it."""

# Written by stubs.py.

import os
import pathlib
from typing import Any

import numpy

from ._folder import Folder
from .explorer import Explorer

Many = Any
Levels = Any


class Model(Folder):
    def __init__(self, path: str | os.PathLike[str], kept: Any = None, engine: Any = None) -> None: ...
    @property
    def words(self) -> list[str]: ...
    @property
    def levels(self) -> dict[str, list[str]]: ...
    @property
    def level_names(self) -> list[str]: ...
    @property
    def dim(self) -> int: ...
    @property
    def record(self) -> dict[str, Any]: ...
    @property
    def weights(self) -> numpy.ndarray: ...
    @property
    def biases(self) -> numpy.ndarray: ...
    def vectors(self, level: Levels = None, *, deviations: bool = True, **factors: Any) -> numpy.ndarray: ...
    def counts(self, level: Levels = None, **factors: Any) -> numpy.ndarray: ...
    def __getitem__(self, key: Any) -> numpy.ndarray: ...
    def __contains__(self, word: object) -> bool: ...
    def __len__(self) -> int: ...
    def to_gensim(self, level: Levels = None, **factors: Any) -> Any: ...
    def documents(
        self,
        data: Any,
        *,
        smooth: float = 0.001,
        unknown: str = 'refuse',
        quiet: bool | None = None,
    ) -> numpy.ndarray: ...
    def export(
        self,
        output: str | os.PathLike[str],
        in_: Levels = None,
        *,
        format: str = 'word2vec',
        what: str = 'vectors',
        deviations: bool | str = 'on',
        min_support: int = 0,
        spaces: str = 'refuse',
        force: bool = False,
    ) -> pathlib.Path: ...
    def report(
        self,
        output: str | os.PathLike[str],
        words: Any = None,
        *,
        corpus: Any = None,
        tensor: Any = None,
        boot: Any = None,
        n: int = 10,
        name: str | None = None,
        quiet: bool | None = None,
        min_support: int = 20,
        confidence: float = 0.95,
        interval: str = 'basic',
        threads: int | None = None,
        force: bool = False,
    ) -> pathlib.Path: ...
    def explore(
        self,
        *,
        corpus: Any = None,
        boot: Any = None,
        host: str = '127.0.0.1',
        port: int | None = None,
        open: bool = True,
    ) -> Explorer: ...
    def neighbors(
        self,
        *word: str,
        in_: Levels = None,
        n: int | None = 10,
        boot: Any = None,
        evidence: int | None = None,
        corpus: Any = None,
        width: int = 40,
        frame: str = 'pandas',
        quiet: bool | None = None,
        min_support: int = 20,
        confidence: float = 0.95,
        interval: str = 'basic',
        threads: int | None = None,
    ) -> Any: ...
    def similarity(
        self,
        a: str,
        b: str,
        *,
        in_: Levels = None,
        n: int | None = 1000,
        boot: Any = None,
        frame: str = 'pandas',
        quiet: bool | None = None,
        min_support: int = 20,
        confidence: float = 0.95,
        interval: str = 'basic',
        threads: int | None = None,
    ) -> Any: ...
    def drift(
        self,
        *word: str,
        in_: Levels = None,
        between: tuple[Any, Any] | None = None,
        show: str = 'words',
        by: str = 'own',
        n: int | None = 10,
        boot: Any = None,
        evidence: int | None = None,
        corpus: Any = None,
        width: int = 40,
        frame: str = 'pandas',
        quiet: bool | None = None,
        min_support: int = 20,
        overlap: int = 100,
        near: int = 500,
        confidence: float = 0.95,
        interval: str = 'basic',
        threads: int | None = None,
    ) -> Any: ...
    def explain(
        self,
        a: str,
        b: str,
        *,
        in_: Levels = None,
        between: tuple[Any, Any] | None = None,
        n: int | None = 8,
        boot: Any = None,
        evidence: int | None = None,
        corpus: Any = None,
        width: int = 40,
        frame: str = 'pandas',
        quiet: bool | None = None,
        min_support: int = 20,
        confidence: float = 0.95,
        interval: str = 'basic',
        threads: int | None = None,
    ) -> Any: ...
    def specificity(
        self,
        *,
        in_: Levels = None,
        factor: str | None = None,
        show: str = 'words',
        reference: Any = None,
        n: int | None = 20,
        boot: Any = None,
        frame: str = 'pandas',
        quiet: bool | None = None,
        min_support: int = 20,
        confidence: float = 0.95,
        interval: str = 'basic',
        threads: int | None = None,
    ) -> Any: ...
    def analogy(
        self,
        a: str,
        b: str,
        c: str,
        *,
        in_: Levels = None,
        enriched: bool = False,
        n: int | None = 10,
        boot: Any = None,
        frame: str = 'pandas',
        quiet: bool | None = None,
        min_support: int = 20,
        score: str = 'add',
        confidence: float = 0.95,
        interval: str = 'basic',
        threads: int | None = None,
    ) -> Any: ...
    def project(
        self,
        *word: str,
        axis: Any,
        in_: Levels = None,
        n: int | None = 1000,
        boot: Any = None,
        frame: str = 'pandas',
        quiet: bool | None = None,
        min_support: int = 20,
        confidence: float = 0.95,
        interval: str = 'basic',
        threads: int | None = None,
    ) -> Any: ...
    def topics(
        self,
        *,
        dim: int | None = None,
        contrast: tuple[Any, Any] | None = None,
        factor: str | None = None,
        words: int | None = None,
        tensor: Any = None,
        n: int | None = 20,
        boot: Any = None,
        frame: str = 'pandas',
        quiet: bool | None = None,
        min_support: int = 20,
        confidence: float = 0.95,
        interval: str = 'basic',
        threads: int | None = None,
    ) -> Any: ...
    def covariates(
        self,
        *,
        show: str = 'nearest',
        factor: str | None = None,
        distance: str = 'cosine',
        group: Any = None,
        groups: Any = None,
        n: int | None = None,
        boot: Any = None,
        frame: str = 'pandas',
        quiet: bool | None = None,
        confidence: float = 0.95,
        interval: str = 'basic',
        threads: int | None = None,
    ) -> Any: ...
    def sparsity(
        self,
        *,
        show: str = 'levels',
        control: Any = None,
        slice: str | None = None,
        n: int | None = 1000,
        boot: Any = None,
        frame: str = 'pandas',
        quiet: bool | None = None,
        confidence: float = 0.95,
        interval: str = 'basic',
        threads: int | None = None,
    ) -> Any: ...
    def stability(
        self,
        *,
        tensor: Any = None,
        boot: Any = None,
        in_: Levels = None,
        show: str = 'bands',
        n: int | None = 1000,
        frame: str = 'pandas',
        quiet: bool | None = None,
        min_support: int = 20,
        seeds: int = 5,
        nearest: int = 10,
        confidence: float = 0.95,
        interval: str = 'basic',
        threads: int | None = None,
    ) -> Any: ...
    def eval(
        self,
        *,
        similarity: Any = None,
        categories: Any = None,
        analogies: Any = None,
        held_out: Any = None,
        in_: Levels = None,
        n: int | None = 100000,
        frame: str = 'pandas',
        quiet: bool | None = None,
        missing: str = 'omit',
        resamples: int = 1000,
        confidence: float = 0.95,
        seed: int = 1,
        threads: int | None = None,
    ) -> Any: ...
    def concordance(
        self,
        *word: str,
        corpus: Any,
        in_: Levels = None,
        near: str | None = None,
        width: int = 40,
        n: int | None = 20,
        frame: str = 'pandas',
        quiet: bool | None = None,
        threads: int | None = None,
    ) -> Any: ...
    def info(
        self,
        *,
        show: str = 'levels',
        n: int | None = None,
        frame: str = 'pandas',
        quiet: bool | None = None,
        threads: int | None = None,
    ) -> Any: ...
    def attribute(
        self,
        *text: Any,
        factor: str | None = None,
        group: str | None = None,
        groups: Any = None,
        n: int | None = 10,
        boot: Any = None,
        frame: str = 'pandas',
        quiet: bool | None = None,
        score: str = 'likelihood',
        min_words: int = 1000,
        confidence: float = 0.95,
        interval: str = 'basic',
        threads: int | None = None,
    ) -> Any: ...

def load(path: str | os.PathLike[str]) -> Model: ...
