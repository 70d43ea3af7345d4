"""Progress as a bar, in terminals and notebooks; notes as warnings."""

from __future__ import annotations

import os
import sys
import warnings
from types import TracebackType
from typing import Any

from .errors import Note

# A stage that is done sooner needs no bar.
PATIENCE = 0.5


def _seen() -> bool:
    """Whether somebody looks on: a terminal, or a notebook."""
    shell = sys.modules.get("IPython")
    if shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell":
        return True
    return sys.stderr is not None and sys.stderr.isatty()


def _outside() -> int:
    """How far up the call stands that came from outside the package."""
    here, level, frame = os.path.dirname(__file__), 1, sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == here:
        level, frame = level + 1, frame.f_back
    return level


class Listener:
    """Told some times a second how far the work has come."""

    def __init__(self, quiet: bool | None = None) -> None:
        self._show = _seen() if quiet is None else not quiet
        self._warn = not quiet
        self._bar: Any = None
        self._stage = ""

    def __call__(
        self, progress: tuple[str, float | None, int] | None, notes: list[str], sweep: str | None
    ) -> None:
        for note in notes:
            if self._warn:
                warnings.warn(note, Note, stacklevel=_outside())
        if progress is not None and self._show:
            self._tell(*progress)
        if sweep is not None and self._bar is not None:
            self._bar.set_postfix_str(sweep, refresh=False)

    def _tell(self, stage: str, share: float | None, words: int) -> None:
        from tqdm.auto import tqdm

        if stage != self._stage:
            self.close()
            self._stage = stage
            shape = "{desc} {percentage:3.0f} %|{bar}| {elapsed}, {remaining} left {postfix}"
            self._bar = tqdm(total=1.0, desc=stage, bar_format=shape, delay=PATIENCE, leave=False)
        if share is not None:
            self._bar.n = min(max(share, 0.0), 1.0)
        if words:
            self._bar.set_postfix_str(f"{words:,} words", refresh=False)
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        self._stage = ""

    def __enter__(self) -> Listener:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
