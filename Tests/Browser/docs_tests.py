"""Tests of the documentation's site in a real browser: scripts/browser docs, after scripts/docs has made it. It is opened from a
folder, without a server, and from a server, where DocC's renderer shows it.

Nothing sleeps for a fixed time: the tests wait for what they look for.
"""
import functools
import html.parser
import http.server
import os
import pathlib
import threading
import unittest
import urllib.parse

from playwright.sync_api import expect, sync_playwright

SITE = pathlib.Path(os.environ.get("SITE") or pathlib.Path(__file__).resolve().parents[2] / ".build/docs/site")
ARTICLES = {"choosing-keys": "Choosing keys", "offline-first": "Offline first", "moving-here": "Moving here"}
# Main words of other libraries, and the type of ours that the page of the word must lead to.
WORDS = {"PagingSource": "PaginatorDataSource", "useInfiniteQuery": "PaginatorList", "GraphQLQueryPager": "PaginatorList", "SourceOfTruth": "MediatorDataSource",
         "fetchNextPage": "PaginatorList", "NSCache": "PaginatorInMemoryCache", "RemoteMediator": "MediatorDataSource", "staleTime": "PaginatorPage",
         "PaginatorVM": "PaginatorList", "StoreBuilder": "CallbackPaginator"}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def setUpModule():
    global _playwright, _browser, _server
    if not (SITE / "index.html").exists():
        raise unittest.SkipTest("there is no site; scripts/docs makes it") if not os.environ.get("CI") else RuntimeError("there is no site; scripts/docs makes it")
    _playwright = sync_playwright().start()
    _browser = _playwright.chromium.launch(executable_path=os.environ["BROWSER"], args=["--no-sandbox"])
    _server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=SITE))
    threading.Thread(target=_server.serve_forever, daemon=True).start()


def tearDownModule():
    _browser.close()
    _playwright.stop()
    _server.shutdown()
    _server.server_close()


class SiteTest(unittest.TestCase):
    def setUp(self):
        self.page = _browser.new_context(viewport={"width": 1400, "height": 900}).new_page()
        self.page.set_default_timeout(30_000)
        self.problems, self.requests = [], []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda message: self.problems.append(message.text) if message.type == "error" else None)
        self.page.on("request", lambda request: self.requests.append(request.url))

    def tearDown(self):
        self.page.context.close()
        self.assertEqual(self.problems, [], "the page complained")
        self.assertEqual([url for url in self.requests if not url.startswith((self.address, "data:", "blob:"))], [], "the page asked another host")

    def find(self, words):
        self.page.locator("[name=q]").fill(words)
        self.page.locator("[name=q]").press("Enter")
        self.page.wait_for_url(lambda url: f"q={urllib.parse.quote_plus(words)}" in url)

    def looks_like_the_landing_page(self):
        expect(self.page.locator("h1")).to_have_text("Paginator")
        for heading in ("What it is for", "Four steps", "Start here", "Reference"):
            expect(self.page.locator("h2, h3").get_by_text(heading, exact=True).first).to_be_visible()
        self.assertGreaterEqual(self.page.locator("pre").count(), 4)
        self.page.wait_for_function("() => [...document.querySelectorAll('main img')].some((picture) => picture.naturalWidth > 0)")

    def looks_like_the_article(self, title):
        expect(self.page.locator("h1")).to_have_text(title)
        self.page.wait_for_function("() => document.querySelector('main').textContent.length > 1000")


class FromAFolderTests(SiteTest):
    address = SITE.as_uri()

    def open(self, path):
        self.page.goto(f"{self.address}/{path}")

    def test_the_first_page_leads_to_the_landing_page(self):
        self.open("index.html")
        self.page.wait_for_url("**/documentation/paginator/index.html")
        self.looks_like_the_landing_page()

    def test_the_landing_page_leads_to_the_articles(self):
        for title in ARTICLES.values():
            self.open("documentation/paginator/index.html")
            self.page.get_by_role("link", name=title, exact=True).first.click()
            self.looks_like_the_article(title)

    def test_search_finds_a_symbol_first_by_its_name(self):
        self.open("documentation/paginator/index.html")
        self.find("PaginatorList")
        first = self.page.locator("dt a").first
        expect(first).to_have_text("PaginatorList")
        first.click()
        expect(self.page.locator("h1")).to_have_text("PaginatorList")
        expect(self.page.locator("pre.declaration").first).to_contain_text("class PaginatorList")

    def test_search_finds_a_page_by_words_of_its_summary(self):
        self.open("documentation/paginator/choosing-keys/index.html")
        self.find("pages of two searches")
        expect(self.page.locator("dt a").first).to_have_text("Choosing keys")

    def test_search_says_when_nothing_is_there(self):
        self.open("search.html")
        self.find("<b>zyzzyva</b>")
        expect(self.page.locator("h1")).to_have_text("0 pages with “<b>zyzzyva</b>”")

    def test_foreign_words_lead_to_ours(self):
        for word, ours in WORDS.items():
            with self.subTest(word):
                self.open("search.html")
                self.find(word)
                self.page.locator("dt a").first.click()
                expect(self.page.locator("h1")).to_contain_text(word)
                self.page.get_by_role("link", name=ours, exact=True).first.click()
                expect(self.page.locator("h1")).to_have_text(ours)


class FromAServerTests(SiteTest):
    def setUp(self):
        super().setUp()
        self.address = f"http://127.0.0.1:{_server.server_port}/"

    def open(self, path):
        self.page.goto(f"{self.address}documentation/paginator/{path}")

    def test_the_landing_page(self):
        self.page.goto(self.address)
        self.page.wait_for_url("**/documentation/paginator/")
        self.looks_like_the_landing_page()

    def test_the_articles(self):
        for name, title in ARTICLES.items():
            self.open(f"{name}/")
            self.looks_like_the_article(title)

    def test_search_leads_to_a_symbol(self):
        self.open("choosing-keys/")
        self.looks_like_the_article("Choosing keys")
        self.find("PaginatorListConfig")
        self.page.locator("dt a").first.click()
        expect(self.page.locator("h1")).to_have_text("PaginatorListConfig")

    def test_the_sidebar_lists_the_articles(self):
        self.open("")
        expect(self.page.locator(".navigator-card-item", has_text="A first list").first).to_be_visible()


class Links(html.parser.HTMLParser):
    """The links of a page, and what links may lead to in it."""

    def __init__(self):
        super().__init__()
        self.links, self.anchors = [], set()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.add(attributes.get("id"))
        self.links += [attributes[name] for name in ("href", "src") if attributes.get(name)]


class LinkTests(unittest.TestCase):
    def test_no_link_leads_nowhere(self):
        known, broken = {}, []

        def read(path):
            if path not in known:
                known[path] = Links()
                known[path].feed(path.read_text(encoding="utf-8"))
            return known[path]

        pages = [SITE / "index.html", SITE / "search.html", *(SITE / "documentation").rglob("index.html")]
        self.assertGreater(len(pages), 1000)
        for page in pages:
            for link in read(page).links:
                file, _, anchor = link.partition("#")
                if urllib.parse.urlparse(link).scheme in ("http", "https", "mailto", "data"):
                    continue
                target = pathlib.Path(os.path.normpath(page.parent / urllib.parse.unquote(file))) if file else page
                if not target.is_file():
                    broken.append(f"{page.relative_to(SITE)}: {link}")
                elif anchor and target.suffix == ".html" and urllib.parse.unquote(anchor) not in read(target).anchors:
                    broken.append(f"{page.relative_to(SITE)}: {link}: no such heading")
        self.assertEqual(broken, [])


if __name__ == "__main__":
    unittest.main()
