"""A model folder opens with safetensors, and what covec export writes opens where it is meant to."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import numpy
import pandas
from gensim.models import KeyedVectors
from safetensors.numpy import load_file

ROOT = pathlib.Path(__file__).resolve().parents[2]
COVEC = ROOT / os.environ.get("COVEC", "target/release/covec")


class Export(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.home.name)
        cls.covec("synth --tensor --words 60 --dim 4 --levels 3,2 --differing 0 -o tensor -q")
        cls.covec("train tensor --dim 4 --sweeps 5 -o model -q")
        cls.model = load_file(cls.folder / "model" / "model.safetensors")
        cls.words = pandas.read_parquet(cls.folder / "model" / "vocabulary.parquet").word.tolist()
        covariates = json.loads((cls.folder / "model" / "covariates.json").read_text())
        cls.share = json.loads((cls.folder / "model" / "run.json").read_text())["training"]["deviations"]["share"]
        cls.levels = [f"{f['name']}={l['name']}" for f in covariates["factors"] for l in f["levels"]]

    @classmethod
    def tearDownClass(cls):
        cls.home.cleanup()

    @classmethod
    def covec(cls, arguments):
        subprocess.run([COVEC, *arguments.split()], cwd=cls.folder, check=True)

    def export(self, arguments, name):
        self.covec(f"export model -q -o {name} {arguments}")
        return str(self.folder / name)

    def under(self, *levels, deviations=True):
        vectors = self.model["vectors"].copy()
        # Two factors: under a level of each, deviations are taken times their share.
        share = numpy.float32(self.share if len(levels) == 2 else 1)
        for level in levels if deviations else ():
            there = self.model["deviations.levels"] == self.levels.index(level)
            words = self.model["deviations.words"][there]
            vectors[words] += share * self.model["deviations"][there].astype(numpy.float32)
        for level in levels:
            vectors *= self.model["weights"][self.levels.index(level)]
        return vectors

    def same(self, vectors, expected):
        self.assertEqual(vectors.dtype, numpy.float32)
        numpy.testing.assert_array_equal(vectors, expected)

    def test_gensim_loads_both_word2vec_formats(self):
        for kind, binary in [("word2vec", False), ("word2vec-binary", True)]:
            vectors = KeyedVectors.load_word2vec_format(
                self.export(f"--format {kind}", f"base-{kind}"), binary=binary
            )
            self.assertEqual(vectors.index_to_key, self.words)
            self.same(vectors.vectors, self.model["vectors"])

    def test_gensim_loads_glove_text(self):
        path = self.export("--format glove", "base.glove")
        vectors = KeyedVectors.load_word2vec_format(path, no_header=True)
        self.assertEqual(vectors.index_to_key, self.words)
        self.same(vectors.vectors, self.model["vectors"])

    def test_numpy_loads_without_pickle_and_vectors_are_reweighted(self):
        levels = ["group=group-2", "period=period-1"]
        path = self.export(f"--format numpy --in {','.join(levels)}", "two.npz")
        with numpy.load(path, allow_pickle=False) as file:
            self.assertEqual(sorted(file), ["columns", "vectors", "words"])
            self.assertEqual(file["words"].tolist(), self.words)
            self.assertLess(self.share, 1)
            self.same(file["vectors"], self.under(*levels))

    def test_several_levels_make_a_file_each(self):
        folder = pathlib.Path(
            self.export("--format csv --in group-1 --in group=group-3", "several")
        )
        for level in ["group=group-1", "group=group-3"]:
            table = pandas.read_csv(folder / f"{level}.csv", index_col="word", dtype={"word": str})
            self.assertEqual(table.index.tolist(), self.words)
            self.same(table.to_numpy(numpy.float32), self.under(level))

    def test_the_projector_gets_two_tables(self):
        folder = pathlib.Path(self.export("--format projector", "projector"))
        vectors = numpy.loadtxt(folder / "vectors.tsv", dtype=numpy.float32, delimiter="\t")
        self.same(vectors, self.model["vectors"])
        metadata = pandas.read_csv(folder / "metadata.tsv", sep="\t")
        self.assertEqual(metadata.columns.tolist(), ["word", "count"])
        self.assertEqual(metadata.word.tolist(), self.words)

    def test_weights_and_biases_are_those_of_the_model(self):
        weights = pandas.read_csv(self.export("--what weights --format csv", "weights.csv"))
        self.assertEqual(weights.level.tolist(), self.levels)
        self.same(weights.iloc[:, 1:].to_numpy(numpy.float32), self.model["weights"])
        with numpy.load(self.export("--what biases --format numpy", "biases.npz")) as file:
            self.assertEqual(file["columns"].tolist(), self.levels)
            self.same(file["biases"], self.model["biases"].T)

    def test_the_examples_in_the_docs_run(self):
        page = (ROOT / "docs" / "model.md").read_text()
        examples = re.findall(r"```python\n(.*?)```", page, re.S)
        self.assertEqual(len(examples), 2, "one for safetensors, one for NumPy")
        self.export("--format numpy --in group=group-1", "group-1.npz")
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            for example, deviations in zip(examples, [False, True]):
                namespace = {}
                exec(example, namespace)  # noqa: S102: our own page
                self.same(namespace["there"], self.under("group=group-1", deviations=deviations))
        finally:
            os.chdir(here)


if __name__ == "__main__":
    unittest.main()
