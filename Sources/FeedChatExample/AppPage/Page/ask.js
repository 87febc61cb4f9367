// A question before something that cannot be taken back.

import { make } from "./dom.js";
import { t } from "./texts.js";

/** Asks, and answers whether it shall be done. */
export function ask(title, text, label) {
    const form = make("form", { method: "dialog" }, make("h3", { id: "ask-title" }, title), make("p", null, text),
        make("div.row-line.end", null, make("button.quiet", { value: "no", autofocus: true }, t("cancel")), make("button.danger", { value: "yes" }, label)));
    const dialog = make("dialog.ask", { "aria-labelledby": "ask-title" }, form);
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((resolve) => dialog.addEventListener("close", () => {
        dialog.remove();
        resolve(dialog.returnValue === "yes");
    }));
}
