"""Every answer can be drawn, by itself and out of any kind of frame."""

import pathlib
import tempfile
import unittest

import covec
import pandas

from common import boot, model
from test_model import QUESTIONS, setUpModule  # noqa: F401  the files that questions speak of


class Charts(unittest.TestCase):
    def test_every_answer_is_drawn_and_saved(self):
        keep = pathlib.Path(tempfile.mkdtemp()) if KEEP is None else KEEP
        for name, questions in QUESTIONS.items():
            for number, (ask, line) in enumerate(questions):
                if name in ("concordance",) or line.endswith("--show ridges"):
                    continue
                with self.subTest(line):
                    chart = ask(model(), model().words).plot(title="as it is")
                    path = keep / f"{name}-{number}.svg"
                    chart.save(path)
                    text = path.read_text()
                    self.assertIn("as it is", text)
                    # Marks are there, not only axes.
                    self.assertGreater(text.count("<path"), 3)

    def test_what_has_no_picture_says_so(self):
        with self.assertRaisesRegex(covec.AnalyseError, "no picture"):
            model().info(show="ridges").plot()
        with self.assertRaises(covec.AnalyseError):
            model().neighbors(model().words[0]).drop(columns="cosine").plot()

    def test_frames_of_other_libraries_are_drawn_by_name(self):
        word = model().words[0]
        for frame in ("polars", "arrow", "pandas"):
            chart = covec.charts.neighbors(model().neighbors(word, in_="g0", n=4, frame=frame))
            self.assertEqual(len(chart.to_dict()["concat"]), 1)

    def test_intervals_are_drawn_where_there_are_some(self):
        words = model().words
        chart = model().similarity(words[0], words[1], boot=boot()).plot().to_dict()
        self.assertEqual([layer["mark"]["type"] for layer in chart["layer"]], ["rule", "point"])

    def test_what_pandas_can_draw_it_still_can(self):
        moved = model().drift(in_="g0")
        self.assertIsInstance(moved.sort_values("own"), pandas.DataFrame)
        self.assertTrue(callable(moved.plot.scatter))
        # What is made of an answer can be drawn too.
        self.assertTrue(moved[moved["own"] > 0].head(3).plot().to_dict())


# Where to look at the pictures.
KEEP = None
if __name__ == "__main__":
    import sys

    KEEP = pathlib.Path(sys.argv.pop())
    unittest.main()
