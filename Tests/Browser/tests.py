"""Tests of the inspector's page in a real browser. scripts/browser runs them, with what they need installed.

What is expected comes from the stories of recordings.py, whose times and durations are written there, and not from the
page. Nothing sleeps for a fixed time: the tests wait for what they look for.
"""
import os
import statistics
import struct
import sys
import tempfile
import time
import unittest

from playwright.sync_api import sync_playwright

import recordings
from recordings import MS, S
from server import Server

CHROMIUM = os.environ["BROWSER"]
VIEWS = {"1": "timeline", "2": "map", "3": "queue", "4": "cache", "5": "actions"}
_cache = {}


def recorded(name):
    """The bytes of a story; each is made once."""
    if name not in _cache:
        _cache[name] = getattr(recordings, name)().bytes()
    return _cache[name]


def setUpModule():
    """One browser for all tests; each has a context of its own, as a new user has."""
    global _playwright, _browser
    _playwright = sync_playwright().start()
    _browser = _playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


def tearDownModule():
    _browser.close()
    _playwright.stop()


class PageTest(unittest.TestCase):
    options = {}

    def setUp(self):
        self.browser = _browser
        self.server = Server()
        self.context = self.browser.new_context(**({"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"} | self.options))
        self.page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        self.problems = []
        self.requests = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        # That there is no live connection, or nothing is served, is no problem of a test that serves a file, or opens one.
        self.page.on("console", lambda message: self.problems.append(message.text)
                     if message.type == "error" and not message.location["url"].endswith(("/live", "/recording")) and "/live" not in message.text else None)
        self.folder = tempfile.TemporaryDirectory()
        self.page.on("request", lambda request: self.requests.append(request.url))

    def tearDown(self):
        self.context.close()
        self.folder.cleanup()
        self.server.shutdown()
        self.server.server_close()
        self.assertEqual(self.problems, [], "the page complained")
        elsewhere = [url for url in self.requests if not url.startswith((self.server.address, "blob:"))]
        self.assertEqual(elsewhere, [], "the page asked another host")

    def until(self, expression, what=None, seconds=30):
        """Waits until an expression holds in the page, and answers its value."""
        limit = time.monotonic() + seconds
        while True:
            value = self.page.evaluate(expression)
            if value:
                return value
            if time.monotonic() > limit:
                self.fail(f"never: {what or expression}")
            self.page.wait_for_timeout(20)

    def drawn(self):
        """Lets the page draw what it was told."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def open(self, name=None, data=None):
        """Opens the page of a server that has a saved recording."""
        self.server.live = recordings.json_chunk("I", {"saved": True}) + (data if data is not None else recorded(name))[8:]
        self.page.goto(self.server.address)
        self.until("window.inspector?.connection.state === 'saved'", "opened")
        self.drawn()

    def open_live(self, recording):
        self.server.live = recording.chunks()
        self.page.goto(self.server.address)
        self.until("window.inspector?.connection.isRunning", "live")

    def choose_file(self, data, name="story.pagrec"):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as file:
            file.write(data)
        self.page.evaluate("inspector.openedIn = undefined")
        self.page.set_input_files("#open", path)
        self.until("inspector.openedIn !== undefined || !document.querySelector('#notice').hidden")
        self.drawn()

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
            self.drawn()

    def text(self, selector):
        return self.page.text_content(selector)

    def facts(self):
        """What the panel of details says, by name."""
        return dict(self.page.evaluate("[...document.querySelectorAll('#details dl.facts dt')].map((dt) => [dt.textContent, dt.nextSibling.textContent])"))

    def why(self):
        return self.page.evaluate("document.querySelector('#details .why')?.textContent")


class TimelineTests(PageTest):
    def lane(self, name):
        """Chooses a lane with the keys."""
        self.page.focus(".stage")
        for _ in range(20):
            if self.page.evaluate("document.querySelector('.lanes .chosen span')?.textContent") == name:
                return
            self.press("ArrowDown")
        self.fail(f"no lane {name}")

    def step_to(self, kind, limit=60):
        """Goes on to the next event of a kind, and answers its facts."""
        for _ in range(limit):
            before = self.text("#clock"), self.page.evaluate("inspector.selected")
            self.press("ArrowRight")
            if self.page.evaluate("inspector.selected") == before[1]:
                break
            if self.facts().get("Kind") == kind:
                return self.facts()
        self.fail(f"no further {kind}")

    def test_loads_come_in_order_with_their_durations(self):
        self.open("story")
        self.page.focus("#scrubber")
        self.press("Home")
        self.lane("Loads by page")
        ends = [self.step_to("loadEnded") for _ in range(4)]
        self.assertEqual([(one["Key"], one["Duration"]) for one in ends], [("p1", "130 ms"), ("p2", "741 ms"), ("p3", "85 ms"), ("p1", "161 ms")])
        self.assertEqual([one["Time"] for one in ends], ["00:00.233000", "00:01.144000", "00:01.588000", "00:02.664000"])

    def place(self, lane, ns):
        """Where something of a lane's first row is on the screen."""
        box = self.page.locator(".stage").bounding_box()
        view = self.page.evaluate("inspector.view")
        top = self.page.evaluate("(name) => inspector.views.timeline.places.find(({ lane }) => lane.definition.name === name).top", lane)
        return box["x"] + (ns - view["from"]) / (view["to"] - view["from"]) * box["width"], box["y"] + top + 5

    def color(self, x, y):
        """The color of the timeline at a point of the screen."""
        return self.page.evaluate("""([x, y]) => {
            const canvas = document.querySelector(".stage canvas"), box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width;
            return [...canvas.getContext("2d").getImageData((x - box.left) * ratio, (y - box.top) * ratio, 1, 1).data].slice(0, 3);
        }""", [x, y])

    def test_what_is_drawn_is_where_it_happened(self):
        self.open("story")
        self.drawn()
        loaded, failed = self.color(*self.place("Loads by page", 1100 * MS)), self.color(*self.place("Loads by page", 1504 * MS))
        nothing = self.color(*self.place("Loads by page", 1350 * MS))
        self.assertGreater(loaded[2], loaded[0] + 60, "a load that succeeded is blue")
        self.assertGreater(failed[0], failed[2] + 60, "a load that failed is red")
        self.assertLess(max(nothing) - min(nothing), 25, "between the loads is nothing")
        self.page.mouse.click(*self.place("Loads by page", 700 * MS))
        self.drawn()
        self.assertEqual((self.facts()["Key"], self.facts()["Duration"]), ("p2", "741 ms"))
        self.page.mouse.click(*self.place("Back-off", 800 * MS))
        self.drawn()
        self.assertEqual((self.facts()["Kind"], self.facts()["Duration"]), ("retryScheduled", "300 ms"))
        self.page.mouse.click(*self.place("Evictions", 2000 * MS))
        self.drawn()
        self.assertEqual((self.facts()["Key"], self.facts()["Cause"]), ("p1", "strategy"))

    def test_an_error_shows_with_its_code_and_message(self):
        self.open("story")
        self.page.mouse.click(*self.place("Loads by page", 1540 * MS))
        self.drawn()
        self.assertEqual((self.facts()["Error"], self.facts()["Message"]), ("sourceFailed", "The server answered 500."))
        self.assertIn("failed: sourceFailed", self.text("#said"))

    def test_sentences_say_why_it_was_loaded_again_and_why_it_is_gone(self):
        self.open("story")
        self.page.mouse.click(*self.place("Evictions", 2000 * MS))
        self.drawn()
        self.assertEqual(self.why(), "It is gone from memory because memory was full and the eviction strategy chose it."
                         " It was last used 300 ms before. It was asked for again 500 ms later.")
        self.page.mouse.click(*self.place("Loads by page", 2600 * MS))
        self.drawn()
        self.assertEqual(self.why(), "It was loaded again because it had left memory 503 ms before: memory was full and the"
                         " eviction strategy chose it, and the store had no usable copy.")
        self.page.mouse.click(*self.place("Loads by page", 150 * MS))
        self.drawn()
        self.assertEqual(self.why(), "It was loaded because neither memory nor the store had it; nothing in this recording had loaded it before.")
        self.page.mouse.click(*self.place("Attempts", 1050 * MS))
        self.drawn()
        self.assertEqual(self.why(), "Attempt 2 was made because attempt 1 (timedOut: No answer came in time.) did not succeed; the back-off was 300 ms.")

    def test_a_page_that_a_newer_copy_replaced_has_not_left_memory(self):
        out = recordings.Recording()
        out.subject(1, "paginator", "Feed")
        recordings.load(out, "p1", 100 * MS, 10 * MS, 119 * MS)
        out.event("evicted", 400 * MS, recordings.page("p1"), cause="replaced")
        out.event("throttled", 500 * MS, recordings.page("p1"), 2 * S)
        self.open(data=out.bytes())
        counts = self.page.evaluate("['evictions', 'memory'].map((name) => inspector.lanes.byName.get(name).count)")
        self.assertEqual(counts, [0, 2])
        self.press("ArrowLeft")
        self.assertEqual(self.why(), "The source asked to be left alone for 2 s.")
        self.press("ArrowLeft")
        self.assertEqual(self.why(), "A newer copy of the page is in memory: it took the place of this one.")
        self.press("4")
        self.assertEqual(self.page.evaluate("inspector.views.cache.leaving.big.textContent"), "0 evictions")

    def test_what_a_detached_subject_did_not_end_ends_with_its_last_event(self):
        out = recordings.Recording()
        for number in range(1, 31):
            out.subject(number, "paginator", "Feed")
            out.event("loadStarted", number * 100 * MS, recordings.page("p1"), subject=number)
            out.event("memoryHit", number * 100 * MS + 50 * MS, recordings.page("p2"), subject=number, origin="memory")
            if number < 30:
                out.subject(number, "paginator", "Feed", detached=True)
        self.open(data=out.bytes())
        lane = self.page.evaluate("(() => { const lane = inspector.lanes.byName.get('loads'); return [lane.open.size, lane.count]; })()")
        self.assertEqual(lane, [1, 29])
        self.page.mouse.click(*self.place("Loads by page", 130 * MS))
        self.drawn()
        self.assertEqual(self.facts()["Kind"], "loadStarted")

    def test_times_that_are_far_from_zero_are_drawn(self):
        out = recordings.Recording()
        out.subject(1, "paginator", "Feed")
        out.event("memoryHit", 1e18, recordings.page("p1"), origin="memory")
        self.open(data=out.bytes())
        drawn = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
        # Neither call waits for a page that draws for ever.
        self.page.evaluate("void setTimeout(() => inspector.setView(inspector.now, inspector.now))")
        self.page.wait_for_function("inspector.view.to > inspector.view.from && inspector.view.to - inspector.view.from < 1e5")
        self.page.wait_for_function(drawn)
        self.page.keyboard.press("4")
        self.page.wait_for_function(drawn)

    def test_what_came_before_and_after_can_be_gone_to(self):
        self.open("story")
        self.page.mouse.click(*self.place("Evictions", 2000 * MS))
        self.drawn()
        rows = self.page.locator("#details .event").all_text_contents()
        self.assertIn("−300 msFound in memorymemory", rows)
        self.assertIn("+500 msFetch began", rows)
        self.page.locator("#details .event", has_text="Fetch began").last.click()
        self.drawn()
        self.assertEqual(self.facts()["Time"], "00:02.500000")

    def test_the_wheel_zooms_around_the_pointer_and_dragging_moves(self):
        self.open("story")
        x, y = self.place("Loads by page", 700 * MS)
        x = round(x)
        there = self.page.evaluate("(x) => inspector.views.timeline.timeAt(x - document.querySelector('.stage').getBoundingClientRect().left)", x)
        self.page.mouse.move(x, y)
        for _ in range(6):
            self.page.mouse.wheel(0, -240)
        self.until("inspector.view.to - inspector.view.from < 0.6e9", "zoomed in")
        self.assertAlmostEqual(self.place("Loads by page", there)[0], x, delta=2)
        self.page.mouse.down()
        self.page.mouse.move(x - 100, y, steps=5)
        self.page.mouse.up()
        self.drawn()
        self.assertAlmostEqual(self.place("Loads by page", there)[0], x - 100, delta=8)

    def test_steps_of_a_simulated_world_have_a_lane_and_are_gone_through(self):
        out = recordings.Recording(clock="simulated", seed="42")
        out.event("note", 10 * MS, subject=0, detail="the network goes")
        recordings.load(out, "p1", 20 * MS, 5 * MS, 50 * MS)
        out.event("note", 200 * MS, subject=0, detail="a row is missing", error=("failure", "a row is missing"))
        self.open(data=out.bytes())
        self.assertIn("seed 42", self.text("#source-text"))
        self.page.focus("#scrubber")
        self.press("Home")
        self.lane("Steps")
        self.press("ArrowLeft")
        self.assertEqual(self.facts()["Detail"], "the network goes")
        self.press("ArrowRight")
        self.assertEqual(self.text("#said"), "Step, failed: failure, a row is missing")

    def test_a_filter_leaves_only_the_pages_that_it_names(self):
        self.open("story")
        self.press("/")
        self.page.keyboard.type("p2")
        self.drawn()
        self.page.focus("#scrubber")
        self.press("Home")
        self.lane("Loads by page")
        self.assertEqual(self.step_to("loadEnded")["Key"], "p2")
        self.press("ArrowRight")
        self.assertEqual(self.text("#said"), "No later event")


class MillionTests(PageTest):
    def test_a_million_events_open_in_under_three_seconds_and_scroll(self):
        self.page.goto(self.server.address)
        took = []
        # The machine may be busy with other work: the best of three is what the page needs.
        for _ in range(3):
            self.choose_file(recorded("million"))
            took.append(self.page.evaluate("inspector.openedIn"))
        self.assertEqual(self.page.evaluate("inspector.recording.length"), 1_000_000)
        frames = self.page.evaluate("""() => {
            const frames = [];
            const measure = () => { const began = performance.now(); inspector.drawNow(); frames.push(performance.now() - began); };
            inspector.fit();
            for (let step = 0; step < 60; step += 1) { inspector.zoom(0.85, 1200e9); measure(); }
            for (let step = 0; step < 60; step += 1) { inspector.views.timeline.pan(37); measure(); }
            for (let step = 0; step < 60; step += 1) { inspector.zoom(1 / 0.85, 1200e9); measure(); }
            return frames;
        }""")
        median, worst = statistics.median(frames), sorted(frames)[int(len(frames) * 0.95)]
        print(f"\na million events: opened in {min(took):.0f} ms (all: {', '.join(f'{one:.0f}' for one in took)}), a frame while scrolling and zooming"
              f" {median:.1f} ms, 95 % below {worst:.1f} ms", file=sys.stderr)
        self.assertLess(min(took), 3000)
        self.assertLess(median, 50)
        drawn = self.page.evaluate("""() => {
            inspector.fit();
            const { from, to } = inspector.view;
            const counts = [];
            for (const { rows } of inspector.lanes.lanes) for (const { spans } of rows) {
                let count = 0;
                spans.visit(from, to, (to - from) / 1000, () => { count += 1; });
                counts.push(count);
            }
            return Math.max(...counts);
        }""")
        self.assertLess(drawn, 20_000, "a row is drawn from its summaries, and not from each of its events")
        # A wheel over the timeline, as a person has it.
        self.page.mouse.move(600, 300)
        self.page.mouse.wheel(0, -400)
        self.until("inspector.view.to - inspector.view.from < 3000e9", "zoomed")
        self.press("End")


    def test_a_million_events_come_over_a_connection(self):
        data = recorded("million")[8:]
        # As a server sends it: whole chunks, some together, none that grow without end.
        messages, start, at = [], 0, 0
        while at < len(data):
            end = at + 5 + struct.unpack_from("<I", data, at + 1)[0]
            if end - start > 1 << 20 and at > start:
                messages.append(data[start:at])
                start = at
            at = end
        messages.append(data[start:])
        self.server.live = recordings.json_chunk("I", {"saved": True}) + messages[0]
        began = time.monotonic()
        self.page.goto(self.server.address)
        self.until("window.inspector?.connection.state === 'saved'")
        for message in messages[1:]:
            self.server.send(message)
        self.until("inspector.recording.length === 1e6 && inspector.lanes.taken === 1e6")
        took = time.monotonic() - began
        print(f"\na million events over a connection, in {len(messages)} messages: {took:.1f} s from the address to the picture", file=sys.stderr)
        self.assertLess(took, 20)
        self.drawn()
        view = self.page.evaluate("inspector.view")
        self.assertTrue(view["from"] <= 0 and view["to"] >= 3600 * S, "all is shown")


class MapTests(PageTest):
    def list(self, name="Feed list"):
        return self.page.locator("#view-map .card", has=self.page.locator("h2", has_text=name))

    def test_the_map_follows_the_list(self):
        self.open("growing")
        self.press("2")
        self.page.focus("#scrubber")
        self.press("Home")
        for step in range(1, 13):
            self.press("ArrowUp")
            tiles = self.list().locator(".tile")
            self.assertEqual(tiles.count(), step)
            self.assertEqual(self.list().locator(".tile-dropped").count(), max(0, step - 4))
            self.assertEqual(self.list().locator(".tile-fresh.pinned").count(), min(step, 4))
            self.assertEqual(self.list().locator(".gap").count(), 1 if step >= 8 else 0)
            self.assertIn(f"Visible{max(0, step - 2) * 20} – {step * 20 - 1}", self.list().locator("dl.line").text_content())
        last = self.list().locator(".tile").last.get_attribute("aria-label")
        self.assertEqual(last, "feed / p12, rows 220 to 239, fresh, pinned, visible, in memory, on disk")
        first = self.list().locator(".tile").first.get_attribute("aria-label")
        self.assertEqual(first, "feed / p1, rows 0 to 19, dropped, on disk")
        self.press("ArrowDown", "ArrowDown")
        self.assertEqual(self.list().locator(".tile").count(), 10, "and back again")

    def test_pages_that_a_window_dropped_have_no_rows(self):
        out = recordings.Recording()
        out.subject(1, "paginator", "Feed")
        out.subject(2, "list", "Feed list", paginator=1)
        out.state(2, 30 * MS, rows=40, windowItems=40, slots=[{"page": recordings.page("p1"), "count": 20, "state": "dropped"},
                  *({"page": recordings.page(f"p{at + 2}"), "first": at * 20, "count": 20, "state": "fresh", "pinned": True, "since": 0} for at in range(2))], gaps=[{"row": 20, "state": "idle"}])
        self.open(data=out.bytes())
        self.press("2")
        self.assertEqual([tile.get_attribute("aria-label") for tile in self.list().locator(".tile").all()], [
            "feed / p1, no rows, dropped", "feed / p2, rows 0 to 19, fresh, pinned", "feed / p3, rows 20 to 39, fresh, pinned"])
        self.assertEqual(self.page.evaluate("[...document.querySelector('.tiles').children].map((one) => one.className.split(' ')[0])"), ["tile", "tile", "gap", "tile"])

    def test_only_the_store_of_a_paginator_tells_what_of_it_is_on_disk(self):
        out = recordings.Recording()
        for number, name in ((1, "Feed"), (2, "Comments")):
            out.subject(number, "paginator", name)
            out.subject(number + 2, "list", f"{name} list", paginator=number)
            out.state(number + 2, S, paginator=number, rows=20, gaps=[], slots=[{"page": recordings.page("p1"), "first": 0, "count": 20, "state": "fresh", "since": 0}])
        out.subject(5, "store", "Disk")
        out.state(5, S, paginators=[1], pages=1, entries=[{"page": recordings.page("p1"), "bytes": 700}])
        out.subject(6, "store", "Former disk", detached=True, end=500 * MS)
        out.state(6, 100 * MS, paginators=[2], pages=1, entries=[{"page": recordings.page("p1"), "bytes": 700}])
        self.open(data=out.bytes())
        self.press("2")
        first = lambda name: self.list(name).locator(".tile").first
        self.assertEqual([first(name).get_attribute("aria-label") for name in ("Feed list", "Comments list")],
                         ["feed / p1, rows 0 to 19, fresh, on disk", "feed / p1, rows 0 to 19, fresh"])
        first("Comments list").click()
        self.drawn()
        self.assertEqual(self.facts()["On disk"], "not known")

    def test_of_a_long_list_the_others_are_counted(self):
        out = recordings.Recording()
        out.subject(1, "list", "Feed list")
        slots = [{"page": recordings.page(f"p{at}"), "first": at * 20, "count": 20, "state": "fresh", "since": 0} for at in range(3000, 5000)]
        out.state(1, S, rows=200_000, visible=[80_000, 80_010], slots=slots, slotsBefore=3000, slotsAfter=700, gaps=[], pendingEdits=1, editsLeftOut=5, edits=[{"item": str(at), "change": "changed"} for at in range(25)])
        self.open(data=out.bytes())
        self.press("2")
        self.assertEqual(self.list().locator(".tile.visible").count(), 1)
        self.assertEqual(self.list().locator("p.note").all_text_contents(), ["3 800 pages before", "1 500 pages after", "and 10 more"])
        self.assertIn("5 700 pages", self.list().locator("header").text_content())

    def test_of_a_long_queue_the_others_are_counted(self):
        out = recordings.Recording()
        out.subject(1, "paginator", "Feed", scheduler=2)
        out.subject(2, "scheduler", "Scheduler")
        task = lambda at, **more: {"client": 1, "task": at, "page": recordings.page(f"p{at}")} | more
        out.state(1, S, client=1, mode="running", loads=[{"page": recordings.page(f"p{at}"), "stage": "queued", "since": 0} for at in range(300)], loadsLeftOut=40,
                  timers=[{"purpose": "fetch times out", "page": recordings.page(f"p{at}"), "due": (2 + at) * S} for at in range(300)], timersLeftOut=1000,
                  debouncing=[{"debounceKey": "search", "page": recordings.page("p3")}, {"debounceKey": "map", "page": recordings.page("none")}])
        out.state(1, 2 * S, client=1, mode="running", loads=[], timers=[{"purpose": "burst ends", "page": recordings.page("p3"), "due": 2300 * MS}], debouncing=[{"debounceKey": "search", "page": recordings.page("p3")}])
        out.state(2, S, running=4, limit=4, queued=900, waiting=[task(at, priority="high" if at < 2 else "low", since=at * MS) for at in range(500)], backingOff=[task(at, due=2 * S) for at in range(3)], backingOffLeftOut=7)
        self.open(data=out.bytes())
        self.press("3")
        self.page.evaluate("inspector.setCursor(1e9)")
        self.drawn()
        more = lambda name: self.page.locator(f"[aria-label='{name}'] .note").text_content()
        self.assertEqual([more("Waiting, in the order in which they start"), more("Backing off"), more("Loads"), more("Timers")], ["and 700 more", "and 7 more", "and 140 more", "and 1100 more"])
        facts = dict(zip(self.page.locator(".fact .name").all_text_contents(), self.page.locator(".fact .words").all_text_contents()))
        self.assertEqual((facts["Waiting"], facts["Backing off"], facts["Loads"], facts["Timers"]), ("900", "10", "340", "1 300"))
        self.assertIn("Of the first 500, by priority high 2low 498", self.page.locator(".chips").all_text_contents())
        bursts = lambda: [row.locator("th, td").all_text_contents() for row in self.page.locator("[aria-label='Bursts that have not ended'] tbody tr").all()]
        self.assertEqual(bursts(), [["search", "feed / p3", "–"], ["map", "feed / none", "–"]])
        self.page.evaluate("inspector.setCursor(2e9)")
        self.drawn()
        self.assertEqual(bursts(), [["search", "feed / p3", "in 300 ms"]])

    def test_a_subject_is_detached_when_it_was(self):
        out = recordings.Recording()
        out.subject(1, "paginator", "Feed", detached=True, end=5 * S)
        out.state(1, S, mode="running", loads=[], timers=[], memory={"pages": 1, "entries": [recordings.entry("p1", S)]})
        out.event("memoryHit", 9 * S, recordings.page("p1"))
        self.open(data=out.bytes())
        self.press("3")
        told = lambda: "detached" in self.page.locator(".card header").first.text_content()
        for time, is_gone in ((2, False), (4.9, False), (5, True), (9, True)):
            self.page.evaluate(f"inspector.setCursor({time}e9)")
            self.drawn()
            self.assertEqual(told(), is_gone, f"after {time} s")

    def test_pending_edits_of_a_list_are_told_by_item(self):
        out = recordings.Recording()
        out.subject(1, "paginator", "Feed")
        out.subject(2, "list", "Feed list", paginator=1)
        out.state(2, S, paginator=1, rows=0, slots=[], gaps=[], pendingEdits=2, edits=[{"item": "88213", "change": "changed"}, {"item": "7", "change": "removed"}])
        self.open(data=out.bytes())
        self.press("2")
        self.assertEqual(self.page.locator(".edits li").all_text_contents(), ["88213 changed", "7 removed"])

    def test_a_state_that_stays_as_it_is_gets_older_all_the_same(self):
        out = recordings.Recording()
        out.subject(1, "paginator", "Feed")
        out.state(1, S, mode="running", loads=[{"page": recordings.page("p1"), "stage": "attempt", "since": S, "due": 9 * S}], timers=[{"purpose": "attempt times out", "page": recordings.page("p1"), "due": 9 * S}],
                  memory={"pages": 1, "items": 20, "bytes": 100, "limits": {}, "entries": [recordings.entry("p2", 0, expires=4 * S)]})
        out.event("retryScheduled", 6 * S, recordings.page("p1"))
        self.open(data=out.bytes())
        self.press("3")
        self.assertEqual(self.page.locator("div[aria-label='Loads'] td.numeric").all_text_contents()[:2], ["5 s", "in 3 s"])
        self.press("2")
        self.assertIn("stale", self.page.locator(".tile").first.get_attribute("aria-label"))

    def test_a_stale_page_that_was_loaded_anew_is_one_answer(self):
        out = recordings.Recording()
        out.subject(1, "paginator", "Feed")
        for kind, origin in [("memoryHit", None), ("loadEnded", None), ("fetchEnded", "source"), ("memoryHit", None), ("fetchEnded", "memory"), ("fetchEnded", "memory"), ("fetchEnded", "store")]:
            out.event(kind, 10 * MS, recordings.page("p1"), origin=origin)
        out.event("fetchEnded", 10 * MS, recordings.page("p1"), error=("offline", "No link."))
        self.open(data=out.bytes())
        self.press("4")
        self.assertEqual(self.page.evaluate("inspector.views.cache.hits.big.textContent"), "75.0 % from caches")

    def test_every_cause_that_is_drawn_is_in_the_legend_also_when_it_comes_later(self):
        out = recordings.Recording()
        out.subject(1, "paginator", "Feed")
        out.event("evicted", 10 * MS, recordings.page("p1"), cause="strategy")
        out.event("evicted", 900 * MS, recordings.page("p2"), cause="lifetime")
        self.open(data=out.bytes())
        self.press("4")
        self.page.evaluate("inspector.setCursor(100e6)")
        self.drawn()
        legend = "[...inspector.views.cache.leaving.legend.children].map((one) => one.textContent)"
        self.assertEqual(self.page.evaluate(legend), ["strategy 1", "lifetime 0"])
        self.assertEqual(self.page.evaluate("inspector.views.cache.leaving.big.textContent"), "1 eviction")

    def test_every_timer_is_told_with_what_it_is_for_and_when_it_is_due(self):
        out = recordings.Recording()
        out.subject(1, "paginator", "Feed", scheduler=2)
        out.subject(2, "scheduler", "Scheduler")
        out.subject(3, "list", "Rows", paginator=1)
        out.subject(4, "store", "Disk")
        out.state(1, S, mode="running", loads=[], timers=[{"purpose": "attempt times out", "page": recordings.page("p2"), "due": 4 * S}], following=[{"state": "waiting", "due": 6 * S}],
                  memory={"pages": 1, "entries": [recordings.entry("p1", S, leaves=3 * S)], "nextExpiry": 3 * S})
        out.state(2, S, running=0, limit=4, waiting=[], rate={"tokens": 0, "capacity": 1, "perSecond": 0.5}, nextPermit=2 * S)
        out.state(3, S, paginator=1, rows=0, slots=[], timers=[{"purpose": "a page becomes stale", "due": 21 * S}])
        out.state(4, S, pages=0, bytes=0, timers=[{"purpose": "what waits is written", "due": 1050 * MS}])
        self.open(data=out.bytes())
        self.press("3")
        rows = lambda name: [row.all_text_contents()[:3] for row in (one.locator("th, td") for one in self.page.locator(f"[aria-label='{name}'] tbody tr").all())]
        self.assertEqual(rows("Timers"), [["its time in memory ends", "feed / p1", "in 2 s"], ["attempt times out", "feed / p2", "in 3 s"], ["connects again to what it follows", "–", "in 5 s"]])
        self.assertEqual(rows("Timers of lists and stores"), [["what waits is written", "Disk", "in 50 ms"], ["a page becomes stale", "Rows", "in 20 s"]])
        facts = dict(zip(self.page.locator(".fact .name").all_text_contents(), self.page.locator(".fact .words").all_text_contents()))
        self.assertEqual((facts["Next attempt"], facts["Follows"]), ("in 1 s", "lost, waits"))

    def test_a_store_tells_its_pages(self):
        self.open(data=recordings.growing(3).bytes())
        self.press("4")
        self.page.locator("summary", has_text="3 pages on disk").click()
        cells = self.page.locator("[aria-label='Pages on disk'] tbody tr").first.locator("th, td").all_text_contents()
        self.assertEqual(cells, ["feed / p1", "–", "0", "20 kB"])

    def test_a_page_tells_where_it_is(self):
        self.open("growing")
        self.press("2")
        self.list().locator(".tile").first.click()
        self.drawn()
        self.assertEqual((self.facts()["Key"], self.facts()["In memory"], self.facts()["On disk"]), ("p1", "no", "20 kB"))
        self.assertTrue(self.why().startswith("It left memory 7.05 s ago: memory was full"), self.why())


class LiveTests(PageTest):
    def live(self):
        out = recordings.Recording()
        out.subject(1, "paginator", "Feed")
        recordings.load(out, "p1", 100 * MS, 10 * MS, 119 * MS)
        out.state(1, 300 * MS, mode="running", loads=[], timers=[], memory={"pages": 1, "items": 20, "bytes": 10, "entries": [recordings.entry("p1", 233 * MS)]})
        return out

    def further(self, start=500 * MS, **options):
        """A later load, as chunks that follow those of `live`."""
        out = self.live()
        out.flush()
        told = len(out.parts)
        recordings.load(out, "p2", start, 10 * MS, 119 * MS, **options)
        out.flush()
        return b"".join(out.parts[told:])

    def test_what_happens_appears(self):
        self.open_live(self.live())
        before = self.page.evaluate("inspector.recording.length")
        self.server.send(self.further())
        self.until(f"inspector.recording.length > {before}")
        self.page.focus(".stage")
        self.press("ArrowDown", "End", "Space")
        self.assertIn("Live", self.text("#source-text"))
        self.assertEqual(self.until("inspector.lanes.byName.get('loads').count"), 2)

    def test_much_comes_in_several_messages_and_a_saved_recording_says_so(self):
        out = recordings.Recording(saved=True)
        out.subject(1, "paginator", "Feed")
        recordings.load(out, "p1", 100 * MS, 10 * MS, 119 * MS)
        out.flush()
        self.server.live = b"".join(out.parts[:2])
        self.page.goto(self.server.address)
        self.until("document.querySelector('#source').dataset.state === 'saved'")
        self.server.send(b"".join(out.parts[2:]))
        self.until("inspector.recording.length > 5")
        self.until("inspector.view.to > 0.2e9 && inspector.view.to < 0.4e9", "all is shown")
        self.press("5")
        self.assertEqual(self.text(".reason"), "This is a saved recording: what it shows is over.")

    def test_pause_holds_the_time_and_goes_on(self):
        self.open_live(self.live())
        self.press("Space")
        held = self.text("#clock")
        self.server.send(self.further(40 * S))
        self.until("inspector.recording.end > 40e9")
        self.drawn()
        self.assertEqual(self.text("#clock"), held)
        self.page.click("#pause")
        self.until("parseFloat(document.querySelector('#scrubber').getAttribute('aria-valuenow')) > 40", "live again")

    def test_a_forced_error_is_sent_answered_and_appears(self):
        self.open_live(self.live())
        self.press("5")
        self.page.select_option("#do-error", "fatal")
        self.page.fill("#do-latency", "250")
        self.page.check("#do-offline")
        self.page.click("button[data-do=faults]")
        self.until("document.querySelector('.log .outcome')?.textContent === 'done'")
        self.assertEqual(self.server.commands, [{"id": 1, "do": "faults", "subject": 1, "error": "fatal", "latency": 250, "offline": True, "lowPower": False}])
        self.server.send(self.further(error=("sourceFailed", "The inspector forced this failure: fatal.")))
        self.until("inspector.recording.length > 20")
        self.press("1")
        self.page.focus(".stage")
        self.press("ArrowDown")
        for _ in range(4):
            self.press("ArrowLeft")
            if "Error" in self.facts():
                break
        self.assertEqual((self.facts()["Key"], self.facts()["Error"]), ("p2", "sourceFailed"))

    def test_a_command_names_its_page_and_a_refusal_shows(self):
        self.open_live(self.live())
        self.server.answer = lambda command: {"id": command["id"], "ok": False, "error": "The page is pinned."}
        self.press("5")
        self.page.select_option("#do-page", label="feed / p1")
        self.page.click("button[data-do=invalidate]")
        self.until("document.querySelector('.log .outcome')?.textContent === 'The page is pinned.'")
        self.assertEqual(self.server.commands, [{"id": 1, "do": "invalidate", "subject": 1, "page": recordings.page("p1")}])

    def test_one_page_is_evicted_as_well_as_all(self):
        self.open_live(self.live())
        self.press("5")
        self.page.click("button[data-do=evict]")
        self.until("document.querySelector('.log .outcome')?.textContent === 'done'")
        self.page.select_option("#do-page", label="feed / p1")
        self.page.click("button[data-do=evict]")
        self.until("document.querySelectorAll('.log .outcome').length === 2")
        self.assertEqual(self.server.commands, [{"id": 1, "do": "evict", "subject": 1}, {"id": 2, "do": "evict", "subject": 1, "page": recordings.page("p1")}])

    def state(self, time, *keys, **more):
        """A state of the paginator of `live` with these pages in memory, as a chunk."""
        return recordings.json_chunk("S", {"subject": 1, "time": time, "mode": "running", "loads": [], "timers": [],
                                           "memory": {"pages": len(keys), "items": 20, "bytes": 10, "entries": [recordings.entry(key, 233 * MS) for key in keys]}} | more)

    def enabled(self):
        return self.page.evaluate("[...document.querySelectorAll('fieldset:first-of-type [data-do], [data-do=faults]')].filter((one) => !one.matches(':disabled')).map((one) => one.dataset.do)")

    def test_what_was_chosen_and_is_gone_is_not_replaced_by_something_else(self):
        out = self.live()
        out.subject(2, "paginator", "Comments")
        self.open_live(out)
        self.press("5")
        self.page.select_option("#do-page", label="feed / p1")
        self.server.send(self.state(S, "p2"))
        self.until("document.querySelector('#do-page').selectedOptions[0].textContent === 'feed / p1 (gone)'")
        self.assertEqual(self.enabled(), ["faults"])
        self.server.send(self.state(2 * S, "p2", "p1"))
        self.until("document.querySelector('#do-page').selectedOptions[0].textContent === 'feed / p1'")
        self.assertEqual(self.enabled(), ["refresh", "invalidate", "clear", "evict", "faults"])
        self.server.send(recordings.json_chunk("A", {"subject": 1, "kind": "paginator", "name": "Feed", "detached": True}))
        self.until("document.querySelector('#do-subject').selectedOptions[0].textContent === 'Feed (gone)'")
        self.assertEqual(self.enabled(), [])
        self.page.select_option("#do-subject", label="Comments")
        self.drawn()
        self.assertEqual(self.enabled(), ["invalidate", "clear", "evict", "faults"])

    def test_the_pages_to_choose_among_are_those_of_now_while_the_time_is_held(self):
        self.open_live(self.live())
        self.press("Space", "5")
        self.server.send(self.state(S, "p9"))
        self.until("[...document.querySelectorAll('#do-page option')].map((one) => one.textContent).join() === 'All pages,feed / p9'")

    def test_what_is_opened_and_focused_stays_over_a_new_state(self):
        self.open_live(self.live())
        keys = [f"p{at}" for at in range(100)]
        self.server.send(self.state(S, *keys))
        self.until("inspector.recording.end >= 1e9")
        self.press("4")
        self.page.locator("summary").focus()
        self.press("Enter")
        self.assertTrue(self.page.evaluate("document.querySelector('details').open"))
        self.page.evaluate("document.querySelector('details .table').scrollTop = 200")
        self.server.send(self.state(2 * S, *keys, "p100"))
        self.until("document.querySelector('summary').textContent === '101 pages in memory'")
        self.assertEqual(self.page.evaluate("[document.querySelector('details').open, document.activeElement.tagName, document.querySelector('details .table').scrollTop]"), [True, "SUMMARY", 200])
        self.press("Enter")
        self.server.send(self.state(3 * S, *keys))
        self.until("document.querySelector('summary').textContent === '100 pages in memory'")
        self.assertFalse(self.page.evaluate("document.querySelector('details').open"), "what is closed stays closed")

    def test_the_time_of_an_idle_app_is_the_present(self):
        out = self.live()
        out.json("I", {"now": 3600 * S})
        self.open_live(out)
        self.assertGreaterEqual(self.until("inspector.time"), 3600 * S)

    def facts_chunk(self, paused=False, lost=0, *faults):
        return recordings.json_chunk("I", {"lost": lost, "paused": paused, "faults": faults})

    def test_what_any_browser_asked_for_is_told_in_the_head(self):
        out = self.live()
        out.json("I", {"lost": 0, "paused": True, "faults": [{"subject": 1, "error": "fatal", "latency": 250, "offline": True, "lowPower": False}]})
        self.open_live(out)
        self.until("document.querySelector('#forced').textContent === 'Faults forced, Feed: fatal, 250 ms, offline · The recorder is paused'")
        self.press("5")
        self.assertIn("Forced now: fatal, 250 ms, offline.", self.text("#view-actions"))
        self.assertTrue(self.page.locator("[data-do=pause]").is_disabled())
        self.server.send(self.facts_chunk())
        self.until("document.querySelector('#forced').hidden && document.querySelector('[data-do=resume]').disabled")
        self.assertIn("Nothing is forced now.", self.text("#view-actions"))

    def test_lost_events_are_told_while_they_are_lost(self):
        self.open_live(self.live())
        self.assertNotIn("lost", self.text("#source-text"))
        self.server.send(self.facts_chunk(False, 4096))
        self.until("document.querySelector('#source-text').textContent.includes('4 096 events lost')")

    def lose(self):
        self.server.live, kept = None, self.server.live
        self.server.drop()
        self.until("document.querySelector('#source').dataset.state === 'lost'")
        return kept

    def test_after_a_crash_what_was_received_can_be_saved(self):
        self.open_live(self.live())
        self.server.send(self.further())
        self.until("inspector.lanes.byName.get('loads').count === 2")
        self.lose()
        had = self.page.evaluate("[inspector.recording.length, inspector.recording.end, inspector.recording.pageAt(inspector.recording.page[5]).label, inspector.recording.duration[9]]")
        with self.page.expect_download() as download:
            self.page.click("#save")
        self.assertEqual(download.value.suggested_filename, "recording.pagrec")
        with open(download.value.path(), "rb") as file:
            self.choose_file(file.read())
        self.assertTrue(self.page.locator("#notice").is_hidden())
        self.assertEqual(self.page.evaluate("[inspector.recording.length, inspector.recording.end, inspector.recording.pageAt(inspector.recording.page[5]).label, inspector.recording.duration[9]]"), had)
        self.assertEqual(self.page.evaluate("inspector.recording.stateAt(1, Infinity).memory.pages"), 1)

    def test_a_new_run_waits_until_the_run_before_was_looked_at(self):
        self.open_live(self.live())
        self.lose()
        length = self.page.evaluate("inspector.recording.length")
        out = recordings.Recording(started="2026-01-02T04:00:00Z")
        out.subject(1, "paginator", "Anew")
        out.event("memoryMiss", 1 * MS, recordings.page("p1"))
        self.server.live = out.chunks()
        self.until("document.querySelector('#source').dataset.state === 'before'")
        self.assertEqual(self.page.evaluate("inspector.recording.length"), length)
        self.assertEqual(self.page.get_attribute("#save", "aria-disabled"), "false")
        self.page.click("#notice-act")
        self.until("inspector.connection.isRunning && inspector.recording.length === 1")
        self.assertTrue(self.page.locator("#notice").is_hidden())

    def test_a_list_can_be_refreshed_and_no_more(self):
        out = self.live()
        out.subject(2, "list", "Feed list", paginator=1)
        self.open_live(out)
        self.press("5")
        self.page.select_option("#do-subject", label="Feed list (list)")
        self.drawn()
        self.page.evaluate("inspector.drawNow()")
        self.assertTrue(self.page.locator("#do-page").is_disabled())
        self.assertEqual(self.page.evaluate("[...document.querySelectorAll('[data-do]')].filter((one) => !one.matches(':disabled')).map((one) => one.dataset.do)"), ["refresh", "pause"])
        self.page.click("button[data-do=refresh]")
        self.until("document.querySelector('.log .outcome')?.textContent === 'done'")
        self.assertEqual(self.server.commands, [{"id": 1, "do": "refresh", "subject": 2}])

    def test_a_page_whose_text_is_told_anew_is_one_page(self):
        out = self.live()
        out.event("loadStarted", 400 * MS, recordings.page("p9"))
        out.flush()
        out.ids.clear()
        out.ids["an earlier one"] = 70
        self.assertEqual(out.text('{"scope": "feed", "key": "p9", "size": 20}'), 2)
        out.parts[-1] = out.parts[-1][:5] + struct.pack("<I", 71) + out.parts[-1][9:]
        out.ids['{"scope": "feed", "key": "p9", "size": 20}'] = 71
        out.event("loadEnded", 500 * MS, recordings.page("p9"), 100 * MS)
        self.open_live(out)
        self.drawn()
        self.assertEqual(self.page.evaluate("(() => { const lane = inspector.lanes.byName.get('loads'); return [lane.open.size, lane.count]; })()"), [0, 2])
        self.assertEqual(self.page.evaluate("inspector.recording.eventsOf(inspector.recording.page[inspector.recording.length - 1]).length"), 2)

    def test_texts_take_no_memory_without_end(self):
        self.page.goto(self.server.address)
        told = self.page.evaluate("""async () => {
            const { Recording } = await import("./recording.js");
            const recording = new Recording(), { sink } = recording;
            const bytes = new Uint8Array(40), view = new DataView(bytes.buffer), wrong = [];
            for (let id = 1; id <= 60_000; id += 1) {
                const key = `${id} ${"k".repeat(4000)}`;
                sink.text(id, JSON.stringify({ key, size: 20 }));
                view.setFloat64(0, id, true);
                // A text of before, as long as the library may name it.
                view.setUint32(16, id % 7 ? id : Math.max(1, id - 1000), true);
                sink.events(bytes, 1);
                const last = recording.length - 1;
                const named = recording.pageAt(recording.page[last])?.key;
                if (!named?.startsWith(`${id % 7 ? id : Math.max(1, id - 1000)} `)) wrong.push(id);
            }
            const first = recording.pageAt(recording.page[0]).key.split(" ")[0];
            return [wrong, recording.textBytes, recording.texts.length, recording.length, Number(first)];
        }""")
        self.assertEqual(told[0], [])
        self.assertLess(told[1], 140_000_000)
        self.assertLess(told[2], 18_000)
        self.assertGreater(told[3], 5_000)
        self.assertGreater(told[4], 30_000)

    def test_only_a_clock_that_can_be_moved_is_moved(self):
        self.open_live(self.live())
        self.press("5")
        self.assertTrue(self.page.locator("button[data-do=clock]").is_disabled())
        out = recordings.Recording(clock="manual")
        out.subject(1, "paginator", "Feed")
        self.server.live = out.chunks()
        self.page.reload()
        self.until("window.inspector?.connection.isRunning")
        self.press("5")
        self.page.fill("#do-advance", "30")
        self.page.click("button[data-do=clock]")
        self.until("document.querySelector('.log .outcome')?.textContent === 'done'")
        self.assertEqual(self.server.commands[-1], {"id": 1, "do": "clock", "subject": 1, "advance": 30})
        self.page.fill("#do-moment", "90.5")
        self.page.click("button[data-do='set clock']")
        self.until("document.querySelectorAll('.log .outcome').length === 2 && document.querySelector('.log .outcome').textContent === 'done'")
        self.assertEqual(self.server.commands[-1], {"id": 2, "do": "clock", "subject": 1, "set": 90.5})

    def test_a_lost_connection_is_told_and_taken_up_again(self):
        self.open_live(self.live())
        self.server.live, kept = None, self.server.live
        self.server.drop()
        self.until("document.querySelector('#source').dataset.state === 'lost'")
        self.press("5")
        self.assertTrue(self.page.locator("button[data-do=clear]").is_disabled())
        self.assertEqual(self.text(".reason"), "The connection to the app is lost.")
        self.server.live = kept
        self.until("inspector.connection.isRunning")

    def test_what_was_before_a_new_beginning_is_void(self):
        self.open_live(self.live())
        self.server.send(recordings.json_chunk("R", {"reason": "a new world"}) + self.live().chunks())
        self.server.send(self.further())
        self.until("inspector.lanes.byName.get('loads').count === 2 && inspector.recording.texts.length > 2")
        self.assertEqual(self.page.evaluate("inspector.recording.subjects.size"), 1)


class FileTests(PageTest):
    def notice(self):
        return self.until("!document.querySelector('#notice').hidden && document.querySelector('#notice-text').textContent")

    def test_files_that_are_broken_say_so(self):
        self.page.goto(self.server.address)
        story = recorded("story")
        for data, message in [
            (b"", "The file is empty."),
            (b"GIF89a and more", "This is no recording of PaginatorInspector: it does not begin with PAGREC01."),
            (b"PAGREC02" + story[8:], "The recording has format 02, and this page reads format 01. Open it with the inspector that made it."),
            (story[:8] + recordings.chunk("E", struct.pack("<I", 9) + b"\0" * 40), "The recording is damaged at byte 8: 9 events, and room for 1."),
            (story[:8] + recordings.chunk("S", b"[1]"), "The recording is damaged at byte 8: a part that is no JSON object."),
            (story[:8] + recordings.chunk("I", b"{"), "The recording is damaged at byte 8: a part that is no JSON."),
        ]:
            with self.subTest(message):
                self.choose_file(data)
                self.assertEqual(self.notice(), message)
                self.page.click("#notice-close")

    def test_of_a_file_that_is_cut_off_the_beginning_shows(self):
        self.page.goto(self.server.address)
        story = recorded("story")
        self.choose_file(story[:len(story) - 100])
        self.assertRegex(self.notice(), r"The recording is cut off: its last part begins at byte \d+ and does not end before byte \d+\.")
        self.assertGreater(self.page.evaluate("inspector.recording.length"), 10)

    def test_what_later_versions_add_is_passed_over(self):
        self.page.goto(self.server.address)
        out = recordings.story()
        out.json("S", {"subject": 1, "time": 3 * S, "moon": {"phase": 3}})
        self.choose_file(out.bytes() + recordings.chunk("~", b"\x01\x02\x03") + recordings.chunk("K", b"{}"))
        self.assertTrue(self.page.locator("#notice").is_hidden())
        for key in VIEWS:
            self.press(key)

    def test_a_saved_file_is_the_file(self):
        self.page.goto(self.server.address)
        self.choose_file(recorded("story"), "mine.pagrec")
        with self.page.expect_download() as download:
            self.page.click("#save")
        self.assertEqual(download.value.suggested_filename, "mine.pagrec")
        with open(download.value.path(), "rb") as file:
            self.assertEqual(file.read(), recorded("story"))
        self.assertEqual(self.page.get_attribute("#trace", "aria-disabled"), "true")

    def test_a_file_is_dropped(self):
        self.page.goto(self.server.address)
        self.page.evaluate("""async (bytes) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([new Uint8Array(bytes)], "dropped.pagrec"));
            document.querySelector("main").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
        }""", list(recorded("story")))
        self.until("document.querySelector('#source-text').textContent === 'Recording · dropped.pagrec'")

    def test_nothing_is_done_to_a_saved_recording(self):
        self.open("story")
        self.press("5")
        self.assertEqual(self.text(".reason"), "This is a saved recording: what it shows is over.")
        self.assertEqual(self.page.locator("#view-actions button:enabled, #view-actions select:enabled, #view-actions input:enabled").count(), 0)

    def test_served_files_have_the_server_s_exports(self):
        self.open("story")
        self.assertEqual([self.page.get_attribute(f"#{name}", "href") for name in ("save", "trace", "text")], ["recording", "trace.json", "text"])


class SafetyTests(PageTest):
    def test_markup_in_a_recording_is_text(self):
        self.open("attack")
        for key, name in VIEWS.items():
            self.press(key)
            with self.subTest(name):
                self.assertIsNone(self.page.evaluate("window.attacked ?? null"))
                self.assertEqual(self.page.locator("main img, main script, aside img, aside script").count(), 0)
        self.press("1", "ArrowLeft")
        self.assertEqual(self.facts()["Key"], recordings.ATTACK)
        self.press("2")
        self.assertIn(recordings.ATTACK, self.page.locator(".tile").first.text_content())
        self.page.locator(".tile").first.click()
        self.drawn()
        self.assertIsNone(self.page.evaluate("window.attacked ?? null"))
        self.assertEqual(self.page.locator("aside img").count(), 0)

    def test_values_of_wrong_types_break_no_view(self):
        out = recordings.Recording()
        for number, kind in enumerate(("paginator", "list", "scheduler", "store"), 1):
            out.subject(number, kind, "x")
            for wrong in (None, 3, "x", [None, 3, "x", {}], {}):
                names = ("loads timers memory edits slots gaps visible window waiting backingOff conditions pauses rate entries limits"
                         " rows total running limit retryBudget throttle pages bytes mode paginator").split()
                out.state(number, number * 10 * MS, **{name: wrong for name in names})
                out.state(number, number * 10 * MS + 1, memory={"entries": wrong, "limits": wrong, "adaptive": wrong, "pinned": wrong})
        out.event("evicted", 90 * MS)
        self.open(data=out.bytes())
        for key in VIEWS:
            self.press(key)
            self.page.focus("#scrubber")
            self.press("Home", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "End")


class KeyboardTests(PageTest):
    def focused(self):
        return self.page.evaluate("document.activeElement.id || document.activeElement.className || document.activeElement.tagName")

    def test_every_view_and_every_detail_is_reached_without_a_mouse(self):
        self.open("busy")
        seen = []
        for _ in range(25):
            self.press("Tab")
            seen.append(self.focused())
        for name in ("open", "save", "theme", "help-open", "tab-timeline", "filter-subject", "filter-text", "stage", "pause", "scrubber"):
            self.assertTrue(any(name in one for one in seen), f"{name} is no tab stop: {seen}")
        self.page.focus("#tab-timeline")
        for view in list(VIEWS.values())[1:]:
            self.press("ArrowRight")
            self.assertEqual(self.focused(), f"tab-{view}")
            self.assertTrue(self.page.locator(f"#view-{view}").is_visible())
        self.press("Home")
        self.assertTrue(self.page.locator("#view-timeline").is_visible())
        self.page.focus(".stage")
        self.press("ArrowDown", "ArrowLeft", "Enter")
        self.assertTrue(self.page.locator("#details").is_visible())
        self.press("Tab", "Tab")
        self.assertIn("event", self.focused())
        before = self.page.evaluate("inspector.selected")
        self.press("ArrowUp", "Enter")
        self.assertNotEqual(self.page.evaluate("inspector.selected"), before)
        self.press("Escape")
        self.assertTrue(self.page.locator("#details").is_hidden())

    def test_tiles_are_one_tab_stop_with_arrows_among_them(self):
        self.open("busy")
        self.press("2")
        tiles = self.page.locator(".tile")
        self.assertEqual(self.page.locator(".tile[tabindex='0']").count(), 1)
        self.page.locator(".tile[tabindex='0']").focus()
        self.press("ArrowRight", "ArrowRight")
        self.assertEqual(self.page.evaluate("[...document.querySelectorAll('.tile')].indexOf(document.activeElement)"), 2)
        self.press("Enter")
        self.assertTrue(self.page.locator("#details").is_visible())
        self.assertGreater(tiles.count(), 20)

    def test_the_shortcuts_are_listed_and_do_what_is_listed(self):
        self.open("busy")
        self.press("?")
        self.assertTrue(self.page.locator("#help").is_visible())
        self.assertGreater(self.page.locator("#help kbd").count(), 15)
        self.press("Escape")
        self.assertTrue(self.page.locator("#help").is_hidden())
        width = "inspector.view.to - inspector.view.from"
        before = self.page.evaluate(width)
        self.press("+")
        self.assertLess(self.page.evaluate(width), before)
        self.press("-", "0")
        self.assertAlmostEqual(self.page.evaluate(width), before, delta=before / 50)
        self.press("+", "+")
        start = self.page.evaluate("inspector.view.from")
        self.press(",")
        self.assertLess(self.page.evaluate("inspector.view.from"), start)
        self.press("Shift+ArrowLeft", "Shift+ArrowLeft")
        self.assertEqual(self.text("#clock"), "01:29.000")
        self.press("Shift+ArrowRight")
        self.assertEqual(self.text("#clock"), "01:30.000")
        self.press("Space")
        self.assertEqual(self.page.get_attribute("#pause", "aria-label"), "Pause")

    def test_the_focus_shows(self):
        self.open("story")
        for _ in range(12):
            self.press("Tab")
            outline = self.page.evaluate("""() => [document.activeElement, document.activeElement.closest("label")].some((one) => one && getComputedStyle(one).outlineStyle !== "none"
                && parseFloat(getComputedStyle(one).outlineWidth) >= 2)""")
            self.assertTrue(outline, f"no outline on {self.focused()}")


# The contrast of every text that is seen with what is behind it, after WCAG 2.
CONTRAST = """() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const parse = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data].map((one, at) => at === 3 ? one / 255 : one); };
    const over = (front, back) => front.slice(0, 3).map((one, at) => one * front[3] + back[at] * (1 - front[3]));
    const light = (color) => { const [r, g, b] = color.map((one) => (one /= 255) <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const found = [];
    for (const element of document.querySelectorAll("body *")) {
        const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent.trim()).join("");
        const box = element.getBoundingClientRect();
        if (!text || box.width < 2 || box.height < 2 || !element.checkVisibility() || element.closest(":disabled, [aria-disabled=true], fieldset:disabled, .unseen, option, .skip, canvas")) continue;
        let back = [255, 255, 255];
        const chain = [];
        for (let one = element; one; one = one.parentElement) chain.unshift(getComputedStyle(one).backgroundColor);
        for (const color of chain) back = over(parse(color), back);
        const front = over(parse(getComputedStyle(element).color), back);
        const [high, low] = [light(front), light(back)].sort((a, b) => b - a);
        const ratio = (high + 0.05) / (low + 0.05);
        if (ratio < 4.5) found.push(`${element.tagName}.${element.className} "${text.slice(0, 30)}" ${ratio.toFixed(2)}`);
    }
    return found;
}"""

# What a screen reader needs: names, roles, references that lead somewhere.
RULES = """() => {
    const found = [];
    const nameOf = (one) => (one.getAttribute("aria-label") || (one.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim()
        || [...(one.labels ?? [])].map((label) => label.textContent).join(" ") || one.textContent || one.alt || "").trim();
    for (const one of document.querySelectorAll("button, a[href], input, select, [role=tab], [role=slider], [role=application], [role=img], [role=group], [role=region], [role=log], dialog, nav, aside, progress:not([aria-hidden])")) {
        if (one.checkVisibility() && !nameOf(one)) found.push(`no name: ${one.outerHTML.slice(0, 90)}`);
    }
    for (const canvas of document.querySelectorAll("canvas")) if (!canvas.ariaHidden && !canvas.getAttribute("aria-label")) found.push(`canvas without words: ${canvas.className}`);
    for (const one of document.querySelectorAll("[aria-controls], [aria-labelledby], [aria-describedby], label[for]")) {
        for (const name of ["aria-controls", "aria-labelledby", "aria-describedby", "for"]) for (const id of (one.getAttribute(name) ?? "").split(" ").filter(Boolean)) if (!document.getElementById(id)) found.push(`${name} leads nowhere: ${id}`);
    }
    const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
    for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) found.push(`twice: ${id}`);
    for (const one of document.querySelectorAll("[tabindex]")) if (one.tabIndex > 0) found.push(`a tab order of its own: ${one.id}`);
    if (document.querySelectorAll("[role=tab][aria-selected=true]").length !== 1) found.push("not one tab is selected");
    if (document.querySelectorAll("[role=tab][tabindex='-1']").length !== 4) found.push("the tabs are not one tab stop");
    if (document.querySelectorAll("main").length !== 1 || document.querySelectorAll("h1").length !== 1) found.push("not one main and one h1");
    if (!document.documentElement.lang || !document.title) found.push("no language or title");
    for (const table of document.querySelectorAll("table")) if (!table.caption || [...table.querySelectorAll("th")].some((th) => !th.scope)) found.push("a table without caption or scopes");
    return found;
}"""


class LooksTests(PageTest):
    def test_text_can_be_read_in_light_and_dark(self):
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            self.open("busy")
            self.page.evaluate("inspector.setCursor(44e9)")
            for key, name in VIEWS.items():
                self.press(key)
                if name == "timeline":
                    self.press("ArrowLeft")
                with self.subTest(f"{name}, {scheme}"):
                    self.assertEqual(self.page.evaluate(CONTRAST), [])
            self.press("?")
            with self.subTest(f"help, {scheme}"):
                self.assertEqual(self.page.evaluate(CONTRAST), [])

    def test_fills_can_be_told_from_what_they_lie_on(self):
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            self.open("busy")
            low = self.page.evaluate("""async () => {
                const { colors } = await import("./theme.js"), { classes } = await import("./kinds.js");
                const light = (color) => { const [r, g, b] = color.match(/[\\d.]+/g).map((one) => (one /= 255) <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
                const ratio = (one, other) => { const [high, low] = [light(one), light(other)].sort((a, b) => b - a); return (high + 0.05) / (low + 0.05); };
                const palette = colors();
                const fills = [...classes.map((name) => `c-${name}`), ...["fresh", "stale", "loading", "failed", "dropped"].map((name) => `slot-${name}`), "bins"];
                const found = fills.flatMap((fill) => ["panel", "stripe"].filter((back) => ratio(palette[fill], palette[back]) < 3).map((back) => `${fill} on ${back}`));
                const { fills: drawn, inks } = inspector.views.timeline;
                return [...found, ...classes.filter((_, at) => ratio(drawn[at], inks[at]) < 4.5).map((name) => `text on ${name}`)];
            }""")
            self.assertEqual(low, [], scheme)

    def test_the_legend_has_what_is_on_the_screen(self):
        self.open("story")
        self.assertEqual(self.page.locator("#view-timeline .legend li").all_text_contents(), ["source", "store", "memory", "done", "waiting", "failed", "missed, cancelled", "strategy"])
        self.page.evaluate("inspector.setView(1.95e9, 2.05e9)")
        self.drawn()
        self.assertEqual(self.page.locator("#view-timeline .legend li").all_text_contents(), ["strategy"])

    def test_the_exports_are_reached_where_there_is_little_room(self):
        self.open("story")
        self.page.set_viewport_size({"width": 360, "height": 640})
        for name in ("save", "trace", "text"):
            self.assertTrue(self.page.locator(f"#{name}").is_visible(), name)

    def test_names_of_lanes_cover_nothing_that_is_drawn(self):
        self.open("busy")
        for width in (360, 390, 760, 1280):
            self.page.set_viewport_size({"width": width, "height": 760})
            self.drawn()
            covered = self.page.evaluate("""() => { const { places, stage, labels } = inspector.views.timeline, box = stage.getBoundingClientRect();
                return places.filter(({ top }, at) => [...labels.children[at].children].some((one) => {
                    const { right, bottom } = one.getBoundingClientRect();
                    return right > box.left && bottom > box.top + top;
                })).map(({ lane }) => lane.definition.id); }""")
            with self.subTest(width):
                self.assertTrue(self.page.evaluate("inspector.views.timeline.places.length > 5"))
                self.assertEqual(covered, [])

    def test_the_theme_follows_the_system_until_it_is_chosen(self):
        background = "getComputedStyle(document.documentElement).backgroundColor"
        self.open("story")
        light = self.page.evaluate(background)
        self.page.emulate_media(color_scheme="dark")
        dark = self.page.evaluate(background)
        self.assertNotEqual(light, dark)
        self.page.click("#theme")
        self.assertEqual(self.page.get_attribute("#theme", "aria-label"), "Theme: light")
        self.assertEqual(self.page.evaluate(background), light)
        self.page.reload()
        self.until("window.inspector?.connection.state === 'saved'")
        self.assertEqual(self.page.evaluate(background), light, "it is remembered")
        self.page.click("#theme")
        self.assertEqual(self.page.evaluate(background), dark)

    def test_names_and_roles(self):
        self.open("busy")
        for key, name in VIEWS.items():
            self.press(key)
            if name == "timeline":
                self.press("ArrowLeft")
            with self.subTest(name):
                self.assertEqual(self.page.evaluate(RULES), [])

    def test_every_width_and_both_directions(self):
        self.open("busy")
        self.press("ArrowLeft")
        for direction in ("ltr", "rtl"):
            self.page.evaluate("(direction) => { document.documentElement.dir = direction; }", direction)
            for width, height in ((360, 640), (768, 900), (1280, 800), (3840, 2160)):
                self.page.set_viewport_size({"width": width, "height": height})
                for key, name in VIEWS.items():
                    self.press(key)
                    with self.subTest(f"{name}, {width}, {direction}"):
                        wide = self.page.evaluate("""() => [document.documentElement, ...document.querySelectorAll("main, main > section:not([hidden]), #head, #foot, .card, .forms")]
                            .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => `${one.tagName}#${one.id}.${one.className} ${one.scrollWidth} in ${one.clientWidth}`)""")
                        self.assertEqual(wide, [])

    def test_canvases_have_the_pixels_of_the_screen(self):
        for ratio in (1, 1.5, 3):
            context = self.browser.new_context(viewport={"width": 900, "height": 700}, device_scale_factor=ratio)
            page = context.new_page()
            self.server.live = recordings.json_chunk("I", {"saved": True}) + recorded("story")[8:]
            page.goto(self.server.address)
            page.wait_for_selector(".stage canvas[width]", state="attached")
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            got = page.evaluate("(() => { const one = document.querySelector('.stage canvas'); return one.width / one.getBoundingClientRect().width; })()")
            self.assertAlmostEqual(got, ratio, delta=0.01)
            context.close()

    def test_little_motion_for_those_who_want_it(self):
        self.page.emulate_media(reduced_motion="reduce")
        self.open("story")
        moving = self.page.evaluate("[...document.querySelectorAll('*')].filter((one) => getComputedStyle(one).transitionDuration !== '0s' || getComputedStyle(one).animationName !== 'none').length")
        self.assertEqual(moving, 0)


if __name__ == "__main__":
    unittest.main(verbosity=1)
