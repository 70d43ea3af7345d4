"""What the tests share: a small corpus of a known world, a model of it, the command line."""

import functools
import json
import os
import pathlib
import subprocess
import tempfile

import covec

ROOT = pathlib.Path(__file__).resolve().parents[3]
COVEC = ROOT / os.environ.get("COVEC", "target/release/covec")
# Small enough to be trained in a moment.
FITTED = {"dim": 8, "sweeps": 4, "min_count": 5}


def command(*arguments, **options):
    """Runs the command line."""
    return subprocess.run([COVEC, *map(str, arguments)], check=True, capture_output=True, text=True, **options)


@functools.cache
def home():
    kept = tempfile.TemporaryDirectory(prefix="covec-test-")
    home.kept = kept
    return pathlib.Path(kept.name)


@functools.cache
def corpus():
    """The path of a corpus in JSON Lines with the covariates group and speaker."""
    path = home() / "corpus.jsonl"
    covec.synth(path, tokens=60_000, words=300, levels=3, dim=8, differing=10, quiet=True)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    with open(path, "w") as file:
        for number, line in enumerate(lines):
            group = f"g{int(line['group'].removeprefix('group-')) - 1}"
            file.write(json.dumps({**line, "group": group, "speaker": f"{group}-s{number % 15}"}) + "\n")
    return path


@functools.cache
def records():
    return [json.loads(line) for line in corpus().read_text().splitlines()]


@functools.cache
def tensor():
    return covec.count(corpus(), by="group", min_count=5, output=home() / "tensor", quiet=True)


@functools.cache
def model():
    return covec.fit(corpus(), by="group", output=home() / "model", quiet=True, **FITTED)


@functools.cache
def boot():
    return covec.bootstrap(corpus(), model(), 40, quiet=True)


@functools.cache
def shuffled():
    return covec.permute(corpus(), model(), 20, afresh=5, quiet=True)
