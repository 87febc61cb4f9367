// What all screens have: a bar, banners, a list where there is one, and the ways to the app.

import { make, setHidden, setText, show } from "./dom.js";
import { icon } from "./icons.js";
import { VirtualList } from "./list.js";
import { drawing } from "./rows.js";
import { preparePull } from "./pull.js";
import { showMenu } from "./menu.js";
import { say, toast } from "./announce.js";
import { t } from "./texts.js";

const dangerous = ["deleteConversation", "deleteForAll", "deleteForMe", "deleteFailed"];
const menuNames = { deleteConversation: "deleteConversation", edit: "menuEdit", deleteForAll: "menuDeleteForAll", deleteForMe: "menuDeleteForMe", resend: "menuResend", deleteFailed: "menuDeleteFailed", edits: "menuEdits" };

export class Screen {
    /** Kinds say: hasList, role, followsEnd, refreshes, retries, title. */
    static hasList = true;
    static role = "list";
    static followsEnd = false;
    static refreshes = true;
    /** Whether it can be tried again as a whole. */
    static retries = true;

    constructor(app, id, route) {
        Object.assign(this, { app, id, route, state: {} });
        const kind = this.constructor;
        this.heading = make("h2", { id: `title-${id}`, tabindex: "-1" }, this.name);
        this.subtitle = make("p.subtitle", { hidden: true });
        this.refreshButton = kind.refreshes && kind.hasList ? make("button.icon.refresh", { type: "button", "data-do": "refresh", "aria-label": t("refresh"), title: `${t("refresh")} (r)` }, icon("refresh")) : null;
        this.backButton = make("button.icon.back", { type: "button", "aria-label": t("back"), title: `${t("back")} (Esc)`, onclick: () => app.router.back(this) }, icon("back"));
        this.tools = make("div.tools");
        this.bar = make("header.bar", null, this.backButton, this.face = make("span.bar-face", { hidden: true }), make("div.titles", null, this.heading, this.subtitle), this.tools, this.refreshButton);
        this.banner = make("div.banner", { hidden: true });
        this.problem = make("div.banner.bad", { role: "alert", hidden: true });
        this.lead = make("div.lead");
        this.scroller = make("div.scroller", { tabindex: "-1" }, this.lead);
        this.empty = make("p.empty", { hidden: true });
        this.element = make("section.screen", { "data-kind": route.kind, "aria-labelledby": `title-${id}` }, this.bar, this.banner, this.problem, this.scroller);
        this.element.addEventListener("click", (event) => this.clicked(event));
        if (kind.hasList) this.makeList();
        this.build();
        this.drawTools();
    }

    get name() { return t(this.route.kind); }
    /** Whether a way back is shown. */
    set hasBack(has) { setHidden(this.backButton, !has); }

    makeList() {
        const kind = this.constructor;
        this.list = new VirtualList(drawing, {
            scroller: this.scroller, role: kind.role, label: this.name, followsEnd: kind.followsEnd,
            onvisible: (first, last, velocity) => this.app.socket.send({ t: "visible", id: this.id, first, last, velocity }),
            onchanged: () => this.rowsChanged(),
        });
        this.scroller.append(this.list.sizer, this.empty);
        this.scroller.classList.add("waiting");
        this.list.rows.addEventListener("keydown", (event) => {
            if (!(event.ctrlKey || event.metaKey) || !["Home", "End"].includes(event.key)) return;
            event.preventDefault();
            this.leaveList(event.key === "End");
        });
        if (kind.refreshes && !kind.followsEnd) preparePull(this.scroller, () => this.refresh());
    }

    // What a kind adds.
    build() {}
    update() {}
    drawTools() {}
    activate() {}
    rowsChanged() { this.drawEmpty(); }

    mounted() { this.list?.begin(); }

    /** Opens it in the app; again after the connection was lost. */
    open(isAgain) {
        // Who reads on goes on there, and not at the message that was looked for.
        const place = isAgain ? { ...this.route.with, message: undefined } : this.route.with;
        this.app.socket.send({ t: "open", id: this.id, kind: this.route.kind, with: place });
        if (isAgain) this.reopened();
    }
    reopened() {}

    finish() {
        this.list?.finish();
        this.app.socket.send({ t: "close", id: this.id });
        this.element.remove();
    }

    // From the app.

    take(state) {
        const before = this.state;
        this.state = state;
        setText(this.heading, state.title ?? this.name);
        this.list?.rows.setAttribute("aria-label", state.title ?? this.name);
        const subtitle = state.subtitle ?? state.freshness ?? "";
        setText(this.subtitle, subtitle);
        setHidden(this.subtitle, !subtitle);
        this.element.classList.toggle("refreshing", Boolean(state.refreshing));
        this.refreshButton?.setAttribute("aria-label", state.refreshing ? t("refreshing") : t("refresh"));
        if (state.refreshing && !before.refreshing) say(t("refreshing"));
        const isAway = state.signedOut ? "signedOut" : state.offline ? "offline" : null;
        setHidden(this.banner, !isAway);
        if (isAway) {
            show(this.banner, icon("offline"), make("span", null, t(isAway)));
            if (!before.offline && !before.signedOut) say(t(isAway));
        }
        setHidden(this.problem, !state.error);
        if (state.error) show(this.problem, icon("warn"), make("span", null, state.error), this.constructor.retries ? make("button.small", { type: "button", "data-do": "retryAll" }, t("retry")) : null);
        this.update(state, before);
        this.drawEmpty();
        if (this.app.router.top === this) this.app.drawTitle();
    }

    takeRows(message) {
        if (!this.list) return;
        if (message.reset) {
            this.scroller.classList.remove("waiting");
            this.list.reset(message.reset);
        } else if (!this.list.apply(message.ops, message.n)) {
            this.app.socket.send({ t: "again", id: this.id });
        }
    }

    get emptyText() { return this.state.empty ?? t("nothing"); }

    drawEmpty() {
        const isEmpty = Boolean(this.list?.isFilled) && this.list.entries.length === 0 && !this.state.error;
        setHidden(this.empty, !isEmpty);
        if (isEmpty) setText(this.empty, this.emptyText);
    }

    // To the app.

    /** Does something; answers whether it was done. What went wrong is told. */
    async do(what, fields = {}) {
        const { error, lost } = await this.app.socket.do({ id: this.id, what, ...fields });
        if (lost) toast({ text: t(this.app.socket.isOpen ? "notKnown" : "notDone"), kind: "error" }, t("close"));
        else if (error) toast({ text: error, kind: "error" }, t("close"));
        return !error && !lost;
    }

    refresh() {
        if (this.constructor.refreshes && !this.state.refreshing) this.do("refresh");
    }

    /** Something was chosen in a row, or in the screen: `row` is null then. */
    act(what, row, target) {
        if (what === "retryAll") return this.do("retry");
        if (what === "refresh") return this.refresh();
        this.do(what, row ? { row: row.id } : {});
    }

    clicked(event) {
        const entry = event.target.closest(".row")?.entry;
        const menu = event.target.closest("[data-menu]");
        if (menu) {
            event.preventDefault();
            return showMenu(menu, menu.dataset.menu.split(" ").filter((name) => menuNames[name]).map((name) => ({ label: t(menuNames[name]), isDangerous: dangerous.includes(name), act: () => this.act(name, entry?.row, menu) })));
        }
        const button = event.target.closest("[data-do]");
        if (button) return this.act(button.dataset.do, entry?.row ?? null, button);
        if (!entry || event.target.closest("a, button, input, textarea, select, label") || getSelection()?.toString()) return;
        this.openRow(entry.row);
    }

    /** Opens what a row stands for. */
    openRow(row) {
        if (row.kind === "post" && !row.detail && !row.pending && !row.publishAt) this.app.router.go({ kind: "post", with: { post: row.id } });
        else this.list?.store.entries.find((entry) => entry.row === row)?.element?.querySelector("a.chat[href]")?.click();
    }

    // Keys.

    step(by) { this.list?.step(by); }
    /** A list of many rows is many stops of the tab key: out of it, to what stands before or after. */
    leaveList(isForward) {
        const stops = [...document.querySelectorAll("a[href], button:not(:disabled), input, select, textarea")].filter((one) => one.checkVisibility() && !this.scroller.contains(one));
        const after = stops.find((one) => this.scroller.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
        const before = stops.findLast((one) => this.scroller.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING);
        ((isForward ? after : before) ?? stops[0])?.focus();
    }

    get currentRow() { return this.list?.current && !this.list.current.isGone ? this.list.current.row : null; }
    /** The field that one writes in, if any. */
    get field() { return null; }
}
