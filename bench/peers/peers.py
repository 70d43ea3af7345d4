"""covec against the routes people take today, on one corpus, one machine, with the same words, dimension and threads.

In: a folder with books/*.txt, books/manifest.csv and eval/similarity/men.csv (--data DIR); without it a planted world
    of `covec synth` stands in, whose truth takes the place of people's ratings.
Out: one table as Markdown: time, peak memory, and the mean over levels of Spearman's rho.

Every route runs in a process of its own, so that the kernel tells the most memory it ever held. All leave vectors by
level in the same layout, and all are scored by the same lines (scored.py).

Run by `cargo xtask peers [--data DIR] [--only ROUTE] [--quick]`.
"""

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import scored

HERE = Path(__file__).parent
DIM = 100
WINDOW = 8
THREADS = 2
WORD = re.compile(r"[a-z]+")


def main():
    asked = arguments()
    # Not beside the sources: killed, it leaves a corpus behind.
    with tempfile.TemporaryDirectory(dir="target", prefix="peers-") as home:
        bench = Bench(asked, Path(home))
        bench.prepare()
        for name, command in bench.routes():
            if not asked.only or any(part in name for part in asked.only):
                bench.run(name, command)
        bench.tell()


def arguments():
    parser = argparse.ArgumentParser(prog="cargo xtask peers", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, metavar="DIR", help="books and test sets; without it, a planted world")
    parser.add_argument("--set", default="twin29L", help="the column of books/manifest.csv that says which books")
    parser.add_argument("--only", metavar="ROUTE", action="append", help="only routes whose name has this in it; can be repeated")
    parser.add_argument("--quick", action="store_true", help="a first look: fewer epochs and words")
    parser.add_argument("--covec", default=os.environ.get("COVEC", "target/release/covec"), metavar="BINARY")
    return parser.parse_args()


class Bench:
    def __init__(self, asked, home):
        self.asked, self.home = asked, home
        self.corpus, self.pairs = home / "corpus.jsonl", home / "pairs.csv"
        self.tensor = home / "tensor"
        self.rows = []

    def prepare(self):
        """The corpus in plain words, the ratings, and the words and levels that all routes use."""
        if self.asked.data:
            self.books()
            by, least = "level", "20"
        else:
            print("no --data: a planted world of covec synth stands in for books and ratings", file=sys.stderr)
            self.world()
            by, least = "group", "20"
        self.by = by
        self.covec("count", self.corpus, "--by", by, "--min-count", least, "--window", str(WINDOW), "-o", self.tensor)
        self.words, self.counts, self.levels = scored.vocabulary(self.tensor)
        print(f"{sum(map(sum, self.counts)):,} words, {len(self.words):,} distinct, {len(self.levels)} levels", file=sys.stderr)

    def books(self):
        data = self.asked.data
        with open(data / "books" / "manifest.csv", newline="") as file:
            books = [row for row in csv.DictReader(file) if row.get(self.asked.set) == "1"]
        if not books:
            sys.exit(f"peers: {data}/books/manifest.csv has no books with 1 in the column {self.asked.set}")
        with open(self.corpus, "w") as out:
            for row in books:
                for line in open(data / "books" / row["file"]):
                    text = " ".join(WORD.findall(line.lower()))
                    if text:
                        # Names of levels become names of files, which are cut.
                        print(json.dumps({"text": text, "level": Path(row["file"]).stem[:40]}), file=out)
        self.pairs.write_text((data / "eval" / "similarity" / "men.csv").read_text())

    def world(self):
        tokens = "3e5" if self.asked.quick else "3e6"
        self.covec("synth", "-o", self.corpus, "--tokens", tokens, "--words", "3000", "--levels", "10", "--seed", "1")
        truth = json.loads(self.corpus.with_suffix(".truth.json").read_text())
        scored.plant(truth, self.pairs)

    def covec(self, *arguments):
        # What only copies numbers takes no threads.
        threads = [] if arguments[0] == "export" else ["--threads", str(THREADS)]
        subprocess.run([self.asked.covec, *map(str, arguments), *threads, "-q"], check=True)

    def routes(self):
        """Name and command of every route; each leaves a folder of vectors by level."""
        python = [sys.executable, str(HERE / "routes.py")]
        common = [str(self.corpus), str(self.tensor), "--by", self.by, "--dim", str(DIM), "--threads", str(THREADS)]
        window = ["--window", str(WINDOW)]
        fit = [self.asked.covec, "fit", str(self.corpus), "--by", self.by, "--min-count", "20", *window]
        yield "covec fit", [*fit, "--dim", str(DIM), "--threads", str(THREADS), "-q", "-o"]
        for epochs in [5] if self.asked.quick else [5, 20, 100]:
            flags = ["--epochs", str(epochs)]
            yield f"word2vec a level, {epochs} epochs, turned", [*python, "word2vec", *common, *window, *flags]
        for epochs in [5] if self.asked.quick else [5, 20]:
            flags = ["--epochs", str(epochs), "--from-all"]
            yield (
                f"word2vec on all text, then a level from there, {epochs} epochs each, turned",
                [*python, "word2vec", *common, *window, *flags],
            )
        words = "300" if self.asked.quick else "1200"
        for kind in ["cp", "nonnegative"]:
            yield (
                f"tensorly, {'CP' if kind == 'cp' else 'non-negative CP'}, the {words} most frequent words",
                [*python, "tensorly", *common, "--words", words, "--kind", kind],
            )

    def run(self, name, command):
        output = self.home / f"route-{len(self.rows)}"
        print(f"{name} ...", file=sys.stderr)
        begun = time.perf_counter()
        process = subprocess.Popen([*command, str(output)])
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begun
        if status != 0:
            self.rows.append((name, seconds, used.ru_maxrss * 1024 / 1e6, None, None))
            print(f"{name}: failed ({status})", file=sys.stderr)
            return
        if name == "covec fit":
            # Vectors under every level, as covec writes them for NumPy.
            inside = [flag for level in self.levels for flag in ("--in", level)]
            self.covec("export", output, "--format", "numpy", *inside, "-o", self.home / "exported")
            output = self.home / "exported"
        vectors = scored.read(output, self.words, self.levels)
        self.rows.append((name, seconds, used.ru_maxrss * 1024 / 1e6, vectors, None))

    def tell(self):
        ratings = scored.ratings(self.pairs, self.words)
        own = next((row[3] for row in self.rows if row[0] == "covec fit"), None)
        print("| route | s | MB | mean rho over levels, of pairs the level has | covec on the same pairs | of all pairs |")
        print("|---|---|---|---|---|---|")
        for name, seconds, megabytes, vectors, _ in self.rows:
            if vectors is None:
                print(f"| {name} | {seconds:.0f} | {megabytes:.0f} | failed | | |")
                continue
            rho, used = scored.there(vectors, ratings, self.counts)
            same = scored.there(own, ratings, self.counts, vectors)[0] if own else float("nan")
            every, asked = scored.everywhere(vectors, ratings)
            print(
                f"| {name} | {seconds:.0f} | {megabytes:.0f} | {rho:.3f} ({used:.0f} pairs) | {same:.3f} "
                f"| {every:.3f} ({asked} pairs) |"
            )


if __name__ == "__main__":
    main()
