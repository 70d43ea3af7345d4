"""What the tests share that open pages in a browser."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parents[2]
COVEC = ROOT / os.environ.get("COVEC", "target/release/covec")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Names that would be markup if they were not escaped.
HOSTILE = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "a&b \"c\" 'd'"]


def chromium():
    """The browser of the machine; where root may install one, it is installed."""
    names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    found = os.environ.get("COVEC_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not found and hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        install = "apt-get install -y -qq chromium || (apt-get update -qq && apt-get install -y -qq chromium)"
        subprocess.run(["sh", "-c", install], stdout=subprocess.DEVNULL)
        found = shutil.which("chromium")
    if not found:
        raise RuntimeError(
            "no Chromium on this machine; on Debian: apt-get install chromium; elsewhere set COVEC_CHROMIUM to its path"
        )
    return found


def covec(folder, *arguments):
    """Runs covec in a folder, and expects it to succeed; what it printed."""
    done = subprocess.run([COVEC, *arguments], cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def hostile_model(folder):
    """A corpus c.jsonl with groups and a word that would be markup, its tensor t and a model m; the word."""
    covec(folder, *"synth -o c.jsonl --tokens 60000 --words 200 --dim 4 --levels 3,2 --differing 4 -q".split())
    documents = [json.loads(line) for line in (folder / "c.jsonl").read_text(encoding="utf-8").splitlines()]
    common = Counter(word for document in documents for word in document["text"].split()).most_common(12)[-1][0]
    hostile = "<script>alert(3)</script>"
    for document in documents:
        document["group"] = HOSTILE[int(document["group"].removeprefix("group-")) - 1]
        document["text"] = " ".join(hostile if word == common else word for word in document["text"].split())
    lines = (json.dumps(document) + "\n" for document in documents)
    (folder / "c.jsonl").write_text("".join(lines), encoding="utf-8")
    covec(folder, *"count c.jsonl --by group --by period --tokens whitespace -o t -q".split())
    covec(folder, *"train t --dim 6 --sweeps 3 --ridge 0.1 -o m -q".split())
    return hostile


class BrowserTest(unittest.TestCase):
    """A browser, and a folder with a model in it."""

    @classmethod
    def setUpClass(cls):
        path = chromium()
        from playwright.sync_api import sync_playwright

        home = tempfile.TemporaryDirectory()
        cls.addClassCleanup(home.cleanup)
        cls.folder = pathlib.Path(home.name)
        cls.hostile = hostile_model(cls.folder)
        playwright = sync_playwright().start()
        cls.addClassCleanup(playwright.stop)
        cls.browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        cls.addClassCleanup(cls.browser.close)


def watch(page):
    """What goes wrong on a page from now on."""
    wrong = []
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    return wrong


def overflow(page):
    """Pixels by which a page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def until(page, condition, seconds=60):
    """Waits until an expression is true. Playwright's own wait evaluates in the page, which its policy forbids."""
    for _ in range(20 * seconds):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"this never became true: {condition}")
