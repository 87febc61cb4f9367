"""How much the page works while the real app's feed is scrolled, and that memory does not grow over a long time of it."""
import json
import os
import time
import unittest

import tests
from app_real_base import RealTest
from app_tests import LIST

setUpModule, tearDownModule = tests.setUpModule, tests.tearDownModule

GAPS = """() => {
    const seen = window.watched = { gaps: [] };
    let last = 0;
    const frame = (now) => {
        if (last) seen.gaps.push(now - last);
        last = now;
        if (!seen.isOver) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
}"""
# Scrolls down until a row is at the top, and waits at the end of the list for more; gives up after two minutes. Returns the row at the top.
REACH = """async (row) => {
    const { list } = app.router.top;
    const end = performance.now() + 120_000;
    while (list.visible.first < row && performance.now() < end) {
        list.scroller.scrollTop += 400;
        await new Promise((done) => requestAnimationFrame(done));
    }
    return list.visible.first;
}"""
# Scrolls through the first thousand posts and back for some time.
SWING = """async (seconds) => {
    const { scroller } = app.router.top.list;
    const end = performance.now() + seconds * 1000;
    let way = 1, swings = 0;
    while (performance.now() < end) {
        const at = scroller.scrollTop;
        scroller.scrollTop += 400 * way;
        await new Promise((done) => requestAnimationFrame(done));
        const { first } = app.router.top.list.visible;
        if (way > 0 ? first >= 1000 || scroller.scrollTop === at : scroller.scrollTop <= 0) { way = -way; swings += 1; }
    }
    return swings;
}"""


class FrameTests(RealTest):
    windows = 1

    def test_no_frame_takes_more_than_fifty_milliseconds_of_work(self):
        page = self.ada
        page.mouse.move(600, 400)
        before = os.getloadavg()[0]
        page.evaluate(GAPS)
        self.browser.start_tracing(page=page, categories=["toplevel", "disabled-by-default-devtools.timeline", "devtools.timeline", "disabled-by-default-devtools.timeline.frame", "devtools.timeline.frame"])
        for way in (1, 1, -1):
            for _ in range(60):
                page.mouse.wheel(0, 240 * way)
                page.wait_for_timeout(16)
        trace = json.loads(self.browser.stop_tracing())["traceEvents"]
        gaps = sorted(page.evaluate("(() => { watched.isOver = true; return watched.gaps; })()"))
        threads = {(one["pid"], one["tid"]) for one in trace if one["name"] == "thread_name" and one["args"]["name"] == "CrRendererMain"}
        mine = sorted((one for one in trace if (one["pid"], one.get("tid")) in threads and "ts" in one), key=lambda one: one["ts"])
        # What the page's thread works from one frame to the next, by the thread's own clock: other programs do not count.
        work, end = [0.0], 0
        for one in mine:
            if one["name"] == "BeginMainThreadFrame":
                work.append(0.0)
            elif "tdur" in one and one["ts"] >= end:
                work[-1] += one["tdur"] / 1000
                end = one["ts"] + one["dur"]
        work.sort()
        self.assertGreater(len(work), 100, "frames are measured")
        self.assertGreater(self.ada.evaluate(f"{LIST}.entries.length"), 60, "the list has grown")
        print(f"frames: {len(work)}; work at most {work[-1]:.1f} ms, of 99 in 100 {work[len(work) * 99 // 100]:.1f} ms, of every other {work[len(work) // 2]:.1f} ms; "
              f"gap at most {gaps[-1]:.0f} ms, of 99 in 100 {gaps[len(gaps) * 99 // 100]:.0f} ms; load {before:.1f} before, {os.getloadavg()[0]:.1f} after")
        self.assertLessEqual(work[-1], 50, "ms of work in one frame")


class MemoryTests(RealTest):
    """scripts/browser --soak [MINUTES]; half a minute in --real."""
    windows = 1

    def test_memory_is_flat_while_one_scrolls_back_and_forth(self):
        page = self.ada
        seconds = 60 * float(os.environ.get("SOAK_MINUTES", "0.5"))
        session = self.context.new_cdp_session(page)
        series = []

        def measure(at):
            for _ in range(2):
                session.send("HeapProfiler.collectGarbage")
            one = (at, session.send("Runtime.getHeapUsage")["usedSize"], session.send("Memory.getDOMCounters")["nodes"], self.processes.memory("Ada"))
            print(f"{one[0]:5.0f} s: heap {one[1] / 1e6:6.2f} MB, {one[2]:5d} nodes, app {one[3] / 1e6:6.1f} MB", flush=True)
            series.append(one)

        # The list keeps the rows that have come: first all of those that are gone through.
        self.assertGreaterEqual(page.evaluate(REACH, 1000), 1000)
        page.evaluate(SWING, 5)
        began = time.monotonic()
        measure(0)
        swings = 0
        while (passed := time.monotonic() - began) < seconds:
            swings += page.evaluate(SWING, min(30, max(seconds / 6, 3), seconds - passed + 0.1))
            measure(time.monotonic() - began)
        third = max(1, len(series) // 3)
        for what, column, room in (("heap", 1, 5e5), ("nodes", 2, 300), ("app", 3, 8e6)):
            first, last = max(one[column] for one in series[:third]), min(one[column] for one in series[-third:])
            self.assertLessEqual(last, first + room, f"{what}: {first} at first, {last} at last, {swings} turns")


if __name__ == "__main__":
    unittest.main()
