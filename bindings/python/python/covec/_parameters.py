"""Keyword arguments from the one table of parameters.

Functions name the stages whose parameters they take; names, defaults and their documentation come from
the table that the command line is made from too. What a user gives becomes texts, as on the command line.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import keyword
import os
import textwrap
from typing import Any, Callable, Iterable, NamedTuple

from . import _covec
from .errors import ParameterError


class Parameter(NamedTuple):
    """A row of the table."""

    name: str
    value: str
    default: str
    range: str
    meaning: str
    repeats: bool

    @property
    def keyword(self) -> str:
        """Its name as an argument; a word of the language cannot be one."""
        return f"{self.name}_" if keyword.iskeyword(self.name) else self.name

    @property
    def is_switch(self) -> bool:
        return not self.value

    @property
    def kind(self) -> str:
        """What type of value it takes, as an annotation."""
        if self.is_switch:
            return "bool"
        if self.repeats:
            return "Many"
        if self.value == "on|off":
            return "bool | str"
        if self.value == "N":
            return "int"
        if self.value in ("X", "SHARE", "P", "Z"):
            return "float | str" if self.default == "auto" else "float"
        return "str | os.PathLike[str]" if self.value == "FILE" else "str"

    @property
    def given(self) -> Any:
        """The default as a value; none where it is a rule rather than a value."""
        if self.is_switch:
            return False
        if self.repeats or self.default == "none" or " " in self.default.strip():
            return None
        for kind in (int, float):
            try:
                return kind(self.default)
            except ValueError:
                pass
        return self.default


TABLES: dict[str, list[Parameter]] = {
    stage: [Parameter(*row) for row in rows] for stage, rows in _covec.parameters()
}

# How the work is done; none of it changes a result.
WORK = [
    Parameter("threads", "N", "all there are", "1 to 1024", "Threads that share the work", False),
    Parameter("memory", "SIZE", "4G", "a size such as 512M", "Memory to stay within", False),
    Parameter("force", "", "off", "a switch", "Replace an output that is already there", False),
]
CHECKPOINTS = [
    Parameter("checkpoint", "X", "1", "minutes", "Keep what was found so far this often; 0 for never", False),
    Parameter("resume", "", "off", "a switch", "Go on from a checkpoint, to the same bits", False),
]
THREADS = WORK[:1]
FORCE = WORK[2:]


def one_text(value: Any, row: Parameter | None = None) -> str:
    """A value as a user would write it on the command line."""
    if hasattr(value, "item") and not isinstance(value, (str, bytes)):
        value = value.item()
    if isinstance(value, bool):
        if row is not None and row.value == "on|off":
            return "on" if value else "off"
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, (str, int, float)):
        return str(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    name = f"{row.keyword}: " if row is not None else ""
    raise ParameterError(f"{name}expected text, a number or true/false, got {type(value).__name__}")


def texts(value: Any, row: Parameter | None = None) -> list[str]:
    """All texts that a value stands for."""
    if value is None:
        return []
    if isinstance(value, dict):
        return _named(value, ":" if row is not None and row.name in ("by", "unit") else "=", row)
    many = row is None or row.repeats
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable) or hasattr(value, "item"):
        return [one_text(value, row)]
    values = [text for one in value for text in texts(one, row)]
    return values if many else [",".join(values)]


def _named(values: dict[Any, Any], between: str, row: Parameter | None) -> list[str]:
    """`{"year": 10}` as `year:10`, `{"party": ["D", "R"]}` as `party=D,R`."""
    made = []
    for name, value in values.items():
        if value is None:
            made.append(str(name))
            continue
        several = isinstance(value, Iterable) and not isinstance(value, (str, bytes))
        own = [one_text(one, row) for one in value] if several else [one_text(value, row)]
        # One cut alone would read as a width.
        end = "," if between == ":" and several and len(own) == 1 else ""
        made.append(f"{name}{between}{','.join(own)}{end}")
    return made


def level(value: Any) -> str:
    """A level, or several that hold together: `"R"`, `"party=R"`, or `{"party": "R", "year": "2010s"}`."""
    if isinstance(value, dict):
        return ",".join(f"{factor}={one_text(own)}" for factor, own in value.items())
    return one_text(value)


def levels(value: Any) -> list[str]:
    """Levels to look at, one or several."""
    if value is None:
        return []
    if isinstance(value, (str, dict)) or not isinstance(value, Iterable):
        return [level(value)]
    return [level(one) for one in value]


def takes(*stages: str | list[Parameter]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Gives a function the parameters of stages as keyword arguments.

    The function gets `given`: a dictionary of the texts of those that were given.
    """
    rows: list[Parameter] = []
    for stage in stages:
        for row in TABLES[stage] if isinstance(stage, str) else stage:
            if all(row.name != own.name for own in rows):
                rows.append(row)

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        plain = inspect.signature(function)
        own = [p for p in plain.parameters.values() if p.name != "given"]
        # What the function names itself, it reads itself.
        table = {row.keyword: row for row in rows if row.keyword not in plain.parameters}
        signature = plain.replace(
            parameters=[
                *own,
                *(
                    inspect.Parameter(
                        name,
                        inspect.Parameter.KEYWORD_ONLY,
                        default=row.given,
                        annotation=row.kind if row.given is not None else f"{row.kind} | None",
                    )
                    for name, row in table.items()
                ),
            ]
        )
        known = [p.name for p in signature.parameters.values()]

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            given: dict[str, list[str]] = {}
            for name in list(kwargs):
                if name in table:
                    found = texts(kwargs.pop(name), table[name])
                    if found:
                        given[table[name].name] = found
                elif name not in plain.parameters or name == "given":
                    raise _unknown(function.__name__, name, known)
            return function(*args, given=given, **kwargs)

        wrapper.__signature__ = signature  # type: ignore[attr-defined]
        wrapper.__doc__ = _documented(function.__doc__, table.values())
        return wrapper

    return decorate


def _unknown(function: str, name: str, known: list[str]) -> ParameterError:
    near = difflib.get_close_matches(name, known, n=1)
    way_out = f"did you mean '{near[0]}'?" if near else f"help(covec.{function}) lists them"
    return ParameterError(f"{function} has no parameter '{name}'\n  way out: {way_out}")


def _documented(doc: str | None, rows: Iterable[Parameter]) -> str:
    """The documentation with every parameter of the table below."""
    text = inspect.cleandoc(doc or "")
    lines = []
    for row in rows:
        meaning = textwrap.fill(row.meaning, 96, initial_indent="    ", subsequent_indent="    ")
        lines.append(f"{row.keyword} : {row.kind}, default: {row.default}\n{meaning}\n    Allowed: {row.range}.")
    if not lines:
        return text
    title = "Further parameters"
    return f"{text}\n\n{title}\n{'-' * len(title)}\n" + "\n".join(lines) + "\n"
