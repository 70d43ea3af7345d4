"""What is made of a corpus: tensors, models, replicates; and worlds of known truth."""

from __future__ import annotations

import os
import pathlib
from typing import Any

from . import _corpus, _covec, _frames
from ._folder import Folder, placed
from ._parameters import CHECKPOINTS, TABLES, WORK, levels, one_text, takes, texts
from ._progress import Listener
from .errors import ParameterError
from .model import Levels, Model

# Text, several texts, or a dictionary: "party", ["party", "year:10"], {"party": None, "year": 10}.
Many = Any
Path = "str | os.PathLike[str]"

_ROWS = {row.name: row for table in ("Corpus", "Bootstrap") for row in TABLES[table]}


class Tensor(Folder):
    """Which words stand near which, in every combination of levels: a folder, made by `covec.count`."""

    _path_name = "tensor"

    @takes("Collocates")
    def collocates(
        self, *word: str, in_: Levels = None, n: int | None = 10, frame: str = "pandas",
        quiet: bool | None = None, given: dict[str, list[str]],
    ) -> Any:
        """What stands near words more often than chance, in each level, straight from the counts."""
        given.update({"word": list(word), "in": levels(in_)})
        given["n"] = [str(2**31 if n is None else n)]
        with Listener(quiet) as listener:
            answer = _covec.collocates(str(self.path), given, listener)
        return _frames.made("collocates", *answer, frame)


class Replicates(Folder):
    """Models as they would be had other documents been drawn, or had labels meant nothing."""

    _path_name = "replicates"


def _reading(text: str, by: Many, given: dict[str, list[str]]) -> dict[str, list[str]]:
    """What is read, as texts."""
    return {**given, "text": [one_text(text, _ROWS["text"])], "by": texts(by, _ROWS["by"])}


@takes("Corpus", "Vocabulary", "Counting", WORK)
def count(
    data: Any, text: str = "text", by: Many = None, *, output: Any = None, quiet: bool | None = None,
    given: dict[str, list[str]],
) -> Tensor:
    """Counts which words stand near which, for every combination of levels.

    `data` is what `covec.fit` takes. Without an `output` folder the tensor lives as long as the object.

    >>> tensor = covec.count(speeches, by="party", min_count=1)
    >>> tensor.collocates("freedom", min_count=1, above=0, caution=0).collocate[0]
    'from'
    """
    given = _reading(text, by, given)
    kept, path = placed(output, "tensor")
    with _corpus.inputs(data, _covec.columns(given)) as inputs, Listener(quiet) as listener:
        _covec.count(inputs, path, given, listener)
    return Tensor(path, kept)


@takes("Training", WORK, CHECKPOINTS)
def train(
    tensor: Any, *, output: Any = None, quiet: bool | None = None, given: dict[str, list[str]]
) -> Model:
    """Trains a model on a tensor: a vector for every word, weights for every level."""
    kept, path = placed(output, "model")
    with Listener(quiet) as listener:
        engine = _covec.train(os.fspath(tensor), path, given, listener)
    return Model(path, kept, engine)


@takes("Corpus", "Vocabulary", "Counting", "Training", WORK, CHECKPOINTS)
def fit(
    data: Any, text: str = "text", by: Many = None, *, output: Any = None, keep_tensor: Any = None,
    quiet: bool | None = None, given: dict[str, list[str]],
) -> Model:
    """From a corpus to a model in one go.

    `data` is a pandas, polars or Arrow table, an iterable of dictionaries, or the paths of files and
    folders as on the command line. `text` names the column of the texts, `by` those of the covariates:
    `by="party"`, `by=["party", "year:10"]` or `by={"party": None, "year": 10}`.

    Without an `output` folder the model lives as long as the object; `save` keeps it. The same data,
    parameters and seed give the same bits as `covec fit` on the command line, at any number of threads.

    >>> model = covec.fit(speeches, by="party", min_count=1, dim=2, sweeps=2, held_out=0)
    >>> model.levels
    {'party': ['D', 'R']}
    >>> model["freedom", "D"].shape
    (2,)
    """
    given = _reading(text, by, given)
    if keep_tensor is not None:
        given["keep_tensor"] = [os.fspath(keep_tensor)]
    kept, path = placed(output, "model")
    with _corpus.inputs(data, _covec.columns(given)) as inputs, Listener(quiet) as listener:
        engine = _covec.fit(inputs, path, given, listener)
    return Model(path, kept, engine)


@takes(WORK)
def extend(
    model: Any, data: Any, *, output: Any = None, quiet: bool | None = None,
    given: dict[str, list[str]],
) -> Model:
    """Adds new levels to a model, say a new year, without training it again."""
    model = _opened(model)
    kept, path = placed(output, "model")
    with _corpus.inputs(data, model._engine.columns({})) as inputs, Listener(quiet) as listener:
        engine = _covec.extend(model._engine, inputs, path, given, listener)
    return Model(path, kept, engine)


@takes("Bootstrap", WORK)
def bootstrap(
    data: Any, model: Any, B: int = 100, *, replicates: tuple[int, int] | None = None,
    output: Any = None, quiet: bool | None = None, given: dict[str, list[str]],
) -> Replicates:
    """Error bars: draws the documents again, and refits the model to each draw.

    With what comes of it (`boot=`) every analysis has intervals. The same `output` is gone on with.
    """
    return _resampled(False, data, model, B, replicates, output, quiet, given)


@takes("Permutation", WORK)
def permute(
    data: Any, model: Any, B: int = 200, *, replicates: tuple[int, int] | None = None,
    output: Any = None, quiet: bool | None = None, given: dict[str, list[str]],
) -> Replicates:
    """Significance: shuffles the labels, and refits the model to each shuffle.

    With what comes of it (`boot=`) the analyses have p-values, and q-values over all that is tested.
    """
    return _resampled(True, data, model, B, replicates, output, quiet, given)


def _resampled(
    shuffle: bool, data: Any, model: Any, count: int, replicates: tuple[int, int] | None, output: Any,
    quiet: bool | None, given: dict[str, list[str]],
) -> Replicates:
    model = _opened(model)
    numbers = replicates if replicates is not None else (0, count)
    if not all(isinstance(number, int) for number in numbers) or not 0 <= numbers[0] < numbers[1] <= 100_000:
        raise ParameterError(f"replicates={numbers}: expected whole numbers from 0 to 100000, the first smaller")
    kept, path = placed(output, "replicates")
    columns = model._engine.columns({"unit": given.get("unit", [])})
    with _corpus.inputs(data, columns) as inputs, Listener(quiet) as listener:
        _covec.replicate(shuffle, model._engine, inputs, (numbers[0], numbers[1]), path, given, listener)
    return Replicates(path, kept)


def _opened(model: Any) -> Model:
    return model if isinstance(model, Model) else Model(model)


@takes(WORK)
def merge(
    *parts: Any, output: Any = None, quiet: bool | None = None, given: dict[str, list[str]]
) -> Folder:
    """Adds up tensors that were counted apart, or puts replicates together that were drawn apart."""
    kept, path = placed(output, "merged")
    with Listener(quiet) as listener:
        _covec.merge([os.fspath(part) for part in parts], path, given, listener)
    counted = pathlib.Path(path, "entries.parquet").exists()
    return Tensor(path, kept) if counted else Replicates(path, kept)


@takes("Import", WORK)
def import_counts(
    *counts: Any, output: Any = None, quiet: bool | None = None, given: dict[str, list[str]]
) -> Tensor:
    """Takes in a tensor that somebody else counted: tables of words, genes, anything that occurs together."""
    kept, path = placed(output, "tensor")
    with Listener(quiet) as listener:
        _covec.import_([os.fspath(table) for table in counts], path, given, listener)
    return Tensor(path, kept)


@takes("Synth", WORK)
def synth(
    output: Any, *, truth: Any = None, quiet: bool | None = None, given: dict[str, list[str]]
) -> pathlib.Path:
    """Makes text, or with `tensor=True` a tensor, from a known model, the truth beside it."""
    if truth is not None:
        given["truth"] = [os.fspath(truth)]
    with Listener(quiet) as listener:
        _covec.synth(os.fspath(output), given, listener)
    return pathlib.Path(output)
