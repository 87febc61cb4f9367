"""Plain pages of a DocC site, which need no script and no server: the content of each page is written into its index.html.

DocC's own renderer fetches what it shows, which browsers refuse for a page from a folder. So each page has its content, links and
style in itself, and a field that searches all of them; where it comes from a server, the renderer takes its place. Kinds of content that this file does not
know end with an error, so that nothing is left out unseen.
"""
import html
import json
import os
import pathlib
import re
import urllib.parse

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --link: light-dark(#06c, #4ea3ff); --quiet: light-dark(#555, #aaa); }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0; }
header, main, footer { max-width: 52rem; margin: 0 auto; padding: 1rem 1.2rem; }
header { border-bottom: 1px solid var(--line); font-size: .9rem; } footer { color: var(--quiet); font-size: .85rem; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
h1 { line-height: 1.2; margin: .4rem 0 1rem; overflow-wrap: anywhere; } h2 { margin-top: 2.2rem; border-top: 1px solid var(--line); padding-top: 1rem; }
code { font: .88em ui-monospace, monospace; background: var(--soft); border-radius: 4px; padding: .1em .3em; overflow-wrap: anywhere; }
pre { background: var(--soft); border-radius: 8px; padding: .8rem 1rem; overflow-x: auto; line-height: 1.45; } pre code { background: none; padding: 0; overflow-wrap: normal; }
pre.declaration code { white-space: pre-wrap; } .eyebrow { color: var(--quiet); font-size: .9rem; } .abstract { font-size: 1.1rem; }
aside { border-left: 4px solid var(--link); background: var(--soft); padding: .1rem 1rem; margin: 1rem 0; }
table { border-collapse: collapse; display: block; overflow-x: auto; } th, td { border: 1px solid var(--line); padding: .35rem .6rem; text-align: left; vertical-align: top; }
img { max-width: 100%; height: auto; } dt { margin-top: .6rem; } dd { margin: 0 0 .4rem 1.4rem; color: var(--quiet); }
"""
# Finds pages by their titles first, then by what they say of themselves; each of the words must be there.
SEARCH = """<script src="search-index.js"></script>
<script>
const asked = new URLSearchParams(location.search).get("q") ?? "", words = asked.toLowerCase().split(/\\s+/).filter(Boolean);
const rank = ([title, kind, , about]) => {
  const name = title.toLowerCase(), all = `${name} ${about.toLowerCase()}`;
  if (!words.length || !words.every((word) => all.includes(word))) return 0;
  if (name === words.join(" ")) return kind.startsWith("Extended") ? 4 : 5;
  return name.startsWith(words[0]) ? 3 : words.every((word) => name.includes(word)) ? 2 : 1;
};
const found = pages.map((page) => [rank(page), page]).filter(([rank]) => rank).sort(([one, a], [other, b]) => other - one || a[0].length - b[0].length);
document.querySelector("[name=q]").value = asked;
document.querySelector("h1").textContent = words.length ? `${found.length} pages with “${asked}”` : "Search";
document.querySelector("dl").append(...found.slice(0, 100).flatMap(([, [title, kind, path, about]]) => {
  const [link, term, text] = ["a", "dt", "dd"].map((name) => document.createElement(name));
  link.href = `${path}/index.html`;
  link.textContent = title;
  term.append(link, ` ${kind}`);
  text.textContent = about;
  return [term, text];
}));
</script>"""
# It stays above DocC's renderer, whose own filter knows one product at a time.
FIELD = '<form action="%ssearch.html" role="search" style="max-width: 52rem; margin: 0 auto; padding: .4rem 1.2rem; text-align: end"><input name="q" type="search" placeholder="Search" aria-label="Search the documentation"></form>'
# Comes from a server: DocC's renderer, with its search, shows the page. From a folder: the page shows itself.
SWITCH = """<script>
if (location.protocol.startsWith("http")) {
  history.replaceState(null, "", location.href.replace(/index\\.html(?=$|[?#])/, ""));
  document.querySelectorAll("[data-plain]").forEach((part) => part.remove());
  %s.forEach((source) => { const script = document.createElement("script"); script.src = source; script.async = false; document.head.append(script); });
  %s.forEach((source) => { const link = document.createElement("link"); link.rel = "stylesheet"; link.href = source; document.head.append(link); });
}
</script>"""


class Page:
    """A page of the site, made of what DocC has written for its renderer."""

    def __init__(self, site, path):
        self.site, self.folder = pathlib.Path(site), pathlib.Path(site) / path
        self.data = json.loads((self.site / "data" / f"{path}.json").read_text(encoding="utf-8"))
        self.references = self.data.get("references", {})

    def address(self, url):
        """An address of the site as one relative to this page; what leads elsewhere as it is."""
        if re.match(r"[a-z]+:", url):
            return url
        path, hash, fragment = url.partition("#")
        target = self.site / path.lstrip("/")
        if target.is_dir():
            target /= "index.html"
        elif not target.exists():
            raise SystemExit(f"error: {self.folder.relative_to(self.site)} leads to {url}, which is not there")
        return urllib.parse.quote(os.path.relpath(target, self.folder)) + hash + fragment

    def link(self, identifier, text=None):
        reference = self.references.get(identifier, {})
        title = text or self.inlines(reference.get("titleInlineContent")) or html.escape(reference.get("title", identifier))
        if not text and reference.get("kind") == "symbol":
            title = f"<code>{title}</code>"
        return f'<a href="{html.escape(self.address(reference["url"]))}">{title}</a>' if "url" in reference else title

    def inlines(self, content):
        return "".join(self.inline(each) for each in content or [])

    def inline(self, each):
        kind, inner = each["type"], lambda: self.inlines(each["inlineContent"])
        if kind == "text": return html.escape(each["text"])
        if kind == "codeVoice": return f'<code>{html.escape(each["code"])}</code>'
        if kind in ("emphasis", "newTerm"): return f"<em>{inner()}</em>"
        if kind in ("strong", "inlineHead"): return f"<strong>{inner()}</strong>"
        if kind == "strikethrough": return f"<del>{inner()}</del>"
        if kind == "reference":
            text = self.inlines(each.get("overridingTitleInlineContent")) or html.escape(each.get("overridingTitle", ""))
            return self.link(each["identifier"], text)
        if kind == "link": return f'<a href="{html.escape(self.address(each["destination"]))}">{html.escape(each["title"])}</a>'
        if kind == "image":
            image = self.references[each["identifier"]]
            source = self.address(image["variants"][0]["url"])
            return f'<img src="{html.escape(source)}" alt="{html.escape(image.get("alt") or "")}">'
        raise SystemExit(f"error: {self.folder}: content of the kind {kind}, which scripts/docs_pages.py does not know")

    def blocks(self, content):
        return "\n".join(self.block(each) for each in content or [])

    def block(self, each):
        kind = each["type"]
        if kind == "paragraph": return f'<p>{self.inlines(each["inlineContent"])}</p>'
        if kind == "heading":
            level, anchor = each["level"], html.escape(each.get("anchor", ""))
            return f'<h{level} id="{anchor}">{html.escape(each["text"])}</h{level}>'
        if kind == "codeListing": return f'<pre><code>{html.escape(chr(10).join(each["code"]))}</code></pre>'
        if kind == "aside": return f'<aside><p><strong>{html.escape(each.get("name", each["style"]))}</strong></p>{self.blocks(each["content"])}</aside>'
        if kind in ("unorderedList", "orderedList"):
            tag = "ul" if kind == "unorderedList" else "ol"
            return f"<{tag}>" + "".join(f'<li>{self.blocks(item["content"])}</li>' for item in each["items"]) + f"</{tag}>"
        if kind == "termList":
            return "<dl>" + "".join(
                f'<dt>{self.inlines(item["term"]["inlineContent"])}</dt><dd>{self.blocks(item["definition"]["content"])}</dd>'
                for item in each["items"]) + "</dl>"
        if kind == "table":
            rows = []
            for number, row in enumerate(each["rows"]):
                tag = "th" if number == 0 and each["header"] in ("row", "both") else "td"
                rows.append("<tr>" + "".join(f"<{tag}>{self.blocks(cell)}</{tag}>" for cell in row) + "</tr>")
            return f'<table>{"".join(rows)}</table>'
        if kind == "links": return "<ul>" + "".join(f"<li>{self.link(item)}</li>" for item in each["items"]) + "</ul>"
        if kind == "thematicBreak": return "<hr>"
        raise SystemExit(f"error: {self.folder}: content of the kind {kind}, which scripts/docs_pages.py does not know")

    def sections(self):
        for section in self.data.get("primaryContentSections", []):
            kind = section["kind"]
            if kind == "declarations":
                for declaration in section["declarations"]:
                    text = "".join(token["text"] for token in declaration["tokens"])
                    yield f'<pre class="declaration"><code>{html.escape(text)}</code></pre>'
            elif kind == "content":
                yield self.blocks(section["content"])
            elif kind == "parameters":
                yield '<h2>Parameters</h2><dl>' + "".join(
                    f'<dt><code>{html.escape(each["name"])}</code></dt><dd>{self.blocks(each["content"])}</dd>' for each in section["parameters"]) + "</dl>"
            elif kind != "mentions":
                raise SystemExit(f"error: {self.folder}: a section of the kind {kind}, which scripts/docs_pages.py does not know")
        for name, heading in (("topicSections", "Topics"), ("defaultImplementationsSections", "Default implementations"),
                              ("relationshipsSections", "Relationships"), ("seeAlsoSections", "See also")):
            if not (groups := self.data.get(name)):
                continue
            yield f"<h2>{heading}</h2>"
            for group in groups:
                title = f'<h3>{html.escape(group["title"])}</h3>' if "title" in group else ""
                yield f'{title}<dl>' + "".join(
                    f'<dt>{self.link(each)}</dt><dd>{self.inlines(self.references.get(each, {}).get("abstract"))}</dd>'
                    for each in group["identifiers"]) + "</dl>"

    def trail(self):
        """Where the page stands: the landing page, then what it belongs to."""
        found = [f'<a href="{self.address("/documentation/paginator")}">Paginator</a>']
        paths = self.data.get("hierarchy", {}).get("paths") or [[]]
        for identifier in paths[0]:
            if self.references.get(identifier, {}).get("url", "").rstrip("/") != "/documentation/paginator":
                found.append(self.link(identifier))
        return " › ".join(found)

    def entry(self):
        """What the search knows of the page."""
        about = re.sub(r"<[^>]*>", "", self.inlines(self.data.get("abstract")))
        return [self.data["metadata"]["title"], self.data["metadata"].get("roleHeading", ""), str(self.folder.relative_to(self.site)), html.unescape(about)]

    def write(self):
        """Puts the content into the page's index.html, beside what DocC's renderer needs."""
        metadata = self.data["metadata"]
        title, role = html.escape(metadata["title"]), html.escape(metadata.get("roleHeading", ""))
        up = os.path.relpath(self.site, self.folder) + "/"
        template = (self.site / "index-template.html").read_text(encoding="utf-8")
        scripts = re.findall(r'<script[^>]*src="/?([^"]*)"', template)
        styles = re.findall(r'<link[^>]*href="/?(css/[^"]*)"', template)
        content = "\n".join(self.sections())
        self.folder.joinpath("index.html").write_text(f"""<!doctype html>
<html lang="en-US"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>{title}</title><link rel="icon" href="{up}favicon.ico"><style data-plain>{STYLE}</style>
<script>var baseUrl = new URL("{up}", location.href).pathname</script>
</head><body data-color-scheme="auto">{FIELD % up}<div id="app"></div>
<header data-plain>{self.trail()}</header>
<main data-plain>
<div class="eyebrow">{role}</div><h1>{title}</h1>
<p class="abstract">{self.inlines(self.data.get("abstract"))}</p>
{content}
</main>
{SWITCH % (json.dumps([up + each for each in scripts]), json.dumps([up + each for each in styles]))}
</body></html>
""", encoding="utf-8")


def write_plain_pages(site):
    """Writes all pages of a site, and a first page that leads to the landing page. Returns how many there are."""
    site = pathlib.Path(site)
    # The page without content, from which DocC has made all others.
    (site / "index-template.html").write_text((site / "index.html").read_text(encoding="utf-8"), encoding="utf-8")
    paths = sorted(str(path.relative_to(site / "data"))[:-len(".json")] for path in [site / "data/documentation.json", *(site / "data/documentation").rglob("*.json")])
    entries = []
    for path in paths:
        page = Page(site, path)
        page.write()
        entries.append(page.entry())
    (site / "search-index.js").write_text(f"const pages = {json.dumps(entries, ensure_ascii=False)};\n", encoding="utf-8")
    (site / "search.html").write_text(f"""<!doctype html>
<html lang="en-US"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Search</title><link rel="icon" href="favicon.ico"><style>{STYLE}</style></head>
<body>{FIELD % ""}<header><a href="documentation/paginator/index.html">Paginator</a></header>
<main><h1>Search</h1><dl></dl></main>
{SEARCH}
</body></html>
""", encoding="utf-8")
    # The renderer asks for it, and a server without it would tell a failure.
    (site / "theme-settings.json").write_text("{}\n", encoding="utf-8")
    (site / "index.html").write_text(
        '<!doctype html><meta charset="utf-8"><title>Paginator</title>'
        '<meta http-equiv="refresh" content="0; url=documentation/paginator/index.html">'
        '<a href="documentation/paginator/index.html">Paginator</a>\n', encoding="utf-8")
    return len(paths)
