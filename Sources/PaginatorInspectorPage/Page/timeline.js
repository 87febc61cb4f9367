// The timeline: what happened, in lanes, on a canvas. The keys move among the events, which are read out.

import { classes, meaningOfEvent } from "./kinds.js";
import { stretchOf } from "./lanes.js";
import { colors, fitted } from "./theme.js";
import { make, setText, show } from "./dom.js";
import { duration, moment, number, short } from "./format.js";

const axisHeight = 22, nameHeight = 16, gapBetweenLanes = 7, leastRow = 9, leastRowOfWords = 13, mostRow = 22;
const legend = [["source", "source"], ["store", "store"], ["memory", "memory"], ["deliver", "done"], ["wait", "waiting"], ["fail", "failed"], ["muted", "missed, cancelled"], ["warn", "warning"],
    ["strategy", "strategy"], ["lifetime", "lifetime"], ["replaced", "replaced"], ["trimmed", "trimmed"], ["rejected", "rejected"], ["cleared", "cleared"]];

export class TimelineView {
    constructor(app, section) {
        this.app = app;
        this.axis = make("canvas.axis", { "aria-hidden": "true" });
        this.canvas = make("canvas", { "aria-hidden": "true" });
        this.labels = make("ul.lanes", { "aria-hidden": "true" });
        this.tip = make("div.tip", { hidden: true, "aria-hidden": "true" });
        this.stage = make("div.stage", { tabindex: "0", role: "application", "aria-roledescription": "timeline", "aria-label": "Timeline",
            "aria-describedby": "timeline-keys" }, this.canvas, this.tip);
        this.scroll = make("div.scroll", null, this.labels, this.stage);
        this.subject = make("select", { id: "filter-subject", "aria-label": "Of", onchange: () => app.setFilter({ subject: Number(this.subject.value) }) });
        this.search = make("input", { type: "search", id: "filter-text", placeholder: "Filter pages", "aria-label": "Only pages whose key contains",
            oninput: () => app.setFilter({ text: this.search.value.trim().toLowerCase() }) });
        this.facts = make("p.facts");
        this.legend = make("ul.legend", { "aria-label": "Colors" });
        section.append(
            make("div.bar", null, this.subject, this.search,
                make("span.group", { role: "group", "aria-label": "Zoom" },
                    make("button", { type: "button", "aria-label": "Zoom out", title: "Zoom out (−)", onclick: () => app.zoom(1.6) }, "−"),
                    make("button", { type: "button", title: "Show all (0)", onclick: () => app.fit() }, "All"),
                    make("button", { type: "button", "aria-label": "Zoom in", title: "Zoom in (+)", onclick: () => app.zoom(1 / 1.6) }, "+")),
                this.facts,
                this.legend),
            make("p.unseen", { id: "timeline-keys" }, "Arrow keys left and right: events. Up and down: lanes. Plus and minus: zoom. Enter: details."),
            make("div.axis-line", null, make("div.gutter", { "aria-hidden": "true" }, "Time"), this.axis),
            this.scroll);
        this.pointers = new Map();
        this.preparePointers();
        this.stage.addEventListener("keydown", (event) => this.key(event));
    }

    // Geometry.

    layout() {
        const shown = this.app.lanes.shown;
        const rows = shown.reduce((sum, lane) => sum + Math.max(1, lane.rows.length), 0);
        // Where there is no room beside the lanes, each has its name above it.
        const head = this.labels.clientWidth ? 0 : nameHeight;
        const room = this.scroll.clientHeight - shown.length * (gapBetweenLanes + head) - 4;
        const row = Math.min(Math.max(Math.floor(room / rows), head ? leastRowOfWords : leastRow), mostRow);
        let top = 3;
        this.places = shown.map((lane) => {
            const height = Math.max(1, lane.rows.length) * row;
            const place = { lane, head, top: top + head, height, row };
            top += head + height + gapBetweenLanes;
            return place;
        });
        this.width = this.stage.clientWidth;
        this.height = Math.max(top, this.scroll.clientHeight);
    }

    x(time) { return (time - this.app.view.from) / (this.app.view.to - this.app.view.from) * this.width; }
    timeAt(x) { return this.app.view.from + x / this.width * (this.app.view.to - this.app.view.from); }

    // Drawing.

    draw() {
        const { app } = this;
        this.drawBar();
        this.layout();
        if (this.width < 10) return;
        const palette = colors();
        const context = fitted(this.canvas, this.width, this.height);
        this.drawAxis(palette, context);
        this.drawLabels();
        this.seen = new Set();
        this.fills = classes.map((name) => palette[`c-${name}`]);
        this.inks = classes.map((name) => palette[`ink-${name === "muted" || name === "wait" || name === "deliver" ? "dark" : "light"}`]);
        context.font = `10.5px ${getComputedStyle(document.body).fontFamily}`;
        context.textBaseline = "middle";
        for (const place of this.places) {
            context.fillStyle = place.lane.definition.id === app.lane ? palette.chosen : palette.stripe;
            context.fillRect(0, place.top - place.head - 3, this.width, place.head + place.height + 6);
            place.lane.rows.forEach((row, at) => this.drawRow(context, row, place.top + at * place.row, place.row));
            this.drawOpen(context, place, palette);
        }
        // What is on the screen, and no more.
        show(this.legend, legend.filter(([name]) => this.seen.has(name)).map(([name, text]) => make("li", null, make(`i.swatch.c-${name}`), text)),
            this.seen.has("open") ? make("li", null, make("i.swatch.open"), "not ended") : null);
        this.drawChosen(context, palette);
    }

    drawRow(context, { spans, isCrowded }, top, row) {
        const { from, to } = this.app.view;
        const perPixel = (to - from) / this.width;
        const height = row - 2;
        const failed = this.fills[classes.indexOf("fail")];
        let begin = 0, end = -1, kind = -1;
        const flush = () => {
            if (kind < 0) return;
            this.seen.add(classes[kind]);
            context.fillStyle = this.fills[kind];
            context.fillRect(begin, top, Math.max(end - begin, 1.5), height);
            kind = -1;
        };
        const bad = []; // What failed stands before what is beside it, as high as its share.
        spans.visit(from - perPixel * 4, to + perPixel * 4, perPixel, (start, finish, one, event, share) => {
            const left = Math.max(this.x(start), -4), right = Math.min(this.x(finish), this.width + 4);
            if (right - left >= 4) {
                flush();
                // Where bars lie on each other, words would, too.
                this.drawBarOf(context, left, right, top, height, one, isCrowded ? -1 : event);
                return;
            }
            if (share > 0) bad.push(left, Math.max(right - left, 1.5), share === 1 ? height : Math.max(2, Math.sqrt(share) * height));
            if (share === 1) return;
            // What touches and looks the same is one, and what hides behind another on the same pixel is left out.
            if (kind >= 0 && right <= end && right - left < 1) return;
            if (kind === one && left <= end + 0.7) {
                end = Math.max(end, right);
                return;
            }
            flush();
            begin = left;
            end = Math.max(right, left + 1);
            kind = one;
        });
        flush();
        if (bad.length) this.seen.add("fail");
        context.fillStyle = failed;
        for (let at = 0; at < bad.length; at += 3) context.fillRect(bad[at], top + height - bad[at + 2], bad[at + 1], bad[at + 2]);
    }

    drawBarOf(context, left, right, top, height, kind, event) {
        const width = right - left;
        this.seen.add(classes[kind]);
        context.fillStyle = this.fills[kind];
        if (width > 5) {
            context.beginPath();
            context.roundRect(left, top, width - 0.75, height, 2.5);
            context.fill();
        } else {
            context.fillRect(left, top, width, height);
        }
        let written = 0;
        if (event >= 0 && width > 30 && height >= 10) {
            written = this.write(context, this.labelOf(event), Math.max(left, 0) + 4, top + height / 2, right - Math.max(left, 0) - 8, this.inks[kind]);
        }
        // Beside the words, not below them.
        const clear = written ? Math.max(left, 0) + written + 8 : left;
        if (classes[kind] === "fail") this.hatch(context, clear, top, right - clear, height);
    }

    /** Failures are told from the rest without their color. */
    hatch(context, left, top, width, height) {
        if (width < 18) return;
        context.save();
        context.beginPath();
        context.rect(left, top, width - 0.75, height);
        context.clip();
        context.strokeStyle = colors().hatch;
        context.lineWidth = 2;
        context.beginPath();
        const first = Math.max(left, 0) - (Math.max(left, 0) % 8) - height;
        for (let x = first; x < Math.min(left + width, this.width) + height; x += 8) {
            context.moveTo(x, top + height);
            context.lineTo(x + height, top);
        }
        context.stroke();
        context.restore();
    }

    /** Writes as much as there is room for, and answers its width. */
    write(context, text, x, y, room, color) {
        const most = Math.floor(room / 5.6);
        if (most < Math.min(text.length, 7)) return 0;
        const shown = text.length > most ? text.slice(0, most - 1) + "…" : text;
        context.fillStyle = color;
        context.fillText(shown, x, y);
        return context.measureText(shown).width;
    }

    labelOf(event) {
        const { recording } = this.app;
        const page = recording.pageAt(recording.page[event]);
        if (!page) return recording.detailText(event) ?? meaningOfEvent(recording, event).label;
        return page.key ?? page.label;
    }

    drawOpen(context, place, palette) {
        const now = this.app.now;
        let drawn = 0;
        for (const { start, row, event } of place.lane.open.values()) {
            if (start > this.app.view.to || now < this.app.view.from) continue;
            if ((drawn += 1) > 2000) break;
            const left = Math.max(this.x(start), -4), right = Math.min(Math.max(this.x(now), left + 3), this.width + 4);
            const top = place.top + row * place.row, height = place.row - 2;
            this.seen.add("open");
            context.fillStyle = palette["open-fill"];
            context.strokeStyle = palette["c-source"];
            context.lineWidth = 1;
            context.setLineDash([3, 2]);
            context.beginPath();
            context.roundRect(left + 0.5, top + 0.5, Math.max(right - left - 1, 1), height - 1, 2.5);
            context.fill();
            context.stroke();
            context.setLineDash([]);
            if (right - left > 30 && height >= 10) {
                this.write(context, this.labelOf(event), Math.max(left, 0) + 4, top + height / 2, right - Math.max(left, 0) - 8, palette.text);
            }
        }
    }

    drawAxis(palette, body) {
        const context = fitted(this.axis, this.width, axisHeight);
        const { from, to } = this.app.view;
        const step = stepFor((to - from) / Math.max(2, this.width / 110), to);
        context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
        context.textBaseline = "middle";
        context.fillStyle = palette["text-soft"];
        body.fillStyle = palette.line;
        for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) {
            const x = Math.round(this.x(tick));
            context.fillRect(x, axisHeight - 5, 1, 5);
            context.fillText(moment(tick, step), x + 4, axisHeight / 2 + 1);
            body.fillRect(x, 0, 1, this.height);
        }
        const now = this.app.now;
        for (const [edge, a, b] of [[this.app.start, 0, this.x(this.app.start)], [now, this.x(now), this.width]]) {
            if (!Number.isFinite(edge) || b <= a) continue;
            body.fillStyle = palette.beyond;
            body.fillRect(Math.max(a, 0), 0, Math.min(b, this.width) - Math.max(a, 0), this.height);
        }
    }

    drawChosen(context, palette) {
        const { app } = this;
        if (app.selected >= 0) {
            const { start, end, meaning } = stretchOf(app.recording, app.selected);
            const place = this.places.find(({ lane }) => lane.definition.id === meaning.lane);
            const left = this.x(start), right = Math.max(this.x(end), left + 3);
            if (place) {
                const row = this.rowOf(place, app.selected, start, end);
                context.strokeStyle = palette.focus;
                context.lineWidth = 2;
                context.beginPath();
                context.roundRect(left - 2, place.top + row * place.row - 2, right - left + 3, place.row + 2, 4);
                context.stroke();
            }
        }
        if (app.cursor !== null) {
            const x = Math.round(this.x(app.cursor));
            context.fillStyle = palette.focus;
            context.fillRect(x - 0.5, 0, 1.5, this.height);
            const axis = this.axis.getContext("2d");
            axis.fillStyle = palette.focus;
            axis.beginPath();
            axis.moveTo(x - 5, axisHeight - 7);
            axis.lineTo(x + 5, axisHeight - 7);
            axis.lineTo(x, axisHeight);
            axis.fill();
        }
    }

    rowOf(place, event, start, end) {
        let found = 0;
        place.lane.rows.forEach((row, at) => row.spans.visit(start, end, -1, (_, __, ___, one) => { if (one === event) found = at; }));
        return found;
    }

    drawLabels() {
        show(this.labels, this.places.map(({ lane }) => make("li", { class: lane.definition.id === this.app.lane ? "chosen" : null, "data-lane": lane.definition.id },
            make("span", null, lane.definition.name), make("small", null, short(lane.count + lane.open.size)))));
        this.places.forEach((place, at) => {
            const { style } = this.labels.children[at];
            const top = `${place.top - place.head - 3}px`, height = `${place.head + place.height + 6}px`;
            if (style.top !== top) style.top = top;
            if (style.height !== height) style.height = height;
        });
    }

    drawBar() {
        const { recording, filter, view, lanes } = this.app;
        const options = [[0, "Everything"], ...[...recording.subjects.values()].map((one) => [one.subject, `${recording.subjectName(one.subject)} (${one.kind})`])];
        if (show(this.subject, options.map(([value, label]) => make("option", { value: String(value) }, label)))) this.subject.value = String(filter.subject);
        if (document.activeElement !== this.search && this.search.value.trim().toLowerCase() !== filter.text) this.search.value = filter.text;
        const count = lanes.lanes.reduce((sum, lane) => sum + lane.count, 0);
        setText(this.facts, recording.length === 0 ? "No events" : `${number(recording.length)} events, ${duration(view.to - view.from)} shown${count === 0 && filter.text ? ", none matches" : ""}`);
    }

    // Pointers and keys.

    preparePointers() {
        const { stage, app } = this;
        const at = (event) => event.clientX - stage.getBoundingClientRect().left;
        stage.addEventListener("wheel", (event) => {
            event.preventDefault();
            const scale = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
            const across = event.shiftKey ? event.deltaY + event.deltaX : event.deltaX;
            if (Math.abs(across) > Math.abs(event.deltaY) || event.shiftKey) this.pan(across * scale);
            else app.zoom(Math.exp(Math.max(-240, Math.min(240, event.deltaY * scale)) * (event.ctrlKey ? 0.01 : 0.0022)), this.timeAt(at(event)));
        }, { passive: false });
        stage.addEventListener("pointerdown", (event) => {
            if (event.button !== 0) return;
            stage.setPointerCapture(event.pointerId);
            this.pointers.set(event.pointerId, at(event));
            this.moved = 0;
        });
        stage.addEventListener("pointermove", (event) => {
            if (!this.pointers.has(event.pointerId)) { this.hover(event); return; }
            const x = at(event), before = this.pointers.get(event.pointerId);
            if (this.pointers.size === 2) {
                const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
                app.zoom(Math.max(0.5, Math.min(2, Math.abs(before - other) / Math.max(1, Math.abs(x - other)))), this.timeAt((x + other) / 2));
            } else if (Math.abs(this.moved += x - before) > 3 || this.dragging) {
                this.dragging = true;
                this.pan(before - x);
            }
            this.pointers.set(event.pointerId, x);
        });
        const up = (event) => {
            if (!this.pointers.delete(event.pointerId)) return;
            const wasDrag = this.dragging;
            if (this.pointers.size === 0) this.dragging = false;
            if (!wasDrag && event.type === "pointerup") this.click(event);
        };
        stage.addEventListener("pointerup", up);
        stage.addEventListener("pointercancel", up);
        stage.addEventListener("pointerleave", () => { this.tip.hidden = true; });
        stage.addEventListener("dblclick", () => { if (app.selected >= 0) this.zoomToChosen(); });
    }

    pan(pixels) {
        const by = pixels / this.width * (this.app.view.to - this.app.view.from);
        this.app.setView(this.app.view.from + by, this.app.view.to + by);
    }

    click(event) {
        const hit = this.hit(event);
        if (hit >= 0) this.app.select(hit, { reveals: false });
        else {
            this.app.selected = -1;
            this.app.setCursor(this.timeAt(event.clientX - this.stage.getBoundingClientRect().left));
        }
    }

    hover(event) {
        const hit = event.pointerType === "touch" ? -1 : this.hit(event);
        this.tip.hidden = hit < 0;
        this.stage.classList.toggle("over", hit >= 0);
        if (hit < 0) return;
        setText(this.tip, this.app.describe(hit));
        const box = this.stage.getBoundingClientRect();
        const x = Math.min(event.clientX - box.left + 12, box.width - this.tip.offsetWidth - 8);
        this.tip.style.transform = `translate(${Math.max(4, x)}px, ${event.clientY - box.top + 16}px)`;
    }

    /** The event at a point, nearest first; -1 for none. */
    hit(event) {
        if (!this.places) return -1;
        const box = this.stage.getBoundingClientRect();
        const x = event.clientX - box.left, y = event.clientY - box.top;
        const place = this.places.find(({ head, top, height }) => y >= top - head - 3 && y < top + height + 3);
        if (!place) return -1;
        const row = Math.min(Math.max(Math.floor((y - place.top) / place.row), 0), Math.max(0, place.lane.rows.length - 1));
        const time = this.timeAt(x), reach = this.timeAt(4) - this.timeAt(0);
        let best = -1, distance = Infinity, looked = 0;
        place.lane.rows[row]?.spans.visit(time - reach, time + reach, -1, (start, end, kind, one) => {
            if ((looked += 1) > 5000) return;
            const away = time < start ? start - time : time > end ? time - end : 0;
            if (away < distance || (away === distance && kind === classes.length - 1)) { best = one; distance = away; }
        });
        if (best < 0) {
            for (const open of place.lane.open.values()) if (open.row === row && open.start <= time + reach && time <= this.app.now) return open.event;
        }
        return best;
    }

    zoomToChosen() {
        const { start, end } = stretchOf(this.app.recording, this.app.selected);
        const width = Math.max((end - start) * 3, 1e6);
        this.app.setView((start + end) / 2 - width / 2, (start + end) / 2 + width / 2);
    }

    key(event) {
        const { app } = this;
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const places = this.places.map(({ lane }) => lane.definition);
        const moveLane = (by) => {
            const at = Math.min(Math.max(places.findIndex(({ id }) => id === app.lane) + by, -1), places.length - 1);
            app.lane = at < 0 ? null : places[at].id;
            app.say(at < 0 ? "All lanes" : places[at].name);
            app.draw();
        };
        switch (event.key) {
        case "ArrowUp": moveLane(-1); break;
        case "ArrowDown": moveLane(1); break;
        case "Enter": if (app.selected >= 0) { app.details.focus(); } break;
        case "z": if (app.selected >= 0) this.zoomToChosen(); break;
        default: return;
        }
        event.preventDefault();
        event.stopPropagation();
    }
}

/** The next larger step of an axis that people read: 1, 2 or 5 of a unit, and what clocks have above seconds. */
export function stepFor(least, end) {
    // So far from zero that numbers are apart, a smaller step would add nothing, and the ticks would never end.
    least = Math.max(least, Math.abs(end) * 2 ** -44);
    if (least > 5e9) {
        for (const seconds of [10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400]) if (seconds * 1e9 >= least) return seconds * 1e9;
        return Math.ceil(least / 86400e9) * 86400e9;
    }
    const unit = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
    return [1, 2, 5, 10].find((factor) => factor * unit >= least) * unit;
}
