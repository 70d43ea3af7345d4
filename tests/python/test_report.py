"""A report opens in a browser: no network, no errors, every chart drawn, nothing wider than the screen."""

import unittest

from browser import HOSTILE, BrowserTest, covec, overflow, watch


class Report(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        covec(cls.folder, *"bootstrap c.jsonl --model m -B 19 --afresh 6 -o boot -q".split())
        covec(cls.folder, *"permute c.jsonl --model m -B 9 --afresh 3 -o shuffled -q".split())
        sure = "--boot boot --boot shuffled --confidence 0.9"
        covec(cls.folder, *f"report m -o report.html --corpus c.jsonl --tensor t {sure} -q".split())
        cls.url = (cls.folder / "report.html").as_uri()

    def opened(self, width, colours):
        """The page once everything in sight is drawn; and what went wrong on the way."""
        context = self.browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=colours, offline=True
        )
        self.addCleanup(context.close)
        page = context.new_page()
        wrong = watch(page)
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
                    self.assertEqual(overflow(page), 0)
                    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
                    bright = sum(int(part) for part in paper[4:-1].split(",")) > 384
                    self.assertEqual(bright, colours == "light", paper)
                    self.assertEqual(wrong, [])

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
            self.assertEqual(overflow(page), 0, panel)
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
