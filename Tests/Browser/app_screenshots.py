"""Makes the pictures of docs/app.md, of the real app and its backend: python app_screenshots.py FOLDER.
scripts/browser --screenshots app runs it."""
import os
import sys
import tempfile
import time
from datetime import datetime, timedelta, timezone

from playwright.sync_api import sync_playwright

from app_pictures import picture
from app_real_base import Backend, ProcessSupervisor
from app_tests import LIST
from app_world import TEXTS
from screenshots import FONTS, shrink

DESK, PHONE = (1240, 760), (390, 760)
LAKE = [
    (False, "Are you coming to the lake on Saturday?"), (True, "Yes! I take the early train."),
    (False, "Then I bring the boat down before you are there. It is dry again, I painted it last week."), (False, "Blue!"),
    (True, "Blue was the only right choice."), (True, "Shall I bring anything?"), (False, "Bread, and the good cheese. And tell nobody about the cheese."),
    (True, "I have the map, the thermos and the tickets."), (False, "And the dog is at the station already"), (True, "Then nothing can go wrong"),
]
POSTS = TEXTS + ["The lake is warm enough, for people who do not mind a cold lake.", "Somebody has left a blue umbrella at the lake. It waits at the kiosk."]
# Which posts have pictures, and of what.
PICTURED = {0: [(3, "The ridge in the morning")], 7: [(11, "The first valley"), (12, "The next one")], 9: [(21, "The coast")]}
COMMENTS = [("Noor Haddad", "This is the one I was waiting for."), ("Grace", "I was there an hour later and saw nothing of it."), ("Ada", "Come with me next time."), ("Tomasz Nowak", "The second picture, please, as large as you have it.")]


def fill(processes):
    """What the users have said and done, as others see it; answers the addresses of screens by name."""
    address = processes.argument("--backend")
    people = {name: Backend(address, name) for name in ("Ada", "Grace", "Noor Haddad", "Tomasz Nowak", "Yuki Tanaka")}
    ada, grace, noor = people["Ada"], people["Grace"], people["Noor Haddad"]
    group = ada.send("POST", "/v1/groups", {"requestId": "g", "title": "Saturday at the lake", "memberIds": [str(people[name].user["id"]) for name in people if name != "Ada"]})["id"]
    for name, text in (("Tomasz Nowak", "Did you get the tickets?"), ("Yuki Tanaka", "Thank you for the book")):
        people[name].say(ada.user["id"], [text])
    noor.say(group, ["Who has room for a tent?"])
    grace.say(group, ["We do, and for the thermos too"])
    for mine, text in LAKE:
        ada.say(grace.user["id"], [text]) if mine else grace.say(ada.user["id"], [text])
    for hours, text in ((5, "<p>The boat is <b>blue</b>. Pictures follow when it is in the water.</p>"), (30, "<p>Which trains run on Sunday evening, and which of them take a dog?</p>")):
        at = (datetime.now(timezone.utc) + timedelta(hours=hours)).replace(minute=0, second=0)
        ada.post(text, publishAt=int(at.timestamp() * 1000))
    names = [name for name in people if name != "Ada"]
    for at in reversed(range(len(POSTS))):
        author = people[names[at % len(names)]]
        author.post(f"<p>{POSTS[at]}</p>", attachments=[author.image(picture(number), caption) for number, caption in PICTURED.get(at, [])])
    posts = ada.send("GET", "/v1/feed?limit=14")["feed"]
    for at, post in enumerate(posts):
        for number, one in enumerate(people.values()):
            if (at * 7 + number * 3) % 4:
                one.send("POST", f"/v1/posts/{post['postId']}/interactions", {"requestId": f"like{at}", "type": "LIKED"})
    post = posts[7]
    for at, (name, text) in enumerate(COMMENTS):
        people[name].send("POST", f"/v1/posts/{post['postId']}/comments", {"requestId": f"c{at}", "content": text})
    return {"post": f"post/p{post['postId']}", "profile": f"profile/{post['author']['id']}", "conversation": f"conversation/{grace.user['id']}", "group": f"group/{group}"}


def wait(page, expression):
    """The page lets nothing be evaluated in it, so it is asked again and again."""
    limit = time.monotonic() + 60
    while not page.evaluate(expression):
        if time.monotonic() > limit:
            raise AssertionError(f"never: {expression}")
        page.wait_for_timeout(50)


def write(page, _):
    page.fill("[data-kind=compose] textarea", "First snow on the ridge, and nobody has walked in it yet.")
    page.locator(".sample").nth(1).click()
    page.wait_for_selector(".attached-list img")


def search(text):
    def type_it(page, _):
        page.fill(".screen:not([hidden]) input[type=search]", text)
        wait(page, f"{LIST}.entries.some(({{ row }}) => row.kind === 'hit')")
    return type_it


def type_back(_, grace):
    """The other user types while the picture is made."""
    grace.type("[data-kind=conversation] textarea", "…", delay=20)


def go_offline(page, _):
    page.locator("#side").get_by_label("Offline").check()
    wait(page, "document.querySelector('[data-kind=feed] .banner').checkVisibility()")


def speak_arabic(page, _):
    page.evaluate("location.hash = '#/settings'")
    wait(page, "document.querySelector('#language') && !document.querySelector('#language').closest('.setting').hidden")
    page.select_option("#language", "ar")
    wait(page, "document.documentElement.dir === 'rtl'")


# Name, address, size, what the user does before it; the last ones change what stays.
PICTURES = [
    ("feed", "feed", DESK, None), ("post", "post", DESK, None), ("compose", "compose", DESK, write), ("profile", "profile", DESK, None), ("scheduled", "scheduled", DESK, None),
    ("search", "search", DESK, search("lake")), ("chats", "chats", PHONE, None), ("conversation", "conversation", DESK, type_back), ("chat-search", "chatSearch", DESK, search("thermos")),
    ("group", "group", DESK, None), ("settings", "settings", DESK, None), ("feed-phone", "feed", PHONE, None), ("conversation-phone", "conversation", PHONE, type_back), ("network", "feed", DESK, go_offline),
]


def take(page, grace, folder, name, address, use, schemes=("light", "dark")):
    page.evaluate("(address) => { location.hash = address; }", f"#/{address}")
    wait(page, f"location.hash === '#/{address}' && app.router.top && (!{LIST} || {LIST}.isFilled && !{LIST}.pending)")
    if use:
        use(page, grace)
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        if use is type_back:
            use(page, grace)
            wait(page, "document.querySelector('[data-kind=conversation] .typing-line').checkVisibility()")
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement.blur()")
        page.wait_for_load_state("networkidle")
        wait(page, "![...document.images].some((one) => one.checkVisibility() && !one.complete)")
        page.wait_for_timeout(300)
        path = os.path.join(folder, f"{name}-{scheme}.png")
        page.screenshot(path=path)
        shrink(path)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    processes = ProcessSupervisor(posts=300)
    try:
        with tempfile.NamedTemporaryFile("w", suffix=".conf") as fonts, sync_playwright() as playwright:
            fonts.write(FONTS)
            fonts.flush()
            browser = playwright.chromium.launch(executable_path=os.environ["BROWSER"], args=["--no-sandbox"], env={**os.environ, "FONTCONFIG_FILE": fonts.name})

            def window(address, size):
                context = browser.new_context(viewport={"width": size[0], "height": size[1]}, device_scale_factor=2 if size is PHONE else 1, timezone_id="UTC", locale="en-US", reduced_motion="reduce")
                page = context.new_page()
                page.goto(address)
                wait(page, f"window.app?.router.top && {LIST}?.isFilled")
                return page

            ada, grace = processes.addresses
            addresses = fill(processes)
            pages = {size: window(ada, size) for size in (DESK, PHONE)}
            other = window(grace, DESK)
            me = Backend(processes.argument("--backend"), "Ada").user["id"]
            # The message that was sent last is read by the other one.
            other.evaluate("location.hash = '#/chats'")
            wait(other, f"{LIST}.entries.some(({{ row }}) => row.conversation === '{me}')")
            other.evaluate(f"location.hash = '#/conversation/{me}'")
            other.wait_for_selector("[data-kind=conversation] textarea")
            for page in pages.values():
                page.evaluate("location.hash = '#/chats'")
                wait(page, f"{LIST}.entries.filter(({{ row }}) => row.last).length >= 4")
                page.evaluate("location.hash = '#/feed'")
                page.wait_for_selector(".refresh")
                page.click("[data-kind=feed] .refresh")
                wait(page, f"JSON.stringify({LIST}?.entries[0]?.row.text ?? '').includes('First frost')")
            for name, address, size, use in PICTURES:
                take(pages[size], other, folder, name, addresses.get(address, address), use)
            pages[DESK].locator("#side").get_by_label("Offline").set_checked(False)
            speak_arabic(pages[DESK], other)
            take(pages[DESK], other, folder, "arabic", addresses["conversation"], None, ("light",))
            browser.close()
    finally:
        processes.end()


if __name__ == "__main__":
    main(sys.argv[1])
