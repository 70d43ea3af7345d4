"""Whatever holds the documents, the model is the same: bit for bit that of the command line."""

import pathlib
import tempfile
import unittest

import covec
import numpy
import pandas
import polars
import pyarrow

from common import FITTED, command, corpus, home, records


def numbers(path):
    return (pathlib.Path(path) / "model.safetensors").read_bytes()


class Data(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        flags = [f"--{name.replace('_', '-')}={value}" for name, value in FITTED.items()]
        command("fit", corpus(), "--by", "group", *flags, "-o", home() / "by-command", "-q")
        cls.expected = numbers(home() / "by-command")

    def same(self, data, **parameters):
        model = covec.fit(data, by="group", quiet=True, **{**FITTED, **parameters})
        self.assertEqual(numbers(model.path), self.expected)

    def test_paths_give_the_bits_of_the_command_line(self):
        self.same(corpus())
        self.same([str(corpus())], threads=1)

    def test_pandas_gives_the_same_bits(self):
        self.same(pandas.DataFrame(records()))

    def test_pandas_with_an_index_that_is_not_unique_gives_the_same_bits(self):
        frame = pandas.DataFrame(records())
        frame.index = [7] * len(frame)
        self.same(frame)

    def test_pandas_with_columns_that_arrow_cannot_hold_gives_the_same_bits(self):
        frame = pandas.DataFrame(records())
        frame["odd"] = [object() for _ in range(len(frame))]
        frame[5] = [[1, "two"]] * len(frame)
        self.same(frame)

    def test_pandas_categories_and_objects_give_the_same_bits(self):
        frame = pandas.DataFrame(records())
        frame["group"] = frame["group"].astype("category")
        frame["text"] = frame["text"].astype(object)
        self.same(frame)

    def test_polars_gives_the_same_bits_lazy_too(self):
        frame = polars.DataFrame(records())
        self.same(frame)
        self.same(frame.with_columns(polars.col("group").cast(polars.Categorical)))
        self.same(frame.lazy())

    def test_arrow_gives_the_same_bits_whatever_its_text_is_packed_as(self):
        table = pyarrow.Table.from_pylist(records())
        self.same(table)
        at = table.schema.get_field_index("text")
        for kind in (pyarrow.large_string(), pyarrow.string_view()):
            self.same(table.set_column(at, "text", table["text"].cast(kind)))
        self.same(table.set_column(table.schema.get_field_index("group"), "group", table["group"].dictionary_encode()))
        self.same(pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=100)))

    def test_dictionaries_and_generators_give_the_same_bits(self):
        self.same(records())
        self.same(record for record in records())

    def test_counting_and_training_apart_give_the_same_bits(self):
        tensor = covec.count(pandas.DataFrame(records()), by="group", min_count=5, quiet=True)
        model = covec.train(tensor, dim=8, sweeps=4, quiet=True)
        self.assertEqual(numbers(model.path), self.expected)

    def test_numbers_become_levels_as_on_the_command_line(self):
        frame = pandas.DataFrame(records())
        frame["year"] = [1990 + number % 20 for number in range(len(frame))]
        for by in ("year:10", ["year:10"], {"year": 10}):
            model = covec.fit(frame, by=by, dim=2, sweeps=1, quiet=True)
            self.assertEqual(model.levels, {"year": ["1990s", "2000s"]})
        model = covec.fit(frame, by={"year": [2000]}, dim=2, sweeps=1, quiet=True)
        self.assertEqual(len(model.levels["year"]), 2)
        # A missing number makes the column one of floats; whole ones stay whole.
        frame.loc[0, "year"] = None
        model = covec.fit(frame, by="year", dim=2, sweeps=1, missing="skip", quiet=True)
        self.assertIn("1991", model.levels["year"])

    def test_nothing_is_left_behind(self):
        before = set(pathlib.Path(tempfile.gettempdir()).glob("covec-*"))
        model = covec.fit(records(), by="group", dim=2, sweeps=1, quiet=True)
        path = model.path
        self.assertTrue(path.exists())
        del model
        self.assertFalse(path.exists())
        self.assertEqual(set(pathlib.Path(tempfile.gettempdir()).glob("covec-*")), before)

    def test_the_numbers_are_read_where_they_lie(self):
        model = covec.load(home() / "by-command")
        vectors = model.vectors()
        self.assertEqual(vectors.dtype, numpy.float32)
        self.assertFalse(vectors.flags.owndata)
        self.assertFalse(vectors.flags.writeable)
        self.assertEqual(vectors.ctypes.data, model.vectors().ctypes.data)
        del model
        # The array keeps the file open.
        self.assertTrue(numpy.isfinite(vectors).all())
