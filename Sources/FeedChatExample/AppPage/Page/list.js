// A list of any length of which only the rows near the window stand in the page. Rows have any height: estimated until
// they are drawn, measured then. Whatever changes, the row that one reads stays where it is, to the pixel.
//
// Row i stands at `base` + `tops[i]`. A change above what one reads moves `base` and not the scroll position, so nothing
// fights with a scroll under way; when scrolling has ended, `base` goes back to rest and the scroll position with it.

import { make, patchChildren } from "./dom.js";
import { RowStore } from "./store.js";

/** How far beyond the window rows stand ready, in pixels. */
const ahead = 700;
/** How near to the end a list that follows its end must be, in pixels. */
const nearEnd = 60;
/** After which silence scrolling has ended, in ms. */
const idle = 120;
const hintEvery = 100;
/** How long a row that was looked for stands out, in ms. */
const flashFor = 1700;

export class VirtualList {
    /**
     * `drawing`: { draw(row, context) → { nodes, label, className }, estimate(row, width) → px, context?(row, before, after) → text }.
     * `options`: scroller, role ("feed" or "list"), label, followsEnd, onvisible(id of the first, id of the last, rowsPerSecond), onchanged().
     */
    constructor(drawing, { scroller, role, label, followsEnd = false, onvisible = () => {}, onchanged = () => {} }) {
        Object.assign(this, { drawing, scroller, role, followsEnd, onvisible, onchanged });
        this.store = new RowStore();
        this.rows = make("div.rows", { role, "aria-label": label });
        this.sizer = make("div.sizer", null, this.rows);
        this.tops = new Float64Array(64);
        this.base = 0;
        this.first = 0;
        this.end = 0;
        this.current = null;
        this.pending = null;
        this.isFilled = false;
        this.lastScroll = -Infinity;
        this.isTouched = false;
        this.speed = { at: 0, index: 0, value: 0 };
        this.width = 0;
        this.sizes = new ResizeObserver((seen) => this.resized(seen));
        scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
        scroller.addEventListener("touchstart", () => { this.isTouched = true; }, { passive: true });
        for (const name of ["touchend", "touchcancel"]) scroller.addEventListener(name, () => { this.isTouched = false; this.settleSoon(); }, { passive: true });
        this.rows.addEventListener("focusin", (event) => this.setCurrent(event.target.closest(".row")?.entry));
    }

    /** When the element stands in the page. */
    begin() {
        this.frame = new ResizeObserver(() => this.fit());
        this.frame.observe(this.scroller);
        for (const one of this.scroller.children) if (one !== this.sizer) this.frame.observe(one);
        this.returned = () => { this.told = null; this.tell(); };
        document.addEventListener("visibilitychange", this.returned);
    }

    finish() {
        document.removeEventListener("visibilitychange", this.returned);
        this.frame?.disconnect();
        this.sizes.disconnect();
        clearTimeout(this.timer);
        clearTimeout(this.hintTimer);
        cancelAnimationFrame(this.flushFrame);
    }

    get entries() { return this.store.entries; }
    get total() { return this.tops[this.entries.length] ?? 0; }
    get isShown() { return this.scroller.clientHeight > 0; }
    /** Where the list begins in the scroller: other things can stand above it. */
    get origin() { return this.sizer.offsetTop; }
    /** Short lists that follow their end stand at the bottom. */
    get rest() { return this.followsEnd ? Math.max(0, this.scroller.clientHeight - this.origin - this.total) : 0; }

    isAtStart() { return this.scroller.scrollTop < 1; }
    isAtEnd() { return this.scroller.scrollHeight - this.scroller.clientHeight - this.scroller.scrollTop < nearEnd; }

    // Changes.

    /** The whole list anew; what one reads stays where it is still there. */
    reset(rows) {
        const wasFilled = this.isFilled;
        // The rows of an app that was found again: it does not know what is in the window.
        this.told = null;
        this.change(() => { this.store.reset(rows); return true; });
        this.isFilled = true;
        // What stood in its place while it was waited for is gone: nothing was read that would have to stay.
        if (!wasFilled) this.origin_ = undefined;
        if (!wasFilled && this.followsEnd) this.pending.toEnd = true;
    }

    /** Applies operations; answers whether they made sense. */
    apply(operations, count) { return this.change(() => this.store.apply(operations, count)); }

    /** What one reads is remembered before the first of several changes; they are drawn together in the next frame. */
    change(body) {
        if (!this.pending) {
            this.pending = { marks: this.marks(), atEnd: this.followsEnd && this.isFilled && this.isShown && this.isAtEnd(), atStart: !this.followsEnd && this.isAtStart() };
            if (document.hidden) setTimeout(() => this.flush(), 30);
            else this.flushFrame = requestAnimationFrame(() => this.flush());
        }
        return body();
    }

    /** Rows in the window and where they stand: first those that one can read as a whole, last those that only tell of loading. */
    marks() {
        const { entries, tops, base } = this;
        const from = this.scroller.scrollTop - this.origin;
        const to = from + this.scroller.clientHeight;
        const marks = [], partly = [], others = [];
        for (let index = this.indexAt(from - base); index < entries.length && base + tops[index] < to; index += 1) {
            const isWhole = base + tops[index] >= from && base + tops[index + 1] <= to;
            (!isContent(entries[index].row) ? others : isWhole ? marks : partly).push({ entry: entries[index], edge: base + this.edge(index) });
        }
        return [...marks, ...partly.reverse(), ...others];
    }

    /** Draws what has changed. */
    flush() {
        const { pending } = this;
        if (!pending) return;
        this.pending = null;
        cancelAnimationFrame(this.flushFrame);
        this.measureTops();
        const held = pending.marks.find(({ entry }) => entry.stays && !entry.isGone);
        for (const entry of this.entries) entry.stays = true;
        // At an edge it stays there, when nobody has scrolled away meanwhile.
        if (pending.toEnd || (pending.atEnd && this.isAtEnd())) this.toEnd();
        else if (pending.toStart || (pending.atStart && this.isAtStart() && !pending.place)) this.toStart();
        else if (held) this.hold(held);
        else this.render();
        if (pending.place) this.show(pending.place.id, pending.place.options);
        this.onchanged();
        this.settleSoon();
    }

    // Where rows stand.

    measureTops() {
        const { entries } = this;
        if (this.tops.length < entries.length + 1) this.tops = new Float64Array(Math.max(entries.length + 1, this.tops.length * 2));
        const width = this.width || this.scroller.clientWidth || 640;
        let top = 0;
        for (let index = 0; index < entries.length; index += 1) {
            const entry = entries[index];
            if (entry.height === 0) entry.height = Math.round(this.drawing.estimate(entry.row, width));
            this.tops[index] = top;
            top += entry.height;
        }
        this.tops[entries.length] = top;
    }

    /** The row at a height from the list's first row. */
    indexAt(y) {
        let low = 0, high = this.entries.length;
        while (low + 1 < high) {
            const middle = (low + high) >> 1;
            if (this.tops[middle] <= y) low = middle;
            else high = middle;
        }
        return low;
    }

    /** The edge by which a row is held: a list that follows its end grows upwards, others downwards. */
    edge(index) { return this.tops[this.followsEnd ? index + 1 : index]; }

    /** Draws so that an entry's edge stands where it stood, as counted from where the list begins. */
    hold({ entry, edge }) {
        const index = this.entries.indexOf(entry);
        if (index >= 0) this.base = edge - this.edge(index);
        this.render(entry);
        if (performance.now() - this.lastScroll > idle) this.settle();
    }

    /** Puts a row at a distance from the window's upper edge. */
    place(index, distance) {
        const entry = this.entries[index];
        if (!entry) return this.render();
        // Once with the height that is expected, once with the one that was measured.
        for (let round = 0; round < 2; round += 1) {
            this.base = this.scroller.scrollTop - this.origin + distance - this.tops[index];
            this.render(entry);
        }
        this.settle();
    }

    toEnd() {
        const last = this.entries.length - 1;
        if (last < 0) return this.render();
        this.base = this.scroller.scrollTop + this.scroller.clientHeight - this.origin - this.total;
        // The last row's lower edge stands at the window's: what is measured anew grows upwards.
        for (let round = 0; round < 4; round += 1) {
            const total = this.total;
            this.render(this.entries[last]);
            if (this.total === total) break;
            this.base = this.scroller.scrollTop + this.scroller.clientHeight - this.origin - this.total;
        }
        this.settle();
        this.scroller.scrollTop = this.scroller.scrollHeight;
    }

    /** Scroll position and `base` go back to rest together: nothing on the screen moves. */
    settle() {
        if (this.isTouched || !this.isShown) return;
        const { rest } = this;
        if (this.base === rest) return;
        const wanted = this.scroller.scrollTop + rest - this.base;
        this.base = rest;
        this.sizer.style.height = `${Math.max(0, this.base + this.total)}px`;
        this.moveRows();
        this.ownScroll = true;
        this.scroller.scrollTop = wanted;
        // Screens round a scroll position to their pixels; what is left stays in `base`.
        const rounded = this.scroller.scrollTop - wanted;
        if (Math.abs(rounded) < 1 && rounded !== 0) {
            this.base += rounded;
            this.moveRows();
        }
        this.render();
    }

    settleSoon() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => {
            if (this.pending) this.flush();
            if (!this.isTouched) this.settle();
        }, idle);
    }

    moveRows() {
        const shift = this.base + (this.tops[this.first] ?? 0);
        if (this.shift !== shift) this.rows.style.transform = `translateY(${shift}px)`;
        this.shift = shift;
    }

    // Drawing.

    scrolled() {
        if (this.ownScroll) this.ownScroll = false;
        else this.lastScroll = performance.now();
        if (this.pending) this.flush();
        this.render();
        // Above the first row there is nothing, and above the scroller's edge nothing can be reached: no time to wait then.
        const from = this.scroller.scrollTop - this.origin;
        if ((this.base > this.rest && from < this.base) || (this.base < 0 && this.scroller.scrollTop < this.scroller.clientHeight / 2)) this.settle();
        this.settleSoon();
    }

    /** Mounts the rows near the window and measures them; `anchor`, or else the first row in the window, does not move. */
    render(anchor = null) {
        if (!this.isShown) return;
        const { entries } = this;
        let from = 0, to = 0;
        for (let round = 0; round < 6; round += 1) {
            const window = this.scroller.scrollTop - this.origin - this.base;
            const height = this.scroller.clientHeight;
            from = entries.length ? this.indexAt(window - ahead) : 0;
            to = from;
            while (to < entries.length && this.tops[to] < window + height + ahead) to += 1;
            const held = anchor ? entries.indexOf(anchor) : this.indexAt(window);
            const isHeld = held >= 0 && held < entries.length;
            const before = isHeld ? this.edge(held) : 0;
            if (!this.mount(from, to)) break;
            this.measureTops();
            if (isHeld) this.base += before - this.edge(held);
        }
        this.sizer.style.height = `${Math.max(0, this.base + this.total)}px`;
        this.moveRows();
        this.tell();
    }

    /** Makes the rows from…to stand in the page; answers whether a height was other than expected. */
    mount(from, to) {
        const { entries, rows } = this;
        const wanted = new Set();
        for (let index = from; index < to; index += 1) wanted.add(entries[index]);
        let focusLost = false;
        for (const element of [...rows.children]) {
            if (wanted.has(element.entry)) continue;
            focusLost ||= element.contains(document.activeElement);
            this.sizes.unobserve(element);
            element.entry.element = null;
            element.entry.drawn = null;
            element.remove();
        }
        if (focusLost) this.scroller.focus({ preventScroll: true });
        const fresh = [];
        let cursor = rows.firstElementChild;
        for (let index = from; index < to; index += 1) {
            const entry = entries[index];
            const isNew = !entry.element;
            if (isNew) this.make(entry);
            const changed = this.draw(entry, index);
            if (entry.element === cursor) cursor = cursor.nextElementSibling;
            else rows.insertBefore(entry.element, cursor);
            if (isNew) this.sizes.observe(entry.element);
            if (isNew || changed) fresh.push(entry);
        }
        this.first = from;
        this.end = to;
        let differs = false;
        for (const entry of fresh) differs = this.measured(entry, entry.element.getBoundingClientRect().height) || differs;
        if (this.current && !this.current.isGone && document.activeElement === this.scroller && this.current.element) this.current.element.focus({ preventScroll: true });
        return differs;
    }

    make(entry) {
        entry.element = make("div.row", { tabindex: entry === this.current ? "0" : "-1" });
        entry.element.entry = entry;
    }

    /** Draws a row when it or what is beside it has changed; answers whether it did. */
    draw(entry, index) {
        const { entries, drawing } = this;
        const context = drawing.context?.(entry.row, entries[index - 1]?.row, entries[index + 1]?.row) ?? "";
        const { element } = entry;
        if (this.role === "feed") {
            element.setAttribute("aria-posinset", index + 1);
            element.setAttribute("aria-setsize", entries.length);
        }
        if (entry.drawn === entry.row && entry.context === context) return false;
        const { nodes, label, className = "" } = drawing.draw(entry.row, context);
        element.className = `row row-${entry.row.kind} ${className}`.trim();
        element.dataset.id = entry.id;
        element.setAttribute("role", this.role === "feed" ? "article" : "listitem");
        if (label) element.setAttribute("aria-label", label);
        patchChildren(element, nodes);
        entry.drawn = entry.row;
        entry.context = context;
        return true;
    }

    /** Whole pixels: half ones would add up, and blur what stands below. */
    measured(entry, height) {
        if (height === 0) return false;
        const whole = Math.ceil(height - 0.01);
        const rest = whole - height;
        const margin = rest > 0.01 ? `${rest}px` : "";
        if (entry.element && entry.element.style.marginBlockEnd !== margin) entry.element.style.marginBlockEnd = margin;
        entry.isMeasured = true;
        if (entry.height === whole) return false;
        entry.height = whole;
        return true;
    }

    resized(seen) {
        let differs = false;
        const atEnd = this.followsEnd && this.isFilled && this.isAtEnd();
        const marks = this.pending ? null : this.marks();
        for (const { target, borderBoxSize } of seen) {
            if (target.entry?.element === target) differs = this.measured(target.entry, borderBoxSize[0].blockSize) || differs;
        }
        if (!differs || !marks) return;
        this.measureTops();
        if (atEnd) return this.toEnd();
        const held = marks[0];
        if (held) this.hold(held);
        else this.render();
    }

    /** The scroller has another size, or what stands above the rows. */
    fit() {
        if (!this.isShown) return;
        const { clientWidth, clientHeight } = this.scroller;
        const { origin } = this;
        const wasAtEnd = this.followsEnd && this.isFilled && this.wasAtEnd;
        if (this.width !== clientWidth) {
            this.width = clientWidth;
            for (const entry of this.entries) if (!entry.element) entry.height = 0;
            const marks = this.marks();
            this.measureTops();
            if (marks[0] && !wasAtEnd) this.hold(marks[0]);
        } else if (this.origin_ !== undefined && this.origin_ !== origin && !this.isAtStart() && !wasAtEnd) {
            this.base += this.origin_ - origin;
        }
        this.origin_ = origin;
        this.height = clientHeight;
        if (this.pending) this.flush();
        else if (wasAtEnd) this.toEnd();
        else this.render();
        this.settleSoon();
    }

    /** Draws all that stand in the page anew: the time of rows is told in words that age. */
    redraw() {
        for (const entry of this.entries) entry.drawn = null;
        this.change(() => true);
    }

    // What is in the window, and which row is the current one.

    /** The rows in the window. */
    get visible() {
        const from = this.scroller.scrollTop - this.origin - this.base;
        const first = this.indexAt(Math.max(0, from));
        let last = first;
        while (last + 1 < this.entries.length && this.tops[last + 1] < from + this.scroller.clientHeight) last += 1;
        return { first, last };
    }

    /** Tells the app what is in the window, at most ten times a second. */
    tell() {
        this.wasAtEnd = this.followsEnd && this.isAtEnd();
        if (this.hintTimer || !this.entries.length) return;
        this.hintTimer = setTimeout(() => {
            this.hintTimer = null;
            // Nobody sees a page in the background.
            if (!this.isShown || !this.entries.length || document.hidden) return;
            // Rows that are not drawn yet do not stand where those of before do.
            if (this.pending) this.flush();
            const { first, last } = this.visible;
            const [from, to] = [this.entries[first].id, this.entries[last].id];
            const now = performance.now();
            const passed = (now - this.speed.at) / 1000;
            const value = passed < 2 ? Math.round((first - this.speed.index) / passed) : 0;
            this.speed = { at: now, index: first };
            if (this.told?.from === from && this.told.to === to && this.told.count === this.entries.length) return;
            this.told = { from, to, count: this.entries.length };
            this.onvisible(from, to, value);
        }, hintEvery);
    }

    setCurrent(entry) {
        if (!entry || this.current === entry) return;
        if (this.current?.element) this.current.element.tabIndex = -1;
        this.current = entry;
        if (entry.element) entry.element.tabIndex = 0;
    }

    /** The next row, or the one before: it gets the focus and is brought into the window. */
    step(by) {
        if (this.pending) this.flush();
        const { entries } = this;
        if (!entries.length) return;
        const { first, last } = this.visible;
        const at = this.current && !this.current.isGone ? entries.indexOf(this.current) : -1;
        const isNear = at >= first - 1 && at <= last + 1;
        let next = isNear ? at + by : by > 0 ? first : last;
        if (!isNear && by > 0 && at < 0 && this.tops[first] + this.base < this.scroller.scrollTop - this.origin - 4 && first < last) next = first + 1;
        while (entries[next] && !isReadable(entries[next].row)) next += by;
        if (!entries[next]) return;
        this.focusRow(next);
    }

    focusRow(index) {
        const entry = this.entries[index];
        const height = this.scroller.clientHeight, margin = 8;
        const top = () => this.origin + this.base + this.tops[index] - this.scroller.scrollTop;
        if (top() < margin || entry.height > height) this.place(index, margin);
        else if (top() + entry.height > height - margin) this.place(index, height - margin - entry.height);
        this.setCurrent(entry);
        entry.element?.focus({ preventScroll: true });
    }

    /** Brings a row into the window, with some of what stands before it; answers whether it is in the list. */
    show(id, { flash = false } = {}) {
        if (this.pending) {
            this.pending.place = { id, options: { flash } };
            return this.store.indexOf(id) >= 0;
        }
        const index = this.store.indexOf(id);
        if (index < 0) return false;
        this.place(index, Math.round(this.scroller.clientHeight * 0.3));
        const { element } = this.entries[index];
        if (flash && element) {
            element.classList.add("flash");
            setTimeout(() => element.classList.remove("flash"), flashFor);
        }
        return true;
    }

    toStart() {
        if (this.pending) {
            this.pending.toStart = true;
            return;
        }
        this.base = this.rest;
        this.scroller.scrollTop = 0;
        this.render();
    }
}

/** What somebody reads, and not what tells of loading: rows come in behind that. */
function isContent(row) { return !["placeholder", "separator", "footer", "gap"].includes(row.kind); }

function isReadable(row) { return !["placeholder", "separator"].includes(row.kind); }
