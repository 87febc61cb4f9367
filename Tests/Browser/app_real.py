"""The real thing: the app, its backend and two users, as `scripts/run open` serves them. scripts/browser --real builds and
runs it; APP names the executable."""
import os
import subprocess
import tempfile
import time
import unittest

import tests
from app_tests import LIST
from tests import PageTest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
setUpModule, tearDownModule = tests.setUpModule, tests.tearDownModule


class AppRealTests(PageTest):
    def setUp(self):
        super().setUp()
        self.home = tempfile.TemporaryDirectory()
        self.app = subprocess.Popen([os.environ["APP"], "open", "--port", "0", "--posts", "1200", "--folder", self.home.name], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self.addresses = []
        for line in self.app.stdout:
            if line.startswith("open "):
                self.addresses.append(line.split()[1])
            if len(self.addresses) == 2:
                break
        self.assertEqual(len(self.addresses), 2, "the app told no addresses")
        self.pages = []
        for address in self.addresses:
            page = self.context.new_page()
            page.set_default_timeout(30_000)
            page.on("pageerror", lambda error: self.problems.append(str(error)))
            page.on("request", lambda request: self.requests.append(request.url))
            page.goto(address)
            self.pages.append(page)
        for page in self.pages:
            self.wait(page, f"window.app?.router.top && {LIST}?.isFilled")

    def tearDown(self):
        self.requests = [url for url in self.requests if not url.startswith(tuple(self.addresses))]
        self.context.close()
        self.app.terminate()
        self.app.wait()
        self.app.stdout.close()
        self.home.cleanup()
        super().tearDown()

    def wait(self, page, expression, seconds=60):
        limit = time.monotonic() + seconds
        while True:
            value = page.evaluate(expression)
            if value:
                return value
            self.assertLess(time.monotonic(), limit, f"never: {expression}")
            page.wait_for_timeout(30)

    def go(self, page, address):
        page.evaluate("(address) => { location.hash = address; }", f"#/{address}")
        self.wait(page, f"location.hash === '#/{address}' && app.router.top && (!{LIST} || {LIST}.isFilled && !{LIST}.pending)")

    def converse(self, page, name):
        """Opens the conversation with somebody."""
        self.go(page, "chats")
        row = self.wait(page, f"{LIST}.entries.find(({{ row }}) => row.name === '{name}')?.row.conversation")
        self.go(page, f"conversation/{row}")

    def texts(self, page):
        return page.evaluate(f"{LIST}.entries.filter(({{ row }}) => row.kind === 'message').map(({{ row }}) => typeof row.text === 'string' ? row.text : (row.text ?? []).map((run) => run.s).join(''))")

    def say(self, page, text):
        page.fill("[data-kind=conversation] textarea", text)
        page.press("[data-kind=conversation] textarea", "Enter")

    def read(self, page, text, status):
        self.wait(page, f"""{LIST}.entries.some(({{ row }}) => row.mine && row.status === '{status}' && JSON.stringify(row.text).includes('{text}'))""")

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
        self.wait(grace, "app.router.top.state.typing")
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

    def test_search_finds_posts_and_messages(self):
        ada, grace = self.pages
        self.go(ada, "search")
        ada.fill("[data-kind=search] input", "ordinary")
        ada.fill("[data-kind=search] input", "nothing")
        self.wait(ada, f"{LIST}.entries.some(({{ row }}) => row.kind === 'hit')")
        self.wait(ada, f"{LIST}.entries.filter(({{ row }}) => row.kind === 'hit').every(({{ row }}) => JSON.stringify(row.text).toLowerCase().includes('nothing'))")
        self.converse(ada, "Grace")
        self.say(ada, "The lighthouse at noon")
        self.wait(ada, f"{LIST}.entries.some(({{ row }}) => row.mine && ['delivered', 'sent', 'read'].includes(row.status))")
        self.go(ada, "chatSearch")
        ada.fill("[data-kind=chatSearch] input", "lighthouse")
        self.wait(ada, f"{LIST}.entries.some(({{ row }}) => row.kind === 'hit')")
        ada.click(".row-hit a")
        self.wait(ada, "app.router.top.route.kind === 'conversation'")


if __name__ == "__main__":
    unittest.main()
