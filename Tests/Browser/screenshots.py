"""Makes the pictures of docs/inspector.md: python screenshots.py FOLDER. scripts/browser --screenshots runs it."""
import os
import shutil
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

import recordings
from recordings import S
from server import Server

# The page takes the system's font; a machine without a desktop has one that no desktop has.
FAMILIES = ["system-ui", "sans", "sans-serif", "DejaVu Sans", "Noto Sans"]
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><include>/etc/fonts/fonts.conf</include>%s</fontconfig>""" % "".join(
    f"""<match target="pattern"><test name="family"><string>{family}</string></test><edit name="family" mode="prepend" binding="strong"><string>Inter</string></edit></match>"""
    for family in FAMILIES)

SHOW_FAILURE = """() => {
    const { recording } = inspector;
    inspector.setView(37.5e9, 53e9);
    for (let index = 0; index < recording.length; index += 1) {
        if (recording.kindName(index) === "attemptEnded" && recording.attempt[index] === 2 && recording.time[index] > 43e9) { inspector.select(index, { reveals: false }); return; }
    }
}"""


def at(seconds):
    return f"() => inspector.setCursor({seconds * S})"


PICTURES = [
    ("timeline", "1", SHOW_FAILURE, 920), ("map", "2", at(64), 740), ("queue", "3", at(44), 1060), ("cache", "4", at(71), 740), ("actions", "5", None, 640),
]


def picture(browser, server, folder, name, key, prepare, scheme, size=(1280, 800), ratio=1.5):
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, device_scale_factor=ratio, color_scheme=scheme)
    page = context.new_page()
    page.goto(server.address)
    while not page.evaluate("Boolean(window.inspector?.connection.isRunning && inspector.recording.length)"):
        page.wait_for_timeout(50)
    if key != "5":
        # What has happened: nothing moves while the picture is taken.
        page.evaluate("() => { inspector.togglePause(); inspector.fit(); }")
    page.keyboard.press(key)
    if prepare:
        page.evaluate(prepare)
    if key == "2":
        page.locator(".tile-stale, .tile-fresh").nth(3).click()
    if key == "5":
        page.select_option("#do-error", "retry")
        page.fill("#do-latency", "400")
        page.click("button[data-do=faults]")
        page.click("button[data-do=invalidate]")
        page.mouse.move(640, 600)
    page.wait_for_timeout(500)
    path = os.path.join(folder, f"{name}-{scheme}.png")
    page.screenshot(path=path)
    context.close()
    shrink(path)


def shrink(path):
    """Fewer colors, where there is a program for it."""
    if shutil.which("pngquant"):
        subprocess.run(["pngquant", "--force", "--skip-if-larger", "--strip", "--quality", "60-95", "--output", path, path], check=False)
    print(f"{path}: {os.path.getsize(path) // 1000} kB")


def main(folder):
    os.makedirs(folder, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as fonts:
        fonts.write(FONTS)
        fonts.flush()
        server = Server()
        server.live = recordings.busy().chunks()

        def answer(command):
            if command["do"] == "faults":
                server.send(recordings.json_chunk("I", {"lost": 0, "paused": False, "faults": [command]}))
            return {"id": command["id"], "ok": command["do"] != "clear", "error": None}

        server.answer = answer
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=os.environ["BROWSER"], args=["--no-sandbox"], env={**os.environ, "FONTCONFIG_FILE": fonts.name})
            for name, key, prepare, height in PICTURES:
                for scheme in ("light", "dark"):
                    picture(browser, server, folder, name, key, prepare, scheme, (1280, height))
            picture(browser, server, folder, "narrow", "1", "() => inspector.setView(37.5e9, 53e9)", "light", (390, 760), 2)
            picture(browser, server, folder, "narrow", "2", at(64), "dark", (390, 760), 2)
            browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
