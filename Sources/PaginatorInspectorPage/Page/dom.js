// Elements without markup: everything that is shown is set as text, so that nothing from a recording is ever parsed.

/** Makes an element: make("button.primary", { title: "…", onclick }, children…). */
export function make(what, attributes, ...children) {
    const [tag, ...names] = what.split(".");
    const element = document.createElement(tag);
    if (names.length) element.className = names.join(" ");
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
    return element;
}

/** Text from a recording, kept apart from the direction of what is around it. */
export function foreign(text, what = "bdi") { return make(what, { title: text.length > 24 ? text : null }, text); }

/**
 * Replaces what an element shows, unless it already shows the same. What somebody has opened, scrolled or focused stays so
 * where it is still there.
 */
export function show(element, ...children) {
    const next = make("div", null, ...children);
    const open = named(element, "details[open]");
    if (open.size) for (const [name, one] of named(next, "details")) one.open = open.has(name);
    if (next.childNodes.length === element.childNodes.length
        && [...next.childNodes].every((child, at) => child.isEqualNode(element.childNodes[at]))) return false;
    const scrolled = [...named(element, ".table, dd")].filter(([, one]) => one.scrollTop || one.scrollLeft).map(([name, { scrollTop, scrollLeft }]) => ({ name, scrollTop, scrollLeft }));
    const focus = document.activeElement !== element && element.contains(document.activeElement)
        ? [...named(element, focusable)].find(([, one]) => one === document.activeElement)?.[0] : undefined;
    element.replaceChildren(...next.childNodes);
    if (scrolled.length) {
        const now = named(element, ".table, dd");
        for (const { name, scrollTop, scrollLeft } of scrolled) now.get(name)?.scrollTo({ top: scrollTop, left: scrollLeft, behavior: "instant" });
    }
    if (focus !== undefined) named(element, focusable).get(focus)?.focus({ preventScroll: true });
    return true;
}

const focusable = "a[href], button, input, select, summary, [tabindex]";

/** The elements that match, by what they are for people: their card, their page, event or label, and their place among the same. */
function named(element, selector) {
    const found = new Map();
    for (const one of element.querySelectorAll(selector)) {
        const name = [one.closest(".card")?.querySelector("h2")?.textContent, one.tagName, one.dataset.page ?? one.dataset.event ?? one.getAttribute("aria-label")].join("\n");
        let place = 0;
        while (found.has(`${name}\n${place}`)) place += 1;
        found.set(`${name}\n${place}`, one);
    }
    return found;
}

export function setText(element, text) { if (element.textContent !== text) element.textContent = text; }

/** A table with a caption for screen readers. rows: arrays of nodes or texts. */
export function table(caption, headings, rows, leftOut = 0) {
    const body = make("tbody", null, rows.map((cells) => make("tr", null, cells.map((cell, at) => make(at === 0 ? "th" : "td",
        { scope: at === 0 ? "row" : null, class: headings[at]?.numeric ? "numeric" : null }, cell ?? "–")))));
    const head = make("thead", null, make("tr", null, headings.map((heading) => make("th",
        { scope: "col", class: heading.numeric ? "numeric" : null }, heading.name))));
    return make("div.table", { tabindex: "0", role: "region", "aria-label": caption },
        make("table", null, make("caption.unseen", null, caption), head, body),
        leftOut > 0 ? make("p.note", null, `and ${leftOut} more`) : null);
}

/**
 * One tab stop for many: arrow keys move among the elements that match, Home and End to the first and last. `columns`
 * answers how many stand in a line, for the keys up and down.
 */
export function rove(container, selector, { columns = () => 1, onmove = () => {} } = {}) {
    const all = () => [...container.querySelectorAll(selector)];
    container.addEventListener("keydown", (event) => {
        const elements = all();
        const at = elements.indexOf(document.activeElement);
        if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
        const forward = getComputedStyle(container).direction === "rtl" ? -1 : 1;
        const steps = { ArrowRight: forward, ArrowLeft: -forward, ArrowDown: columns(elements), ArrowUp: -columns(elements),
            Home: -at, End: elements.length - 1 - at };
        if (!Object.hasOwn(steps, event.key)) return;
        event.preventDefault();
        event.stopPropagation();
        const next = elements[Math.min(Math.max(at + steps[event.key], 0), elements.length - 1)];
        next.focus();
        onmove(next);
    });
    container.addEventListener("focusin", (event) => {
        const element = event.target.closest(selector);
        if (!element) return;
        for (const other of all()) other.tabIndex = other === element ? 0 : -1;
    });
}
