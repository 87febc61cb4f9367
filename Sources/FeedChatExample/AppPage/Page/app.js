// Puts the app together: the connection, the screens that are open, and what stands around them.

import { make, setHidden, setText } from "./dom.js";
import { icon } from "./icons.js";
import { Socket } from "./socket.js";
import { Router, addressOf, roots } from "./router.js";
import { prepareKeys } from "./keys.js";
import { applyTheme } from "./theme.js";
import { say, toast } from "./announce.js";
import { setLanguage, number } from "./format.js";
import { avatar } from "./richtext.js";
import { retryPictures } from "./pictures.js";
import { setTexts, t } from "./texts.js";
import { NetworkPanel, networkSummary } from "./network.js";
import { FeedScreen, ScheduledScreen } from "./feed.js";
import { PostScreen } from "./thread.js";
import { ComposeScreen } from "./compose.js";
import { ProfileScreen } from "./profile.js";
import { ChatSearchScreen, SearchScreen } from "./searching.js";
import { ChatsScreen } from "./chats.js";
import { ConversationScreen } from "./conversation.js";
import { GroupScreen } from "./group.js";
import { SettingsScreen } from "./settings.js";

const $ = (id) => document.getElementById(id);
const kinds = {
    feed: FeedScreen, scheduled: ScheduledScreen, post: PostScreen, compose: ComposeScreen, profile: ProfileScreen, search: SearchScreen,
    chatSearch: ChatSearchScreen, chats: ChatsScreen, conversation: ConversationScreen, group: GroupScreen, settings: SettingsScreen,
};
/** How often the times of rows are told anew, in ms. */
const tick = 60_000;

class App {
    constructor() {
        this.user = null;
        this.network = {};
        this.unread = 0;
        this.byID = new Map();
        this.nextID = 1;
        this.router = new Router(this, (route) => this.makeScreen(route));
        this.socket = new Socket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/app`, {
            message: (message) => this.take(message), lost: (wasOpen) => this.lost(wasOpen),
        });
        prepareKeys(this);
        $("skip").addEventListener("click", (event) => {
            event.preventDefault();
            this.focusScreen(this.router.top);
        });
        setInterval(() => { for (const screen of this.byID.values()) screen.list?.redraw(); }, tick);
    }

    // From the app's process.

    take(message) {
        switch (message.t) {
        case "hello": return this.greet(message);
        case "screen": return this.byID.get(message.id)?.take(message.state ?? {});
        case "list": return this.byID.get(message.id)?.takeRows(message);
        case "notice": return toast(message, t("close"));
        case "network": return this.takeNetwork(message);
        case "unread": return this.setUnread(message.n);
        case "gone": {
            const screen = this.byID.get(message.id);
            // Opened again, it is asked for again.
            if (screen) screen.isGone = true;
            if (screen && screen === this.router.top) this.router.back();
        }
        }
    }

    greet({ user, lang = "en", dir = "ltr", texts = {}, pid = null }) {
        /** Which process the app is, for tests. */
        this.pid = pid;
        const isFirst = !this.user;
        const isOther = isFirst || this.user.id !== user.id || document.documentElement.lang !== lang;
        this.user = user;
        setHidden($("lost"), true);
        if (isOther) {
            document.documentElement.lang = lang;
            document.documentElement.dir = dir === "rtl" ? "rtl" : "ltr";
            setLanguage(lang);
            setTexts(lang, texts);
            this.router.closeAll();
            this.drawFrame();
            this.router.begin();
            return;
        }
        say(t("found"));
        retryPictures();
        for (const screen of this.byID.values()) screen.open(true);
    }

    lost(wasOpen) {
        if (!this.user && !wasOpen) setTexts(navigator.language.slice(0, 2));
        setText($("lost"), t("lost"));
        setHidden($("lost"), false);
    }

    takeNetwork(state) {
        if (state.reached && !this.network.reached) retryPictures();
        this.network = state;
        this.panel?.take(state);
        for (const screen of this.byID.values()) screen.network?.take(state);
        const summary = networkSummary(state);
        setHidden(this.netChip, !summary);
        setText(this.netChip.lastElementChild, summary);
    }

    // Screens.

    makeScreen(route) {
        const id = this.nextID;
        this.nextID += 1;
        const screen = new kinds[route.kind](this, id, route);
        this.byID.set(id, screen);
        const finish = screen.finish.bind(screen);
        screen.finish = () => {
            this.byID.delete(id);
            finish();
        };
        $("main").append(screen.element);
        screen.mounted();
        screen.open(false);
        return screen;
    }

    /** After the screens that are to be seen have changed. */
    arranged() {
        const { top } = this.router;
        for (const link of $("rail").querySelectorAll("a[data-root]")) {
            const isHere = link.dataset.root === rootOf(top.route);
            if (isHere) link.setAttribute("aria-current", "page");
            else link.removeAttribute("aria-current");
        }
        this.drawTitle();
        this.markConversation();
    }

    drawTitle() { document.title = `${this.unread ? `(${this.unread}) ` : ""}${this.router.top?.heading.textContent ?? ""} · ${this.user?.name ?? ""}`; }

    markConversation() {
        for (const screen of this.byID.values()) screen.mark?.(this.router.beside === screen ? this.router.top.route.with.conversation ?? null : null);
    }

    /** A screen was opened: who reads by ear hears its name. */
    focusScreen(screen) {
        if (!screen) return;
        const list = screen.list;
        if (list?.current?.element) list.current.element.focus({ preventScroll: true });
        else screen.heading.focus({ preventScroll: true });
        screen.activate();
    }

    setUnread(count) {
        this.unread = count;
        setHidden(this.unreadBadge, !count);
        setText(this.unreadBadge, count ? number(count) : "");
        this.drawTitle();
    }

    // What stands around the screens.

    drawFrame() {
        setText($("skip"), t("skip"));
        const rail = $("rail");
        rail.setAttribute("aria-label", t("navigation"));
        this.unreadBadge = make("span.badge", { hidden: true, "aria-hidden": "true" });
        this.netChip = make("a.net-chip", { href: "#/settings", hidden: true }, icon("warn"), make("span"));
        rail.replaceChildren(
            make("h1", null, make("img", { src: "icon.svg", alt: "", width: 26, height: 26 }), make("span", null, t("app"))),
            make("ul", null, roots.map((kind) => make("li", null, make("a", { href: addressOf({ kind }), "data-root": kind }, make("span.icon-room", null, icon(kind), kind === "chats" ? this.unreadBadge : null), make("span.text", null, t(kind)))))),
            make("a.button.primary.compose-link", { href: "#/compose" }, icon("compose"), make("span.text", null, t("compose"))),
            this.netChip,
            make("p.me", null, avatar(this.user.name, this.user.avatar, "small"), make("span", { dir: "auto" }, this.user.name)));
        this.panel = new NetworkPanel(this, "h2");
        const side = $("side");
        side.setAttribute("aria-label", t("network"));
        side.replaceChildren(make("div.panel", null, this.panel.element));
        this.takeNetwork(this.network);
        this.setUnread(this.unread);
    }
}

function rootOf({ kind, with: fields }) {
    if (["conversation", "chatSearch", "group"].includes(kind)) return "chats";
    if (kind === "profile") return fields.user ? "feed" : "profile";
    return roots.includes(kind) ? kind : "feed";
}

applyTheme();
window.app = new App();
