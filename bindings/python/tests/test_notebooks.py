"""The notebooks run from the first cell to the last, on a small corpus of the same shape; they are kept without output."""

import json
import os
import pathlib
import random
import tempfile
import unittest
from unittest import mock

import nbformat
from nbclient import NotebookClient

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"
ERAS = ["1790-1860", "1861-1912", "1913-1945", "1946-1980", "1981-2026"]
# Words that the notebooks speak of, and others around them.
WORDS = """freedom security social union nation power war army enemy peace treaty commerce the of and to in congress people
government states law year great public country citizens world work time america american economy tax budget labor money
gold silver navy land treasury bank trade right duty general present part made subject interest""".split()


def addresses(folder):
    """Small addresses, each by its era's and its president's taste in words."""
    lots = random.Random(7)
    with open(folder / "sotu.jsonl", "w") as file:
        for number in range(80):
            era, president = number * len(ERAS) // 80, number // 8
            taste = random.Random(president)
            weights = [taste.random() + ((place + era) % 5 == 0) for place in range(len(WORDS))]
            row = {
                "id": f"a{number}", "year": 1860 + 2 * number, "era": ERAS[era], "president": f"President {president}",
                "party": ["Democratic", "Republican"][president % 2], "medium": "speech",
                "text": " ".join(lots.choices(WORDS, weights, k=1500)),
            }
            file.write(json.dumps(row) + "\n")


class Notebooks(unittest.TestCase):
    def test_they_run_and_are_kept_without_output(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            addresses(folder)
            for path in sorted(EXAMPLES.glob("*.ipynb")):
                with self.subTest(path.name), mock.patch.dict(os.environ, COVEC_CACHE=str(folder), IPYTHONDIR=str(folder)):
                    book = nbformat.read(path, as_version=4)
                    nbformat.validate(book)
                    for cell in book.cells:
                        self.assertFalse(cell.get("outputs"), "run with its output cleared")
                        # Few draws and dimensions do here.
                        cell.source = cell.source.replace("dim=50", "dim=6").replace("dim=30", "dim=6")
                    NotebookClient(book, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
                    shown = [out for cell in book.cells for out in cell.get("outputs", [])]
                    pages = [out.get("data", {}).get("text/html", "") for out in shown]
                    self.assertGreater(sum("vegaEmbed" in page for page in pages), 2)
            self.assertEqual(len(list(EXAMPLES.glob("*.ipynb"))), 3)
            self.assertGreater((folder / "figure.png").stat().st_size, 5000)
