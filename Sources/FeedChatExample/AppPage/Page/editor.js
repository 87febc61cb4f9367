// An editor of a text that the app keeps as a draft until it is saved, and that another device may change meanwhile.

import { make, setHidden, show } from "./dom.js";
import { DraftField } from "./field.js";
import { t } from "./texts.js";

export class DraftEditor {
    /** `screen` does what is asked for; `ended` is called when the editor closes. */
    constructor(screen, { label, rows, limit, ended }) {
        Object.assign(this, { screen, ended, isOpen: false });
        const input = make("textarea", { rows, maxlength: limit, "aria-label": label, dir: "auto" });
        this.draft = new DraftField(input, (text) => screen.app.socket.send({ t: "do", n: 0, id: screen.id, what: "write", text }));
        this.conflict = make("div.conflict", { role: "alert", hidden: true });
        this.element = make("form.edit", { hidden: true, onsubmit: (event) => { event.preventDefault(); this.save(); } }, input, this.conflict,
            make("div.row-line.end", null, make("button.quiet", { type: "button", onclick: () => this.discard() }, t("discard")), make("button.primary", { type: "submit" }, t("save"))));
    }

    get field() { return this.isOpen ? this.draft.element : null; }
    reopened() { if (this.isOpen) this.draft.tellAgain(); }
    finish() { this.draft.finish(); }

    /** Takes the draft that the app has, and what another device has saved; neither where there is none. */
    take(draft, conflict) {
        if (typeof draft === "string" && !this.isOpen) this.show(draft);
        else this.draft.take(draft);
        setHidden(this.conflict, !conflict);
        if (conflict) show(this.conflict, make("p", null, t("conflict")), make("blockquote", { dir: "auto" }, conflict.theirs ?? ""),
            make("div.row-line", null, make("button.small", { type: "button", "data-do": "keepMine" }, t("keepMine")), make("button.small", { type: "button", "data-do": "takeTheirs" }, t("takeTheirs"))));
    }

    show(text) {
        this.isOpen = true;
        setHidden(this.element, false);
        this.draft.set(text);
    }

    begin(text) {
        if (!this.isOpen) this.show(text);
        this.draft.element.focus();
    }

    end() {
        this.isOpen = false;
        setHidden(this.element, true);
        this.ended();
    }

    async save() {
        this.draft.tell();
        if (await this.screen.do("save", { text: this.draft.text }) && !this.screen.state.conflict) this.end();
    }

    async discard() {
        // What is not told yet must not come back.
        this.draft.set("");
        await this.screen.do("discardDraft");
        this.end();
    }

    /** What is chosen in a conflict; false where that is nothing of it. */
    act(what) {
        if (what !== "keepMine" && what !== "takeTheirs") return false;
        this.screen.do(what).then((isDone) => { if (isDone) this.end(); });
        return true;
    }
}
