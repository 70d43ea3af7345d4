"""Runs the tests of some folders and closes with a line that cargo xtask understands."""

import pathlib
import sys
import unittest


def main():
    folders = [pathlib.Path(folder).resolve() for folder in sys.argv[1:]] or [pathlib.Path(__file__).parent]
    found = (unittest.TestLoader().discover(str(folder), top_level_dir=str(folder)) for folder in folders)
    result = unittest.TextTestRunner(verbosity=2).run(unittest.TestSuite(found))
    failed = len(result.failures) + len(result.errors)
    # Parts of a test are counted as the test; what fails before a class begins is no test that ran.
    broken = [getattr(test, "test_case", test) for test, _ in result.failures + result.errors]
    passed = result.testsRun - len({test.id() for test in broken if isinstance(test, unittest.TestCase)})
    print(f"test result: {'ok' if failed == 0 else 'FAILED'}. {passed} passed; {failed} failed")
    return failed != 0


# Processes that a test spawns read this file too.
if __name__ == "__main__":
    sys.exit(main())
