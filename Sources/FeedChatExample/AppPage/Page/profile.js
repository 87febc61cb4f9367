// A person, and what this person wrote; one's own profile can be edited.

import { make, setHidden, show } from "./dom.js";
import { icon } from "./icons.js";
import { Screen } from "./screen.js";
import { DraftEditor } from "./editor.js";
import { avatar } from "./richtext.js";
import { number } from "./format.js";
import { t } from "./texts.js";

export class ProfileScreen extends Screen {
    static role = "feed";

    build() {
        this.card = make("div.card-head");
        this.editor = new DraftEditor(this, { label: t("about"), rows: 3, limit: 500, ended: () => this.ended() });
        this.editButton = make("button", { type: "button", hidden: true, onclick: () => this.edit() }, icon("compose"), t("editProfile"));
        this.lead.append(make("div.card", null, this.card, this.editButton, this.editor.element));
    }

    get field() { return this.editor.field; }
    reopened() { this.editor.reopened(); }

    update({ profile, isOwn, draft, conflict }) {
        if (profile) show(this.card, avatar(profile.name, profile.avatar, "huge"), make("div", null, make("h3", { dir: "auto" }, profile.name), make("p.about", { dir: "auto" }, profile.about ?? ""), profile.posts === undefined ? null : make("p.note", null, t("posts", number(profile.posts)))));
        this.editor.take(draft?.about, conflict);
        setHidden(this.editButton, !isOwn || this.editor.isOpen);
    }

    edit() {
        setHidden(this.editButton, true);
        this.editor.begin(this.state.profile?.about ?? "");
    }

    ended() {
        setHidden(this.editButton, !this.state.isOwn);
        this.editButton.focus();
    }

    act(what, row, target) {
        if (!this.editor.act(what)) super.act(what, row, target);
    }

    finish() {
        this.editor.finish();
        super.finish();
    }
}
