"""A report opens in a browser: no network, no errors, every chart drawn, nothing wider than the screen."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

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


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        browser = chromium()
        from playwright.sync_api import sync_playwright

        cls.home = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.home.name)

        def covec(*arguments):
            subprocess.run([COVEC, *arguments], cwd=folder, check=True)

        covec(*"synth -o c.jsonl --tokens 60000 --words 200 --dim 4 --levels 3,2 --differing 4 -q".split())
        corpus = (folder / "c.jsonl").read_text(encoding="utf-8")
        for level, name in enumerate(HOSTILE, 1):
            name = name.replace("\\", "\\\\").replace('"', '\\"')
            corpus = corpus.replace(f'"group-{level}"', f'"{name}"')
        (folder / "c.jsonl").write_text(corpus, encoding="utf-8")
        covec(*"count c.jsonl --by group --by period -o t -q".split())
        covec(*"train t --dim 6 --sweeps 3 --ridge 0.1 -o m -q".split())
        covec(*"report m -o report.html --corpus c.jsonl --tensor t -q".split())
        cls.url = (folder / "report.html").as_uri()
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=browser, args=FLAGS)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.home.cleanup()

    def opened(self, width, colours):
        """The page once everything in sight is drawn; and what went wrong on the way."""
        context = self.browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=colours, offline=True
        )
        self.addCleanup(context.close)
        page = context.new_page()
        wrong = []
        page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on(
            "request",
            lambda request: None
            if request.url.startswith(("file://", "data:", "blob:"))
            else wrong.append(f"request: {request.url}"),
        )
        page.goto(self.url)
        self.all_drawn(page)
        return page, wrong

    def all_drawn(self, page):
        page.wait_for_function(
            """() => [...document.querySelectorAll('.plot')].filter((p) => p.clientWidth > 0)
                  .every((p) => p.querySelector('svg.main-svg .plot, svg.main-svg .cartesianlayer'))"""
        )

    def test_it_is_drawn_and_fits_on_every_screen_in_every_light(self):
        for width in (400, 1200):
            for colours in ("light", "dark"):
                with self.subTest(width=width, colours=colours):
                    page, wrong = self.opened(width, colours)
                    self.assertGreater(page.locator(".plot svg.main-svg").count(), 10)
                    self.assertEqual(self.overflow(page), 0)
                    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
                    bright = sum(int(part) for part in paper[4:-1].split(",")) > 384
                    self.assertEqual(bright, colours == "light", paper)
                    self.assertEqual(wrong, [])

    def overflow(self, page):
        return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def test_paper_gets_every_level_and_the_screen_the_chosen_one(self):
        page, wrong = self.opened(1200, "light")
        hidden = "[...document.querySelectorAll('.choice > .panel')].filter((panel) => panel.hidden).length"
        chosen = page.evaluate(hidden)
        self.assertGreater(chosen, 0)
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(page.evaluate(hidden), 0)
        self.all_drawn(page)
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(page.evaluate(hidden), chosen)
        self.assertEqual(wrong, [])

    def test_a_reader_chooses_a_level_and_sees_its_chart(self):
        page, wrong = self.opened(400, "light")
        select = page.locator("#moved ~ .choice select").first
        options = select.locator("option").all()
        self.assertEqual(len(options), 5)
        for option in options:
            panel = option.get_attribute("value")
            select.select_option(panel)
            self.all_drawn(page)
            self.assertTrue(page.locator(f"#{panel}").is_visible())
            self.assertEqual(page.locator(f"#{panel} .plot svg.main-svg").count() > 0, True)
            self.assertEqual(self.overflow(page), 0, panel)
        self.assertEqual(page.locator("#moved ~ .choice").first.locator("> .panel:visible").count(), 1)
        self.assertEqual(wrong, [])

    def test_every_entry_of_the_contents_leads_somewhere(self):
        page, _ = self.opened(1200, "light")
        links = page.locator("nav a").all()
        self.assertGreater(len(links), 12)
        for link in links:
            target = link.get_attribute("href")[1:]
            self.assertEqual(page.locator(f'[id="{target}"]').count(), 1, target)

    def test_names_are_shown_as_they_are(self):
        page, wrong = self.opened(1200, "light")
        text = page.locator("#levels ~ .table").first.inner_text()
        for name in HOSTILE:
            self.assertIn(name, text)
        self.assertEqual(page.locator("img").count(), 0)
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
