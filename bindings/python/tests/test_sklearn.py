"""The estimator is one of scikit-learn's kind."""

import pickle
import unittest

import covec
import numpy
import pandas
import polars
from covec.sklearn import CovariateEmbedding
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks as checks

from common import records

SMALL = {"by": "group", "dim": 8, "sweeps": 3, "min_count": 5, "quiet": True}


class Estimator(unittest.TestCase):
    def test_it_passes_the_checks_of_scikit_learn_that_apply(self):
        results = checks.check_estimator(CovariateEmbedding(), on_fail=None)
        failed = [result["check_name"] for result in results if result["status"] == "failed"]
        self.assertEqual(failed, [])
        # Most checks are of arrays of numbers, and pass over what takes documents; these ask for no data.
        for check in (
            checks.check_estimator_cloneable,
            checks.check_estimator_repr,
            checks.check_get_params_invariance,
            checks.check_set_params,
            checks.check_no_attributes_set_in_init,
            checks.check_parameters_default_constructible,
            checks.check_mixin_order,
            checks.check_valid_tag_types,
        ):
            with self.subTest(check.__name__):
                embedding = CovariateEmbedding()
                check(type(embedding).__name__, embedding)

    def test_documents_are_vectors_under_their_own_levels(self):
        frame = pandas.DataFrame(records())
        embedding = CovariateEmbedding(**SMALL)
        vectors = embedding.fit_transform(frame)
        self.assertEqual(vectors.shape, (len(frame), 8))
        numpy.testing.assert_array_equal(vectors, embedding.model_.documents(records()))
        numpy.testing.assert_array_equal(vectors, embedding.transform(polars.from_pandas(frame)))
        self.assertEqual(len(embedding.get_feature_names_out()), 8)
        other = CovariateEmbedding(**{**SMALL, "by": None}).fit([record["text"] for record in records()])
        self.assertEqual(other.model_.levels, {})

    def test_it_works_in_pipelines_searches_and_frames(self):
        frame = pandas.DataFrame(records())[:400]
        # Speakers in two camps, told by nothing: that it runs is what counts.
        camps = [int(speaker.split("-s")[1]) % 2 for speaker in frame["speaker"]]
        pipeline = make_pipeline(CovariateEmbedding(**SMALL), LogisticRegression())
        self.assertEqual(cross_val_score(pipeline, frame, camps, cv=2).shape, (2,))
        search = GridSearchCV(pipeline, {"covariateembedding__dim": [2, 4]}, cv=2).fit(frame, camps)
        self.assertIn(search.best_params_["covariateembedding__dim"], [2, 4])
        named = CovariateEmbedding(**SMALL).set_output(transform="pandas").fit_transform(frame)
        self.assertEqual(list(named.columns)[:2], ["dimension1", "dimension2"])

    def test_clones_and_pickles(self):
        embedding = CovariateEmbedding(**SMALL, smooth=0.1)
        self.assertEqual(clone(embedding).get_params(), embedding.get_params())
        embedding.fit(pandas.DataFrame(records()))
        with self.assertRaises(NotFittedError):
            clone(embedding).transform(records())
        other = pickle.loads(pickle.dumps(embedding))
        numpy.testing.assert_array_equal(other.transform(records()[:9]), embedding.transform(records()[:9]))

    def test_a_level_that_was_not_learnt_is_refused_or_taken_under_the_base(self):
        embedding = CovariateEmbedding(**SMALL).fit(pandas.DataFrame(records()))
        new = [{**records()[0], "group": "nobody"}]
        with self.assertRaises(covec.AnalyseError):
            embedding.transform(new)
        self.assertEqual(embedding.set_params(unknown="base").transform(new).shape, (1, 8))
