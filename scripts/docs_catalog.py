"""Makes the catalog of articles of the DocC site out of the Markdown pages of the repository, which stay the one source.

Links between pages become links of DocC, which checks them; those to files that are not part of the site become plain text.
The name of a public type in back-ticks becomes a link to its reference. Each word of another library, of the table in
docs/moving/moving-here.md, becomes a page, since DocC looks for titles alone: whoever looks for the word finds what it is here.
"""
import pathlib
import re
import shutil

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARCHITECTURE = ROOT / "ARCHITECTURE.md"
LANDING = ROOT / "docs/guide/README.md"
MOVING = ROOT / "docs/moving/moving-here.md"
# Not for who uses the library: how it is released.
LEFT_OUT = {"docs/releasing.md"}


def pages():
    """The pages of the site, the landing page first."""
    found = [*sorted(ROOT.glob("docs/**/*.md")), ARCHITECTURE, ROOT / "CHANGELOG.md", ROOT / "SECURITY.md"]
    found = [path for path in found if path != LANDING and str(path.relative_to(ROOT)) not in LEFT_OUT]
    return [LANDING, *found]


def name(path):
    # The name `tutorials` is DocC's own.
    return "Paginator" if path == LANDING else "tutorial-overview" if path.stem == "tutorials" else path.stem


def slug(heading):
    """The anchor that a forge makes of a heading."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", heading).strip().lower()).replace(" ", "-")


def headings(path):
    """The anchors of a page, with their headings."""
    found, in_code = {}, False
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            in_code = not in_code
        if not in_code and (match := re.match(r"#+ (.*)", line)):
            found[slug(match.group(1))] = match.group(1)
    return found


def outside_code(text, change):
    """The text with everything that is no code block changed."""
    parts = re.split(r"(^```.*?^```[^\n]*$)", text, flags=re.M | re.S)
    return "".join(part if part.startswith("```") else change(part) for part in parts)


def linked(path, known, text):
    """The text of a page with its links as DocC has them."""
    def replaced(match):
        mark, title, target = match.groups()
        if re.match(r"[a-z]+:", target):
            return match.group(0)
        file, _, anchor = target.partition("#")
        file = (path.parent / file).resolve() if file else path
        if mark:
            return f"![{title}]({file.name})"
        if (file, anchor) == (ARCHITECTURE, "glossary"):
            return f"[{title}](doc:Glossary)"
        if file.parent.suffix == ".docc":
            module = file.parent.stem
            return f"[{title}](doc:/{module}/{file.stem})"
        if file not in known:
            return title
        if anchor:
            heading = headings(file)[anchor]
            return f"[{title}](<doc:{name(file)}#{re.sub(r'[^A-Za-z0-9]+', '-', heading.replace('`', '').replace(chr(39), '')).strip('-')}>)"
        return f"[{title}](doc:{name(file)})"
    return re.sub(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]*)\)", replaced, text)


def with_symbols(text, symbols):
    """The names of public types, in back-ticks and outside headings and links, as links to their reference."""
    def replaced(match):
        return f"``{symbols[match.group(1)]}``" if match.group(1) in symbols else match.group(0)
    lines = []
    for line in text.split("\n"):
        # A link's title stays text.
        parts = re.split(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\]\([^)]*\))", line)
        lines.append(line if line.startswith("#") else "".join(
            part if part.startswith(("[", "![")) else re.sub(r"(?<!`)`([A-Za-z]+)`(?!`)", replaced, part) for part in parts))
    return "\n".join(lines)


def foreign_words():
    """The rows of the table of foreign names: the words without back-ticks, whose they are, and what they are here."""
    table = MOVING.read_text(encoding="utf-8").partition("## Foreign names")[2]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line.startswith("| ")]
    # Without the head of the table and the line below it.
    return [(words.replace("`", ""), whose.replace("`", ""), here) for words, whose, here in rows[2:]]


def write_foreign_words(folder, symbols):
    """Writes a page for each row of the table of foreign names, and returns the topic that lists them."""
    guides = {re.search(r"^# From (?:a )?(.*?)(?:'s.*)?$", path.read_text(encoding="utf-8"), re.M).group(1): path
              for path in MOVING.parent.glob("from-*.md")}
    links = []
    for words, whose, here in foreign_words():
        page = folder / f"word-{slug(words)}.md"
        also = [f"``{symbols[word]}``" for word in dict.fromkeys(re.findall(r"\w+", here)) if word in symbols]
        also += [f"<doc:{name(path)}>" for of, path in guides.items() if of.split()[0] in whose] + [f"<doc:{name(MOVING)}>"]
        page.write_text(f"# {words}\n\nA word of other libraries ({whose}), and what it is here.\n\n## Here\n\n{with_symbols(here, symbols)}.\n\n"
                        "## See\n\n" + "\n".join(f"- {link}" for link in also) + "\n", encoding="utf-8")
        links.append(f"- <doc:{page.stem}>\n")
    return "\n\n## Topics\n\n### Words of other libraries\n\n" + "".join(links)


def write(folder, symbols):
    """Writes the catalog. `symbols` has the path of DocC for each name of a public type."""
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    known = set(pages())
    for path in pages():
        def change(part, path=path):
            part = linked(path, known, part)
            # In a list of topics each line is one link.
            part = re.sub(r"^- \[[^\]]*\]\((doc:[^)]*)\)$", r"- <\1>", part, flags=re.M)
            return with_symbols(part, symbols)
        text = outside_code(path.read_text(encoding="utf-8"), change)
        if path == LANDING:
            title, rest = text.split("\n", 1)
            text = f"{title}\n\n@Metadata {{\n  @TechnologyRoot\n}}\n{rest}"
        if path == MOVING:
            text += write_foreign_words(folder, symbols)
        target = folder / f"{name(path)}.md"
        if target.exists():
            raise SystemExit(f"error: two pages have the name {target.name}")
        target.write_text(text, encoding="utf-8")
    # A page of its own, made of the one source.
    words = re.search(r"^## Glossary\n(.*?)(?=^## |\Z)", ARCHITECTURE.read_text(encoding="utf-8"), re.M | re.S).group(1)
    (folder / "Glossary.md").write_text(f"# Glossary\n\nThe words of the documentation, each for one thing.\n{words}", encoding="utf-8")
    for picture in [*ROOT.glob("docs/**/*.svg"), *ROOT.glob("docs/**/*.png")]:
        target = folder / picture.name
        if target.exists():
            raise SystemExit(f"error: two pictures have the name {picture.name}")
        shutil.copy(picture, target)
