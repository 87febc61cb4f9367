"""Makes the catalog of articles of the DocC site out of the Markdown pages of the repository, which stay the one source.

Links between pages become links of DocC, which checks them; those to files that are not part of the site become plain text.
The name of a public type in back-ticks becomes a link to its reference.
"""
import pathlib
import re
import shutil

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARCHITECTURE = ROOT / "ARCHITECTURE.md"
LANDING = ROOT / "docs/guide/README.md"
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
