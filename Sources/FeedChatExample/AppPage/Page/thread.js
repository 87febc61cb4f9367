// A post with its comments, and the field to write one.

import { make, setHidden, setText, show } from "./dom.js";
import { icon } from "./icons.js";
import { Screen } from "./screen.js";
import { DraftField } from "./field.js";
import { DraftEditor } from "./editor.js";
import { ask } from "./ask.js";
import { t } from "./texts.js";

export class PostScreen extends Screen {
    static role = "feed";

    build() {
        const input = make("textarea", { rows: "1", maxlength: "4000", "aria-label": t("writeComment"), placeholder: t("writeComment"), dir: "auto" });
        this.replyName = make("span");
        this.replying = make("p.replying", { hidden: true }, icon("reply"), this.replyName, make("button.icon.tiny", { type: "button", "aria-label": t("cancel"), onclick: () => this.replyTo(null) }, icon("close")));
        this.sendButton = make("button.primary.send", { type: "submit", "aria-label": t("send"), title: t("send"), disabled: true }, icon("send"));
        this.writer = make("form.writer", { onsubmit: (event) => this.submit(event) }, this.replying, make("div.line", null, input, this.sendButton));
        this.draft = new DraftField(input, (text) => this.app.socket.send({ t: "do", n: 0, id: this.id, what: "draft", text }), () => { this.sendButton.disabled = !this.draft.text.trim(); });
        input.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.submit(event); });
        this.element.append(this.writer);
        this.editor = new DraftEditor(this, { label: t("postText"), rows: 6, limit: 10000, ended: () => this.ended() });
        this.card = make("div.card", { hidden: true }, this.editor.element);
        this.lead.append(this.card);
    }

    get field() { return this.draft.element; }
    get emptyText() { return this.state.gone ? t("gone") : super.emptyText; }
    reopened() {
        this.draft.tellAgain();
        this.editor.reopened();
    }

    update({ draft, gone, isOwn, edit, conflict }, before) {
        this.draft.take(draft);
        this.editor.take(edit, conflict);
        setHidden(this.card, !this.editor.isOpen);
        setHidden(this.writer, Boolean(gone));
        if (isOwn !== before.isOwn) this.drawTools();
    }

    /** One's own post can be edited and deleted. */
    drawTools() {
        const button = (what, sign) => make("button.icon", { type: "button", "data-do": what, "aria-label": t(what), title: t(what) }, icon(sign));
        show(this.tools, this.state.isOwn ? [button("editPost", "compose"), button("deletePost", "bin")] : []);
    }

    edit() {
        setHidden(this.card, false);
        this.editor.begin(this.state.plain ?? "");
        this.list.toStart();
    }

    ended() {
        setHidden(this.card, true);
        this.tools.querySelector("button")?.focus();
    }

    async delete() {
        if (await ask(t("deletePost"), t("sureToDelete"), t("delete")) && await this.do("delete")) this.app.router.back(this);
    }

    replyTo(target) {
        this.to = target;
        setHidden(this.replying, !target);
        if (!target) return;
        setText(this.replyName, t("replyTo", target.name));
        this.field.focus();
    }

    act(what, row, target) {
        if (what === "replyTo") return this.replyTo({ row: row.id, name: target.dataset.name });
        if (what === "editPost") return this.edit();
        if (what === "deletePost") return this.delete();
        if (!this.editor.act(what)) super.act(what, row, target);
    }

    async submit(event) {
        event.preventDefault();
        const text = this.draft.text.trim();
        if (!text) return;
        const { to } = this;
        this.draft.set("");
        this.replyTo(null);
        if (!await this.do("send", { text, ...(to ? { to: to.row } : {}) }) && this.draft.text === "") {
            this.draft.element.value = text;
            this.draft.element.dispatchEvent(new Event("input"));
        }
    }

    finish() {
        this.draft.finish();
        this.editor.finish();
        super.finish();
    }
}
