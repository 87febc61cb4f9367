// How each kind of row is drawn. What all lists have is here: placeholders, separators, ends, gaps.

import { make } from "./dom.js";
import { icon } from "./icons.js";
import { postRows } from "./posts.js";
import { messageRows } from "./messages.js";
import { t } from "./texts.js";

const shapes = { post: 180, comment: 96, message: 56, chat: 72, hit: 72 };

function drawPlaceholder(row) {
    const like = row.like ?? "post";
    return { className: `like-${like}`, label: t("loading"), nodes: [make("div.ghost", { "aria-hidden": "true" }, make("i.round"), make("div", null, make("i.short"), make("i"), make("i.half"), like === "post" ? make("i.block") : null))] };
}

/** The end of a list; with a parent, that of a thread of replies. */
function drawFooter(row) {
    const { state } = row;
    const className = row.parent ? "reply" : "";
    if (state === "more") return { label: t("moreReplies"), className, nodes: [make("p.footer", null, make("button.small.quiet", { type: "button", "data-do": "moreReplies" }, t("moreReplies")))] };
    if (state === "failed") return { label: row.text, className: `failed ${className}`.trim(), nodes: [make("p.footer", null, icon("warn"), make("span", null, row.text ?? ""), make("button.small", { type: "button", "data-do": "retry" }, t("retry")))] };
    if (state === "loading") return { label: row.text || t("loading"), className, nodes: [make("p.footer", null, make("span.spinner", { "aria-hidden": "true" }), make("span", null, row.text || t("loading")))] };
    return { label: row.text, nodes: [make("p.footer.end", null, make("span", null, row.text ?? ""))] };
}

function drawGap(row) {
    return { label: row.text, nodes: [make("p.footer.gap", null, row.state === "loading" ? make("span.spinner", { "aria-hidden": "true" }) : null, make("button.small", { type: "button", "data-do": "fill", disabled: row.state === "loading" }, row.text || t("gap")))] };
}

const kinds = {
    ...postRows, ...messageRows,
    placeholder: { draw: drawPlaceholder, estimate: (row) => shapes[row.like ?? "post"] ?? 96 },
    separator: { draw: (row) => ({ label: row.text, nodes: [make("p.separator", null, make("span", null, row.text ?? ""))] }), estimate: () => 44 },
    footer: { draw: drawFooter, estimate: () => 56 },
    gap: { draw: drawGap, estimate: () => 56 },
};
/** A row of a kind that this page does not know stands for itself as a line of text. */
const unknown = { draw: (row) => ({ label: row.text, nodes: [make("p.separator", null, String(row.text ?? ""))] }), estimate: () => 44 };

export const drawing = {
    draw: (row, context) => (kinds[row.kind] ?? unknown).draw(row, context),
    estimate: (row, width) => (kinds[row.kind] ?? unknown).estimate(row, width),
    context: (row, before, after) => kinds[row.kind]?.context?.(row, before, after) ?? "",
};
