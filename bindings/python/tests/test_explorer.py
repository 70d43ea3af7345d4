"""The explorer from Python: served by this process, ended with its object."""

import json
import pathlib
import socket
import tempfile
import unittest
import urllib.error
import urllib.request

import covec
import pandas

from common import model, records


def asked(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)


class Explored(unittest.TestCase):
    def test_answers_are_the_models_own(self):
        own = model()
        with own.explore(open=False) as page:
            self.assertIn(page.url, page._repr_html_())
            word = own.words[0]
            told = asked(f"{page.url}api/v1/neighbors?word={word}&n=3")
            here = own.neighbors(word, n=3)
            rows = [(row["level"], row["neighbor"]) for row in told["rows"]]
            self.assertEqual(rows, list(zip(here.level, here.neighbor)))
        self.assertFalse(page.running)
        with self.assertRaises((urllib.error.URLError, ConnectionError)):
            asked(f"{page.url}api/v1/model")

    def test_a_table_is_evidence_and_goes_with_the_page(self):
        own = model()
        before = set(pathlib.Path(tempfile.gettempdir()).glob("covec-*"))
        page = own.explore(corpus=pandas.DataFrame(records()), open=False)
        word = own.words[0]
        told = asked(f"{page.url}api/v1/evidence?word={word}")
        self.assertTrue(told["rows"])
        page.stop()
        page.stop()
        self.assertEqual(before, set(pathlib.Path(tempfile.gettempdir()).glob("covec-*")))

    def test_what_cannot_be_served_is_refused(self):
        own = model()
        with self.assertRaisesRegex(covec.ParameterError, "65535"):
            own.explore(port=70000, open=False)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            with self.assertRaisesRegex(covec.ExploreError, "port"):
                own.explore(port=taken.getsockname()[1], open=False)
        with self.assertRaises(covec.Error):
            own.explore(boot="nowhere", open=False)


if __name__ == "__main__":
    unittest.main()
