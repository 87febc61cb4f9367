// Elements without markup: everything that is shown is set as text, so that nothing that people wrote is ever parsed.

/** Makes an element: make("button.primary", { title: "…", onclick }, children…). `style` is an object of properties. */
export function make(what, attributes, ...children) {
    const [tag, ...names] = what.split(".");
    const element = document.createElement(tag);
    if (names.length) element.className = names.join(" ");
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (name === "style") for (const [property, one] of Object.entries(value)) element.style.setProperty(property, one);
        else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
    return element;
}

/** Makes `old` look as `next`, and keeps the elements that stay: what has the focus keeps it, an image is not loaded anew. */
export function patch(old, next) {
    if (old.nodeType !== next.nodeType || old.nodeName !== next.nodeName) return void old.replaceWith(next);
    if (old.nodeType !== Node.ELEMENT_NODE) {
        if (old.data !== next.data) old.data = next.data;
        return;
    }
    for (const { name } of [...old.attributes]) if (name !== "style" && !next.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of next.attributes) if (name !== "style" && old.getAttribute(name) !== value) old.setAttribute(name, value);
    if (old.style.cssText !== next.style.cssText) old.style.cssText = next.style.cssText;
    patchChildren(old, [...next.childNodes]);
}

/** The same for what is in an element. */
export function patchChildren(element, children) {
    const before = [...element.childNodes];
    children.forEach((child, at) => {
        if (at < before.length) patch(before[at], child);
        else element.append(child);
    });
    for (const extra of before.slice(children.length)) extra.remove();
}

/** Shows these children in an element, with what stays kept. */
export function show(element, ...children) {
    patchChildren(element, [...make("div", null, ...children).childNodes]);
}

export function setText(element, text) { if (element.textContent !== text) element.textContent = text; }
export function setHidden(element, hidden) { if (element.hidden !== hidden) element.hidden = hidden; }
