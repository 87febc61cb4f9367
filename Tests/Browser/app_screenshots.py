"""Makes the pictures of docs/app.md: python app_screenshots.py FOLDER. scripts/browser --screenshots app runs it."""
import os
import sys
import tempfile

from playwright.sync_api import sync_playwright

from app_server import AppServer
from app_world import NOW, World
from screenshots import FONTS, shrink

DESK, PHONE = (1240, 760), (390, 760)


def chat(server):
    key = ("conversation", "c1")
    server.world.auto = False
    for text, mine, status in (("I have the map, the thermos and the tickets.", True, "read"), ("And the dog is at the station already", False, None), ("Then nothing can go wrong", True, "delivered")):
        server.world.say(key, text, mine, status)
    server.world.state(key, typing="Grace Okafor is typing…")


def bad_network(server):
    server.world.network.update(offline=True, latency=400)
    server.tell({"t": "network", **server.world.network})
    server.world.state(("feed",), offline=True, waiting=12, freshness="Updated 4 minutes ago")


def write(page):
    page.fill("textarea", "First snow on the ridge, and nobody has walked in it yet.")
    page.locator(".sample").nth(3).click()
    page.wait_for_selector(".attached-list img")


def search(text):
    def type_it(page):
        page.fill("input[type=search]", text)
        page.wait_for_selector(".row-post, .row-hit")
    return type_it


# Name, address, size, what the app does, what the user does.
PICTURES = [
    ("feed", "feed", DESK, None, None), ("network", "feed", DESK, bad_network, None), ("post", "post/p2", DESK, None, None), ("compose", "compose", DESK, None, write),
    ("profile", "profile/u1", DESK, None, None), ("scheduled", "scheduled", DESK, None, None), ("search", "search", DESK, None, search("lake")), ("chats", "chats", PHONE, None, None),
    ("conversation", "conversation/c1", DESK, chat, None), ("chat-search", "chatSearch/c1", DESK, None, search("thermos")), ("group", "group/c4", DESK, None, None), ("settings", "settings", DESK, None, None),
    ("feed-phone", "feed", PHONE, None, None), ("conversation-phone", "conversation/c1", PHONE, chat, None),
]


def picture(browser, folder, name, address, size, act, use, scheme, language="en"):
    server = AppServer(World(language=language))
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, device_scale_factor=2 if size is PHONE else 1, color_scheme=scheme, timezone_id="UTC", locale="en-US", reduced_motion="reduce")
    page = context.new_page()
    page.clock.set_fixed_time(NOW)
    page.goto(f"{server.address}#/{address}")
    page.wait_for_selector(".screen h2")
    page.wait_for_load_state("networkidle")
    if act:
        with server.lock:
            act(server)
    if use:
        use(page)
    if address.startswith("conversation"):
        page.evaluate("document.activeElement.blur()")
    page.wait_for_timeout(500)
    while page.evaluate("[...document.images].some((one) => one.checkVisibility() && !one.complete)"):
        page.wait_for_timeout(50)
    path = os.path.join(folder, f"{name}-{scheme}.png")
    page.screenshot(path=path)
    context.close()
    server.shutdown()
    shrink(path)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as fonts:
        fonts.write(FONTS)
        fonts.flush()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=os.environ["BROWSER"], args=["--no-sandbox"], env={**os.environ, "FONTCONFIG_FILE": fonts.name})
            for name, address, size, act, use in PICTURES:
                for scheme in ("light", "dark"):
                    picture(browser, folder, name, address, size, act, use, scheme)
            picture(browser, folder, "arabic", "conversation/c1", DESK, chat, None, "light", language="ar")
            browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
