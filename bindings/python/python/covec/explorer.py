"""The explorer: a page for looking into a model, served from this process."""

from __future__ import annotations

import contextlib
import html
import os
import webbrowser
from typing import Any

from . import _covec


class Explorer:
    """A page that is served as long as this object lives, or until `stop()`.

    >>> with covec.load(example).explore(open=False) as page:
    ...     page.url.startswith("http://127.0.0.1:"), page.running
    (True, True)
    >>> page.running
    False
    """

    def __init__(self, model: Any, corpus: list[str], boot: list[str], host: str, port: int | None) -> None:
        self._engine = _covec.Explorer.start(os.fspath(model), corpus, boot, host, port)
        # The model's files may be temporary.
        self._model = model
        self._kept = contextlib.ExitStack()

    def keep(self, files: contextlib.ExitStack) -> None:
        """Keeps temporary files until the page is stopped."""
        self._kept.push(files)

    @property
    def url(self) -> str:
        """Where the page is."""
        return str(self._engine.url)

    @property
    def running(self) -> bool:
        """Whether it is still served."""
        return bool(self._engine.running)

    def open(self) -> bool:
        """Opens it in a browser; false where there is none."""
        return webbrowser.open(self.url)

    def stop(self) -> None:
        """Ends it."""
        self._engine.stop()
        self._kept.close()

    def __enter__(self) -> Explorer:
        return self

    def __exit__(self, *raised: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<covec.Explorer at {self.url}>" if self.running else "<covec.Explorer, stopped>"

    def _repr_html_(self) -> str:
        if not self.running:
            return html.escape(repr(self))
        url = html.escape(self.url)
        return f'Explorer at <a href="{url}" target="_blank" rel="noopener">{url}</a>'
