// The conversations, by their last message; and the people to begin one with.

import { make, setHidden, show } from "./dom.js";
import { icon } from "./icons.js";
import { Screen } from "./screen.js";
import { avatar } from "./richtext.js";
import { t } from "./texts.js";

export class ChatsScreen extends Screen {
    build() {
        this.warning = make("div.banner.warn", { role: "status", hidden: true });
        this.people = make("nav.people", { "aria-label": t("contacts"), hidden: true });
        this.banner.after(this.warning);
        this.lead.append(this.people);
    }

    drawTools() {
        show(this.tools, make("a.icon.button", { href: "#/chatSearch", "aria-label": t("chatSearch"), title: t("chatSearch") }, icon("search")),
            make("a.icon.button", { href: "#/group", "aria-label": t("newGroup"), title: t("newGroup") }, icon("group")));
    }

    update({ warning, contacts = [], unread }) {
        setHidden(this.warning, !warning);
        if (warning) show(this.warning, icon("warn"), make("span", null, warning), make("button.small", { type: "button", "data-do": "free" }, t("freeSpace")));
        show(this.people, contacts.map((one) => make("a.contact", { href: `#/conversation/${encodeURIComponent(one.conversation)}` },
            make("span.face", null, avatar(one.name, one.avatar), one.online ? make("span.dot") : null), make("span.contact-name", { dir: "auto" }, one.name))));
        if (unread !== undefined) this.app.setUnread(unread);
        if (this.list.isFilled) this.rowsChanged();
    }

    act(what, row, target) {
        if (what === "free") return this.do("free", { days: 30 });
        super.act(what, row, target);
    }

    /** Which conversation stands beside the list. */
    mark(conversation) {
        for (const link of this.list.rows.querySelectorAll("a.chat")) {
            if (conversation !== null && link.closest(".row").entry.row.conversation === conversation) link.setAttribute("aria-current", "true");
            else link.removeAttribute("aria-current");
        }
    }

    rowsChanged() {
        super.rowsChanged();
        // Who is in the list as somebody to begin with stands there once.
        const { contacts = [] } = this.state;
        setHidden(this.people, !contacts.length || this.list.entries.some(({ row }) => row.contact));
        this.app.markConversation();
    }
}
