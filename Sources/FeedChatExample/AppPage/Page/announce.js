// What is told: to a screen reader in the page's live regions, and to everybody as a notice that goes by itself.

import { make, setText } from "./dom.js";
import { addressOf } from "./router.js";
import { t } from "./texts.js";

const $ = (id) => document.getElementById(id);
const shownFor = 6000, atMost = 3;

/** Tells a screen reader; the same text again is told again. */
export function say(text) {
    const said = $("said");
    setText(said, said.textContent === text ? `${text}\u00a0` : text);
}

/** A notice for all: { text, kind: "info" | "error", open: the route of what it is about, if any }. */
export function toast({ text, kind = "info", open = null }, closeLabel) {
    const toasts = $("toasts");
    const close = make("button.icon", { type: "button", "aria-label": closeLabel }, "×");
    const one = make(`div.toast.${kind === "error" ? "error" : "info"}`, null, make("span", null, text), open ? make("a.button.small", { href: addressOf(open) }, t("open")) : null, close);
    const end = () => one.remove();
    close.onclick = end;
    let timer = setTimeout(end, shownFor);
    // Who reads it, or has the focus in it, has time.
    for (const name of ["pointerenter", "focusin"]) one.addEventListener(name, () => clearTimeout(timer));
    for (const name of ["pointerleave", "focusout"]) one.addEventListener(name, () => { timer = setTimeout(end, shownFor); });
    toasts.append(one);
    while (toasts.children.length > atMost) toasts.firstElementChild.remove();
}
