// The map of pages: for each list its pages in order, with gaps, window and visible rows, and where each page is.

import { pageOf } from "./texts.js";
import { colors, fitted } from "./theme.js";
import { make, rove, show, foreign } from "./dom.js";
import { Chooser, heading, empty } from "./parts.js";
import { array, bytes, duration, finite, number, several, text } from "./format.js";

const states = { fresh: "fresh", stale: "stale", loading: "in flight", failed: "failed", dropped: "dropped" };
const marks = { fresh: "", stale: "~", loading: "…", failed: "!", dropped: "×", gap: "⋯" };
const mostTiles = 400;

export class MapView {
    constructor(app, section) {
        this.app = app;
        this.chooser = new Chooser(app, ["list"], "Lists to show");
        this.body = make("div.cards");
        this.section = section;
        section.append(make("div.bar", null, this.chooser.element,
            make("ul.legend", { "aria-label": "Legend" }, Object.entries(states).map(([state, name]) =>
                make("li", null, make(`i.swatch.tile-${state}`, null, marks[state]), name)),
            make("li", null, make("i.swatch.tile-gap"), "gap"), make("li", null, make("i.swatch.pinned"), "pinned"),
            make("li", null, make("b.where.memory", null, "M"), "in memory"), make("li", null, make("b.where.disk", null, "D"), "on disk"))), this.body);
        rove(this.body, ".tile", { columns: (tiles) => {
            const top = tiles[0]?.offsetTop;
            const line = tiles.findIndex((tile) => tile.offsetTop !== top);
            return line < 0 ? tiles.length : line;
        } });
        this.body.addEventListener("click", (event) => {
            const tile = event.target.closest(".tile");
            if (tile?.dataset.page) this.choose(tile.dataset.page, Number(tile.dataset.paginator));
        });
        this.chosen = null;
        this.facts = new Map();
    }

    draw() {
        const { recording, time } = this.app;
        const lists = this.chooser.chosen();
        this.facts.clear();
        const drawn = [];
        const inLists = new Set();
        const cards = lists.map((subject) => {
            const state = recording.stateAt(subject.subject, time);
            if (!state) return make("article.card", null, heading(this.app, subject, null), empty("No state of this list was taken up to this time."));
            return this.card(subject, state, inLists, drawn);
        });
        for (const subject of recording.subjectsOf("list")) {
            if (lists.includes(subject)) continue;
            for (const slot of array(recording.stateAt(subject.subject, time)?.slots)) { const page = pageOf(slot.page); if (page) inLists.add(page.id); }
        }
        const paginators = this.chooser.value ? [] : recording.subjectsOf("paginator");
        for (const subject of paginators.slice(0, 12)) {
            const card = this.rest(subject, inLists);
            if (card) cards.push(card);
        }
        if (cards.length === 0) cards.push(empty("No list or paginator is attached, or no state of one was taken yet."));
        show(this.body, cards);
        if (!this.body.querySelector(".tile[tabindex='0']")) this.body.querySelector(".tile")?.setAttribute("tabindex", "0");
        const strips = this.body.querySelectorAll("canvas.strip");
        drawn.forEach((state, at) => { if (strips[at]) this.drawStrip(strips[at], state); });
        for (const tile of this.body.querySelectorAll(".tile")) tile.toggleAttribute("aria-current", this.chosen === nameOf(tile.dataset.paginator, tile.dataset.page));
    }

    /** Where pages are, for a list: ids of its paginator's memory, of its stores, of what is loading. */
    places(paginator) {
        const { recording, time } = this.app;
        const memory = new Map(), disk = new Map(), loads = new Map();
        const subject = recording.subjects.get(paginator);
        const state = subject ? this.app.stateNow(subject) : null;
        for (const entry of array(state?.memory?.entries)) { const page = pageOf(entry?.page); if (page) memory.set(page.id, entry); }
        for (const load of array(state?.loads)) { const page = pageOf(load?.page); if (page) loads.set(page.id, load); }
        // A store tells which paginators use it. What it does not tell, or no longer, is not known.
        let isKnown = false;
        for (const store of recording.subjectsOf("store")) {
            const told = this.app.isGone(store) ? null : recording.stateAt(store.subject, time);
            if (!array(told?.paginators).includes(paginator) || !Array.isArray(told.entries)) continue;
            isKnown = !(finite(told.entriesLeftOut) > 0);
            for (const entry of told.entries) { const page = pageOf(entry?.page); if (page) disk.set(page.id, entry); }
        }
        return { memory, disk, loads, state, isDiskKnown: isKnown };
    }

    card(subject, state, inLists, drawn) {
        const paginator = finite(state.paginator, finite(subject.paginator));
        const places = this.places(paginator);
        const slots = array(state.slots).filter((slot) => slot && typeof slot === "object");
        for (const slot of slots) { const page = pageOf(slot.page); if (page) inLists.add(page.id); }
        const { shown, before, after } = this.around(slots, state);
        const earlier = before + finite(state.slotsBefore), later = after + finite(state.slotsAfter), all = slots.length + finite(state.slotsBefore) + finite(state.slotsAfter);
        const gaps = array(state.gaps).filter((gap) => Number.isFinite(gap?.row)).sort((one, other) => one.row - other.row);
        this.common = commonBeginning(shown.slice(1).map((slot) => pageOf(slot.page)?.key ?? ""));
        const tiles = [];
        const begin = shown.find((slot) => Number.isFinite(slot.first))?.first ?? 0;
        let gap = gaps.findIndex(({ row }) => row >= begin);
        for (const slot of shown) {
            // Dropped pages have no rows, and so no place among the gaps.
            while (Number.isFinite(slot.first) && gap >= 0 && gap < gaps.length && gaps[gap].row <= slot.first) tiles.push(this.gap(gaps[gap++]));
            tiles.push(this.tile(slot, state, paginator, places));
        }
        if (after === 0) while (gap >= 0 && gap < gaps.length) tiles.push(this.gap(gaps[gap++]));
        drawn.push({ state, slots, gaps });
        const range = (value) => Array.isArray(value) && value.length === 2 ? `${number(value[0])} – ${number(value[1])}` : null;
        const facts = [["Scope", state.scope ? foreign(text(state.scope)) : null], ["Rows", Number.isFinite(state.total) ? `${number(state.rows)} of ${number(state.total)}` : number(state.rows)], ["Visible", range(state.visible)], ["Window", Number.isFinite(state.windowItems) ? several(state.windowItems, "item") : null],
            ["Next", loadState(state.next)], ["Previous", loadState(state.previous)], ["Refresh", loadState(state.refresh)],
            ["New above", state.newAbove ? number(state.newAbove) : null], ["New below", state.newBelow ? number(state.newBelow) : null],
            ["Pending edits", state.pendingEdits ? number(state.pendingEdits) : null], ["Prefetch distance", state.prefetchDistance === undefined ? null : text(state.prefetchDistance)]];
        const pinned = slots.filter((slot) => slot.pinned).length, dropped = slots.filter((slot) => slot.state === "dropped").length;
        return make("article.card", null,
            heading(this.app, subject, state, `${several(all, "page")}${pinned ? `, ${pinned} pinned` : ""}${dropped ? `, ${dropped} dropped` : ""}${gaps.length ? `, ${several(gaps.length, "gap")}` : ""}`),
            make("dl.line", null, facts.filter(([, value]) => value).map(([name, value]) => make("div", null, make("dt", null, name), make("dd", null, value)))),
            slots.length ? make("canvas.strip", { role: "img", "aria-label": `${several(slots.length, "page")} to scale` }) : null,
            earlier ? make("p.note", null, `${several(earlier, "page")} before`) : null,
            slots.length ? make("div.tiles", { role: "group", "aria-label": `Pages of ${this.app.recording.subjectName(subject.subject)}` }, tiles) : empty("The list has no pages yet."),
            later ? make("p.note", null, `${several(later, "page")} after`) : null,
            this.edits(state));
    }

    /** The slots to show as tiles: all, or those around what is visible. */
    around(slots, state) {
        if (slots.length <= mostTiles) return { shown: slots, before: 0, after: 0 };
        const row = Array.isArray(state.visible) ? finite(state.visible[0]) : 0;
        let middle = slots.findIndex((slot) => finite(slot.first) + finite(slot.count) > row);
        if (middle < 0) middle = slots.length;
        const first = Math.min(Math.max(0, middle - mostTiles / 2), slots.length - mostTiles);
        return { shown: slots.slice(first, first + mostTiles), before: first, after: slots.length - first - mostTiles };
    }

    tile(slot, state, paginator, { memory, disk, loads, isDiskKnown }) {
        const page = pageOf(slot.page) ?? pageOf("?");
        const load = loads.get(page.id);
        const name = Object.hasOwn(states, slot.state) ? slot.state : "dropped";
        const hasPlace = Number.isFinite(slot.first), first = finite(slot.first), count = finite(slot.count);
        const isVisible = hasPlace && Array.isArray(state.visible) && count > 0 && first <= finite(state.visible[1]) && first + count > finite(state.visible[0]);
        this.note(paginator, page, { slot, load, memory: memory.get(page.id), disk: disk.get(page.id), isDiskKnown });
        const words = [page.label, hasPlace && count ? `rows ${first} to ${first + count - 1}` : "no rows", text(slot.state), load && slot.state !== "loading" ? "a load is running" : null, slot.partial === true ? "a part of the page" : null,
            slot.pinned ? "pinned" : null, isVisible ? "visible" : null, memory.has(page.id) ? "in memory" : null, disk.has(page.id) ? "on disk" : null];
        return this.button(page, paginator, `tile-${name}`, { count, words, pinned: slot.pinned, isVisible, mark: load && slot.state !== "loading" ? "…" : marks[name],
            isInMemory: memory.has(page.id), isOnDisk: disk.has(page.id) });
    }

    button(page, paginator, style, { count, words, pinned = false, isVisible = false, mark = "", isInMemory, isOnDisk }) {
        const label = words.filter(Boolean).join(", ");
        return make(`button.tile.${style}${pinned ? ".pinned" : ""}${isVisible ? ".visible" : ""}`, { type: "button", tabindex: "-1", "data-page": page.id, "data-paginator": String(paginator ?? 0), "aria-label": label, title: label },
            make("bdi.key", null, this.shortened(page.key ?? page.label)),
            make("span.under", null, make("span.count", null, count ? number(count) : "–"), isInMemory ? make("b.where.memory", null, "M") : null, isOnDisk ? make("b.where.disk", null, "D") : null),
            mark ? make("span.mark", null, mark) : null);
    }

    /** A key without what all keys of the list begin with, so that a tile shows what tells it from the others. */
    shortened(key) {
        return this.common.length > 2 && key.length > this.common.length && key.startsWith(this.common) ? `…${key.slice(this.common.length)}` : key;
    }

    gap(gap) {
        return make("span.gap", { title: `Gap before row ${gap.row}: ${text(gap.state)}` }, make("span.unseen", null, `Gap before row ${gap.row}, ${text(gap.state)}`));
    }

    edits(state) {
        const edits = array(state?.edits);
        if (edits.length === 0) return null;
        return make("div.edits", null, make("h3", null, several(edits.length + finite(state.editsLeftOut), "pending edit")), make("ul", null, edits.slice(0, 20).map((edit) =>
            make("li", null, foreign(text(edit?.item), "code"), " ", foreign(text(edit?.change))))),
        edits.length > 20 ? make("p.note", null, `and ${number(edits.length - 20 + finite(state.editsLeftOut))} more`) : null);
    }

    /** What a paginator holds or loads that is in no list. */
    rest(subject, inLists) {
        const places = this.places(subject.subject);
        const { memory, loads, disk, isDiskKnown } = places;
        const ids = [...memory.keys(), ...loads.keys()].filter((id, at, all) => !inLists.has(id) && all.indexOf(id) === at);
        if (ids.length === 0) return null;
        const { time } = places.state;
        this.common = commonBeginning(ids.slice(1).map((id) => pageOf((memory.get(id) ?? loads.get(id)).page)?.key ?? ""));
        const tiles = ids.slice(0, mostTiles).map((id) => {
            const entry = memory.get(id), load = loads.get(id);
            const page = pageOf((entry ?? load).page);
            this.note(subject.subject, page, { load, memory: entry, disk: disk.get(id), isDiskKnown });
            const isStale = entry?.invalidated === true || (Number.isFinite(entry?.expires) && entry.expires <= time);
            return this.button(page, subject.subject, `tile-${load ? "loading" : isStale ? "stale" : "fresh"}`, { count: finite(entry?.items), pinned: entry?.pinned === true, mark: load ? marks.loading : isStale ? marks.stale : "",
                words: [page.label, load ? "in flight" : isStale ? "stale" : "fresh", entry?.pinned ? "pinned" : null, entry ? "in memory" : null, disk.has(id) ? "on disk" : null], isInMemory: !!entry, isOnDisk: disk.has(id) });
        });
        const left = ids.length - tiles.length + finite(places.state?.memory?.entriesLeftOut);
        return make("article.card", null, heading(this.app, subject, places.state, `${several(ids.length, "page")} in no list`),
            make("div.tiles", { role: "group", "aria-label": "Pages in no list" }, tiles), left > 0 ? make("p.note", null, `and ${number(left)} more`) : null);
    }

    // The page that is chosen.

    note(paginator, page, what) {
        const name = nameOf(paginator, page.id);
        if (!this.facts.has(name)) this.facts.set(name, { page, ...what });
    }

    choose(id, paginator) {
        this.chosen = nameOf(paginator, id);
        const known = this.facts.get(this.chosen);
        if (known) this.app.details.showPage(known.page, paginator, this.factsOf(known));
        this.app.draw();
    }

    describeAgain({ page, subject }) {
        const known = this.facts.get(nameOf(subject, page.id));
        this.app.details.showPage(page, subject, known ? this.factsOf(known) : [["Where", "not in a list or memory at this time"]]);
    }

    factsOf({ slot, load, memory, disk, isDiskKnown }) {
        const time = this.app.time;
        const ago = (since) => Number.isFinite(since) ? `for ${duration(time - since)}` : "";
        const due = (at) => Number.isFinite(at) ? (at > time ? `in ${duration(at - time)}` : `since ${duration(time - at)}`) : null;
        return [
            ["In the list", slot ? [states[slot.state] ?? text(slot.state), ago(slot.since), slot.pinned ? "pinned" : "", slot.partial === true ? "a part of the page" : ""].filter(Boolean).join(", ") : null],
            ["Rows", slot && slot.count && Number.isFinite(slot.first) ? `${number(slot.first)} – ${number(slot.first + slot.count - 1)}` : null],
            ["In memory", memory ? [ago(memory.since), several(finite(memory.items), "item"), bytes(memory.bytes), memory.pinned ? "pinned" : ""].filter(Boolean).join(", ") : "no"],
            ["Leaves memory", memory && Number.isFinite(memory.leaves) ? (memory.leaves > time ? `in ${duration(memory.leaves - time)}` : "as soon as nothing holds it") : null],
            ["Stale", memory?.invalidated === true ? "invalidated" : memory ? due(memory.expires) : null],
            ["Tags", memory && array(memory.tags).length ? array(memory.tags).map(text).join(", ") : null],
            ["On disk", disk ? bytes(finite(disk.bytes)) : isDiskKnown ? "no" : "not known"],
            ["Load", load ? [text(load.stage), ago(load.since), load.attempt ? `attempt ${load.attempt}` : "", load.waiters ? several(load.waiters, "waiter") : ""].filter(Boolean).join(", ") : null],
        ];
    }

    drawStrip(canvas, { state, slots, gaps }) {
        const width = canvas.parentElement.clientWidth - 24, height = 30;
        if (width < 10) return;
        const palette = colors();
        const context = fitted(canvas, width, height);
        const last = slots.reduce((most, slot) => Math.max(most, finite(slot.first) + finite(slot.count)), 1);
        const rows = Math.max(finite(state.total), finite(state.rows), last, 1);
        const x = (row) => row / rows * width;
        context.fillStyle = palette.stripe;
        context.fillRect(0, 8, width, 14);
        for (const slot of slots) {
            if (!Number.isFinite(slot.first)) continue;
            const left = x(finite(slot.first)), right = Math.max(x(finite(slot.first) + finite(slot.count)), left + 1.5);
            context.fillStyle = palette[`slot-${Object.hasOwn(states, slot.state) ? slot.state : "dropped"}`];
            context.fillRect(left, 8, Math.max(right - left - (right - left > 4 ? 1 : 0), 1), 14);
            if (slot.pinned) {
                context.fillStyle = palette.text;
                context.fillRect(left, 8, Math.max(right - left - 1, 1), 2);
            }
        }
        context.fillStyle = palette["c-warn"];
        for (const gap of gaps) context.fillRect(x(gap.row) - 1, 5, 2.5, 20);
        const bracket = (range, y, color, thick) => {
            if (!Array.isArray(range) || range.length !== 2) return;
            const left = x(finite(range[0])), right = Math.max(x(finite(range[1]) + 1), left + 3);
            context.fillStyle = color;
            context.fillRect(left, y, right - left, thick);
            context.fillRect(left, y - 2, 1.5, 5);
            context.fillRect(right - 1.5, y - 2, 1.5, 5);
        };
        bracket(state.visible, 3, palette.focus, 2);
    }
}

/** A page of a paginator: two may have pages of the same key. */
function nameOf(paginator, page) { return `${paginator ?? 0}\n${page}`; }

function loadState(value) { return value === undefined || value === null || value === "" ? null : text(value); }

/** What all of some keys begin with, up to their numbers. */
function commonBeginning(keys) {
    if (keys.length < 2) return "";
    let common = keys[0];
    for (const key of keys) {
        while (!key.startsWith(common)) common = common.slice(0, -1);
    }
    return common.replace(/\d+$/, "");
}
