// The feed, and what will be published later.

import { make, setHidden, setText, show } from "./dom.js";
import { icon } from "./icons.js";
import { Screen } from "./screen.js";
import { number } from "./format.js";
import { say } from "./announce.js";
import { t } from "./texts.js";

export class FeedScreen extends Screen {
    static role = "feed";

    build() {
        this.pillText = make("span");
        this.pill = make("button.pill", { type: "button", hidden: true, "data-do": "showNew" }, icon("up"), this.pillText);
        this.scroller.before(make("div.pill-room", null, this.pill));
    }

    drawTools() { show(this.tools, make("a.icon.button.narrow-only", { href: "#/compose", "aria-label": t("compose"), title: t("compose") }, icon("compose"))); }

    update({ waiting = 0 }, before) {
        const text = t("newPosts", number(waiting));
        setText(this.pillText, text);
        setHidden(this.pill, !waiting);
        if (waiting && waiting !== before.waiting) say(text);
    }

    act(what, row, target) {
        if (what === "showNew") return this.showNew();
        super.act(what, row, target);
    }

    /** Shows the new posts, and goes to them. */
    async showNew() {
        this.list.toStart();
        // What is shown is above all that was read: who asks for it wants to see it.
        if (await this.do("showNew")) this.list.toStart();
    }
}

export class ScheduledScreen extends Screen {
    static role = "feed";
}
