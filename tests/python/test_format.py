"""A tensor folder opens in DuckDB and pandas as it is: the examples of docs/format.md are run."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import pandas
import pyarrow.parquet

ROOT = pathlib.Path(__file__).resolve().parents[2]
COVEC = ROOT / os.environ.get("COVEC", "target/release/covec")

DOCUMENTS = [
    {"text": "freedom of speech and freedom of worship", "party": "D"},
    {"text": "freedom from want and freedom from fear", "party": "D"},
    {"text": "the business of government is not business", "party": "R"},
]


class Format(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        home = pathlib.Path(cls.home.name)
        (home / "corpus.jsonl").write_text("".join(json.dumps(d) + "\n" for d in DOCUMENTS))
        subprocess.run(
            [COVEC, "count", "corpus.jsonl", "--by", "party", "--min-count", "1", "-o", "tensor", "-q"],
            cwd=home,
            check=True,
        )
        cls.folder = home

    @classmethod
    def tearDownClass(cls):
        cls.home.cleanup()

    def test_the_examples_in_the_docs_run(self):
        page = (ROOT / "docs" / "format.md").read_text()
        examples = re.findall(r"```python\n(.*?)```", page, re.S)
        self.assertEqual(len(examples), 2, "one for DuckDB, one for pandas")
        for example in examples:
            namespace = {}
            here = os.getcwd()
            os.chdir(self.folder)
            try:
                exec(example, namespace)  # noqa: S102: our own page
                # DuckDB looks at the files only when the rows are asked for.
                self.assertIn("freedom", str(namespace["top"]))
            finally:
                os.chdir(here)

    def test_values_and_ids_mean_what_the_page_says(self):
        entries = pandas.read_parquet(self.folder / "tensor" / "entries.parquet")
        words = pandas.read_parquet(self.folder / "tensor" / "vocabulary.parquet")
        self.assertEqual([str(t) for t in entries.dtypes], ["uint32", "uint32", "uint32", "float64"])
        ids = dict(zip(words.word, words.id))
        pair = entries[(entries.row == ids["freedom"]) & (entries.col == ids["of"])]
        # freedom of speech and freedom of worship: distances 1, 5, 3 and 1, in units of 1/840.
        self.assertEqual(pair.value.tolist(), [(840 + 168 + 280 + 840) / 840])
        self.assertEqual(words[words.word == "freedom"]["party=D"].item(), 4)
        self.assertEqual(words[words.word == "freedom"]["party=R"].item(), 0)

    def test_entries_are_sorted_symmetric_and_cut_at_words(self):
        path = self.folder / "tensor" / "entries.parquet"
        entries = pandas.read_parquet(path)
        ordered = entries.sort_values(["row", "cell", "col"], kind="stable")
        self.assertTrue(ordered.index.is_monotonic_increasing)
        mirrored = entries.rename(columns={"row": "col", "col": "row"})
        both = entries.merge(mirrored, on=["row", "col", "cell"])
        self.assertEqual(len(both), len(entries))
        self.assertTrue((both.value_x == both.value_y).all())
        file = pyarrow.parquet.ParquetFile(path)
        ends = [file.read_row_group(g).column("row").to_pylist() for g in range(file.num_row_groups)]
        for before, after in zip(ends, ends[1:]):
            self.assertNotEqual(before[-1], after[0])

    def test_a_table_from_pandas_is_imported(self):
        genes = pandas.DataFrame(
            {
                "a": ["tp53", "tp53", "myc"],
                "b": ["mdm2", "myc", "mdm2"],
                "n": [5, 2, 1],
                "cell_type": pandas.Categorical(["t", "t", "b"]),
            }
        )
        genes.to_parquet(self.folder / "genes.parquet")
        subprocess.run(
            [COVEC, "import", "genes.parquet", "--row", "a", "--col", "b", "--value", "n"]
            + ["--by", "cell_type", "-o", "genes", "-q"],
            cwd=self.folder,
            check=True,
        )
        entries = pandas.read_parquet(self.folder / "genes" / "entries.parquet")
        self.assertEqual(entries.value.sum(), 16, "one triangle was mirrored")


if __name__ == "__main__":
    unittest.main()
