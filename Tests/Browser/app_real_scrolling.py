"""The real app's lists: what the backend lists, in its order, and nothing that one reads jumps."""
import time
import unittest
from urllib.parse import quote

import tests
from app_real_base import RealTest
from app_tests import LIST, SEEN

setUpModule, tearDownModule = tests.setUpModule, tests.tearDownModule

# Scrolls by `step` pixels until `count` rows of a kind were met, or nothing comes any more. In each step, a row that is drawn
# before and after has moved by as much as the list was scrolled.
WALK = """async ({ kind, step, count, edge }) => {
    const { list } = app.router.top, { scroller } = list;
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const edges = () => new Map([...list.rows.children].map((row) => [row.dataset.id, row.getBoundingClientRect()[edge]]));
    const met = [], known = new Set(), jumps = [];
    let before = edges(), still = performance.now(), most = 0;
    const meet = () => {
        const rows = [...list.rows.children].filter((row) => row.entry.row.kind === kind && !known.has(row.dataset.id));
        for (const row of step > 0 ? rows : rows.reverse()) { known.add(row.dataset.id); met.push(row.dataset.id); }
    };
    meet();
    while (met.length < count && performance.now() - still < 3000) {
        const at = scroller.scrollTop;
        scroller.scrollTop += step;
        const asked = scroller.scrollTop - at;
        if (asked) still = performance.now();
        await frame();
        await frame();
        const after = edges();
        most = Math.max(most, after.size);
        for (const row of list.rows.children) {
            const { id } = row.dataset;
            if (row.entry.row.kind === kind && before.has(id) && Math.abs(before.get(id) - after.get(id) - asked) > 1.01) jumps.push(`${id} ${before.get(id) - after.get(id)} for ${asked}`);
        }
        meet();
        before = after;
    }
    return { met, jumps, most, top: scroller.scrollTop };
}"""


class ScrollingTests(RealTest):
    windows = 1

    def walk(self, **options):
        return self.ada.evaluate(WALK, {"kind": "post", "step": 650, "count": 1e9, "edge": "top"} | options)

    def test_to_the_thousandth_post_and_back(self):
        feed = self.backend().feed()
        self.assertEqual(len(feed), 1200)
        down = self.walk(count=1000)
        self.assertEqual(down["jumps"], [])
        self.assertEqual(down["met"][:1000], feed[:1000], "each post once, in the backend's order")
        self.still(self.ada)
        back = self.walk(step=-650)
        self.assertEqual(back["jumps"], [])
        self.assertEqual(list(reversed(back["met"]))[:1000], feed[:1000], "the same on the way back")
        self.still(self.ada)
        seen = self.ada.evaluate(SEEN)
        self.assertEqual((seen[0]["id"], seen[0]["top"] >= 0), (feed[0], True), "the first post is where it was")
        ids = self.ids(self.ada, "post")
        self.assertEqual(ids, feed[:len(ids)])
        self.assertLess(max(down["most"], back["most"]), 60, "rows in the page")

    def test_what_others_do_moves_nothing_that_is_read(self):
        ada, other = self.ada, self.backend()
        feed = other.feed()
        self.walk(count=300)
        ada.evaluate(f"{LIST}.scroller.scrollTop -= 300")
        self.still(ada)
        before = ada.evaluate(SEEN)
        at = feed.index(before[0]["id"])
        named = {f"p{post['postId']}": post["author"]["name"] for post in other.pages("/v1/feed")}
        removed = [feed[at - 40], feed[at - 3], feed[at - 2], feed[at + 12]]
        changed = [feed[at - 20], feed[at - 1], feed[at + 15]]
        authors = {}
        for id in removed + changed:
            name = named[id]
            author = authors[name] = authors.get(name) or self.backend(name)
            if id in removed:
                author.send("DELETE", f"/v1/posts/{id[1:]}")
            else:
                version = author.send("GET", f"/v1/posts/{id[1:]}")["version"]
                author.send("PUT", f"/v1/posts/{id[1:]}", {"content": "<p>" + "Told anew, and longer. " * 12 + "</p>", "baseVersion": version})
        for number in range(3):
            other.post(f"<p>One more, {number}</p>")
        self.wait(ada, "app.router.top.state.waiting === 3")
        left = [id for id in feed if id not in removed]
        self.wait(ada, f"!{LIST}.entries.some(({{ id }}) => {removed}.includes(id)) && {LIST}.entries.filter(({{ id, row }}) => {changed}.includes(id) && JSON.stringify(row.text).includes('Told anew')).length === 3")
        for _ in range(2):
            self.still(ada)
            after = {row["id"]: row["top"] for row in ada.evaluate(SEEN)}
            for row in before:
                self.assertIn(row["id"], after)
                # The row that is read; those below it have made room or come nearer.
                self.assertAlmostEqual(after[row["id"]], row["top"], delta=1, msg=row["id"])
        ids = self.ids(ada, "post")
        self.assertEqual(ids, left[:len(ids)])
        ada.keyboard.press(".")
        self.wait(ada, f"JSON.stringify({LIST}.entries[0].row.text ?? '').includes('One more, 2')")
        self.still(ada)
        self.assertEqual(ada.evaluate(SEEN)[0]["id"], other.feed()[0])

    def test_older_messages_come_in_above_without_a_jump(self):
        ada, there = self.ada, self.backend("Grace")
        elsewhere = self.backend("Ada")
        wanted = []
        for at in range(0, 330, 11):
            wanted += there.say(elsewhere.user["id"], [f"Grace {number}. " + "So it goes. " * (number * 7 % 23) for number in range(at, at + 8)])
            wanted += elsewhere.say(there.user["id"], [f"Ada {number}. " + "And yet. " * (number * 5 % 31) for number in range(at + 8, at + 11)])
        self.converse(ada, "Grace")
        self.wait(ada, f"{LIST}.entries.at(-1)?.id === '{wanted[-1]}' && {LIST}.isAtEnd()")
        self.still(ada)
        # Once they are read, a window begins at the end.
        ada.reload()
        self.wait(ada, f"app.router.top?.route.kind === 'conversation' && {LIST}.entries.at(-1)?.id === '{wanted[-1]}' && {LIST}.isAtEnd()")
        self.still(ada)
        self.assertLess(len(self.ids(ada, "message")), len(wanted), "there is more above")
        # At rest near the top: rows come in, and what is read stays.
        for _ in range(3):
            count = ada.evaluate(f"{LIST}.entries.length")
            if count > len(wanted):
                break  # Where pages came two at a time, all of them are here by now.
            ada.evaluate(f"{LIST}.scroller.scrollTop = 200")
            before = ada.evaluate(SEEN)
            self.wait(ada, f"{LIST}.entries.length > {count} && !{LIST}.pending")
            for _ in range(2):
                after = {row["id"]: row["bottom"] for row in ada.evaluate(SEEN)}
                for row in before:
                    if row["id"] in wanted:
                        # By the lower edge: a message that is not the first of its author any more loses room above.
                        self.assertAlmostEqual(after[row["id"]], row["bottom"], delta=1, msg=row["id"])
                self.still(ada)
        ada.evaluate(f"{LIST}.toEnd()")
        self.still(ada)
        up = self.walk(kind="message", step=-240, edge="bottom")
        self.assertEqual(up["jumps"], [])
        self.assertEqual(list(reversed(up["met"])), wanted, "each message once, in the order of the server")
        self.assertLess(up["most"], 90, "rows in the page")

    def test_search_has_what_the_backend_finds_to_its_end(self):
        ada, other = self.ada, self.backend()
        self.go(ada, "search")
        hits = f"{LIST}.entries.filter(({{ row }}) => row.kind === 'hit').map(({{ row }}) => row.open.with.post)"
        for word in ("façade", "日本語"):
            wanted = [f"p{post['postId']}" for post in other.pages(f"/v1/search?q={quote(word)}")]
            self.assertGreater(len(wanted), 60)
            ada.fill("[data-kind=search] input", word)
            self.wait(ada, f"{hits}[0] === '{wanted[0]}'")
            limit = time.monotonic() + 60
            while ada.evaluate(f"{LIST}.entries.at(-1).row.state") != "end":
                self.assertLess(time.monotonic(), limit, "the end is not reached")
                ada.evaluate(f"{LIST}.scroller.scrollTop += 900")
                ada.wait_for_timeout(30)
            self.assertEqual(ada.evaluate(hits), wanted)
        ada.fill("[data-kind=search] input", "zyzzyva")
        self.assertEqual(other.pages("/v1/search?q=zyzzyva"), [])
        self.wait(ada, f"{hits}.length === 0 && document.querySelector('[data-kind=search] .empty')?.checkVisibility()")
        self.assertIn("othing", ada.text_content("[data-kind=search] .empty"))


if __name__ == "__main__":
    unittest.main()
