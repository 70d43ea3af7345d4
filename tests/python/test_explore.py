"""The explorer in a browser: every view, by mouse and keyboard, in any light, on any screen; and its API under odd requests."""

import csv
import io
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import unittest
import urllib.parse
import urllib.request

from browser import COVEC, HOSTILE, ROOT, BrowserTest, covec, overflow, until, watch

VIEWS = ["/", "/word?w={word}&near={near}", "/compare", "/topics", "/analogies?a={word}&b={near}&c={third}", "/text"]


class Explorer:
    """A server of its own."""

    def __init__(self, folder, *arguments):
        self.process = subprocess.Popen(
            [COVEC, "explore", *arguments, "-q"], cwd=folder, stdout=subprocess.PIPE, text=True
        )
        self.url = self.process.stdout.readline().strip().rstrip("/")

    def end(self):
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=30)
        self.process.stdout.close()
        return code

    def get(self, target):
        """What the API answers, once it is there."""
        while True:
            with urllib.request.urlopen(f"{self.url}/api/v1/{target}") as answer:
                if answer.status == 200:
                    return answer.read().decode()


class Explore(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        covec(cls.folder, *"bootstrap c.jsonl --model m -B 39 -o b -q".split())
        cls.server = Explorer(cls.folder, *"m --corpus c.jsonl --boot b".split())
        cls.addClassCleanup(cls.server.end)
        rows = json.loads(cls.server.get("words?n=40"))["rows"]
        words = [row["word"] for row in rows if row["word"] != cls.hostile]
        # Common enough to be spoken of in every level.
        cls.names = {"word": words[20], "near": words[5], "third": words[8]}

    def opened(self, target, width=1280, server=None, **context):
        """A view once all of it is there; and what goes wrong on it."""
        context = self.browser.new_context(viewport={"width": width, "height": 900}, **context)
        self.addCleanup(context.close)
        page = context.new_page()
        wrong = watch(page)
        page.goto((server or self.server).url + target.format(**self.names))
        self.settled(page)
        return page, wrong

    def settled(self, page):
        page.wait_for_selector("main h1")
        until(page, "document.querySelectorAll('.waiting').length === 0", seconds=120)
        until(
            page,
            "[...document.querySelectorAll('.plot')].every((plot) => plot.querySelector('svg.main-svg'))",
        )

    def test_every_view_fits_every_screen_in_every_light_without_errors(self):
        for view in VIEWS:
            for width, colours in [(390, "light"), (820, "dark"), (1280, "light")]:
                with self.subTest(view=view, width=width):
                    page, wrong = self.opened(view, width, color_scheme=colours)
                    self.assertEqual(overflow(page), 0)
                    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
                    bright = sum(int(part) for part in paper[4:-1].split(",")) > 384
                    self.assertEqual(bright, colours == "light", paper)
                    current = page.locator("nav a[aria-current=page]")
                    self.assertEqual(current.count(), 1)
                    self.assertEqual(wrong, [])
                    page.context.close()

    def test_axe_finds_no_serious_fault(self):
        axe = axe_core()
        if axe is None:
            self.skipTest("axe-core cannot be had: there is no npm, or it reaches no package index")
        for view in VIEWS:
            for colours in ("light", "dark"):
                with self.subTest(view=view, colours=colours):
                    page, _ = self.opened(view, color_scheme=colours)
                    page.evaluate(axe)
                    found = page.evaluate("axe.run()")["violations"]
                    serious = [
                        (fault["id"], fault["nodes"][0]["html"][:200])
                        for fault in found
                        if fault["impact"] in ("serious", "critical")
                    ]
                    self.assertEqual(serious, [])
                    page.context.close()

    def test_a_word_is_found_by_keyboard_alone(self):
        page, wrong = self.opened("/")
        word = self.names["word"]
        page.keyboard.press("/")
        page.keyboard.type(word[:-1])
        page.wait_for_selector("#lookup-list li")
        listed = page.locator("#lookup-list li span").all_inner_texts()
        self.assertIn(word, listed)
        for _ in range(listed.index(word) + 1):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        until(page, f"document.querySelector('h1').textContent === {json.dumps(word)}")
        self.assertEqual(query(page)["w"], [word])
        page.go_back()
        until(page, "document.querySelector('h1').textContent === 'm' || location.pathname === '/'")
        page.keyboard.press("/")
        page.keyboard.type("nosuchwordhere")
        page.keyboard.press("Enter")
        page.wait_for_selector(".trouble")
        self.assertIn("nosuchwordhere", page.locator(".trouble").inner_text())
        # The browser itself reports the refusal; nothing else is wrong.
        self.assertEqual([told for told in wrong if "422" not in told], [])

    def test_a_link_leads_to_the_same_sight_and_the_slider_moves_it(self):
        page, wrong = self.opened("/word?w={word}&near={near}&level=period%3Dperiod-2&factor=period")
        self.assertIn("period-2", page.locator(".level-name").inner_text())
        self.assertIn(f"{self.names['near']} in period-2", page.locator("h2").all_inner_texts()[3])
        places = "[...document.querySelectorAll('.rays .dot')].map((dot) => dot.getAttribute('cx')).join()"
        before = page.evaluate(places)
        page.locator(".rays input[type=range]").focus()
        page.keyboard.press("ArrowLeft")
        until(page, f"{places} !== {json.dumps(before)}")
        until(page, "new URLSearchParams(location.search).get('level') === 'period=period-1'")
        self.assertIn("period-1", page.locator(".level-name").inner_text())
        until(page, "[...document.querySelectorAll('h2')].some((h) => h.textContent.includes('What moved in period-1'))")
        address = page.url
        page.goto(address)
        self.settled(page)
        self.assertIn("period-1", page.locator(".level-name").inner_text())
        self.assertEqual(wrong, [])

    def test_nothing_glides_for_those_who_want_it_still(self):
        page, _ = self.opened("/word?w={word}", reduced_motion="reduce")
        places = "[...document.querySelectorAll('.rays .dot')].map((dot) => dot.getAttribute('cx')).join()"
        moved = page.evaluate(
            f"""() => {{ const before = {places}; document.querySelector('[aria-label="Previous level"]').click(); return [before, {places}]; }}"""
        )
        self.assertNotEqual(*moved)
        later = page.evaluate(f"new Promise((done) => setTimeout(() => done({places}), 300))")
        self.assertEqual(moved[1], later)

    def test_rows_are_those_of_the_command_line_with_intervals_too(self):
        word = self.names["word"]
        told = json.loads(covec(self.folder, "neighbors", "m", word, "-n", "5", "--format", "json", "-q"))
        self.assertEqual(json.loads(self.server.get(f"neighbors?word={word}&n=5"))["rows"], told)
        sure = json.loads(covec(self.folder, "neighbors", "m", word, "-n", "5", "--boot", "b", "--format", "json", "-q"))
        self.assertEqual(json.loads(self.server.get(f"neighbors?word={word}&n=5&sure=true"))["rows"], sure)
        table = covec(self.folder, "neighbors", "m", word, "-n", "5", "--format", "csv", "-q")
        self.assertEqual(self.server.get(f"neighbors?word={word}&n=5&format=csv"), table)

    def test_every_view_hands_out_its_rows_and_its_picture(self):
        for view, at in [("/", 0), ("/word?w={word}", 0), ("/compare", 0), ("/topics", 0), ("/analogies?a={word}&b={near}&c={third}", 0)]:
            page, wrong = self.opened(view)
            first = page.locator(".downloads").nth(at)
            formats = [link.get_attribute("data-format") for link in first.locator("[data-format]").all()]
            self.assertTrue({"csv", "json"} <= set(formats))
            begins = {"csv": b"", "json": b"{", "svg": b"<svg", "png": b"\x89PNG"}
            for format_ in formats:
                with page.expect_download() as waiting:
                    first.locator(f"[data-format={format_}]").click()
                content = pathlib.Path(waiting.value.path()).read_bytes()
                self.assertTrue(content.startswith(begins[format_]), (view, format_))
                if format_ == "csv":
                    self.assertGreater(len(list(csv.reader(io.StringIO(content.decode())))), 1)
            self.assertEqual(wrong, [])
            page.context.close()

    def test_comparing_brushing_sorting_and_opening(self):
        page, wrong = self.opened("/compare?from=base&to=period%3Dperiod-2")
        rows = page.locator(".table tbody tr")
        every = rows.count()
        self.assertGreater(every, 100)
        self.assertIn("have intervals above 0, each by itself", page.locator("main").inner_text())
        page.locator(".table th[data-name=word] button").click()
        words = page.locator(".table tbody th").all_inner_texts()
        self.assertEqual(words, sorted(words, key=str.lower))
        page.locator(".filter").fill(words[7])
        self.assertIn(words[7], rows.first.inner_text())
        page.locator(".filter").fill("")
        box = page.locator(".scatter canvas").bounding_box()
        page.mouse.move(box["x"] + 60, box["y"] + 10)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
        page.mouse.up()
        until(page, f"document.querySelectorAll('.table tbody tr').length < {every}")
        self.assertIn("under the brush", page.locator("main").inner_text())
        place = page.evaluate(f"document.querySelector('.scatter').place({json.dumps(words[7])})")
        box = page.locator(".scatter canvas").bounding_box()
        page.mouse.click(box["x"] + place[0], box["y"] + place[1])
        page.wait_for_url("**/word?*")
        self.settled(page)
        self.assertEqual(wrong, [])

    def test_cells_of_several_factors_can_be_compared(self):
        page, wrong = self.opened("/compare?from=base&to=period%3Dperiod-2")
        page.locator("fieldset.cell").nth(1).locator("select").first.select_option(index=1)
        self.settled(page)
        level = query(page)["to"][0]
        self.assertEqual(len(level.split(",")) > 1, True, level)
        self.assertGreater(page.locator(".table tbody tr").count(), 10)
        self.assertEqual(wrong, [])

    def test_a_topic_is_opened(self):
        page, wrong = self.opened("/topics?factor=period")
        rows = page.locator(".heat tbody tr")
        self.assertEqual(rows.count(), 6)
        rows.nth(4).locator("button").click()
        number = rows.nth(4).get_attribute("data-dimension")
        until(page, f"document.querySelector('.topics section h2')?.textContent === 'Dimension {number}'")
        until(page, "document.querySelector('.topics section').textContent.includes('[')")
        self.assertEqual(query(page)["dimension"], [number])
        self.assertEqual(wrong, [])

    def test_whose_a_text_is(self):
        page, wrong = self.opened("/text?factor=period")
        lines = (self.folder / "c.jsonl").read_text(encoding="utf-8").splitlines()
        texts = [json.loads(line) for line in lines]
        own = " ".join(text["text"] for text in texts if text["period"] == "period-2")
        page.locator("#text").fill(own[:200_000])
        page.locator("button.primary").click()
        page.wait_for_selector("text=Closest to")
        self.settled(page)
        self.assertIn("period-2", page.locator("h2").first.inner_text())
        self.assertIn("of the draws", page.locator("main").inner_text())
        self.assertEqual(wrong, [])

    def test_a_text_can_be_dropped_and_is_answered(self):
        page, wrong = self.opened("/text?factor=period")
        # Words that the model knows: a text of unknown ones is refused, and the browser would say so.
        words = " ".join([self.names["word"], self.names["near"], self.names["third"]] * 200)
        given = page.evaluate_handle(
            """(words) => {
            const data = new DataTransfer();
            data.items.add(new File([words], "text.txt", { type: "text/plain" }));
            return data;
        }""",
            words,
        )
        page.dispatch_event(".drop", "drop", {"dataTransfer": given})
        until(page, f"document.querySelector('#text').value === {json.dumps(words)}")
        page.wait_for_selector("text=Closest to")
        self.settled(page)
        self.assertEqual(wrong, [])

    def test_a_text_of_unknown_words_is_refused_in_plain_words(self):
        page, wrong = self.opened("/text?factor=period")
        page.locator("#text").fill("nosuchword andnoother")
        page.locator("button.primary").click()
        page.wait_for_selector(".trouble")
        self.assertIn("words", page.locator(".trouble").inner_text())
        # The browser itself reports the refusal; nothing else is wrong.
        self.assertEqual([told for told in wrong if "422" not in told], [])

    def test_names_and_lines_are_shown_as_they_are(self):
        page, wrong = self.opened("/")
        text = page.locator("main").inner_text()
        for name in HOSTILE:
            self.assertIn(name, text)
        page, more = self.opened("/word?w={word}&near={near}&level=base")
        self.assertIn("<img src=x onerror=alert(1)>", page.locator(".lists").inner_text())
        # A word that is markup, near another: in the heading, the lists, the map and the lines.
        near = json.loads(self.server.get(f"neighbors?in=base&n=1&word={urllib.parse.quote(self.hostile)}"))["rows"][0]["neighbor"]
        page.goto(f"{self.server.url}/word?{urllib.parse.urlencode({'w': self.hostile, 'near': near, 'level': 'base'})}")
        self.settled(page)
        self.assertEqual(page.locator("h1").inner_text(), self.hostile)
        marked = page.locator(".kwic mark").all_inner_texts()
        self.assertTrue(self.hostile in marked and near in marked, marked)
        for view in ("/compare", "/topics", f"/word?w={urllib.parse.quote(HOSTILE[0])}"):
            page.goto(self.server.url + view)
            page.wait_for_selector("main h1")
        self.assertEqual(page.locator("img, main script").count(), 0)
        self.assertEqual([told for told in wrong + more if "422" not in told], [])

    def test_a_wrong_address_says_so(self):
        page, _ = self.opened("/no/such/page")
        self.assertEqual(page.locator("h1").inner_text(), "Nothing here")
        page.locator("main a").click()
        page.wait_for_selector(".tiles")

    def test_help_says_what_a_number_means(self):
        page, wrong = self.opened("/")
        page.locator(".help").first.click()
        self.assertGreater(len(page.locator(".note").inner_text()), 30)
        page.keyboard.press("Escape")
        self.assertEqual(page.locator(".note").count(), 0)
        self.assertEqual(wrong, [])

    def test_a_server_that_has_gone_is_told(self):
        server = Explorer(self.folder, "m")
        page, _ = self.opened("/", server=server)
        self.assertTrue(page.locator("#gone").is_hidden())
        self.assertEqual(server.end(), 0)
        page.locator("nav a", has_text="Topics").click()
        page.wait_for_selector("#gone:not([hidden])")
        self.assertIn("has ended", page.locator("#gone").inner_text())

    def test_odd_requests_get_documented_answers_and_no_fault_of_the_server(self):
        command = [sys.executable, "-m", "schemathesis.cli", "run", f"{self.server.url}/api/v1/openapi.json"]
        command += "--max-examples 6 --generation-deterministic --phases fuzzing --no-color --request-timeout 30".split()
        checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
        done = subprocess.run([*command, "--checks", checks], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
        self.assertIn("15 passed", done.stdout)


def query(page):
    return urllib.parse.parse_qs(urllib.parse.urlparse(page.url).query)


def axe_core():
    """The checker of accessibility as npm gives it; none where that cannot be had."""
    place = ROOT / "target" / "axe"
    script = place / "node_modules" / "axe-core" / "axe.min.js"
    if not script.is_file() and shutil.which("npm"):
        place.mkdir(parents=True, exist_ok=True)
        install = ["npm", "install", "--prefix", str(place), "--no-save", "--silent", "axe-core@4"]
        subprocess.run(install, capture_output=True, timeout=300)
    return script.read_text(encoding="utf-8") if script.is_file() else None


if __name__ == "__main__":
    unittest.main()
