// Which screens are open, and which is shown: addresses after the #, the browser's way back, and chats beside a conversation.

import { closeMenu } from "./menu.js";

export const roots = ["feed", "search", "chats", "profile", "settings"];
/** What stands beside the chats where there is room. */
const besideChats = ["conversation", "chatSearch", "group"];
/** The name of the part of `with` that stands in an address. */
const named = { post: ["post"], profile: ["user"], conversation: ["conversation", "message"], chatSearch: ["conversation"], group: ["conversation"] };
const kinds = [...roots, "post", "compose", "scheduled", "conversation", "chatSearch", "group"];
/** Screens that stay open at most: the oldest that is no root is closed first. */
const mostOpen = 9;

export function addressOf({ kind, with: fields = {} }) {
    const parts = (named[kind] ?? []).map((name) => fields[name]).filter((value) => value !== undefined && value !== null);
    return `#/${[kind, ...parts].map(encodeURIComponent).join("/")}`;
}

/** The route of an address; the feed's for one that is none. */
export function routeOf(address) {
    try {
        const [kind, ...parts] = address.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
        if (!kinds.includes(kind)) return { kind: "feed", with: {} };
        const fields = {};
        (named[kind] ?? []).forEach((name, at) => { if (parts[at]) fields[name] = parts[at]; });
        if ((kind === "post" && !fields.post) || (kind === "conversation" && !fields.conversation)) return { kind: "feed", with: {} };
        return { kind, with: fields };
    } catch {
        return { kind: "feed", with: {} };
    }
}

export class Router {
    /** `make(route)` answers a screen whose element stands in the page. */
    constructor(app, make) {
        Object.assign(this, { app, make });
        /** Open screens by address; what was shown last is at the end. */
        this.screens = new Map();
        this.top = null;
        this.wide = matchMedia("(min-width: 1000px)");
        this.wide.addEventListener("change", () => { if (this.top) this.arrange(); });
        addEventListener("popstate", () => this.follow());
        document.addEventListener("click", (event) => {
            const link = event.target.closest('a[href^="#/"]');
            if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            this.go(routeOf(link.getAttribute("href")));
        });
    }

    begin() {
        const route = routeOf(location.hash);
        history.replaceState({ depth: history.state?.depth ?? 0 }, "", addressOf(route));
        this.follow(false);
        this.top.activate();
    }

    go(route) {
        const address = addressOf(route);
        if (address === location.hash) return this.app.focusScreen(this.top);
        history.pushState({ depth: (history.state?.depth ?? 0) + 1 }, "", address);
        this.follow();
    }

    /** Back to where one came from, or up where one came from nowhere. */
    back(screen = this.top) {
        if (screen !== this.top) return;
        if ((history.state?.depth ?? 0) > 0) history.back();
        else if (!roots.includes(screen.route.kind)) {
            history.replaceState({ depth: 0 }, "", addressOf({ kind: besideChats.includes(screen.route.kind) ? "chats" : "feed" }));
            this.follow();
        }
    }

    /** Shows what the address says. */
    follow(movesFocus = true) {
        const route = routeOf(location.hash);
        this.top = this.open(route);
        this.arrange();
        this.limit();
        if (movesFocus) this.app.focusScreen(this.top);
    }

    open(route) {
        // Where a conversation is looked at is no other screen.
        const key = addressOf(route.kind === "conversation" ? { kind: route.kind, with: { conversation: route.with.conversation } } : route);
        let screen = this.screens.get(key);
        const isElsewhere = route.with.message && screen?.route.with.message !== route.with.message;
        if (screen && (screen.isGone || isElsewhere)) {
            this.close(key);
            screen = null;
        }
        screen ??= this.make(route);
        this.screens.delete(key);
        this.screens.set(key, screen);
        return screen;
    }

    /** Which screens are to be seen: the top one, and chats beside it. */
    arrange() {
        const isSplit = this.wide.matches && (besideChats.includes(this.top.route.kind) || this.top.route.kind === "chats");
        const beside = isSplit && this.top.route.kind !== "chats" ? this.open({ kind: "chats", with: {} }) : null;
        this.beside = beside;
        const main = document.getElementById("main");
        main.classList.toggle("split", isSplit);
        closeMenu(false);
        for (const screen of this.screens.values()) {
            screen.element.hidden = !this.isShown(screen);
            // A modal dialog keeps the whole page from being used, also where nobody sees it.
            if (screen.element.hidden) screen.element.querySelector("dialog[open]")?.close();
            screen.hasBack = screen === this.top && !roots.includes(screen.route.kind) && !(beside && screen.route.kind === "conversation");
        }
        main.dataset.top = this.top.route.kind;
        this.app.arranged();
    }

    isShown(screen) { return screen === this.top || screen === this.beside; }

    limit() {
        for (const [key, screen] of this.screens) {
            if (this.screens.size <= mostOpen) return;
            if (!this.isShown(screen) && !roots.includes(screen.route.kind)) this.close(key);
        }
    }

    close(key) {
        this.screens.get(key)?.finish();
        this.screens.delete(key);
    }

    closeAll() { for (const key of [...this.screens.keys()]) this.close(key); }
}
