"""How good vectors by level are: Spearman's rho of ratings and cosines, the same lines for every route."""

import csv
import itertools
import random

import numpy
import pyarrow.parquet
from scipy.stats import spearmanr


def vocabulary(tensor):
    """The words of a tensor, how often each level has each, and the levels."""
    table = pyarrow.parquet.read_table(tensor / "vocabulary.parquet")
    levels = [name for name in table.column_names if "=" in name]
    return table["word"].to_pylist(), [table[level].to_pylist() for level in levels], levels


def read(folder, words, levels):
    """Vectors by level, in the order of the words; rows of NaN for words that have none."""
    place = {word: at for at, word in enumerate(words)}
    files = {str(file["level"]) if "level" in file else path.stem: file for path, file in opened(folder)}
    found = []
    for level in levels:
        file = files[level] if level in files else files[level.split("=", 1)[1]]
        own = numpy.full((len(words), file["vectors"].shape[1]), numpy.nan, dtype=numpy.float32)
        rows = [(place[str(word)], at) for at, word in enumerate(file["words"]) if str(word) in place]
        to, of = (list(column) for column in zip(*rows))
        own[to] = file["vectors"][of]
        found.append(own)
    return found


def opened(folder):
    for path in sorted(folder.glob("*.npz")):
        yield path, numpy.load(path)


def ratings(path, words):
    """Pairs of words that are known, with how alike people find them."""
    place = {word: at for at, word in enumerate(words)}
    with open(path, newline="") as file:
        rows = [(row["word1"].lower(), row["word2"].lower(), float(row["score"])) for row in csv.DictReader(file)]
    return [(place[a], place[b], score) for a, b, score in rows if a in place and b in place]


def plant(truth, path):
    """Pairs of a planted world, rated by the cosines of their true vectors."""
    lots = random.Random(1)
    vectors = numpy.array(truth["vectors"])
    vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)
    pairs = [lots.sample(range(min(1500, len(vectors))), 2) for _ in range(2000)]
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["word1", "word2", "score"])
        out.writerows([truth["words"][a], truth["words"][b], float(vectors[a] @ vectors[b])] for a, b in pairs)


def cosines(vectors, pairs):
    a, b = vectors[[pair[0] for pair in pairs]], vectors[[pair[1] for pair in pairs]]
    lengths = numpy.linalg.norm(a, axis=1) * numpy.linalg.norm(b, axis=1)
    with numpy.errstate(invalid="ignore", divide="ignore"):
        return (a * b).sum(axis=1) / lengths


def there(vectors, ratings, counts, also=None):
    """The mean over levels, of pairs whose words both occur in the level and have vectors there: rho, and pairs used.
    With `also`, of pairs that have vectors there too."""
    scores, used = [], []
    for level, own in enumerate(vectors):
        pairs = [pair for pair in ratings if counts[level][pair[0]] and counts[level][pair[1]]]
        known = numpy.isfinite(cosines(own, pairs))
        if also is not None:
            known &= numpy.isfinite(cosines(also[level], pairs))
        pairs = list(itertools.compress(pairs, known))
        if len(pairs) > 2:
            scores.append(spearmanr(cosines(own, pairs), [pair[2] for pair in pairs]).statistic)
            used.append(len(pairs))
    return float(numpy.mean(scores)), float(numpy.mean(used))


def everywhere(vectors, ratings):
    """The mean over levels, of all pairs; a pair one of whose words has no vector counts as not alike at all."""
    scores = []
    for own in vectors:
        scores.append(spearmanr(numpy.nan_to_num(cosines(own, ratings)), [pair[2] for pair in ratings]).statistic)
    return float(numpy.mean(scores)), len(ratings)
