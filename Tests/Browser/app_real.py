"""The real thing: the app, its backend and two users, as `scripts/run open` serves them. scripts/browser --real builds and
runs it; APP names the executable."""
import time
import unittest
import urllib.error

import tests
from app_real_base import RealTest
from app_tests import LIST

setUpModule, tearDownModule = tests.setUpModule, tests.tearDownModule


class AppRealTests(RealTest):
    def test_a_like_without_a_network_is_sent_once_by_the_next_process(self):
        ada, grace = self.pages
        row = self.wait(ada, f"{LIST}.entries.find(({{ row }}) => row.kind === 'post')?.row")
        pid = self.wait(ada, "app.pid ?? 1")
        ada.locator("#side").get_by_label("Offline").check()
        self.wait(ada, "app.network.offline")
        like = f"document.querySelector('[data-id=\"{row['id']}\"] .act-like')?.ariaPressed"
        ada.click(f"[data-id=\"{row['id']}\"] .act-like")
        self.wait(ada, f"{like} === 'true'")
        self.go(ada, "settings")
        ada.get_by_role("button", name="End this app's process").click()
        self.wait(ada, "!document.querySelector('#lost').hidden")
        self.wait(ada, "document.querySelector('#lost').hidden && app.socket.isOpen")
        self.assertEqual(self.wait(ada, "app.pid ?? 1") == pid and pid != 1, False, "another process")
        self.go(ada, "feed")
        self.wait(ada, f"{like} === 'true'")
        ada.locator("#side").get_by_label("Offline").set_checked(False)
        self.wait(ada, "app.network.offline === false")
        # The other user's app asks the server; a like that was sent twice would count twice, or be taken back.
        count = f"{LIST}.entries.find(({{ row }}) => row.id === '{row['id']}')?.row.likes"
        limit = time.monotonic() + 40
        while grace.evaluate(count) != row["likes"] + 1:
            self.assertLess(time.monotonic(), limit, f"{grace.evaluate(count)} likes and not {row['likes'] + 1}")
            grace.click(".refresh")
            grace.wait_for_timeout(500)
        self.assertEqual(ada.evaluate(count), row["likes"] + 1)

    def test_two_windows_chat_through_a_killed_backend(self):
        ada, grace = self.pages
        self.converse(ada, "Grace")
        self.converse(grace, "Ada")
        ada.type("[data-kind=conversation] textarea", "Are you", delay=30)
        self.wait(grace, "document.querySelector('[data-kind=conversation] .typing-line').checkVisibility()")
        self.assertIn("typing", grace.text_content("[data-kind=conversation] .subtitle.is-typing"))
        self.say(ada, "Are you there?")
        self.wait(grace, f"JSON.stringify({LIST}.entries.map(({{ row }}) => row.text)).includes('Are you there?')")
        self.read(ada, "Are you there?", "read")
        kill = ada.locator("#side").get_by_role("button", name="Kill: Backend")
        kill.click()
        self.wait(ada, "app.network.backend === 'down'")
        for text in ("One for later", "And one more"):
            self.say(ada, text)
            self.read(ada, text, "sending")
        self.say(grace, "Written in the dark")
        ada.locator("#side").get_by_role("button", name="Start: Backend").click()
        for text in ("One for later", "And one more"):
            self.read(ada, text, "read")
        self.wait(ada, f"JSON.stringify({LIST}.entries.map(({{ row }}) => row.text)).includes('Written in the dark')")
        for page in self.pages:
            self.assertEqual(sorted(self.texts(page)), sorted(["Are you there?", "One for later", "And one more", "Written in the dark"]))
        mine = [text for text in self.texts(grace) if text != "Written in the dark"]
        self.assertEqual(mine, ["Are you there?", "One for later", "And one more"], "in the order they were written")

    def test_delivered_and_read_are_shown_when_they_are(self):
        ada, grace = self.pages
        self.converse(ada, "Grace")
        mark = "[...document.querySelectorAll('.row-message.mine .mark')].at(-1)?.textContent"
        badge = "document.querySelector('#rail .badge')"
        self.say(ada, "Look at this")
        self.wait(ada, f"{mark} === 'Delivered'")
        self.wait(grace, f"{badge}.checkVisibility() && {badge}.textContent === '1' && document.title.startsWith('(1)')")
        self.assertEqual(ada.evaluate(mark), "Delivered", "nobody has looked")
        self.converse(grace, "Ada")
        self.wait(ada, f"{mark} === 'Read'")
        self.wait(grace, f"!{badge}.checkVisibility()")
        grace.type("[data-kind=conversation] textarea", "I see", delay=30)
        self.wait(ada, "document.querySelector('[data-kind=conversation] .typing-line').checkVisibility()")
        self.wait(ada, "!document.querySelector('[data-kind=conversation] .typing-line').checkVisibility()")

    def test_search_finds_messages(self):
        ada, grace = self.pages
        self.converse(ada, "Grace")
        self.say(ada, "The lighthouse at noon")
        self.wait(ada, f"{LIST}.entries.some(({{ row }}) => row.mine && ['delivered', 'sent', 'read'].includes(row.status))")
        self.go(ada, "chatSearch")
        ada.fill("[data-kind=chatSearch] input", "lighthouse")
        self.wait(ada, f"{LIST}.entries.some(({{ row }}) => row.kind === 'hit')")
        ada.click(".row-hit a")
        self.wait(ada, "app.router.top.route.kind === 'conversation'")

    def test_an_attack_of_another_user_does_nothing(self):
        ada, _ = self.pages
        run = "window.hacked=1"
        attack = f"<img src=x onerror={run}>"
        mallory = self.backend(attack)
        dialogs = []
        ada.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        post = f"""<p onclick="{run}">Look<script>{run}</script><img src=x onerror="{run}"><svg onload="{run}"></svg><iframe srcdoc="<script>parent.{run}</script>"></iframe>
            <a href="javascript:{run}">one</a> <a href=" jAvA&#10;script:{run}">two</a> <a href="data:text/html,<script>{run}</script>">three</a>
            <a href="https://example.org/" onclick="{run}" style="position:fixed;inset:0">good</a> &lt;img src=x onerror={run}&gt; {{{{{run}}}}} ${{{run}}}</p>"""
        for address in (f"javascript:{run}", "//evil.example/x.png", "https://evil.example/x.png"):
            with self.assertRaises(urllib.error.HTTPError, msg=address):
                mallory.post(post, attachments=[{"type": "image", "contentUrl": address}])
        mallory.post(post)
        ada.click(".refresh")
        row = self.wait(ada, f"{LIST}.entries.find(({{ row }}) => row.author?.name === '{attack}')?.id")
        ada.evaluate(f"{LIST}.toStart()")
        self.harmless(ada)
        self.assertIn(attack, ada.text_content(f"[data-id='{row}'] .name"))
        mallory.send("POST", f"/v1/posts/{row[1:]}/comments", {"requestId": "1", "content": attack})
        self.go(ada, f"post/{row}")
        self.wait(ada, "document.querySelector('.row-comment .text')?.textContent.includes('onerror')")
        text = ada.locator(".detail .text")
        self.assertIn(attack, text.text_content())
        self.assertEqual(text.locator("a").evaluate_all("(all) => all.map((one) => [one.href, one.rel])"), [["https://example.org/", "noopener noreferrer nofollow"]])
        text.click(position={"x": 5, "y": 5})
        self.harmless(ada)
        mallory.say(self.backend("Ada").user["id"], [attack, f"javascript:{run}", f'"><script>{run}</script>'])
        self.go(ada, "chats")
        self.wait(ada, f"{LIST}.entries.some(({{ row }}) => row.name === '{attack}' && row.unread === 3)")
        self.harmless(ada)
        self.converse(ada, attack)
        self.wait(ada, "document.querySelectorAll('.row-message .bubble').length === 3")
        self.assertEqual(ada.locator(".row-message a[href^='javascript']").count(), 0)
        self.harmless(ada)
        self.go(ada, "chatSearch")
        ada.fill("[data-kind=chatSearch] input", "onerror")
        self.wait(ada, "document.querySelector('.row-hit')")
        self.harmless(ada)
        self.assertEqual(dialogs, [])

    def harmless(self, page):
        """Nothing of others runs, or could. That nothing is asked of another host is seen at the end of each test."""
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.assertIsNone(page.evaluate("window.hacked ?? null"))
        found = page.evaluate("""[...document.querySelectorAll("body *")].filter((one) => one.matches("script, iframe, object, embed, base, meta, link, form[action]") || [...one.attributes].some(({ name, value }) => name.startsWith("on") || /^\\s*(javascript|data|vbscript):/i.test(value))).map((one) => one.outerHTML.slice(0, 120))""")
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
