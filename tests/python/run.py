"""Runs the tests of this folder and closes with a line that cargo xtask understands."""

import pathlib
import sys
import unittest

folder = pathlib.Path(__file__).parent
result = unittest.TextTestRunner(verbosity=2).run(unittest.TestLoader().discover(str(folder)))
failed = len(result.failures) + len(result.errors)
# Parts of a test are counted as the test; what fails before a class begins is no test that ran.
broken = [getattr(test, "test_case", test) for test, _ in result.failures + result.errors]
passed = result.testsRun - len({test.id() for test in broken if isinstance(test, unittest.TestCase)})
print(f"test result: {'ok' if failed == 0 else 'FAILED'}. {passed} passed; {failed} failed")
sys.exit(failed != 0)
