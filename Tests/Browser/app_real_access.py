"""What everybody needs of the real app's screens: names, roles, contrast, the order of the focus, the language."""
import time
import unittest

import tests
from app_real_base import RealTest
from app_tests import LIST, RULES
from tests import CONTRAST

setUpModule, tearDownModule = tests.setUpModule, tests.tearDownModule

# Beside the rules of app_tests.py: the landmarks, and that what comes by itself is told to those who do not see it.
LANDMARKS = """() => {
    const found = [];
    for (const [name, one] of [["nav", "#rail"], ["main", "main"], ["aside", "#side"]]) {
        const element = document.querySelector(one);
        if (element?.tagName.toLowerCase() !== name) found.push(`no ${name}`);
        if (name !== "main" && !element?.getAttribute("aria-label")) found.push(`${name} has no name`);
    }
    const outside = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility() && !one.closest("nav, main, aside, [aria-live], [role=alert], .skip") && [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()));
    for (const one of outside) found.push(`in no landmark: ${one.textContent}`);
    for (const one of document.querySelectorAll(".banner.bad")) if (one.role !== "alert") found.push("a banner that is not told");
    if (document.querySelector("main section.screen:not([hidden]) h2")?.textContent.trim() === "") found.push("a screen without a heading");
    if (document.querySelectorAll("[aria-current=page]").length !== 1) found.push("not one current place");
    return found;
}"""
STOP = """() => {
    const one = document.activeElement, last = window.lastStop;
    // Behind the last stop is the browser's frame, or, without one, the first stop again.
    if (one === document.body || (last && one.id === "skip")) return null;
    window.lastStop = one;
    const style = getComputedStyle(one), box = one.getBoundingClientRect();
    return { what: one.outerHTML.slice(0, 90), isInList: Boolean(one.closest(".rows")), shows: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        isInside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth, follows: !last || last === one || Boolean(last.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) };
}"""


class AccessTests(RealTest):
    posts = 120
    windows = 1

    def screens(self):
        """Addresses of all screens, with something in each."""
        ada, grace = self.backend("Ada"), self.backend("Grace")
        ada.post("<p>For later</p>", publishAt=int(time.time() + 7200) * 1000)
        group = ada.send("POST", "/v1/groups", {"requestId": "1", "title": "The lake", "memberIds": [str(grace.user["id"])]})
        grace.say(ada.user["id"], ["Is the boat dry?", "See https://example.org/ for the weather"])
        grace.say(group["id"], ["Hello all"])
        post = ada.feed()[1]
        author = ada.send("GET", f"/v1/posts/{post[1:]}")["author"]["id"]
        grace.send("POST", f"/v1/posts/{post[1:]}/comments", {"requestId": "2", "content": "Well said"})
        self.go(self.ada, "chats")
        self.wait(self.ada, f"{LIST}.entries.some(({{ row }}) => row.name === 'The lake' && row.unread)")
        return ["feed", f"post/{post}", "compose", "profile", f"profile/{author}", "scheduled", "search", "chats", f"conversation/{grace.user['id']}", f"conversation/{group['id']}", "chatSearch", f"group/{group['id']}", "group", "settings"]

    def show(self, address):
        page = self.ada
        self.go(page, address)
        for kind, word in (("search", "lake"), ("chatSearch", "boat")):
            if address == kind:
                page.fill(f"[data-kind={kind}] input", word)
                self.wait(page, f"{LIST}.entries.some(({{ row }}) => row.kind === 'hit')")
        if address == "scheduled":
            self.wait(page, f"{LIST}.entries.length > 0")
        page.wait_for_load_state("networkidle")

    def test_each_screen_keeps_the_rules_in_light_and_dark(self):
        page = self.ada
        screens = self.screens()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for address in screens:
                self.show(address)
                with self.subTest(f"{address}, {scheme}"):
                    self.assertEqual(page.evaluate(RULES), [])
                    self.assertEqual(page.evaluate(LANDMARKS), [])
                    self.assertEqual(page.evaluate(CONTRAST), [])
                    self.assertEqual(page.evaluate("[document.documentElement.lang, document.documentElement.dir]"), ["en", "ltr"])
        # What the screens say of a network that is away, is told and can be read too.
        page.locator("#side").get_by_label("Offline").check()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for address in ("feed", "chats", "search"):
                self.go(page, address)
                with self.subTest(f"{address}, offline, {scheme}"):
                    if address == "feed":
                        self.wait(page, "[...document.querySelectorAll('.banner')].some((one) => one.checkVisibility())")
                        self.assertIn("offline", page.text_content("#said").lower())
                    self.assertEqual(page.evaluate(RULES) + page.evaluate(LANDMARKS) + page.evaluate(CONTRAST), [])

    def test_the_focus_goes_through_each_screen_in_its_order(self):
        page = self.ada
        for address in self.screens():
            self.show(address)
            page.evaluate("window.lastStop = null")
            page.focus("#skip")
            way = []
            for _ in range(120):
                stop = page.evaluate(STOP)
                if stop is None:
                    break
                # A list is left with one key: it may go on for a thousand rows.
                isLong = stop["isInList"] and sum(one["isInList"] for one in way) >= 12
                way.append(stop)
                page.keyboard.press("Control+End" if isLong else "Tab")
            with self.subTest(address):
                self.assertIsNone(stop, "the focus goes out of the page at last")
                self.assertGreater(len(way), 12)
                self.assertEqual([one["what"] for one in way if not one["follows"]], [], "against the order of what is read")
                self.assertEqual([one["what"] for one in way if not one["shows"]], [], "nobody sees where it is")
                self.assertEqual([one["what"] for one in way if not one["isInside"]], [], "out of the window")

    def test_arabic_is_told_as_such_from_right_to_left(self):
        page = self.ada
        screens = self.screens()
        self.go(page, "settings")
        self.wait(page, "!document.querySelector('#language').closest('.setting').hidden")
        page.select_option("#language", "ar")
        self.wait(page, "document.documentElement.dir === 'rtl'")
        self.assertEqual(page.get_attribute("html", "lang"), "ar")
        for address in screens:
            self.go(page, address)
            with self.subTest(address):
                self.assertEqual(page.evaluate(RULES), [])
                self.assertEqual(page.evaluate(LANDMARKS), [])
        # What users write has a direction of its own.
        self.go(page, "feed")
        self.assertEqual(page.evaluate("[...document.querySelectorAll('.row-post .text')].filter((one) => one.dir !== 'auto').length"), 0)


if __name__ == "__main__":
    unittest.main()
