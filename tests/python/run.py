"""Runs the tests of this folder and closes with a line that cargo xtask understands."""

import pathlib
import sys
import unittest

folder = pathlib.Path(__file__).parent
result = unittest.TextTestRunner(verbosity=2).run(unittest.TestLoader().discover(str(folder)))
failed = len(result.failures) + len(result.errors)
passed = result.testsRun - failed
print(f"test result: {'ok' if failed == 0 else 'FAILED'}. {passed} passed; {failed} failed")
sys.exit(failed != 0)
