// Writing a post: text, pictures, and when it is published.

import { make, setHidden, setText, show } from "./dom.js";
import { icon } from "./icons.js";
import { Screen } from "./screen.js";
import { DraftField } from "./field.js";
import { safeMedia } from "./richtext.js";
import { fullTime, percent } from "./format.js";
import { t } from "./texts.js";

export class ComposeScreen extends Screen {
    static hasList = false;
    static retries = false;

    build() {
        const input = make("textarea.big", { rows: "5", maxlength: "10000", "aria-label": t("writePost"), placeholder: t("writePost"), dir: "auto" });
        this.draft = new DraftField(input, (text) => this.app.socket.send({ t: "do", n: 0, id: this.id, what: "draft", text }), () => this.enable());
        this.images = make("ul.attached-list");
        this.samples = make("div.samples", { role: "group", "aria-label": t("attach") });
        this.when = make("input", { type: "datetime-local", id: `when-${this.id}`, onchange: () => this.schedule() });
        this.told = make("span.note");
        this.sendButton = make("button.primary", { type: "submit", disabled: true }, t("publish"));
        this.form = make("form.compose", { onsubmit: (event) => this.submit(event) }, input, this.images, this.samples,
            make("div.row-line", null, make("label", { for: this.when.id }, icon("clock"), t("publishAt")), this.when, make("button.small.quiet", { type: "button", onclick: () => { this.when.value = ""; this.schedule(); } }, t("now"))),
            make("div.row-line.end", null, this.told, make("button.quiet", { type: "button", onclick: () => this.clear() }, t("discard")), this.sendButton));
        this.scroller.append(this.form);
        input.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.submit(event); });
    }

    get field() { return this.draft.element; }
    reopened() { this.draft.tellAgain(); }
    activate() { this.field.focus({ preventScroll: true }); }

    drawTools() { show(this.tools, make("a.button", { href: "#/scheduled" }, icon("clock"), t("scheduled"))); }

    update({ draft, images = [], samples = [], publishAt, canSend, sending }) {
        this.draft.take(draft);
        this.enable(canSend);
        show(this.images, images.map((image) => make("li", null, safeMedia(image.src) ? make("img", { src: safeMedia(image.src), alt: image.alt ?? "" }) : make("span.alt", null, image.alt ?? ""),
            make("button.icon", { type: "button", "data-do": "detach", "data-image": image.id, "aria-label": t("detach", image.alt || t("picture")) }, icon("close")))));
        show(this.samples, samples.map((image) => make("button.sample", { type: "button", "data-do": "attach", "data-image": image.id, "aria-label": `${t("attach")}: ${image.alt ?? ""}` },
            safeMedia(image.src) ? make("img", { src: safeMedia(image.src), alt: "" }) : icon("picture"))));
        setHidden(this.samples, !samples.length);
        if (document.activeElement !== this.when) this.when.value = publishAt ? localTime(publishAt) : "";
        setText(this.told, sending > 0 ? `${t("sending")} ${percent(sending)}` : publishAt ? t("willPublish", fullTime(publishAt)) : "");
        setText(this.sendButton, publishAt ? t("scheduled") : t("publish"));
    }

    enable(canSend = this.state.canSend) { this.sendButton.disabled = this.isSending || !(this.draft.text.trim() || canSend && !this.draft.text); }

    act(what, row, target) {
        if (what === "attach" || what === "detach") return this.do(what, { image: target.dataset.image });
        super.act(what, row, target);
    }

    schedule() { this.do("schedule", { at: this.when.value ? new Date(this.when.value).toISOString() : null }); }

    async clear() {
        this.draft.set("");
        await this.do("clear");
    }

    async submit(event) {
        event.preventDefault();
        if (this.sendButton.disabled) return;
        this.draft.tell();
        // What the app says meanwhile enables nothing.
        this.isSending = true;
        this.enable();
        const isSent = await this.do("send", { text: this.draft.text });
        this.isSending = false;
        if (isSent) {
            this.draft.set("");
            this.app.router.back(this);
        } else {
            this.enable();
        }
    }

    finish() {
        this.draft.finish();
        super.finish();
    }
}

/** A time as the field takes it: of this place, to the minute. */
function localTime(iso) {
    const time = new Date(iso);
    if (!Number.isFinite(time.getTime())) return "";
    return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
