// A conversation: history above, the newest below, and the field to write in.

import { make, setHidden, setText, show } from "./dom.js";
import { icon } from "./icons.js";
import { Screen } from "./screen.js";
import { DraftField } from "./field.js";
import { avatar, plainText } from "./richtext.js";
import { fullTime, number } from "./format.js";
import { say } from "./announce.js";
import { showMenu } from "./menu.js";
import { t } from "./texts.js";

const samples = ["sea", "hills", "city", "garden"];
const samplePlace = { latitude: 54.3233, longitude: 10.1394 };

export class ConversationScreen extends Screen {
    static followsEnd = true;
    static refreshes = false;
    static retries = false;

    build() {
        const input = make("textarea", { rows: "1", maxlength: "8000", "aria-label": t("writeMessage"), placeholder: t("writeMessage"), dir: "auto" });
        this.sendButton = make("button.primary.send", { type: "submit", "aria-label": t("send"), title: t("send"), disabled: true }, icon("send"));
        this.draft = new DraftField(input, (text) => this.edited !== undefined || this.app.socket.send({ t: "do", n: 0, id: this.id, what: "draft", text }), () => { this.sendButton.disabled = !this.draft.text.trim(); });
        this.attachButton = make("button.icon.attach", { type: "button", "aria-label": t("attachMore"), title: t("attachMore"), "aria-haspopup": "menu", onclick: () => this.attach() }, icon("picture"));
        this.typing = make("p.typing-line", { "aria-live": "off", hidden: true }, make("span.dots", { "aria-hidden": "true" }, make("i"), make("i"), make("i")), make("span", { dir: "auto" }));
        this.suggestions = make("div.suggestions", { role: "group", hidden: true });
        this.editing = make("p.replying", { hidden: true }, icon("compose"), make("span", null, t("editing")), make("button.icon.tiny", { type: "button", "aria-label": t("cancel"), onclick: () => this.endEdit() }, icon("close")));
        this.writer = make("form.writer", { onsubmit: (event) => this.submit(event) }, this.suggestions, this.editing, make("div.line", null, this.attachButton, input, this.sendButton));
        this.cannot = make("p.cannot", { hidden: true }, t("cannotWrite"));
        this.newest = make("button.icon.newest", { type: "button", "aria-label": t("toEnd"), title: t("toEnd"), hidden: true, onclick: () => this.toEnd() }, icon("down"), this.below = make("span.badge", { hidden: true }));
        this.history = make("dialog.edits", { "aria-label": t("edits") });
        this.history.addEventListener("close", () => { if (this.state.edits) this.do("hideEdits"); });
        this.element.append(make("div.newest-room", null, this.newest), this.typing, this.writer, this.cannot, this.history);
        input.addEventListener("keydown", (event) => {
            if (event.key === "Enter" && !event.shiftKey && !event.isComposing) this.submit(event);
            else if (event.key === "Escape" && this.edited !== undefined) { event.stopPropagation(); this.endEdit(); }
        });
        this.scroller.addEventListener("scroll", () => this.drawNewest(), { passive: true });
    }

    get field() { return this.writer.hidden ? null : this.draft.element; }
    get conversation() { return this.route.with.conversation; }
    activate() { if (matchMedia("(pointer: fine)").matches) this.field?.focus({ preventScroll: true }); }
    reopened() { if (this.edited === undefined) this.draft.tellAgain(); }

    drawTools() {
        const { group } = this.state;
        show(this.tools, make("a.icon.button", { href: `#/chatSearch/${encodeURIComponent(this.conversation)}`, "aria-label": t("chatSearch"), title: t("chatSearch") }, icon("search")),
            group ? make("a.icon.button", { href: `#/group/${encodeURIComponent(this.conversation)}`, "aria-label": t("group"), title: t("group") }, icon("group")) : null);
    }

    update(state, before) {
        const { name, online, seen, typing, draft, canWrite = true, newBelow = 0, focus, suggestions = [], edits, group } = state;
        setText(this.heading, state.title ?? name ?? this.name);
        setHidden(this.face, false);
        show(this.face, avatar(name, state.avatar, "small"), online ? make("span.dot") : null);
        const subtitle = typing || (online ? t("online") : seen ?? state.subtitle ?? "");
        setText(this.subtitle, subtitle);
        setHidden(this.subtitle, !subtitle);
        this.subtitle.classList.toggle("is-typing", Boolean(typing));
        if (group !== before.group) this.drawTools();
        setHidden(this.typing, !typing);
        setText(this.typing.lastElementChild, typing ?? "");
        if (typing && !before.typing) say(typing);
        if (this.edited === undefined) this.draft.take(draft);
        setHidden(this.writer, !canWrite);
        setHidden(this.cannot, canWrite);
        setHidden(this.below, !newBelow);
        setText(this.below, newBelow ? number(newBelow) : "");
        this.newest.setAttribute("aria-label", newBelow ? `${t("toEnd")}, ${t("newMessages", number(newBelow))}` : t("toEnd"));
        if (newBelow > (before.newBelow ?? 0)) say(t("newMessages", number(newBelow)));
        show(this.suggestions, suggestions.map((one) => make("button.small", { type: "button", "data-do": "mention", "data-member": one.id }, `@${one.name}`)));
        setHidden(this.suggestions, !suggestions.length);
        if (focus && focus !== before.focus) this.wanted = focus;
        this.showEdits(edits);
        this.drawNewest();
        this.seek();
    }

    /** Brings the message into the window that the app wants to show. */
    seek() {
        if (!this.wanted || !this.list.show(this.wanted, { flash: true })) return;
        this.wanted = null;
        this.do("focused");
    }

    rowsChanged() {
        super.rowsChanged();
        this.seek();
        this.drawNewest();
        const last = this.list.entries.at(-1)?.row;
        if (last?.kind === "message" && !last.mine && this.lastTold !== undefined && last.id !== this.lastTold && this.app.router.isShown(this)) say(`${last.author?.name ?? ""}: ${plainText(last.text)}`);
        if (this.list.isFilled) this.lastTold = last?.id ?? null;
    }

    drawNewest() { setHidden(this.newest, this.list.isAtEnd() && !this.state.newBelow); }

    async toEnd() {
        this.field?.focus({ preventScroll: true });
        await this.do("toEnd");
        if (this.list.pending) this.list.pending.toEnd = true;
        else this.list.toEnd();
    }

    showEdits(edits) {
        if (!edits) {
            if (this.history.open) this.history.close();
            return;
        }
        // They come late for a screen that was left.
        if (!this.app.router.isShown(this)) return void this.do("hideEdits");
        show(this.history, make("form", { method: "dialog" }, make("h3", null, t("edits")), make("button.icon", { "aria-label": t("close") }, icon("close"))),
            make("ol", null, edits.texts.map((one) => make("li", null, make("p", { dir: "auto" }, one.text), make("p.note", null, fullTime(one.time))))));
        if (!this.history.open) this.history.showModal();
    }

    /** The example has pictures and a place of its own to send: it asks for no file and for no position. */
    attach() {
        showMenu(this.attachButton, [...samples.map((image) => ({ label: t(image), act: () => this.do("attach", { image }) })), { label: t("place"), act: () => this.do("place", { ...samplePlace, name: t("harbour") }) }]);
    }

    act(what, row, target) {
        if (what === "edit") return this.beginEdit(row);
        if (what === "mention") {
            this.draft.tell();
            this.field.focus();
            return this.do("mention", { member: target.dataset.member });
        }
        super.act(what, row, target);
    }

    beginEdit(row) {
        if (this.edited === undefined) this.kept = this.draft.text;
        this.edited = row.id;
        setHidden(this.editing, false);
        this.draft.set(plainText(row.text));
        this.field.focus();
    }

    endEdit() {
        this.edited = undefined;
        setHidden(this.editing, true);
        this.draft.set(this.kept ?? "");
    }

    async submit(event) {
        event.preventDefault();
        const text = this.draft.text.trim();
        if (!text) return;
        if (this.edited !== undefined) {
            const row = this.edited;
            if (await this.do("edit", { row, text })) this.endEdit();
            return;
        }
        this.draft.set("");
        if (await this.do("send", { text })) {
            if (!this.list.isAtEnd()) this.toEnd();
        } else if (this.draft.text === "") {
            this.draft.element.value = text;
            this.draft.element.dispatchEvent(new Event("input"));
        }
    }

    finish() {
        if (this.edited === undefined) this.draft.finish();
        super.finish();
    }
}
