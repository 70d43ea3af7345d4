"""Writes the stubs of the modules whose signatures come from the table of parameters.

    PYTHONPATH=target/python python bindings/python/stubs.py

A test keeps them in step.
"""

from __future__ import annotations

import functools
import inspect
import pathlib
from typing import Any, Iterator

import covec.making
import covec.model
import covec.sklearn

PLACE = pathlib.Path(__file__).parent / "python" / "covec"
HEADS = {
    covec.model: """import os
import pathlib
from typing import Any

import numpy

from ._folder import Folder
from .explorer import Explorer

Many = Any
Levels = Any
""",
    covec.making: """import os
import pathlib
from typing import Any

from ._folder import Folder
from .model import Levels, Model

Many = Any
""",
    covec.sklearn: """from typing import Any

import numpy
from sklearn.base import BaseEstimator, TransformerMixin

from .model import Model

Many = Any
""",
}


def signature(function: Any) -> str:
    """A signature as it is written."""
    taken = inspect.signature(function)
    parts, starred = [], False
    for own in taken.parameters.values():
        if own.kind is own.VAR_POSITIONAL:
            starred = True
        if own.kind is own.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        text = {own.VAR_POSITIONAL: "*", own.VAR_KEYWORD: "**"}.get(own.kind, "") + own.name
        if own.annotation is not own.empty:
            text += f": {own.annotation}"
        if own.default is not own.empty:
            text += f" = {own.default!r}" if own.annotation is not own.empty else f"={own.default!r}"
        parts.append(text)
    returned = taken.return_annotation
    arrow = f" -> {returned}" if returned is not taken.empty else " -> Any"
    lines = f"({', '.join(parts)}){arrow}"
    return lines if len(lines) < 90 else "(\n    " + ",\n    ".join(parts) + f",\n){arrow}"


def described(name: str, function: Any, indent: str = "") -> str:
    text = f"def {name}{signature(function)}: ..."
    return "\n".join(indent + line for line in text.splitlines())


def members(kind: type) -> Iterator[str]:
    for name, own in vars(kind).items():
        if isinstance(own, property):
            yield f"    @property\n    def {name}{signature(own.fget)}: ..."
        elif inspect.isfunction(own) and (not name.startswith("_") or name in ("__init__", "__getitem__", "__contains__", "__len__")):
            if name == "__init__":
                yield described(name, own, "    ").replace(" -> Any:", " -> None:")
            else:
                yield described(name, own, "    ")
    if kind is covec.sklearn.CovariateEmbedding:
        yield "    model_: Model\n    n_features_out_: int"


@functools.cache
def stub(module: Any) -> str:
    """A module as a stub."""
    text = f'"""{(module.__doc__ or "").strip().splitlines()[0]}"""\n\n# Written by stubs.py.\n\n{HEADS[module]}\n'
    for name, own in vars(module).items():
        if getattr(own, "__module__", None) != module.__name__ or name.startswith("_"):
            continue
        if inspect.isclass(own):
            bases = ", ".join(base.__name__ for base in own.__bases__)
            note = "  # type: ignore[misc]" if module is covec.sklearn else ""
            text += f"\nclass {name}({bases}):{note}\n" + ("\n".join(members(own)) or "    ...") + "\n"
        elif inspect.isfunction(own):
            text += "\n" + described(name, own) + "\n"
    return text


if __name__ == "__main__":
    for module in HEADS:
        (PLACE / f"{module.__name__.rpartition('.')[2]}.pyi").write_text(stub(module))
