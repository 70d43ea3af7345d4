"""Questions to a model: a method for each, its arguments handed over as named texts."""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
from typing import Any, Callable

from . import _corpus, _frames
from ._parameters import THREADS, levels, takes, texts
from ._progress import Listener

# Arguments that name levels, files and folders, each with how it becomes texts.
_LEVELS = ("in_", "between", "contrast")
# More rows than there are.
ALL = str(2**31)


def question(*stages: str) -> Callable[[Callable[..., Any]], Any]:
    """Makes a method of a signature and its documentation. All else is the same for every question."""

    def decorate(described: Callable[..., Any]) -> Any:
        name = described.__name__
        own = inspect.signature(described)

        def ask(self: Any, *args: Any, given: dict[str, list[str]], **kwargs: Any) -> Any:
            bound = own.bind(self, *args, **kwargs)
            bound.apply_defaults()
            asked = dict(bound.arguments)
            del asked[next(iter(own.parameters))]
            frame, quiet = asked.pop("frame"), asked.pop("quiet")
            data = asked.pop("corpus", None)
            for key, value in asked.items():
                found = levels(value) if key in _LEVELS else _texts(value)
                if key == "axis":
                    found = [_axis(value)]
                if found:
                    given[key] = found
            if "n" in asked and asked["n"] is None and own.parameters["n"].default is not None:
                given["n"] = [ALL]
            with contextlib.ExitStack() as stack:
                if data is not None:
                    columns = self._engine.columns({})
                    given["corpus"] = stack.enter_context(_corpus.inputs(data, columns))
                listener = stack.enter_context(Listener(quiet))
                answer = self._put(name, given, listener)
                if data is not None and _corpus.paths(data) is None:
                    _corpus.place_in_data(answer[0], given["corpus"][0])
            return _frames.made(name, *answer, frame)

        functools.update_wrapper(ask, described)
        extra = [
            inspect.Parameter("frame", inspect.Parameter.KEYWORD_ONLY, default="pandas", annotation="str"),
            inspect.Parameter("quiet", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="bool | None"),
        ]
        own = own.replace(parameters=[*own.parameters.values(), *extra])
        seen = [*own.parameters.values(), inspect.Parameter("given", inspect.Parameter.KEYWORD_ONLY)]
        ask.__signature__ = own.replace(parameters=seen)  # type: ignore[attr-defined]
        return takes(*stages, THREADS)(ask)

    return decorate


def _texts(value: Any) -> list[str]:
    if isinstance(value, bool):
        return ["true"] if value else []
    if isinstance(value, os.PathLike):
        return [os.fspath(value)]
    return texts(value)


def _axis(value: Any) -> str:
    """`"poor,weak:rich,strong"`, or the two ends: `(["poor", "weak"], ["rich", "strong"])`."""
    if isinstance(value, str):
        return value
    return ":".join(",".join(texts(end)) for end in value)
