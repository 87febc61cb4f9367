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

/** Replaces what an element shows, unless it already shows the same: so that nothing loses its focus for nothing. */
export function show(element, ...children) {
    const next = make("div", null, ...children);
    if (next.childNodes.length === element.childNodes.length
        && [...next.childNodes].every((child, at) => child.isEqualNode(element.childNodes[at]))) return false;
    element.replaceChildren(...next.childNodes);
    return true;
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
