"""What cannot be used is refused, with what, where and the way out; nothing is left behind."""

import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest

import covec
import numpy
import pandas
import polars
import pyarrow

from common import home, model, records


def fit(data, **parameters):
    return covec.fit(data, **{"by": "group", "dim": 2, "sweeps": 1, "min_count": 1, "quiet": True, **parameters})


def frame(**columns):
    return pandas.DataFrame({"text": ["some words here", "and some more words"] * 3, "group": list("abcabc"), **columns})


class Refusals(unittest.TestCase):
    def refused(self, data, *texts, kind=covec.CorpusError, **parameters):
        before = set(pathlib.Path(tempfile.gettempdir()).glob("covec-*"))
        with self.assertRaises(kind) as raised:
            fit(data, **parameters)
        self.assertIsInstance(raised.exception, covec.Error)
        message = str(raised.exception)
        for text in texts:
            self.assertIn(text, message)
        # Where a table was put down on the way is nobody's business.
        self.assertNotIn(os.path.join(tempfile.gettempdir(), "covec-"), message)
        self.assertNotIn("--", message)
        self.assertEqual(set(pathlib.Path(tempfile.gettempdir()).glob("covec-*")), before)

    def test_a_column_that_is_not_there_is_named_with_those_that_are(self):
        for table in (frame(), polars.from_pandas(frame()), pyarrow.Table.from_pandas(frame())):
            self.refused(table, "no column 'party'", "text, group", by="party")
        self.refused(frame().to_dict("records"), "no field 'party'", "fields there: text, group", "record 1", by="party")
        self.refused(frame().rename(columns={"text": "body"}), "no column 'text'", "body")

    def test_two_columns_of_one_name_are_refused(self):
        twice = frame()
        twice.insert(0, "group", "x", allow_duplicates=True)
        self.refused(twice, "2 columns of the name 'group'")

    def test_text_of_a_wrong_type_is_refused(self):
        self.refused(frame(text=[1, 2, 3, 4, 5, 6]), "the data, record 1", "expected text", "got 1")
        self.refused(frame(text=[["some", "words"]] * 6), "expected text", "a list")
        self.refused(polars.DataFrame({"text": [1.5], "group": ["a"]}), "expected text", "1.5")

    def test_missing_text_and_covariates_are_refused_or_skipped(self):
        holes = frame(text=["some words here", None] * 3)
        for table in (holes, polars.from_pandas(holes), holes.to_dict("records")):
            self.refused(table, "the data, record 2", "field 'text'", "null")
        holes = frame(group=["a", None, "b", float("nan"), "c", ""])
        for table in (holes, pyarrow.Table.from_pandas(holes.replace({numpy.nan: None}))):
            self.refused(table, "record 2", "covariate 'group' is empty", 'missing=skip')
            self.assertEqual(fit(table, missing="skip").levels, {"group": ["a", "b", "c"]})
        self.refused(frame(group=[None] * 6), "covariate 'group' is empty")

    def test_mixed_types_are_read_value_by_value(self):
        mixed = frame(group=["a", 1, "a", 1, 2.0, True])
        self.assertEqual(fit(mixed).levels, {"group": ["1", "2", "a", "true"]})
        self.refused(frame(text=["words", 5, "more", "and", "so", "on"]), "record 2", "expected text")

    def test_dates_are_levels_and_other_types_are_refused(self):
        days = frame(group=pandas.to_datetime(["2020-01-01", "2021-05-05"] * 3))
        dates = polars.from_pandas(days).with_columns(polars.col("group").cast(polars.Date))
        for table in (days, dates):
            self.assertEqual(fit(table).levels, {"group": ["2020-01-01", "2021-05-05"]})
        lists = frame(group=[["a"], ["b"]] * 3)
        self.refused(lists, "field 'group'", "expected text, a number or true/false")

    def test_empty_tables_are_refused(self):
        self.refused(frame().iloc[:0], kind=covec.Error)
        self.refused([], kind=covec.Error)

    def test_what_holds_no_documents_is_refused(self):
        for data in (5, None, b"bytes", {"text": ["a"]}, object()):
            self.refused(data, "expected: a pandas, polars or Arrow table")
        self.refused([1, 2], "record 1", "expected a dictionary")
        self.refused(["some text", 5], "record 1", "expected a dictionary")

    def test_a_path_that_is_not_there_is_named(self):
        with self.assertRaisesRegex(covec.Error, "no-such-file"):
            fit("no-such-file.jsonl")
        with self.assertRaises(OSError):
            fit("no-such-file.jsonl")

    def test_a_generator_that_raises_half_way_leaves_nothing(self):
        def half():
            yield from records()[:10]
            raise RuntimeError("the line broke")

        output = home() / "half"
        before = set(pathlib.Path(tempfile.gettempdir()).glob("covec-*"))
        with self.assertRaisesRegex(RuntimeError, "the line broke"):
            fit(half(), output=output)
        self.assertFalse(output.exists())
        self.assertEqual(set(pathlib.Path(tempfile.gettempdir()).glob("covec-*")), before)

    def test_a_stream_that_raises_half_way_says_why(self):
        table = pyarrow.Table.from_pylist(records()[:20])

        def half():
            yield from table.to_batches()
            raise RuntimeError("the line broke")

        self.refused(pyarrow.RecordBatchReader.from_batches(table.schema, half()), "after 20 rows", "the line broke")

    def test_words_and_levels_that_are_not_there_are_told_with_near_ones(self):
        word = model().words[0]
        for ask in (lambda: model()[word + "x"], lambda: model().neighbors(word + "x")):
            with self.assertRaises(covec.VocabularyError) as raised:
                ask()
            self.assertIsInstance(raised.exception, KeyError)
            self.assertIn(word, str(raised.exception))
        for ask in (lambda: model()[word, "g7"], lambda: model().vectors(group="g7"), lambda: model().drift(in_="g7")):
            with self.assertRaisesRegex(covec.Error, "g7"):
                ask()

    def test_questions_that_make_no_sense_are_refused_in_the_words_of_python(self):
        word = model().words[0]
        for ask, texts in [
            (lambda: model().neighbors(), ["no word"]),
            (lambda: model().neighbors(word, min_support=10**9), ["min_support="]),
            (lambda: model().drift(between=("g0", "g0")), ["compared with itself", "in_=LEVEL"]),
            (lambda: model().stability(), ["tensor=TENSOR"]),
            (lambda: model().covariates(show="everything"), ["show=everything", "nearest"]),
            (lambda: model().topics(dim=99), ["99"]),
            (lambda: model().neighbors(word, n="many"), ["n=many"]),
            (lambda: model().neighbors(word, threads=0), ["threads=0"]),
        ]:
            with self.subTest(texts), self.assertRaises(covec.Error) as raised:
                ask()
            for text in texts:
                self.assertIn(text, str(raised.exception))
            self.assertNotIn("--", str(raised.exception))

    def test_what_is_no_model_is_refused(self):
        with self.assertRaises(covec.ModelError):
            covec.load(home())
        with self.assertRaises(covec.ArtefactError):
            fit(records(), output=home())


def nearest(word):
    return list(model().neighbors(word, quiet=True).neighbor)


class Together(unittest.TestCase):
    def test_threads_ask_one_model_at_once(self):
        words = model().words[:8]
        expected = [nearest(word) for word in words]
        found = [None] * len(words)

        def ask(place):
            for _ in range(5):
                found[place] = nearest(words[place])

        threads = [threading.Thread(target=ask, args=(place,)) for place in range(len(words))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, expected)

    def test_forked_and_spawned_processes_ask_and_train(self):
        words = model().words[:4]
        expected = [nearest(word) for word in words]
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual(pool.map(nearest, words), expected)
            bits = pool.apply(trained)
        self.assertEqual(bits, trained())
        # What a forked process lets go of stays its parent's.
        own = fit(records()[:200])
        child = multiprocessing.get_context("fork").Process(target=own.__init__, args=(own.path,))
        child.start()
        child.join()
        self.assertTrue(own.path.exists())
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            self.assertEqual(pool.apply(asked, (model(), words[0])), expected[0])

    def test_other_threads_go_on_while_a_model_is_trained(self):
        ticks, done = [], threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.001)

        clock = threading.Thread(target=tick)
        clock.start()
        fit(records(), dim=30, seeds=3, min_count=5)
        done.set()
        clock.join()
        self.assertGreater(len(ticks), 20)


def trained():
    return fit(records()[:200]).vectors().tobytes()


def asked(own, word):
    return list(own.neighbors(word, quiet=True).neighbor)


class Stopping(unittest.TestCase):
    @unittest.skipIf(os.name == "nt", "signals are sent otherwise there")
    def test_ctrl_c_stops_the_work_and_leaves_nothing_half_written(self):
        with tempfile.TemporaryDirectory() as folder:
            script = textwrap.dedent(
                """
                import pathlib, sys, covec
                corpus, output = sys.argv[1:]
                print("begun", flush=True)
                try:
                    covec.fit(corpus, by="group", dim=60, seeds=100, output=output, checkpoint=0, quiet=True)
                except KeyboardInterrupt:
                    print("stopped", flush=True)
                """
            )
            corpus, output = pathlib.Path(folder, "c.jsonl"), pathlib.Path(folder, "out", "model")
            output.parent.mkdir()
            covec.synth(corpus, tokens=200_000, words=500, quiet=True)
            running = subprocess.Popen(
                [sys.executable, "-c", script, corpus, output], stdout=subprocess.PIPE, text=True,
                env={**os.environ, "TMPDIR": folder},
            )
            self.assertEqual(running.stdout.readline(), "begun\n")
            time.sleep(2)
            running.send_signal(signal.SIGINT)
            said, _ = running.communicate(timeout=60)
            self.assertEqual(said, "stopped\n")
            self.assertEqual(running.returncode, 0)
            self.assertEqual(list(output.parent.iterdir()), [])
            self.assertEqual([file.name for file in pathlib.Path(folder).glob("covec-*")], [])

    def test_what_a_listener_raises_stops_the_work(self):
        from unittest import mock

        def refuse(self, *heard):
            raise ZeroDivisionError("enough")

        with mock.patch("covec._progress.Listener.__call__", refuse):
            with self.assertRaisesRegex(ZeroDivisionError, "enough"):
                fit(records(), dim=30, seeds=100, min_count=5)

    def test_progress_is_shown_as_a_bar_and_cleared(self):
        import contextlib
        import io
        from unittest import mock

        said = io.StringIO()
        with mock.patch("covec._progress.PATIENCE", 0), contextlib.redirect_stderr(said):
            fit(records(), dim=30, seeds=2, min_count=5, quiet=False)
        self.assertIn("%|", said.getvalue())
