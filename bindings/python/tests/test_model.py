"""A model answers as the command line does."""

import copy
import csv
import io
import pickle
import unittest

import covec
import numpy
import pandas
import polars
import pyarrow

from common import boot, command, corpus, home, model, records, shuffled, tensor

TEXT = "unknown.txt"


def setUpModule():
    (home() / TEXT).write_text("\n".join(record["text"] for record in records()[:40]))
    with open(home() / "pairs.csv", "w") as file:
        words = model().words
        file.writelines(f"{a},{b},{number}\n" for number, (a, b) in enumerate(zip(words[:30], words[30:60])))


class Numbers(unittest.TestCase):
    def test_a_word_under_a_level_is_its_row_of_the_vectors_there(self):
        word = model().words[3]
        for level in (model().levels["group"]):
            own = model().vectors(group=level)
            numpy.testing.assert_array_equal(model()[word, level], own[3])
            numpy.testing.assert_array_equal(model()[word, {"group": level}], own[3])
            numpy.testing.assert_array_equal(model().vectors(f"group={level}"), own)
        numpy.testing.assert_array_equal(model()[word], model().vectors()[3])

    def test_without_deviations_vectors_are_the_base_times_the_weights(self):
        first = model().levels["group"][0]
        expected = model().vectors() * model().weights[0]
        numpy.testing.assert_array_equal(model().vectors(group=first, deviations=False), expected)

    def test_shapes_and_counts(self):
        words, levels = len(model().words), len(model().levels["group"])
        self.assertEqual(model().weights.shape, (levels, model().dim))
        self.assertEqual(model().biases.shape, (levels, words))
        self.assertEqual(len(model()), words)
        self.assertIn(model().words[0], model())
        self.assertNotIn("no such word", model())
        counts = sum(model().counts(group=level) for level in model().levels["group"])
        numpy.testing.assert_array_equal(counts, model().counts())
        self.assertEqual(model().record["parameters"]["dim"], 8)

    def test_gensim_has_the_same_vectors_and_counts(self):
        level = model().levels["group"][1]
        vectors = model().to_gensim(group=level)
        word = model().words[5]
        numpy.testing.assert_array_equal(vectors[word], model()[word, level])
        self.assertEqual(vectors.get_vecattr(word, "count"), model().counts(group=level)[5])
        near = model().neighbors(word, in_=level, n=1, min_support=0)
        self.assertEqual(vectors.most_similar(word, topn=1)[0][0], near.neighbor[0])

    def test_pickles_and_copies_are_models_of_their_own(self):
        for other in (pickle.loads(pickle.dumps(model())), copy.deepcopy(model())):
            self.assertNotEqual(other.path, model().path)
            numpy.testing.assert_array_equal(other.vectors(), model().vectors())
        path = model().save(home() / "copy")
        with self.assertRaisesRegex(covec.ArtefactError, "force=True"):
            model().save(path)
        model().save(path, force=True)
        self.assertEqual(covec.load(path).words, model().words)
        (home() / "notes").mkdir()
        with self.assertRaises(covec.ArtefactError):
            model().save(home() / "notes", force=True)

    def test_documents_are_the_smoothed_means_of_their_words(self):
        some = records()[:5]
        found = model().documents(some)
        counts = model().counts() / model().counts().sum()
        places = {word: place for place, word in enumerate(model().words)}
        for record, vector in zip(some, found):
            own = model().vectors(group=record["group"]).astype(float)
            ids = [places[word] for word in record["text"].split() if word in places]
            weights = 1e-3 / (1e-3 + counts[ids])
            expected = (own[ids] * weights[:, None]).sum(0) / weights.sum()
            numpy.testing.assert_allclose(vector, expected, rtol=1e-4, atol=1e-6)
        self.assertFalse(model().documents([{**some[0], "text": "nothing known"}]).any())
        with self.assertRaisesRegex(covec.AnalyseError, "does not know this level"):
            model().documents([{**some[0], "group": "nobody"}])
        self.assertTrue(model().documents([{**some[0], "group": "nobody"}], unknown="base").any())

    def test_export_and_report_write_what_the_commands_write(self):
        model().export(home() / "own.txt", "g1")
        command("export", home() / "model", "--in", "g1", "-o", home() / "other.txt", "-q")
        self.assertEqual((home() / "own.txt").read_bytes(), (home() / "other.txt").read_bytes())
        page = model().report(home() / "report.html", quiet=True)
        self.assertIn("<html", page.read_text()[:500])
        with self.assertRaises(covec.ArtefactError):
            model().report(page, quiet=True)
        model().report(home() / "sure.html", boot=boot(), name=home().name, quiet=True)
        command("report", home() / "model", "--boot", boot().path, "-o", home() / "told.html", "-q")
        self.assertEqual((home() / "sure.html").read_bytes(), (home() / "told.html").read_bytes())
        self.assertIn("draws of the documents", (home() / "sure.html").read_text())


# Every question as Python and as the command line put it.
QUESTIONS = {
    "neighbors": [
        (lambda m, w: m.neighbors(w[0], w[5]), "neighbors MODEL {0} {5}"),
        (lambda m, w: m.neighbors(w[0], in_=["g0", "base"], n=3, min_support=50), "neighbors MODEL {0} --in g0 --in base -n 3 --min-support 50"),
        (lambda m, w: m.neighbors(w[0], in_="g0", n=3, boot=boot()), "neighbors MODEL {0} --in g0 -n 3 --boot BOOT"),
        (lambda m, w: m.neighbors(w[0], in_="g0", n=2, evidence=1, corpus=corpus()), "neighbors MODEL {0} --in g0 -n 2 --evidence 1 --corpus CORPUS"),
    ],
    "similarity": [
        (lambda m, w: m.similarity(w[0], w[1]), "similarity MODEL {0} {1}"),
        (lambda m, w: m.similarity(w[0], w[1], boot=[boot(), shuffled()]), "similarity MODEL {0} {1} --boot BOOT --boot SHUFFLED"),
    ],
    "drift": [
        (lambda m, w: m.drift(in_={"group": "g1"}), "drift MODEL --in group=g1"),
        (lambda m, w: m.drift(show="pairs", n=2), "drift MODEL --show pairs -n 2"),
        (lambda m, w: m.drift(w[2], between=("g0", "g1")), "drift MODEL {2} --between g0 g1"),
        (lambda m, w: m.drift(by="topical", overlap=20, n=4), "drift MODEL --by topical --overlap 20 -n 4"),
        (lambda m, w: m.drift(in_="g1", boot=(boot(), shuffled())), "drift MODEL --in g1 --boot BOOT --boot SHUFFLED"),
        (lambda m, w: m.drift(w[0], in_="g1", boot=boot(), confidence=0.8), "drift MODEL {0} --in g1 --boot BOOT --confidence 0.8"),
    ],
    "explain": [
        (lambda m, w: m.explain(w[0], w[1]), "explain MODEL {0} {1}"),
        (lambda m, w: m.explain(w[0], w[1], in_="g1", boot=boot()), "explain MODEL {0} {1} --in g1 --boot BOOT"),
    ],
    "specificity": [
        (lambda m, w: m.specificity(), "specificity MODEL"),
        (lambda m, w: m.specificity(show="histogram"), "specificity MODEL --show histogram"),
    ],
    "analogy": [
        (lambda m, w: m.analogy(*w[:3]), "analogy MODEL {0} {1} {2}"),
        (lambda m, w: m.analogy(*w[:3], enriched=True, score="mul"), "analogy MODEL {0} {1} {2} --enriched --score mul"),
    ],
    "project": [
        (lambda m, w: m.project(w[4], axis=(w[:2], w[2:4])), "project MODEL {4} --axis {0},{1}:{2},{3}"),
        (lambda m, w: m.project(w[4], axis=f"{w[0]}:{w[1]}", boot=boot()), "project MODEL {4} --axis {0}:{1} --boot BOOT"),
    ],
    "topics": [
        (lambda m, w: m.topics(), "topics MODEL"),
        (lambda m, w: m.topics(dim=3), "topics MODEL --dim 3"),
        (lambda m, w: m.topics(contrast=("g0", "g1"), tensor=tensor()), "topics MODEL --contrast g0 g1 --tensor TENSOR"),
        (lambda m, w: m.topics(n=2, boot=boot()), "topics MODEL -n 2 --boot BOOT"),
    ],
    "covariates": [
        (lambda m, w: m.covariates(), "covariates MODEL"),
        (lambda m, w: m.covariates(show="distances", distance="euclidean"), "covariates MODEL --show distances --distance euclidean"),
        (lambda m, w: m.covariates(show="clusters"), "covariates MODEL --show clusters"),
        (lambda m, w: m.covariates(show="map"), "covariates MODEL --show map"),
        (lambda m, w: m.covariates(n=2, boot=boot()), "covariates MODEL -n 2 --boot BOOT"),
    ],
    "sparsity": [
        (lambda m, w: m.sparsity(), "sparsity MODEL --show levels"),
        (lambda m, w: m.sparsity(show="overlap"), "sparsity MODEL --show overlap"),
        (lambda m, w: m.sparsity(show="sweeps"), "sparsity MODEL --show sweeps"),
        (lambda m, w: m.sparsity(show="histogram"), "sparsity MODEL --show histogram"),
    ],
    "stability": [
        (lambda m, w: m.stability(boot=boot()), "stability MODEL --boot BOOT"),
        (lambda m, w: m.stability(tensor=tensor(), seeds=2, show="words"), "stability MODEL --tensor TENSOR --seeds 2 --show words"),
    ],
    "eval": [
        (lambda m, w: m.eval(similarity=home() / "pairs.csv", in_="each", resamples=50), "eval MODEL --similarity PAIRS --in each --resamples 50"),
    ],
    "concordance": [
        (lambda m, w: m.concordance(w[0], corpus=corpus(), near=w[1], n=3), "concordance MODEL {0} --corpus CORPUS --near {1} -n 3"),
    ],
    "attribute": [
        (lambda m, w: m.attribute(home() / TEXT, min_words=100), "attribute MODEL TEXT --min-words 100"),
        (lambda m, w: m.attribute(home() / TEXT, min_words=100, boot=boot()), "attribute MODEL TEXT --min-words 100 --boot BOOT"),
    ],
    "info": [
        ((lambda show: lambda m, w: m.info(show=show))(show), f"info MODEL --show {show}")
        for show in ("levels", "cells", "dimensions", "sweeps", "ridges", "words")
    ],
    "collocates": [
        (lambda m, w: tensor().collocates(w[0], n=3), "collocates TENSOR {0} -n 3"),
    ],
}

def by_command(line):
    """The rows that the command line prints as CSV."""
    places = {
        "MODEL": home() / "model", "BOOT": boot().path, "SHUFFLED": shuffled().path, "TENSOR": tensor().path,
        "CORPUS": corpus(), "TEXT": home() / TEXT, "PAIRS": home() / "pairs.csv",
    }
    words = [str(places.get(word, word)) for word in line.format(*model().words).split()]
    quiet = [] if line.startswith("info") else ["-q"]
    printed = command(*words, "--format", "csv", *quiet).stdout
    return list(csv.reader(io.StringIO(printed)))


class Answers(unittest.TestCase):
    def same(self, frame, rows):
        self.assertEqual(list(frame.columns), rows[0])
        self.assertEqual(len(frame), len(rows) - 1)
        for name, values in zip(rows[0], zip(*rows[1:])):
            own = list(frame[name])
            for mine, other in zip(own, values):
                if other == "":
                    self.assertTrue(mine is None or mine != mine, f"{name}: {mine!r}")
                elif isinstance(mine, (list, dict)):
                    self.assertIn(str(next(iter(mine), ""))[:10], other)
                elif isinstance(mine, (bool, numpy.bool_)):
                    self.assertEqual(str(mine).lower(), other)
                elif isinstance(mine, str):
                    self.assertEqual(mine, other)
                else:
                    # The very number: what is printed reads back as it was.
                    self.assertEqual(float(mine), float(other), name)

    def test_every_question_is_answered_as_on_the_command_line(self):
        for name, questions in QUESTIONS.items():
            for ask, line in questions:
                with self.subTest(line):
                    self.same(ask(model(), model().words), by_command(line))

    def test_answers_are_typed_in_every_kind_of_frame(self):
        word = model().words[0]
        own = model().neighbors(word, n=2)
        self.assertIsInstance(own, pandas.DataFrame)
        self.assertEqual((own["cosine"].dtype, own["count"].dtype), (numpy.float64, numpy.int64))
        other = model().neighbors(word, n=2, frame="polars")
        self.assertEqual((other.schema["cosine"], other.schema["count"]), (polars.Float64, polars.Int64))
        third = model().neighbors(word, n=2, frame="arrow")
        self.assertEqual(third.schema.field("cosine").type, pyarrow.float64())
        self.assertEqual(list(own.neighbor), other["neighbor"].to_list())
        self.assertEqual(list(own.neighbor), third["neighbor"].to_pylist())
        with self.assertRaisesRegex(covec.ParameterError, "pandas, polars or arrow"):
            model().neighbors(word, frame="excel")

    def test_what_is_to_be_known_is_kept_beside_the_rows(self):
        self.assertIn("each by itself", model().drift(in_="g1", boot=boot()).attrs["notes"][0])
        both = model().drift(in_="g1", boot=(boot(), shuffled()))
        self.assertIn("moved by more than chance", both.attrs["notes"][0])
        few = covec.bootstrap(corpus(), model(), 40, afresh=0, quiet=True)
        for own, wrong in [(boot(), False), (few, True)]:
            notes = model().drift(in_="g1", boot=own).attrs["notes"]
            self.assertEqual(any("too narrow" in note for note in notes), wrong, notes)
        self.assertGreater(model().drift(in_="g1", min_support=200).attrs["left_out"], 0)
        words = model().words
        self.assertIn(words[0], model().explain(words[0], words[1], in_="g1").attrs["notes"][0])

    def test_all_rows_come_where_no_number_is_set(self):
        words = len(model().words)
        self.assertEqual(len(model().neighbors(model().words[0], in_="base", n=None, min_support=0)), words - 1)
        self.assertEqual(len(model().drift(in_="g0", n=None, min_support=0)), words)

    def test_lines_of_a_frame_are_named_by_their_record(self):
        word = model().words[0]
        for data in (records(), pandas.DataFrame(records())):
            lines = model().concordance(word, corpus=data, n=2)
            for line in lines.itertuples():
                self.assertRegex(line.document, r"^record \d+$")
                text = records()[int(line.document.split()[1]) - 1]["text"]
                self.assertIn(f"{line.written}{line.right}", text)

    def test_new_levels_are_added_and_the_rest_stays(self):
        new = [{**record, "group": "g9"} for record in records()[:200]]
        extended = covec.extend(model(), pandas.DataFrame(new), quiet=True)
        self.assertEqual(extended.levels["group"], [*model().levels["group"], "g9"])
        numpy.testing.assert_array_equal(extended.vectors(), model().vectors())

    def test_replicates_of_a_frame_are_those_of_the_command_line(self):
        drawn = covec.bootstrap(pandas.DataFrame(records()), model(), 2, unit="speaker", quiet=True)
        command("bootstrap", corpus(), "--model", home() / "model", "-B", 2, "--unit", "speaker", "-o", home() / "drawn", "-q")
        names = sorted(file.relative_to(drawn.path) for file in drawn.path.rglob("*.safetensors"))
        self.assertGreaterEqual(len(names), 2)
        for name in names:
            self.assertEqual((drawn.path / name).read_bytes(), (home() / "drawn" / name).read_bytes())

    def test_tensors_are_added_up(self):
        halves = [covec.count(part, by="group", words=home() / "list.txt", quiet=True)
                  for part in self.halves()]
        whole = covec.merge(*halves)
        self.assertIsInstance(whole, covec.Tensor)
        word = model().words[0]
        once = covec.count(records(), by="group", words=home() / "list.txt", quiet=True)
        pandas.testing.assert_frame_equal(whole.collocates(word), once.collocates(word))

    def halves(self):
        (home() / "list.txt").write_text("\n".join(model().words))
        return records()[: len(records()) // 2], records()[len(records()) // 2 :]
