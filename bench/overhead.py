"""Times what Python adds: prints the seconds of `covec.fit` on a data frame, or of one `model.neighbors`."""

import statistics
import sys
import time

import covec
import pandas


def fit(corpus):
    frame = pandas.read_json(corpus, lines=True)
    begun = time.perf_counter()
    covec.fit(frame, by="group", dim=50, seed=1, quiet=True)
    return time.perf_counter() - begun


def neighbors(model):
    model = covec.load(model)
    word = model.words[10]
    times = []
    for _ in range(200):
        begun = time.perf_counter()
        model.neighbors(word, quiet=True)
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


print({"fit": fit, "neighbors": neighbors}[sys.argv[1]](sys.argv[2]))
