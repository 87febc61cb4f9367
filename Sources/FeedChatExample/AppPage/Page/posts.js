// Posts and comments, as rows.

import { make } from "./dom.js";
import { icon } from "./icons.js";
import { avatar, plainText, richText, safeMedia } from "./richtext.js";
import { picture } from "./pictures.js";
import { ago, fullTime, number, percent } from "./format.js";
import { t } from "./texts.js";

const address = (kind, id) => `#/${kind}/${encodeURIComponent(id)}`;

function person(author) {
    const name = author?.name || t("unnamed");
    return author?.id ? make("a.name", { href: address("profile", author.id) }, name) : make("span.name", null, name);
}

function time(row) {
    const at = row.publishAt ?? row.time;
    return at ? make("time", { datetime: at, title: fullTime(at) }, ago(at)) : null;
}

/** A button that counts: like, comments, shares. */
function counter(what, { label, count, countLabel, isOn = null, href = null }) {
    const name = count ? `${label}, ${countLabel}` : label;
    const children = [icon(what), make("span.count", { "aria-hidden": "true" }, count ? number(count) : "")];
    if (href) return make(`a.act.act-${what}`, { href, "aria-label": name, title: label }, children);
    return make(`button.act.act-${what}`, { type: "button", "data-do": what, "aria-label": name, title: label, "aria-pressed": isOn === null ? null : String(isOn) }, children);
}

/** Pictures in a frame of their own shape: nothing moves when they come. */
function pictures(images) {
    if (!images?.length) return null;
    const shown = images.slice(0, 4);
    return make(`div.pictures.of-${shown.length}`, null, shown.map((image) => {
        const source = safeMedia(image.src);
        const wide = image.w > 0 && image.h > 0 ? Math.min(Math.max(image.w / image.h, 0.8), 2.2) : 16 / 9;
        return make("div.picture", { style: { "aspect-ratio": shown.length === 1 ? String(wide) : "1.35" } },
            source ? picture(source, image.alt ?? "") : make("span.alt", null, image.alt ?? ""));
    }));
}

function failure(row) {
    if (!row.failed) return null;
    return make("p.failed", null, icon("warn"), make("span", null, row.failed),
        make("button.small", { type: "button", "data-do": "retry" }, t("retry")), make("button.small.quiet", { type: "button", "data-do": "discard" }, t("discard")));
}

function drawPost(row) {
    const name = row.author?.name || t("unnamed");
    const isScheduled = Boolean(row.publishAt);
    // Only one's own posts are seen before they are published: nobody needs to be told whose they are.
    const isOwn = isScheduled && !row.author;
    return {
        className: `${row.detail ? "detail" : ""} ${row.pending ? "pending" : ""}`.trim(),
        label: `${isOwn ? "" : `${name}, `}${ago(row.publishAt ?? row.time)}: ${plainText(row.text).slice(0, 200)}`,
        nodes: [make("div.post", null,
            isOwn ? null : avatar(name, row.author?.avatar, row.detail ? "large" : ""),
            make("div.body", null,
                isOwn && !row.pending ? null : make("p.byline", null, isOwn ? null : person(row.author), isScheduled ? null : time(row), row.pending ? make("span.state", null, icon("clock"), row.progress > 0 ? `${t("sending")} ${percent(row.progress)}` : t("sending")) : null),
                isScheduled ? make("p.when", null, icon("clock"), t("willPublish", fullTime(row.publishAt))) : null,
                make("p.text", { dir: "auto" }, richText(row.text)),
                pictures(row.images),
                failure(row),
                isScheduled ? make("div.acts", null, make("button.small", { type: "button", "data-do": "cancel" }, t("unschedule")))
                    : row.pending ? null : make("div.acts", null,
                        counter("comment", { label: t("commentOn"), count: row.comments, countLabel: t("comments", number(row.comments ?? 0)), href: address("post", row.id) }),
                        counter("share", { label: t("share"), count: row.shares, countLabel: t("shares", number(row.shares ?? 0)), isOn: row.shared ?? null }),
                        counter("like", { label: t("like"), count: row.likes, countLabel: t("likes", number(row.likes ?? 0)), isOn: Boolean(row.liked) }),
                        row.bookmarked === undefined ? null : counter("bookmark", { label: t("bookmark"), isOn: row.bookmarked }))))],
    };
}

function drawComment(row) {
    const name = row.author?.name || t("unnamed");
    return {
        className: `${row.parent ? "reply" : ""} ${row.pending ? "pending" : ""}`.trim(),
        label: `${name}, ${ago(row.time)}: ${plainText(row.text).slice(0, 200)}`,
        nodes: [make("div.post.comment", null,
            avatar(name, row.author?.avatar, "small"),
            make("div.body", null,
                make("p.byline", null, person(row.author), time(row), row.pending ? make("span.state", null, icon("clock"), t("sending")) : null),
                make("p.text", { dir: "auto" }, richText(row.text)),
                failure(row),
                row.pending || row.failed ? null : make("div.acts", null,
                    row.liked === undefined ? null : counter("like", { label: t("like"), count: row.likes, countLabel: t("likes", number(row.likes ?? 0)), isOn: Boolean(row.liked) }),
                    row.parent ? null : make("button.small.quiet", { type: "button", "data-do": "replyTo", "data-name": name }, icon("reply"), t("reply")),
                    row.replies ? make("button.small.quiet", { type: "button", "data-do": "thread", "aria-expanded": String(Boolean(row.open)) }, row.open ? t("hideReplies") : t("replies", number(row.replies))) : null)))],
    };
}

/** A height from what will be drawn: near enough that the scroll bar does not jump. */
function estimatePost(row, width) {
    const inner = Math.max(200, Math.min(width, 640) - 90);
    const lines = Math.max(1, Math.ceil(plainText(row.text).length / (inner / 7.1)));
    const image = row.images?.length ? (row.images.length === 1 ? Math.min(inner / Math.min(Math.max((row.images[0].w || 16) / (row.images[0].h || 9), 0.8), 2.2), 460) : inner / 1.35) + 12 : 0;
    return 26 + lines * 22 + image + 62;
}

export const postRows = { post: { draw: drawPost, estimate: estimatePost }, comment: { draw: drawComment, estimate: (row, width) => estimatePost(row, width) - 12 } };
export { pictures };
