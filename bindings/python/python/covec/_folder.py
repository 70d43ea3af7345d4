"""What covec makes is a folder: kept where the user says, or as long as the object lives."""

from __future__ import annotations

import os
import pathlib
import shutil
import tempfile
import weakref
from typing import Any

from .errors import ArtefactError, FileError


class Folder:
    """A folder of files, whole and covec's own."""

    def __init__(self, path: str | os.PathLike[str], kept: Any = None) -> None:
        self._path = pathlib.Path(path)
        # A temporary folder that goes with this object.
        self._kept = kept

    @property
    def path(self) -> pathlib.Path:
        """Where its files are."""
        return self._path

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> pathlib.Path:
        """Keeps a copy in this folder, whole or not at all; `force` replaces one that covec made."""
        target = pathlib.Path(path)
        if target.exists():
            own = target.is_dir() and (target / "run.json").is_file()
            if not force or not own:
                way_out = "another path" if not own else "another path, or force=True"
                raise ArtefactError(f"{target} is already there\n  way out: {way_out}")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as beside:
                new, old = pathlib.Path(beside, "new"), pathlib.Path(beside, "old")
                shutil.copytree(self._path, new)
                if target.exists():
                    os.replace(target, old)
                os.replace(new, target)
        except OSError as error:
            raise FileError(f"cannot write {target}: {error}") from None
        return target

    def __fspath__(self) -> str:
        return str(self._path)

    def __getstate__(self) -> dict[str, bytes]:
        """All of its files, so that it can be opened where they are not."""
        files = (file for file in self._path.rglob("*") if file.is_file())
        return {file.relative_to(self._path).as_posix(): file.read_bytes() for file in files}

    def __setstate__(self, state: dict[str, bytes]) -> None:
        kept, path = placed(None, self._path_name)
        for name, content in state.items():
            file = pathlib.Path(path, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        self.__init__(path, kept)  # type: ignore[misc]

    _path_name = "folder"

    def __repr__(self) -> str:
        return f"covec.{type(self).__name__}({str(self._path)!r})"


def placed(output: str | os.PathLike[str] | None, name: str) -> tuple[Any, str]:
    """Where an output goes: a temporary folder to be kept, if the user names none, and the path."""
    if output is not None:
        return None, os.fspath(output)
    kept = Temporary()
    return kept, os.path.join(kept.name, name)


class Temporary:
    """A folder that goes with this object; a forked process leaves that of its parent alone."""

    def __init__(self) -> None:
        self.name = tempfile.mkdtemp(prefix="covec-")
        weakref.finalize(self, _removed, self.name, os.getpid())


def _removed(folder: str, maker: int) -> None:
    if os.getpid() == maker:
        shutil.rmtree(folder, ignore_errors=True)
