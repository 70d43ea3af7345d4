"""Names and defaults are those of the command line: both come from the one table."""

import inspect
import re
import unittest

import covec
from covec._parameters import TABLES, Parameter, texts

from common import command

# A function, its command, and what either has that the other cannot: outputs, formats, positions.
ONLY_COMMAND = {"output", "quiet", "format", "plot", "rows", "help"}
PAIRS = {
    covec.count: "count", covec.train: "train", covec.fit: "fit", covec.extend: "extend",
    covec.bootstrap: "bootstrap", covec.permute: "permute", covec.merge: "merge",
    covec.import_counts: "import", covec.synth: "synth", covec.Tensor.collocates: "collocates",
    covec.Model.neighbors: "neighbors", covec.Model.similarity: "similarity", covec.Model.drift: "drift",
    covec.Model.explain: "explain", covec.Model.specificity: "specificity", covec.Model.analogy: "analogy",
    covec.Model.project: "project", covec.Model.topics: "topics", covec.Model.covariates: "covariates",
    covec.Model.sparsity: "sparsity", covec.Model.stability: "stability", covec.Model.eval: "eval",
    covec.Model.concordance: "concordance", covec.Model.attribute: "attribute", covec.Model.info: "info",
    covec.Model.export: "export", covec.Model.report: "report",
}


def flags(name):
    """The flags of a command with the defaults its help names."""
    printed = command(name, "--help").stdout
    found = {}
    for part in re.split(r"\n(?=\s+(?:-\w, )?--?\w)", printed):
        flag = re.match(r"\s+(?:-(\w), )?--([\w-]+)|\s+-(\w) ", part)
        if flag and (flag[2] or flag[3] == "B"):
            default = re.search(r"\[default: ([^\]]*)\]", re.sub(r"\s+", " ", part))
            found[(flag[2] or flag[3]).replace("-", "_")] = default and default[1]
    return found


class Parameters(unittest.TestCase):
    def test_every_flag_is_an_argument_with_the_same_default(self):
        for function, name in PAIRS.items():
            with self.subTest(name):
                taken = inspect.signature(function).parameters
                for flag, default in flags(name).items():
                    if flag in ONLY_COMMAND:
                        continue
                    own = taken.get(flag) or taken.get(f"{flag}_")
                    self.assertIsNotNone(own, f"--{flag}")
                    told = Parameter(flag, "N", default or "none", "", "", False).given
                    # A default that is a rule has no value; a summary is for the eye.
                    if None not in (own.default, told) and told != "summary":
                        self.assertEqual(texts(own.default), texts(told), flag)
                rows = flags(name).get("rows")
                if rows and "n" in taken and taken["n"].default is not None:
                    self.assertEqual(str(taken["n"].default), rows)

    def test_every_parameter_of_the_table_is_documented_where_it_is_taken(self):
        for stage in ("Corpus", "Vocabulary", "Counting", "Training"):
            for row in TABLES[stage]:
                if row.name in ("text", "by"):
                    continue
                self.assertIn(f"\n{row.keyword} : ", covec.fit.__doc__)

    def test_values_become_what_users_write(self):
        row = {row.name: row for table in TABLES.values() for row in table}
        self.assertEqual(texts({"year": 10, "party": None}, row["by"]), ["year:10", "party"])
        self.assertEqual(texts({"year": [1861]}, row["by"]), ["year:1861,"])
        self.assertEqual(texts({"party": ["D", "R"]}, row["order"]), ["party=D,R"])
        self.assertEqual(texts(True, row["deviations"]), ["on"])
        self.assertEqual(texts(2e6, row["tokens"]), ["2000000"])
        self.assertEqual(texts([4, 3], row["levels"]), ["4,3"])

    def test_a_parameter_that_does_not_exist_is_named(self):
        with self.assertRaisesRegex(covec.ParameterError, "did you mean 'min_count'"):
            covec.fit([], mincount=3)
        with self.assertRaisesRegex(covec.ParameterError, "min_support=few: expected a whole number"):
            covec.fit([{"text": "a b"}], min_support="few")
        with self.assertRaisesRegex(covec.ParameterError, "expected text, a number"):
            covec.fit([{"text": "a b"}], dim=object())
