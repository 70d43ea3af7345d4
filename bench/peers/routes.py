"""The routes people take today, each as a command that leaves vectors by level.

word2vec: gensim on each level's text (or on all text first, and on each level's from there), then the levels turned
    onto the one with the most words by orthogonal Procrustes, in NumPy.
tensorly: a CP decomposition of the tensor words x words x levels of positive pointwise mutual information, dense, as
    tensorly wants it, and so only of the most frequent words.
"""

import argparse
import json
import os
from pathlib import Path

asked = argparse.ArgumentParser()
asked.add_argument("route", choices=["word2vec", "tensorly"])
asked.add_argument("corpus", type=Path)
asked.add_argument("tensor", type=Path)
asked.add_argument("--by")
asked.add_argument("--dim", type=int)
asked.add_argument("--threads", type=int)
asked.add_argument("--window", type=int)
asked.add_argument("--epochs", type=int)
asked.add_argument("--from-all", action="store_true")
asked.add_argument("--words", type=int)
asked.add_argument("--kind", choices=["cp", "nonnegative"])
asked.add_argument("output", type=Path)
asked = asked.parse_args()
os.environ.update(OMP_NUM_THREADS=str(asked.threads), OPENBLAS_NUM_THREADS=str(asked.threads))

import numpy  # noqa: E402  after the number of threads is known
import scored  # noqa: E402


def write(level, words, vectors):
    numpy.savez(asked.output / f"{level.replace('/', '_')}.npz", level=level, words=words, vectors=vectors)


def texts(words, levels):
    """Every level's documents, in words of the vocabulary."""
    known = set(words)
    found = {level: [] for level in levels}
    for line in open(asked.corpus):
        line = json.loads(line)
        found[f"{asked.by}={line[asked.by]}"].append([word for word in line["text"].split() if word in known])
    return found


def word2vec():
    from gensim.models import Word2Vec

    words, _, levels = scored.vocabulary(asked.tensor)
    found = texts(words, levels)
    how = {"vector_size": asked.dim, "window": asked.window, "sg": 1, "min_count": 1, "workers": asked.threads}
    fitted = {}
    start = None
    if asked.from_all:
        start = Word2Vec(sum(found.values(), []), epochs=asked.epochs, seed=1, **how)
        start.save(str(asked.output / "start"))
    for level in levels:
        if start is None:
            model = Word2Vec(found[level], epochs=asked.epochs, seed=1, **how)
        else:
            model = Word2Vec.load(str(asked.output / "start"))
            model.train(found[level], total_examples=len(found[level]), epochs=asked.epochs)
        fitted[level] = (list(model.wv.index_to_key), model.wv.vectors.copy())
    largest = max(levels, key=lambda level: len(fitted[level][0]))
    for level in levels:
        write(level, fitted[level][0], turned(fitted[level], fitted[largest]))


def turned(own, onto):
    """A level's vectors, turned so that the words both have lie as near as they can."""
    place = {word: at for at, word in enumerate(onto[0])}
    both = [(at, place[word]) for at, word in enumerate(own[0]) if word in place]
    here, there = own[1][[a for a, _ in both]], onto[1][[b for _, b in both]]
    u, _, v = numpy.linalg.svd(here.T @ there)
    return own[1] @ (u @ v)


def tensorly():
    import pyarrow.parquet
    import tensorly
    from tensorly.decomposition import non_negative_parafac_hals, parafac

    words, _, levels = scored.vocabulary(asked.tensor)
    covariates = json.loads((asked.tensor / "covariates.json").read_text())
    cells = [cell["levels"][0] for cell in covariates["cells"]]
    n = min(asked.words, len(words))
    counts = numpy.zeros((n, n, len(levels)), dtype=numpy.float32)
    for batch in pyarrow.parquet.ParquetFile(asked.tensor / "entries.parquet").iter_batches(1 << 20):
        row, col, cell, value = (batch[name].to_numpy(zero_copy_only=False) for name in ("row", "col", "cell", "value"))
        near = (row < n) & (col < n)
        level = numpy.array(cells)[cell[near].astype(int)]
        numpy.add.at(counts, (row[near].astype(int), col[near].astype(int), level), value[near].astype(numpy.float32))
    # Positive pointwise mutual information within each level, which is what is usually factorised.
    whole = counts.sum(axis=(0, 1), keepdims=True)
    margins = counts.sum(axis=1, keepdims=True)
    expected = margins * margins.transpose(1, 0, 2) / numpy.maximum(whole, 1)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        counts = numpy.log(counts / expected)
    counts[~(counts > 0)] = 0
    tensor = tensorly.tensor(counts)
    if asked.kind == "cp":
        found = parafac(tensor, asked.dim, n_iter_max=50, init="random", random_state=1, tol=1e-4, normalize_factors=True)
    else:
        found = non_negative_parafac_hals(tensor, asked.dim, n_iter_max=50, init="random", random_state=1, tol=1e-4)
    scales, (vectors, _, weights) = found
    scales = numpy.ones(asked.dim) if scales is None else numpy.asarray(scales)
    for level, own in zip(levels, numpy.asarray(weights)):
        write(level, words[:n], numpy.asarray(vectors) * numpy.sqrt(numpy.abs(own * scales)))


asked.output.mkdir()
{"word2vec": word2vec, "tensorly": tensorly}[asked.route]()
