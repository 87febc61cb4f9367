// A person, and what this person wrote; one's own profile can be edited.

import { make, setHidden, show } from "./dom.js";
import { icon } from "./icons.js";
import { Screen } from "./screen.js";
import { DraftField } from "./field.js";
import { avatar } from "./richtext.js";
import { number } from "./format.js";
import { t } from "./texts.js";

export class ProfileScreen extends Screen {
    static role = "feed";

    build() {
        this.card = make("div.card-head");
        const input = make("textarea", { rows: "3", maxlength: "500", "aria-label": t("about"), dir: "auto" });
        this.draft = new DraftField(input, (text) => this.app.socket.send({ t: "do", n: 0, id: this.id, what: "write", text }));
        this.conflict = make("div.conflict", { role: "alert", hidden: true });
        this.form = make("form.edit", { hidden: true, onsubmit: (event) => { event.preventDefault(); this.save(); } }, input, this.conflict,
            make("div.row-line.end", null, make("button.quiet", { type: "button", onclick: () => this.discard() }, t("discard")), make("button.primary", { type: "submit" }, t("save"))));
        this.editButton = make("button", { type: "button", hidden: true, onclick: () => this.edit() }, icon("compose"), t("editProfile"));
        this.lead.append(make("div.card", null, this.card, this.editButton, this.form));
    }

    get field() { return this.form.hidden ? null : this.draft.element; }
    reopened() { if (!this.form.hidden) this.draft.tellAgain(); }

    update({ profile, isOwn, draft, conflict }) {
        if (profile) show(this.card, avatar(profile.name, profile.avatar, "huge"), make("div", null, make("h3", { dir: "auto" }, profile.name), make("p.about", { dir: "auto" }, profile.about ?? ""), profile.posts === undefined ? null : make("p.note", null, t("posts", number(profile.posts)))));
        if (draft && !this.isEditing) this.begin(draft.about);
        else if (draft) this.draft.take(draft.about);
        setHidden(this.editButton, !isOwn || this.isEditing);
        setHidden(this.conflict, !conflict);
        if (conflict) show(this.conflict, make("p", null, t("conflict")), make("blockquote", { dir: "auto" }, conflict.theirs ?? ""),
            make("div.row-line", null, make("button.small", { type: "button", "data-do": "keepMine" }, t("keepMine")), make("button.small", { type: "button", "data-do": "takeTheirs" }, t("takeTheirs"))));
    }

    begin(text) {
        this.isEditing = true;
        setHidden(this.form, false);
        setHidden(this.editButton, true);
        this.draft.set(text ?? "");
    }

    edit() {
        this.begin(this.state.profile?.about ?? "");
        this.draft.element.focus();
    }

    end() {
        this.isEditing = false;
        setHidden(this.form, true);
        setHidden(this.editButton, !this.state.isOwn);
        this.editButton.focus();
    }

    async save() {
        this.draft.tell();
        if (await this.do("save", { text: this.draft.text }) && !this.state.conflict) this.end();
    }

    act(what, row, target) {
        if (what !== "keepMine" && what !== "takeTheirs") return super.act(what, row, target);
        this.do(what).then((isDone) => { if (isDone) this.end(); });
    }

    async discard() {
        // What is not told yet must not come back.
        this.draft.set("");
        await this.do("discardDraft");
        this.end();
    }

    finish() {
        this.draft.finish();
        super.finish();
    }
}
