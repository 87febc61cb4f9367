"""That scripts/prose notices what it is for, and a figure of the documentation that no kept output has."""
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = """# A page

A paginator asks the source once for each page, and keeps what came.
"""


def complaints(text):
    """What scripts/prose says of a page; nothing where it is content."""
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.md"
        page.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, ROOT / "scripts/prose", page], capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else ""


class Planted(unittest.TestCase):
    def assertNotices(self, text, what):
        self.assertIn(what, complaints(PAGE + "\n" + text + "\n"))

    def test_a_plain_page_is_fine(self):
        self.assertEqual(complaints(PAGE), "")

    def test_a_misspelling(self):
        self.assertNotices("It retries what has failed untill it works.", "untill ==> until")

    def test_a_sentence_that_is_too_long(self):
        self.assertNotices("A page " + "that is asked for and loaded and kept and shown " * 6 + "is there.", "a sentence of")

    def test_a_word_that_is_not_the_glossarys(self):
        self.assertNotices("It purges the page.", "“purges”: clear, evict or remove")

    def test_a_word_that_promises_too_much(self):
        self.assertNotices("It is blazingly fast.", "“blazingly”")

    def test_a_sentence_that_has_to_be_read_twice(self):
        self.assertNotices("The page is renewed for who asks next.", "“for who”: for those who; or name them")
        self.assertNotices("An expired page is loaded anew.", "“loaded anew”: reload, load again")
        self.assertEqual(complaints(PAGE + "\nIt is for whoever needs it, and for the one who asked.\n"), "")

    def test_a_link_that_leads_nowhere(self):
        self.assertNotices("More is in [the guide](nowhere.md).", "a link to nowhere.md, which is not there")

    def test_a_heading_that_is_not_there(self):
        self.assertNotices("More is [below](#nowhere).", "has no heading #nowhere")

    def test_a_figure_that_no_output_has(self):
        kept = "<!-- figures: docs/results/2026-11-23-prefetch.txt -->\n"
        self.assertEqual(complaints(PAGE + "\n" + kept + "It waits for 2.27 s in 1,000 pages.\n"), "")
        self.assertNotices(kept + "It waits for 2.28 s in 1,000 pages.", "2.28 does not stand in docs/results/2026-11-23-prefetch.txt")
        self.assertNotices(kept + "| Waiting |\n| ---: |\n| 2.28 |", "2.28 does not stand in")
        self.assertNotices(kept.replace("prefetch", "nothing") + "It waits for 2.27 s.", "no output docs/results/2026-11-23-nothing.txt")

    def test_code_is_left_out(self):
        self.assertEqual(complaints(PAGE + "\n```\npurges(simply)\n```\n"), "")


if __name__ == "__main__":
    unittest.main()
