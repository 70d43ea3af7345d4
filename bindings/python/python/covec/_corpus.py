"""Whatever holds documents becomes inputs that the library reads.

Paths go through as they are. Tables are handed over by Arrow's C stream, without a Python object for
any value; other records are written as JSON Lines, one by one. Both go to a temporary folder, which is
gone when the work is done.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import pathlib
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from . import _covec
from .errors import CorpusError, Error

EXPECTED = (
    "a pandas, polars or Arrow table, an iterable of dictionaries, or the paths of files or folders"
)


@contextlib.contextmanager
def inputs(data: Any, columns: list[str]) -> Iterator[list[str]]:
    """The paths to read; of a table, the columns that are wanted."""
    found = paths(data)
    if found is not None:
        yield found
        return
    with tempfile.TemporaryDirectory(prefix="covec-") as folder:
        with contextlib.ExitStack() as worded:
            path = _spooled(data, columns, pathlib.Path(folder))
            worded.enter_context(_worded(path))
            yield [path]


def place_in_data(columns: list[Any], path: str) -> None:
    """A document's place is one in the data, not in the temporary file."""
    for name, _, values in columns:
        if name == "document":
            values[:] = [value.replace(f"{path}, line", "record").replace(f"{path}, ", "") for value in values]


def paths(data: Any) -> list[str] | None:
    """The paths that were given; none where it is something else."""
    if isinstance(data, (str, os.PathLike)):
        return [os.fspath(data)]
    if isinstance(data, (list, tuple)) and data and all(isinstance(one, (str, os.PathLike)) for one in data):
        return [os.fspath(one) for one in data]
    return None


@contextlib.contextmanager
def _worded(path: str) -> Iterator[None]:
    """A fault in the data is told as one of the data, not of the temporary file."""
    try:
        yield
    except Error as error:
        if error.args and path in str(error.args[0]):
            message = str(error.args[0]).replace(path, "the data")
            raise type(error)(message.replace("the data, line", "the data, record")) from None
        raise


def _spooled(data: Any, columns: list[str], folder: pathlib.Path) -> str:
    if isinstance(data, (bytes, Mapping)):
        raise CorpusError(f"the data is of type {type(data).__name__}\n  expected: {EXPECTED}")
    if hasattr(data, "iloc"):
        return _pandas(data, columns, folder)
    if hasattr(data, "collect") and hasattr(data, "sink_parquet"):
        data = data.collect()
    if hasattr(data, "__arrow_c_stream__"):
        return _streamed(data, columns, folder)
    if isinstance(data, Iterable) and not isinstance(data, str):
        return _records(data, columns, folder)
    raise CorpusError(f"the data is of type {type(data).__name__}\n  expected: {EXPECTED}")


def _streamed(table: Any, columns: list[str], folder: pathlib.Path) -> str:
    path = str(folder / "data.parquet")
    _covec.spool(table, columns, path)
    return path


def _pandas(frame: Any, columns: list[str], folder: pathlib.Path) -> str:
    """Only the columns that are wanted: others may hold what Arrow cannot. The index plays no part."""
    if getattr(frame, "ndim", 2) == 1:
        frame = frame.to_frame(frame.name if frame.name is not None else columns[0])
    names = [str(name) for name in frame.columns]
    for name in columns:
        if names.count(name) != 1:
            found = "no column" if name not in names else f"{names.count(name)} columns of the name"
            raise CorpusError(
                f"the table has {found} '{name}'\n  columns there: {', '.join(names)}\n"
                "  way out: name one of these, each once"
            )
    frame = frame[[column for column in frame.columns if str(column) in columns]].reset_index(drop=True)
    frame.columns = [str(name) for name in frame.columns]
    try:
        import pyarrow  # pandas needs it for the stream
    except ImportError:
        return _records(_rows(frame), columns, folder)
    try:
        return _streamed(frame, columns, folder)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, pyarrow.ArrowNotImplementedError):
        # Values of several types in a column: written one by one, a fault has a place.
        return _records(_rows(frame), columns, folder)


def _rows(frame: Any) -> Iterator[dict[str, Any]]:
    columns = {name: frame[name].tolist() for name in frame.columns}
    for values in zip(*columns.values()):
        yield dict(zip(columns, values))


def _records(records: Iterable[Any], columns: list[str], folder: pathlib.Path) -> str:
    path = folder / "data.jsonl"
    with open(path, "w", encoding="utf-8") as file:
        for number, record in enumerate(records, 1):
            if not isinstance(record, Mapping):
                raise CorpusError(
                    f"the data, record {number}: expected a dictionary, got {type(record).__name__}\n"
                    f"  expected: {EXPECTED}"
                )
            wanted = {name: _plain(record[name]) for name in columns if name in record}
            if len(wanted) < len(columns):
                # A fault is told with the names that are there.
                wanted = {**{str(name): None for name in record}, **wanted}
            try:
                file.write(json.dumps(wanted, ensure_ascii=False))
            except (TypeError, UnicodeEncodeError) as error:
                raise CorpusError(f"the data, record {number}: {error}") from None
            file.write("\n")
    return str(path)


def _plain(value: Any) -> Any:
    """A value as JSON has it; nothing for what stands for a missing value."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return value
