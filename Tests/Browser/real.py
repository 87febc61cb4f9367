"""The real thing: a simulated world that scripts/simulate records, served by scripts/inspect. scripts/browser --real runs it."""
import os
import subprocess
import sys
import unittest

import tests
from tests import VIEWS, PageTest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
setUpModule, tearDownModule = tests.setUpModule, tests.tearDownModule


class RealTests(PageTest):
    def setUp(self):
        super().setUp()
        path = os.path.join(self.folder.name, "world.pagrec")
        subprocess.run(["scripts/simulate", "--dense", "--seed", "42", "--record", path], cwd=ROOT, check=True, stdout=sys.stderr)
        self.inspect = subprocess.Popen(["scripts/inspect", path], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        address = next((line.split()[-1] for line in self.inspect.stdout if line.startswith("open ")), None)
        self.assertIsNotNone(address, "scripts/inspect told no address")
        self.address = address

    def tearDown(self):
        self.inspect.terminate()
        self.inspect.wait()
        self.inspect.stdout.close()
        self.requests = [url for url in self.requests if not url.startswith(self.address)]
        super().tearDown()

    def test_a_recorded_world_is_gone_through_step_by_step(self):
        self.page.goto(self.address)
        self.until("window.inspector?.connection.state === 'saved' && inspector.recording.length > 100")
        self.assertIn("seed 42", self.text("#source-text"))
        # Every kind that happened has a place of its own, and is no stranger.
        strangers = self.page.evaluate("""async () => {
            const { meaningOf } = await import("./kinds.js");
            const { kinds } = inspector.recording;
            return [...new Set([...inspector.recording.kind.subarray(0, inspector.recording.length)].map((one) => kinds[one]))].filter((name) => !name || meaningOf(name).label.includes("undefined"));
        }""")
        self.assertEqual(strangers, [])
        loads = self.page.evaluate("""(() => {
            const { recording } = inspector;
            let started = 0, wrong = 0;
            for (let index = 0; index < recording.length; index += 1) {
                if (recording.kindName(index) === "loadStarted") started += 1;
                if (recording.kindName(index) === "loadEnded" && !(recording.duration[index] >= 0 && recording.pageAt(recording.page[index])?.label)) wrong += 1;
            }
            return [started, wrong];
        })()""")
        self.assertGreater(loads[0], 10)
        self.assertEqual(loads[1], 0, "each load that ended has a page and a duration")
        self.page.focus("#scrubber")
        self.press("Home")
        for _ in range(60):
            self.press("ArrowRight")
        self.assertTrue(self.page.locator("#details").is_visible())
        self.press("2", "End")
        self.assertGreater(self.page.locator(".tile").count(), 0, "the lists have pages")
        for key in VIEWS:
            self.press(key)
            self.assertEqual(self.page.evaluate(tests.RULES), [])
        self.assertEqual(self.text(".reason"), "This is a saved recording: what it shows is over.")

    def test_its_files_come_from_the_server(self):
        self.page.goto(self.address)
        self.until("window.inspector?.connection.state === 'saved'")
        for name, begin in (("save", b"PAGREC01"), ("trace", b"{"), ("text", b"")):
            answer = self.context.request.get(self.address + self.page.get_attribute(f"#{name}", "href"))
            self.assertEqual(answer.status, 200, name)
            self.assertTrue(answer.body().startswith(begin) and len(answer.body()) > 1000, name)


if __name__ == "__main__":
    unittest.main()
