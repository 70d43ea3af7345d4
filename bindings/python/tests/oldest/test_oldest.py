"""The package works with the oldest numpy and pandas it names, and without all that is optional."""

import importlib
import importlib.util
import pathlib
import tempfile
import unittest

import covec
import numpy
import pandas


class Oldest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        cls.corpus = pathlib.Path(cls.home.name, "corpus.jsonl")
        covec.synth(cls.corpus, tokens=20_000, words=100, levels=2, dim=4, differing=4, quiet=True)
        cls.parameters = {"by": "group", "dim": 4, "sweeps": 2, "quiet": True}
        cls.model = covec.fit(cls.corpus, **cls.parameters)

    @classmethod
    def tearDownClass(cls):
        cls.home.cleanup()

    def test_a_frame_gives_the_bits_of_the_file_without_pyarrow(self):
        self.assertIsNone(importlib.util.find_spec("pyarrow"))
        model = covec.fit(pandas.read_json(self.corpus, lines=True), **self.parameters)
        numpy.testing.assert_array_equal(model.vectors(), self.model.vectors())

    def test_answers_are_frames(self):
        near = self.model.neighbors(self.model.words[0], n=3)
        self.assertIsInstance(near, pandas.DataFrame)
        self.assertEqual(near["cosine"].dtype, numpy.float64)
        self.assertFalse(self.model.vectors().flags.owndata)

    def test_what_is_not_installed_is_named(self):
        near = self.model.neighbors(self.model.words[0], n=3)
        with self.assertRaisesRegex(covec.MissingPackage, r"covec\[plot\]"):
            near.plot()
        with self.assertRaisesRegex(covec.MissingPackage, "polars"):
            self.model.neighbors(self.model.words[0], frame="polars")
        with self.assertRaisesRegex(covec.MissingPackage, "gensim"):
            self.model.to_gensim()
        with self.assertRaisesRegex(covec.MissingPackage, "scikit-learn"):
            importlib.import_module("covec.sklearn")
