// Pictures of the app. One that did not come says so, and is asked for again when one wants it, or when the backend is there again.

import { make } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./texts.js";

/** The addresses that did not come when they were asked for last. */
const failed = new Set();

/** A picture that fills its frame, with the button that asks for it again. */
export function picture(source, alt) {
    return [make("img", { src: source, alt, decoding: "async", draggable: "false" }),
        make("button.small.again", { type: "button", "data-again": "yes", hidden: !failed.has(source) }, icon("refresh"), t("retry"))];
}

/** Asks again for all pictures that did not come. */
export function retryPictures() {
    failed.clear();
    for (const image of document.images) if (image.complete && !image.naturalWidth) ask(image);
}

function ask(image) {
    const source = image.getAttribute("src");
    if (source) image.setAttribute("src", source);
}

function note(image, isFailed) {
    if (image.tagName !== "IMG") return;
    failed[isFailed ? "add" : "delete"](image.getAttribute("src"));
    const button = image.nextElementSibling;
    if (!button?.matches("[data-again]") || button.hidden !== isFailed) return;
    const hadFocus = button === document.activeElement;
    button.hidden = !isFailed;
    if (hadFocus) button.closest(".row")?.focus({ preventScroll: true });
}

document.addEventListener("error", ({ target }) => note(target, true), true);
document.addEventListener("load", ({ target }) => note(target, false), true);
document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-again]");
    if (button) ask(button.previousElementSibling);
});
addEventListener("online", retryPictures);
