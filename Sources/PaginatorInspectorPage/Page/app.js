// Puts the page together: what is open, which time is looked at, what is chosen, and when the views are drawn.

import { Recording } from "./recording.js";
import { Lanes, stretchOf } from "./lanes.js";
import { meaningOfEvent } from "./kinds.js";
import { Connection } from "./connection.js";
import { Scrubber } from "./scrubber.js";
import { Details } from "./details.js";
import { TimelineView } from "./timeline.js";
import { MapView } from "./map.js";
import { QueueView } from "./queue.js";
import { CacheView } from "./cache.js";
import { ActionsView } from "./actions.js";
import { prepareKeys } from "./keys.js";
import { prepareTheme } from "./theme.js";
import { rove, setText } from "./dom.js";
import { duration, finite, several } from "./format.js";

const $ = (id) => document.getElementById(id);

class App {
    constructor() {
        this.recording = new Recording();
        /** The time that is looked at, in ns; null for the newest. */
        this.cursor = null;
        /** What the timeline shows, in ns. */
        this.view = { from: 0, to: 10e9 };
        /** Whether the view's end follows what comes. */
        this.following = true;
        /** The event that is chosen; -1 for none. */
        this.selected = -1;
        this.filter = { subject: 0, text: "" };
        this.lane = null;
        this.lanes = new Lanes(this.recording);
        this.generation = this.recording.generation;
        this.views = { timeline: new TimelineView(this, $("view-timeline")), map: new MapView(this, $("view-map")),
            queue: new QueueView(this, $("view-queue")), cache: new CacheView(this, $("view-cache")),
            actions: new ActionsView(this, $("view-actions")) };
        this.shown = "timeline";
        this.details = new Details(this, $("details"));
        this.scrubber = new Scrubber(this);
        this.connection = new Connection(this);
        this.framed = false;
        this.lastData = 0;
        this.prepareTabs();
        prepareKeys(this);
        prepareTheme(() => this.draw());
        $("pause").onclick = () => this.togglePause();
        $("step-back").onclick = () => this.step(-1);
        $("step-on").onclick = () => this.step(1);
        $("notice-close").onclick = () => this.tell(null);
        new ResizeObserver(() => this.draw()).observe($("body"));
        this.connection.begin();
        this.draw();
    }

    // Time.

    /** The newest time that is known; it goes on between the messages of a running app. */
    get now() {
        const end = Math.max(Number.isFinite(this.recording.end) ? this.recording.end : 0, this.connection.told);
        return this.connection.isRunning ? Math.max(end, this.connection.extrapolated(end)) : end;
    }
    get start() { return Number.isFinite(this.recording.start) ? Math.min(this.recording.start, this.now) : 0; }
    /** The time that the views show. */
    get time() { return this.cursor ?? this.now; }

    /** Whether a subject is detached at the time that is shown. */
    isGone(subject) { return subject.detached === true && this.time >= finite(subject.end, -Infinity); }

    /** A state at the time that is shown, which goes on though the state stays as it is. */
    stateNow(subject) {
        const state = this.recording.stateAt(subject.subject, this.time);
        return state && !this.isGone(subject) ? { ...state, taken: state.time, time: Math.max(state.time, this.time) } : state;
    }

    setCursor(time) {
        this.cursor = time === null ? null : Math.min(Math.max(time, this.start), this.now);
        if (this.cursor !== null) this.following = false;
        this.draw();
    }

    togglePause() {
        if (this.cursor === null) {
            this.setCursor(this.now);
            this.say("Paused");
        } else {
            this.selected = -1;
            this.cursor = null;
            this.following = true;
            const width = this.view.to - this.view.from;
            this.setView(this.now - width * 0.98, this.now + width * 0.02, true);
            this.say(this.connection.isRunning ? "Live" : "At the end");
        }
        this.draw();
    }

    setView(from, to, keepsFollowing = false) {
        const least = Math.max(100, Math.abs(this.now) * 2 ** -44), most = Math.max((this.now - this.start) * 1.2, 1e6);
        let width = Math.min(Math.max(to - from, least), most);
        const middle = (from + to) / 2;
        from = middle - width / 2;
        const low = this.start - width * 0.5, high = this.now + width * 0.5 - width;
        from = Math.min(Math.max(from, low), Math.max(high, low));
        this.view = { from, to: from + width };
        if (!keepsFollowing) this.following = false;
        this.draw();
    }

    zoom(factor, around = null) {
        const { from, to } = this.view;
        const anchor = around ?? (this.cursor !== null && this.cursor >= from && this.cursor <= to ? this.cursor : this.following ? to : (from + to) / 2);
        this.setView(anchor - (anchor - from) * factor, anchor + (to - anchor) * factor, this.following && around === null);
    }

    fit() {
        const width = Math.max(this.now - this.start, 1e6);
        this.setView(this.start - width * 0.02, this.now + width * 0.02);
    }

    reveal(from, to = from) {
        const width = this.view.to - this.view.from;
        if (from < this.view.from || to > this.view.to) {
            const wanted = Math.max(width, (to - from) * 1.2);
            const middle = (from + to) / 2;
            this.setView(middle - wanted / 2, middle + wanted / 2);
        }
    }

    // Events.

    accepts(index) {
        const recording = this.recording;
        if (this.filter.subject && recording.subject[index] !== this.filter.subject) return false;
        if (!this.filter.text) return true;
        return this.filterOf(recording.page[index]);
    }

    /** Whether the page with a text's number is one of the filter's; each is looked at once. */
    filterOf(page) {
        const { recording, filter } = this;
        const key = `${recording.generation} ${filter.text}`;
        if (this.matches?.key !== key) this.matches = { key, byPage: new Map() };
        const { byPage } = this.matches;
        if (!byPage.has(page)) byPage.set(page, recording.pageAt(page)?.label.toLowerCase().includes(filter.text) ?? false);
        return byPage.get(page);
    }

    setFilter(filter) {
        Object.assign(this.filter, filter);
        const all = !this.filter.subject && !this.filter.text;
        this.lanes = new Lanes(this.recording, all ? null : (index) => this.accepts(index));
        this.draw();
    }

    select(index, { reveals = true } = {}) {
        this.selected = index;
        if (index >= 0) {
            this.cursor = Math.min(Math.max(this.recording.time[index], this.start), this.now);
            this.following = false;
            if (reveals) {
                const { start, end } = stretchOf(this.recording, index);
                this.reveal(start, end);
            }
            this.details.showEvent(index);
            this.say(this.describe(index));
        } else {
            this.details.hide();
        }
        this.draw();
    }

    describe(index) {
        const recording = this.recording;
        const error = recording.errorAt(recording.error[index]);
        const parts = [meaningOfEvent(recording, index).label, recording.pageAt(recording.page[index])?.label,
            recording.duration[index] >= 0 ? duration(recording.duration[index]) : null,
            error ? `failed: ${error.code}` : null, recording.causeName(index),
            recording.page[index] ? null : recording.detailText(index)];
        return parts.filter(Boolean).join(", ");
    }

    /** Goes to the next event, or the one before, that the filter and the chosen lane show. */
    step(by) {
        const recording = this.recording;
        if (recording.length === 0) return this.stepState(by);
        const order = recording.inOrder();
        let at;
        if (this.selected >= 0 && recording.time[this.selected] === this.cursor) {
            at = recording.placeAfter(this.cursor) - 1;
            while (at >= 0 && order[at] !== this.selected) at -= 1;
            at += by;
        } else {
            at = by > 0 ? recording.placeAfter(this.time) : recording.placeAfter(this.time) - 1;
        }
        for (; at >= 0 && at < order.length; at += by) {
            const index = order[at];
            if (this.lane && meaningOfEvent(recording, index).lane !== this.lane) continue;
            if (this.accepts(index)) return this.select(index);
        }
        this.say(by > 0 ? "No later event" : "No earlier event");
    }

    /** Goes to the next state that was taken, or the one before. */
    stepState(by) {
        const times = this.recording.stateTimes();
        const now = this.time;
        const next = by > 0 ? times.find((time) => time > now) : times.findLast((time) => time < now);
        if (next === undefined) return this.say(by > 0 ? "No later state" : "No earlier state");
        this.selected = -1;
        this.setCursor(next);
        this.reveal(next);
    }

    // What is shown.

    prepareTabs() {
        const tabs = $("tabs");
        rove(tabs, "[role=tab]", { onmove: (tab) => this.openView(tab.id.slice(4)) });
        tabs.addEventListener("click", (event) => {
            const tab = event.target.closest("[role=tab]");
            if (tab) this.openView(tab.id.slice(4));
        });
    }

    openView(name) {
        this.shown = name;
        for (const id of Object.keys(this.views)) {
            $(`tab-${id}`).setAttribute("aria-selected", String(id === name));
            $(`tab-${id}`).tabIndex = id === name ? 0 : -1;
        }
        this.draw();
    }

    say(text) { setText($("said"), text); }

    /** Shows a message until it is closed; null for none. `offer`: { label, act } of what can be done about it. */
    tell(message, offer = null) {
        $("notice-act").hidden = offer === null;
        setText($("notice-act"), offer?.label ?? "");
        $("notice-act").onclick = offer?.act ?? null;
        $("notice").hidden = message === null;
        setText($("notice-text"), message ?? "");
        this.draw();
    }

    /** Called when something was read. */
    received() {
        if (this.generation !== this.recording.generation) {
            this.generation = this.recording.generation;
            this.selected = -1;
            this.details.hide();
        }
        if (this.dataTimer === undefined) {
            this.dataTimer = setTimeout(() => {
                this.dataTimer = undefined;
                this.draw();
            }, 60);
        }
    }

    /** Draws everything that is seen, in the next frame. */
    draw() {
        if (this.framed) return;
        this.framed = true;
        requestAnimationFrame(() => {
            this.framed = false;
            this.drawNow();
        });
    }

    drawNow() {
        this.lanes.update();
        const isEmpty = this.recording.isEmpty && !this.connection.isRunning;
        $("welcome").hidden = !isEmpty;
        for (const [name, view] of Object.entries(this.views)) {
            const section = $(`view-${name}`);
            section.hidden = isEmpty || name !== this.shown;
            if (!section.hidden) view.draw();
        }
        if (this.following && this.connection.isRunning && this.cursor === null) {
            const width = this.view.to - this.view.from;
            this.view = { from: this.now - width * 0.98, to: this.now + width * 0.02 };
            this.keepMoving();
        }
        this.scrubber.draw();
        this.details.draw();
        const pause = $("pause");
        const label = this.cursor === null ? "Pause" : this.connection.isRunning ? "Go on live" : "Go to the end";
        if (pause.getAttribute("aria-label") !== label) {
            pause.setAttribute("aria-label", label);
            pause.classList.toggle("paused", this.cursor !== null);
        }
        document.documentElement.classList.toggle("empty", isEmpty);
    }

    /** While something runs and is looked at, time goes on; slowly for those who want little motion. */
    keepMoving() {
        if (this.moving !== undefined || document.hidden) return;
        const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        this.moving = setTimeout(() => {
            this.moving = undefined;
            this.draw();
        }, calm || this.shown !== "timeline" ? 500 : 33);
    }

    /** Called when a file or a running app was opened. */
    opened() {
        this.cursor = null;
        this.selected = -1;
        this.details.hide();
        this.lane = null;
        this.filter = { subject: 0, text: "" };
        this.lanes = new Lanes(this.recording);
        this.generation = this.recording.generation;
        if (this.connection.isRunning) {
            this.following = true;
            this.view = { from: this.now - 9.8e9, to: this.now + 0.2e9 };
        } else {
            this.fit();
        }
        this.say(`${several(this.recording.length, "event")}`);
        this.draw();
    }
}

window.inspector = new App();
