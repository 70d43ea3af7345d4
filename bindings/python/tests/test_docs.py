"""Examples in the documentation run; stubs say what is there."""

import doctest
import importlib
import inspect
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import covec
import pandas

from common import model

SPEECHES = pandas.DataFrame(
    {
        "text": ["freedom from want and freedom from fear", "the business of the people is business"] * 2,
        "party": ["D", "R"] * 2,
    }
)


class Docs(unittest.TestCase):
    def test_examples_run(self):
        tried = 0
        for name in ("covec", "covec.making", "covec.model", "covec.sklearn"):
            module = importlib.import_module(name)
            found = doctest.DocTestFinder(exclude_empty=True).find(module, name)
            for test in found:
                test.globs = {"covec": covec, "speeches": SPEECHES, "example": model().path}
                result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
                self.assertEqual(result.failed, 0, test.name)
                tried += result.attempted
        self.assertGreater(tried, 15)

    def test_stubs_say_what_is_there(self):
        place = pathlib.Path(__file__).parents[1]
        sys.path.insert(0, str(place))
        try:
            import stubs
        finally:
            sys.path.pop(0)
        for module in stubs.HEADS:
            path = place / "python" / "covec" / f"{module.__name__.rpartition('.')[2]}.pyi"
            self.assertEqual(path.read_text(), stubs.stub(module), "run bindings/python/stubs.py")

    def test_a_type_checker_knows_the_parameters(self):
        from mypy import api

        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "script.py")
            lines = [
                "import covec",
                "model = covec.fit([{'text': 'a'}], by='party', dim=50, keep_case=True, deviations=False)",
                "vectors = model.vectors(party='R')",
                "model.neighbors('freedom', in_='R', min_support=5, frame='polars')",
                "covec.fit([], dimm=50)",
                "covec.fit([], dim='many')",
                "model.neighbours('freedom')",
                "model.drift('freedom', overlap='many')",
            ]
            script.write_text("\n".join(lines))
            environment = {"MYPYPATH": str(pathlib.Path(covec.__file__).parents[1])}
            with mock.patch.dict(os.environ, environment):
                said, _, _ = api.run(["--strict", "--follow-imports=silent", "--cache-dir", folder, str(script)])
            found = sorted(int(line.split(":")[1]) for line in said.splitlines() if ": error:" in line)
            self.assertEqual(found, [5, 6, 7, 8], said)

    def test_everything_public_is_documented(self):
        for name in covec.__all__:
            thing = getattr(covec, name)
            if inspect.isclass(thing) or callable(thing):
                self.assertTrue(thing.__doc__, name)
        for name, method in inspect.getmembers(covec.Model, callable):
            if not name.startswith("_"):
                self.assertTrue(method.__doc__, name)
