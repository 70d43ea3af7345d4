"""Answers as data frames of the library that is wanted."""

from __future__ import annotations

from typing import Any

import numpy
import pandas

from . import charts
from .errors import MissingPackage, ParameterError

# A column: its name, what it holds, its values.
Column = tuple[str, str, list[Any]]

_DTYPES = {"int": "int64", "float": "float64", "bool": "bool"}


class Frame(pandas.DataFrame):
    """A pandas data frame whose `plot()` draws the answer that it holds.

    Everything else is as in pandas, `plot.scatter(...)` and `plot(x=..., y=...)` too.
    """

    @property
    def _constructor(self) -> type[Frame]:
        return Frame

    @property
    def plot(self) -> Any:
        # Of the class, this is the maker of pandas' own.
        return _Plot(self, pandas.DataFrame.plot)


class _Plot:
    def __init__(self, frame: Frame, plain: Any) -> None:
        self._frame, self._maker = frame, plain

    @property
    def _plain(self) -> Any:
        return self._maker(self._frame)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        kind = self._frame.attrs.get("covec")
        if kind is None or args or {"x", "y", "kind"} & kwargs.keys():
            return self._plain(*args, **kwargs)
        return charts.draw(kind, self._frame, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plain, name)


def made(kind: str, columns: list[Column], left_out: int, notes: list[str], frame: str) -> Any:
    """The data frame of an answer."""
    if frame == "pandas":
        return _pandas(kind, columns, left_out, notes)
    if frame == "polars":
        polars = needed("polars", "frame='polars'")
        kinds = {"int": polars.Int64, "float": polars.Float64, "bool": polars.Boolean, "str": polars.String}
        series = [polars.Series(name, values, dtype=kinds.get(own)) for name, own, values in columns]
        return polars.DataFrame(series)
    if frame == "arrow":
        pyarrow = needed("pyarrow", "frame='arrow'")
        kinds = {"int": pyarrow.int64(), "float": pyarrow.float64(), "bool": pyarrow.bool_(), "str": pyarrow.string()}
        arrays = [pyarrow.array(values, kinds.get(own)) for _, own, values in columns]
        return pyarrow.table(arrays, names=[name for name, _, _ in columns])
    raise ParameterError(f"frame={frame}: expected pandas, polars or arrow")


def _pandas(kind: str, columns: list[Column], left_out: int, notes: list[str]) -> Frame:
    made: dict[str, Any] = {}
    for name, own, values in columns:
        holes = own in ("int", "bool") and None in values
        dtype = "float64" if holes and own == "int" else object if holes else _DTYPES.get(own, object)
        array = numpy.empty(len(values), dtype=dtype)
        array[:] = values
        made[name] = array
    frame = Frame(made, copy=False)
    frame.attrs.update(covec=kind, left_out=left_out, notes=notes)
    return frame


def needed(name: str, use: str) -> Any:
    """A package that is needed for this alone."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingPackage(f"{use} needs the package {name}, which is not installed ({error})") from None
