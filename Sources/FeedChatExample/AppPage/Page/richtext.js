// What people wrote, as elements: runs of text, never markup. An address leads somewhere only when it is of the web.

import { make } from "./dom.js";

const schemes = ["https:", "http:", "mailto:"];

/** The address when it may be followed, else null: `javascript:` and `data:` are texts. */
export function safeLink(address) {
    try {
        const url = new URL(address);
        return schemes.includes(url.protocol) ? url.href : null;
    } catch {
        return null;
    }
}

/** The address of a picture that the app itself serves, else null: the page asks no other host for anything. */
export function safeMedia(source) {
    if (typeof source !== "string" || !source.startsWith("/media/")) return null;
    const url = new URL(source, location.origin);
    return url.origin === location.origin && url.pathname.startsWith("/media/") ? url.pathname + url.search : null;
}

/** The runs of a text, or a plain text, as nodes. */
export function richText(text) {
    if (text === null || text === undefined) return [];
    if (typeof text === "string") return [text];
    return text.map((run) => {
        let node = String(run.s ?? "");
        if (run.m) node = make("a.mention", { href: `#/profile/${encodeURIComponent(run.m)}` }, node);
        else if (run.h) node = make("span.tag", null, node);
        const link = run.a ? safeLink(run.a) : null;
        if (link) node = make("a", { href: link, target: "_blank", rel: "noopener noreferrer nofollow" }, node);
        if (run.i) node = make("em", null, node);
        if (run.b) node = make("b", null, node);
        return node;
    });
}

export function plainText(text) {
    if (typeof text === "string") return text;
    return (text ?? []).map((run) => run.s ?? "").join("");
}

const hues = 8;

/** A person's picture, or the first letters of the name on a color of its own. */
export function avatar(name, source, className = "") {
    const media = safeMedia(source);
    const letters = (name ?? "").trim().split(/\s+/).map((word) => [...word][0] ?? "");
    const text = letters.length > 1 ? letters[0] + letters.at(-1) : letters[0] ?? "";
    let hash = 7;
    for (const letter of name ?? "") hash = (hash * 31 + letter.codePointAt(0)) % 9973;
    return make(`span.avatar.hue-${hash % hues}${className ? `.${className}` : ""}`, { "aria-hidden": "true" },
        media ? make("img", { src: media, alt: "", decoding: "async", draggable: "false" }) : text.toUpperCase());
}
