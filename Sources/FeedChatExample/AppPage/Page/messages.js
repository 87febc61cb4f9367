// Messages, chats and what a search finds, as rows.

import { make } from "./dom.js";
import { icon } from "./icons.js";
import { avatar, plainText, richText, safeMedia } from "./richtext.js";
import { picture } from "./pictures.js";
import { ago, clock, fullTime, number } from "./format.js";
import { t } from "./texts.js";

/** Messages of one author within this time stand close together. */
const together = 5 * 60_000;

const marks = { sending: "clock", sent: "check", delivered: "checks", read: "checks", failed: "warn" };

function isJoined(one, other) {
    return one?.kind === "message" && other?.kind === "message" && Boolean(one.mine) === Boolean(other.mine) && one.author?.name === other.author?.name
        && Math.abs(Date.parse(other.time) - Date.parse(one.time)) < together;
}

/** How a message stands among its neighbors. */
function messageContext(row, before, after) {
    return row.kind === "message" ? `${isJoined(before, row) ? "" : "is-first"} ${isJoined(row, after) ? "" : "is-last"}` : "";
}

function media(row) {
    const { media } = row;
    if (!media) return null;
    if (media.place) return make("p.attached", null, icon("place"), make("span", null, media.place.name || `${media.place.latitude}, ${media.place.longitude}`));
    if (media.file) return make("p.attached", null, icon("picture"), make("span", null, media.file.name));
    const source = safeMedia(media.src);
    const wide = media.w > 0 && media.h > 0 ? Math.min(Math.max(media.w / media.h, 0.6), 2.2) : 4 / 3;
    return make("div.picture", { style: { "aspect-ratio": String(wide) } }, source ? picture(source, media.alt || t("picture")) : make("span.alt", null, media.alt ?? ""));
}

function drawMessage(row, context) {
    const name = row.mine ? t("you") : row.author?.name || t("unnamed");
    const isLast = context.includes("is-last"), isFirst = context.includes("is-first");
    const status = row.mine && marks[row.status] ? make(`span.mark.${row.status}`, { title: t(row.status) }, icon(marks[row.status]), make("span.unseen", null, t(row.status))) : null;
    const text = row.deleted ? [make("em", null, t("deleted"))] : richText(row.text);
    const tells = isLast || row.status === "failed" || row.status === "sending" || row.edited;
    return {
        className: `${row.mine ? "mine" : "theirs"} ${context}`.trim(),
        label: `${name}, ${clock(row.time)}: ${row.deleted ? t("deleted") : plainText(row.text)}${status ? `, ${t(row.status)}` : ""}`,
        nodes: [make("div.message", null,
            row.mine ? null : isLast && row.author ? avatar(row.author?.name, row.author?.avatar, "small") : make("span.avatar-room"),
            make("div.said", null,
                isFirst && !row.mine && row.showName ? make("p.from", null, row.author?.name) : null,
                make(`div.bubble${row.deleted ? ".deleted" : ""}`, null,
                    row.replyTo ? make("blockquote", null, make("b", null, row.replyTo.author), make("span", null, plainText(row.replyTo.text))) : null,
                    row.deleted ? null : media(row),
                    text.length && plainText(row.text) !== "" || row.deleted ? make("p.text", { dir: "auto" }, text) : null),
                tells ? make("p.fine", null, make("time", { datetime: row.time, title: fullTime(row.time) }, clock(row.time)), row.edited && !row.deleted ? make("span", null, t("edited")) : null, status) : null,
                row.failed || row.status === "failed" ? make("p.failed", null, make("span", null, row.failed || t("failed")),
                    make("button.small", { type: "button", "data-do": "retry" }, t("retry")), make("button.small.quiet", { type: "button", "data-do": "discard" }, t("discard"))) : null),
            row.actions?.length ? make("button.icon.menu", { type: "button", "data-menu": row.actions.join(" "), "aria-haspopup": "menu", "aria-label": t("more") }, icon("more")) : null)],
    };
}

function drawChat(row) {
    const href = `#/conversation/${encodeURIComponent(row.conversation ?? row.id)}`;
    const last = plainText(row.last);
    return {
        className: row.unread ? "unread" : "",
        label: `${row.name}${row.unread ? `, ${t("unread", number(row.unread))}` : ""}${last ? `: ${last}` : ""}`,
        nodes: [make("a.chat", { href, tabindex: "-1" },
            make("span.face", null, avatar(row.name, row.avatar), row.online ? make("span.dot", { title: t("online") }, make("span.unseen", null, t("online"))) : null),
            make("span.lines", null,
                make("span.line", null, make("span.name", { dir: "auto" }, row.name), row.group ? icon("group", "tiny") : null, row.time ? make("time", { datetime: row.time, title: fullTime(row.time) }, ago(row.time)) : null),
                make("span.line", null,
                    row.typing ? make("span.snippet.typing", null, t("typing")) : make("span.snippet", { dir: "auto" }, row.draft ? make("b.draft", null, `${t("draft")} `) : null, row.contact ? t("contacts") : richText(row.last)),
                    row.mention ? make("span.badge.at", { title: t("mentioned") }, "@") : null,
                    row.unread ? make("span.badge", null, number(row.unread), make("span.unseen", null, ` ${t("unread", "")}`)) : null))),
        row.contact ? null : make("button.icon.menu", { type: "button", "data-menu": "deleteConversation", "aria-haspopup": "menu", "aria-label": t("more") }, icon("more"))].filter(Boolean),
    };
}

function drawHit(row) {
    const href = row.open ? `#/${row.open.kind}/${encodeURIComponent(row.open.with?.conversation ?? row.open.with?.post ?? "")}${row.open.with?.message ? `/${encodeURIComponent(row.open.with.message)}` : ""}` : null;
    return {
        label: `${row.title ?? ""}: ${plainText(row.text)}`,
        nodes: [make(href ? "a.chat" : "div.chat", { href, tabindex: href ? "-1" : null },
            row.title ? avatar(row.title, row.avatar) : null,
            make("span.lines", null,
                !row.title && !row.time ? null : make("span.line", null, make("span.name", { dir: "auto" }, row.title ?? ""), row.time ? make("time", { datetime: row.time }, ago(row.time)) : null),
                make("span.line", null, make("span.snippet.hit", { dir: "auto" }, richText(strict(row.text))))))],
    };
}

/** A hit is a link as a whole: its text has no links of its own. */
function strict(text) { return Array.isArray(text) ? text.map(({ s, b, i }) => ({ s, b, i })) : text; }

function estimateMessage(row, width) {
    const inner = Math.min(Math.max(width, 320) * 0.66, 520);
    return 16 + Math.max(1, Math.ceil(plainText(row.text).length / (inner / 7.4))) * 21 + (row.media?.src ? 220 : 0) + 6;
}

export const messageRows = {
    message: { draw: drawMessage, estimate: estimateMessage, context: messageContext },
    chat: { draw: drawChat, estimate: () => 72 },
    hit: { draw: drawHit, estimate: () => 72 },
};
