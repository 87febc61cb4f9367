// Searching posts, and searching messages of one conversation or of all. What is typed goes to the app, which waits and asks.

import { make, setHidden, setText } from "./dom.js";
import { icon } from "./icons.js";
import { Screen } from "./screen.js";
import { DraftField } from "./field.js";
import { number } from "./format.js";
import { say } from "./announce.js";
import { t } from "./texts.js";

export class SearchScreen extends Screen {
    static role = "feed";
    static refreshes = false;
    get label() { return t("searchPosts"); }
    get hint() { return t("searchHint"); }

    build() {
        this.input = make("input", { type: "search", "aria-label": this.label, placeholder: this.label, autocomplete: "off", spellcheck: "false", dir: "auto", enterkeyhint: "search" });
        this.draft = new DraftField(this.input, (text) => this.app.socket.send({ t: "do", n: 0, id: this.id, what: "type", text }), () => this.drawEmpty());
        this.note = make("p.note.seen-only", { hidden: true });
        this.bar.after(make("form.search-field", { role: "search", onsubmit: (event) => { event.preventDefault(); this.draft.tell(); } }, icon("search"), this.input), this.note);
    }

    get field() { return this.input; }
    get emptyText() { return this.draft.text.trim() ? this.state.empty ?? t("nothing") : this.hint; }
    activate() { if (!this.draft.text) this.input.focus({ preventScroll: true }); }
    reopened() { this.draft.tellAgain(); }

    update({ text, seenOnly }) {
        // What is searched stands in the field.
        setText(this.heading, this.name);
        this.draft.take(text);
        setHidden(this.note, !seenOnly);
        if (seenOnly) setText(this.note, seenOnly);
    }

    rowsChanged() {
        super.rowsChanged();
        const count = this.list.entries.filter(({ row }) => ["post", "hit", "chat"].includes(row.kind)).length;
        if (count !== this.counted && this.draft.text.trim()) say(t("results", number(count)));
        this.counted = count;
    }
}

export class ChatSearchScreen extends SearchScreen {
    static role = "list";
    get label() { return t("searchChats"); }
    get hint() { return t("searchChatHint"); }
}
