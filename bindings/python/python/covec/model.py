"""A model: what words mean, and what every level makes of it."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
from typing import Any

import numpy

from . import _covec, _corpus, _frames
from ._folder import Folder
from ._parameters import FORCE, THREADS, level as level_text, levels as level_texts, takes, texts
from ._progress import Listener
from ._questions import question
from .errors import ParameterError
from .explorer import Explorer
from .errors import VocabularyError

# Levels, one or several: "R", "party=R", {"party": "R", "year": "2010s"}, or a list of these.
Levels = Any


class Model(Folder):
    """A model: a base vector for every word, weights for every level, and answers.

    Made by `covec.fit` or `covec.train`, opened by `covec.load`. Its numbers are NumPy arrays that lie
    in the model's file: opening copies nothing.

    >>> model = covec.load(example)
    >>> model.levels
    {'group': ['g0', 'g1', 'g2']}
    >>> model.vectors().shape == (len(model.words), model.dim)
    True
    >>> word = model.words[0]
    >>> (model[word, "g1"] == model.vectors(group="g1")[0]).all()
    np.True_

    Every question is a method that returns a data frame; `frame="polars"` or `frame="arrow"` make it one
    of those. What is to be known beside a pandas one is in its `attrs`: `left_out` says how many words were
    too rare to be spoken of, `notes` the rest. `plot()` draws it:

    >>> near = model.neighbors(word, in_="g1", n=3)
    >>> list(near.neighbor) != []
    True
    >>> chart = near.plot()
    """

    def __init__(self, path: str | os.PathLike[str], kept: Any = None, engine: Any = None) -> None:
        super().__init__(path, kept)
        self._engine = engine if engine is not None else _covec.Model.open(os.fspath(path))
        self._words: list[str] | None = None

    _path_name = "model"

    @property
    def words(self) -> list[str]:
        """All words, the most common first; a word's place is its row in `vectors()`."""
        if self._words is None:
            self._words = self._engine.words()
        return self._words

    @property
    def levels(self) -> dict[str, list[str]]:
        """The levels of every factor."""
        return {name: [level for level, _ in levels] for name, _, levels in self._engine.factors()}

    @property
    def level_names(self) -> list[str]:
        """All levels by their full names, `party=R`; in the order of `weights` and `biases`."""
        return [f"{factor}={level}" for factor, levels in self.levels.items() for level in levels]

    @property
    def dim(self) -> int:
        """Dimensions of the vectors."""
        return int(self._engine.dim)

    @property
    def record(self) -> dict[str, Any]:
        """How it came to be: parameters, corpus, training (`run.json`)."""
        record: dict[str, Any] = json.loads(self._engine.record())
        return record

    @property
    def weights(self) -> numpy.ndarray:
        """The weights, a row for every level; read where they lie, without a copy."""
        return numpy.asarray(self._engine.weights())

    @property
    def biases(self) -> numpy.ndarray:
        """The biases, a row for every level, a column for every word; without a copy."""
        return numpy.asarray(self._engine.biases())

    def vectors(self, level: Levels = None, *, deviations: bool = True, **factors: Any) -> numpy.ndarray:
        """The vectors of all words: the base ones without a copy, or those under levels.

        `model.vectors(party="R")`, `model.vectors("R")` and `model.vectors({"party": "R"})` are the same.
        Without `deviations`, what the levels' weights alone make of the base vectors.

        >>> model = covec.load(example)
        >>> model.vectors(group="g0").shape == model.vectors().shape
        True
        """
        name = self._level(level, factors)
        if name == "base":
            return numpy.asarray(self._engine.base())
        return numpy.asarray(self._engine.vectors(name, deviations))

    def counts(self, level: Levels = None, **factors: Any) -> numpy.ndarray:
        """How often every word occurs under a level; over all without one."""
        return numpy.asarray(self._engine.counts(self._level(level, factors)))

    def _level(self, level: Levels, factors: dict[str, Any]) -> str:
        named = [level_text(level)] if level is not None else []
        named += [level_text({factor: own}) for factor, own in factors.items()]
        return ",".join(named) if named else "base"

    def __getitem__(self, key: Any) -> numpy.ndarray:
        """`model["freedom"]` is its base vector, `model["freedom", "R"]` its vector under a level."""
        if isinstance(key, tuple):
            word, *levels = key
            return numpy.asarray(self._engine.vector(word, ",".join(level_text(own) for own in levels)))
        return self.vectors()[self._engine.word(key)]

    def __contains__(self, word: object) -> bool:
        try:
            return isinstance(word, str) and self._engine.word(word) >= 0
        except VocabularyError:
            return False

    def __len__(self) -> int:
        return len(self.words)

    def __repr__(self) -> str:
        levels = ", ".join(f"{factor}: {len(own)} levels" for factor, own in self.levels.items())
        return f"<covec.Model of {len(self.words):,} words, {self.dim} dimensions; {levels or 'no factors'}>"

    def to_gensim(self, level: Levels = None, **factors: Any) -> Any:
        """The vectors under levels as gensim's `KeyedVectors`, with the words' counts there."""
        models = _frames.needed("gensim.models", "to_gensim")
        made = models.KeyedVectors(self.dim, count=len(self.words))
        made.add_vectors(self.words, numpy.array(self.vectors(level, **factors)))
        for word, count in zip(self.words, self.counts(level, **factors)):
            made.set_vecattr(word, "count", int(count))
        return made

    def documents(
        self, data: Any, *, smooth: float = 1e-3, unknown: str = "refuse", quiet: bool | None = None
    ) -> numpy.ndarray:
        """Documents as vectors, each under its own levels: the mean of its words' vectors there.

        A word counts `smooth / (smooth + its share of the corpus)`, so that common ones do not drown the
        rest; `smooth=float("inf")` makes it the plain mean. A document without a known word is all zeros.
        `unknown="base"` takes documents of levels that the model does not have under the base.
        """
        asked = {"unknown_as_base": ["true"]} if unknown == "base" else {}
        with _corpus.inputs(data, self._engine.columns({})) as inputs, Listener(quiet) as listener:
            vectors, _ = self._engine.documents(inputs, float(smooth), asked, listener)
        return numpy.asarray(vectors)

    @takes("Export", FORCE)
    def export(
        self, output: str | os.PathLike[str], in_: Levels = None, *, given: dict[str, list[str]]
    ) -> pathlib.Path:
        """Writes vectors, under the levels you name, for other tools; several levels make a folder."""
        self._engine.export(os.fspath(output), {**given, "in": level_texts(in_)}, None)
        return pathlib.Path(output)

    @takes("Analyses", "Error bars", THREADS, FORCE)
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
        given: dict[str, list[str]],
    ) -> pathlib.Path:
        """Writes all that the model says on one page that opens in any browser, without a network.

        With `boot` (a folder of `covec.bootstrap`, one of `covec.permute`, or both) its numbers have error bars.
        """
        if words is not None:
            given["words"] = [words] if isinstance(words, str) else [str(word) for word in words]
        if tensor is not None:
            given["tensor"] = [os.fspath(tensor)]
        given["boot"] = texts(boot)
        title = name if name is not None else self.path.resolve().name
        with Listener(quiet) as listener:
            if corpus is None:
                self._engine.report(os.fspath(output), title, n, given, listener)
            else:
                with _corpus.inputs(corpus, self._engine.columns({})) as inputs:
                    self._engine.report(os.fspath(output), title, n, {**given, "corpus": inputs}, listener)
        return pathlib.Path(output)

    def explore(
        self,
        *,
        corpus: Any = None,
        boot: Any = None,
        host: str = "127.0.0.1",
        port: int | None = None,
        open: bool = True,
    ) -> Explorer:
        """Serves a page for looking into the model, to this machine alone, and opens it in a browser.

        `corpus` (a table or paths) shows lines of it as evidence, `boot` (a folder of `covec.bootstrap`, one of
        `covec.permute`, or both) how sure answers are. The page is there as long as what is returned is kept,
        or until its `stop()`.

        >>> page = covec.load(example).explore(open=False)
        >>> page.stop()
        >>> page
        <covec.Explorer, stopped>
        """
        if port is not None and not 1 <= port <= 65535:
            raise ParameterError(f"port={port}: expected 1 to 65535, or None for one that is free")
        with contextlib.ExitStack() as kept:
            inputs = [] if corpus is None else kept.enter_context(_corpus.inputs(corpus, self._engine.columns({})))
            page = Explorer(self, inputs, texts(boot), host, port)
            page.keep(kept.pop_all())
        if open:
            page.open()
        return page

    def _put(self, name: str, given: dict[str, list[str]], listener: Listener) -> Any:
        return self._engine.ask(name, given, listener)

    @question("Analyses", "Error bars")
    def neighbors(self, *word: str, in_: Levels = None, n: int | None = 10, boot: Any = None,
                  evidence: int | None = None, corpus: Any = None, width: int = 40) -> Any:
        """The words nearest to words, in the base and under every level of the first factor.

        `in_` names the levels to look at. `boot` (a folder of `covec.bootstrap`, one of `covec.permute`, or
        both) says how sure it is. `evidence` shows so many lines of the `corpus` beside each row.

        >>> model = covec.load(example)
        >>> model.neighbors(model.words[3], n=2)[["level", "neighbor", "cosine"]].shape[1]
        3
        """

    @question("Analyses", "Error bars")
    def similarity(self, a: str, b: str, *, in_: Levels = None, n: int | None = 1000, boot: Any = None) -> Any:
        """How near two words are, in the base and under every level."""

    @question("Analyses", "Drift", "Error bars")
    def drift(self, *word: str, in_: Levels = None, between: tuple[Any, Any] | None = None,
              show: str = "words", by: str = "own", n: int | None = 10, boot: Any = None,
              evidence: int | None = None, corpus: Any = None, width: int = 40) -> Any:
        """What moved under a level, compared with the base, or `between` two levels.

        With words: what moved closer to each and further from it. Without: the words of the whole
        vocabulary that moved most, or, with `show="pairs"`, the pairs. `topical` is what the level's weights
        make of all words alike, `own` what a word's own use adds. `by` says which words are sorted by.

        >>> model = covec.load(example)
        >>> moved = model.drift(in_="g1", n=5)
        >>> len(moved), bool((moved.to == "group=g1").all())
        (5, True)
        """

    @question("Analyses", "Error bars")
    def explain(self, a: str, b: str, *, in_: Levels = None, between: tuple[Any, Any] | None = None,
                n: int | None = 8, boot: Any = None, evidence: int | None = None, corpus: Any = None,
                width: int = 40) -> Any:
        """Why two words moved closer together or further apart: which dimensions did it.

        `attrs["notes"]` says it in words.
        """

    @question("Analyses", "Error bars")
    def specificity(self, *, in_: Levels = None, factor: str | None = None, show: str = "words",
                    reference: Any = None, n: int | None = 20, boot: Any = None) -> Any:
        """How much every word's meaning depends on the level; `show`: words, least or histogram."""

    @question("Analyses", "Analogy", "Error bars")
    def analogy(self, a: str, b: str, c: str, *, in_: Levels = None, enriched: bool = False,
                n: int | None = 10, boot: Any = None) -> Any:
        """A is to B as C is to which word; `enriched`: words that fit far better in one level."""

    @question("Analyses", "Error bars")
    def project(self, *word: str, axis: Any, in_: Levels = None, n: int | None = 1000, boot: Any = None) -> Any:
        """Where words stand on an axis of yours, under every level.

        `axis="poor,weak:rich,strong"` or `axis=(["poor", "weak"], ["rich", "strong"])`: negative towards
        the left end, positive towards the right.
        """

    @question("Analyses", "Error bars")
    def topics(self, *, dim: int | None = None, contrast: tuple[Any, Any] | None = None,
               factor: str | None = None, words: int | None = None, tensor: Any = None,
               n: int | None = 20, boot: Any = None) -> Any:
        """The dimensions as topics: their words, and the squared weight every level gives them.

        `dim` shows one in detail, `contrast` those that are small in one level and large in another.
        """

    @question("Error bars")
    def covariates(self, *, show: str = "nearest", factor: str | None = None, distance: str = "cosine",
                   group: Any = None, groups: Any = None, n: int | None = None, boot: Any = None) -> Any:
        """Which levels are alike: `show` is nearest, distances, clusters or map.

        `group="book:author"` with `groups` (a CSV file) tells how often the nearest is of the same group.
        """

    @question("Error bars")
    def sparsity(self, *, show: str = "levels", control: Any = None, slice: str | None = None,
                 n: int | None = 1000, boot: Any = None) -> Any:
        """Which dimensions levels do without; `show` is levels, overlap, histogram or sweeps."""

    @question("Analyses", "Stability", "Error bars")
    def stability(self, *, tensor: Any = None, boot: Any = None, in_: Levels = None, show: str = "bands",
                  n: int | None = 1000) -> Any:
        """How steady the words nearest to a word are, by seed (`tensor`) and by documents (`boot`)."""

    @question("Evaluation")
    def eval(self, *, similarity: Any = None, categories: Any = None, analogies: Any = None,
             held_out: Any = None, in_: Levels = None, n: int | None = 100000) -> Any:
        """How good the vectors are, by the usual test sets (files); `in_="each"` for every level.

        `held_out` is the tensor the model was made of: how far off the counts are that were kept out.
        """

    @question()
    def concordance(self, *word: str, corpus: Any, in_: Levels = None, near: str | None = None,
                    width: int = 40, n: int | None = 20) -> Any:
        """Lines of the corpus (a table or paths) in which words occur, as they are written."""

    @question()
    def info(self, *, show: str = "levels", n: int | None = None) -> Any:
        """What it holds: `show` is levels, cells, dimensions, sweeps, ridges or words."""

    @question("Attribution", "Error bars")
    def attribute(self, *text: Any, factor: str | None = None, group: str | None = None, groups: Any = None,
                  n: int | None = 10, boot: Any = None) -> Any:
        """Whose are these texts (files or folders)? The levels, or groups of them, ranked for each.

        `attrs["notes"]` says how often the scores are right for known texts, each left out in turn: a
        model always names somebody. With `boot`, `chosen_in` is the share of the draws in which it is named.
        """


def load(path: str | os.PathLike[str]) -> Model:
    """Opens a model's folder.

    >>> covec.load(example).dim
    8
    """
    return Model(path)
