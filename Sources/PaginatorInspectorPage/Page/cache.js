// The cache: how much was answered from where, what left memory and why, how full it is, and what the strategy does.

import { pageOf } from "./texts.js";
import { colors, fitted } from "./theme.js";
import { make, show, foreign, setText, table } from "./dom.js";
import { Chooser, heading, meter, fact, empty } from "./parts.js";
import { array, bytes, duration, finite, moment, number, percent, several, text } from "./format.js";
import { words } from "./kinds.js";
import { stepFor } from "./timeline.js";

// Where fetches were answered from: a stale page that was found and loaded anew is one answer, of the source.
const answers = ["memory", "store", "source"];
const reasons = { recentHits: "it had the most hits of late", longMemory: "over the long memory it had the most hits, after a loss of late" };
const causes = ["strategy", "lifetime", "trimmed", "rejected", "cleared"];

export class CacheView {
    constructor(app, section) {
        this.app = app;
        this.chooser = new Chooser(app, ["paginator", "store"], "Paginators and stores to show");
        this.hits = this.chart("Answers from");
        this.leaving = this.chart("Left memory, by cause");
        this.sizes = this.chart("Bytes in memory");
        this.body = make("div.cards");
        section.append(this.chooser.element, make("div.charts", null, this.hits.element, this.leaving.element, this.sizes.element), this.body);
    }

    chart(title) {
        const canvas = make("canvas", { role: "img", "aria-label": title });
        const legend = make("ul.legend");
        const big = make("strong.big");
        return { canvas, legend, big, element: make("figure.card", null, make("figcaption", null, make("span", null, title), big), canvas, legend) };
    }

    draw() {
        const chosen = this.chooser.chosen();
        const bins = this.count(chosen);
        this.drawHits(bins);
        this.drawLeaving(bins);
        this.drawSizes(chosen.filter((one) => one.kind === "paginator"));
        const cards = chosen.map((subject) => {
            const state = this.app.stateNow(subject);
            const parts = !state ? [empty("No state was taken up to this time.")] : subject.kind === "store" ? this.store(state) : this.memory(state);
            return make("article.card", null, heading(this.app, subject, state), parts);
        });
        show(this.body, cards);
    }

    /** Counts by time of what the charts show, and the sums up to the time that is looked at. */
    count(chosen) {
        const { recording, start, now, time } = this.app;
        const width = Math.max(20, Math.floor((this.hits.canvas.parentElement.clientWidth - 24) / 7));
        const names = recording.kinds;
        const series = [...answers, ...causes];
        const ended = names.indexOf("fetchEnded");
        const byOrigin = recording.origins.map((name) => answers.indexOf(name));
        const evicted = names.indexOf("evicted");
        const byCause = recording.causes.map((name) => causes.indexOf(name));
        const subjects = new Uint8Array(0x10000);
        for (const one of chosen) subjects[one.subject & 0xFFFF] = 1;
        const all = chosen.length === 0 || chosen.length === this.app.recording.subjectsOf("paginator").length + recording.subjectsOf("store").length;
        const key = `${recording.generation} ${recording.length} ${width} ${all || [...chosen].map((one) => one.subject)} ${time} ${now > recording.end ? Math.floor(now / 1e9) : now}`;
        if (this.bins?.key === key) return this.bins;
        const bins = series.map(() => new Uint32Array(width));
        const sums = new Uint32Array(series.length);
        const scale = width / Math.max(now - start, 1);
        for (let index = 0; index < recording.length; index += 1) {
            const kind = recording.kind[index];
            let at = kind === ended && !recording.error[index] ? byOrigin[recording.origin[index] - 1] ?? -1 : -1;
            if (kind === evicted) {
                const cause = byCause[recording.cause[index] - 1] ?? -1;
                at = cause < 0 ? -1 : answers.length + cause;
            }
            if (at < 0 || !(all || subjects[recording.subject[index]])) continue;
            bins[at][Math.min(width - 1, Math.max(0, Math.floor((recording.time[index] - start) * scale)))] += 1;
            if (recording.time[index] <= time) sums[at] += 1;
        }
        return this.bins = { key, bins, sums, width };
    }

    begin(chart) {
        const palette = colors();
        const width = Math.max(20, chart.canvas.parentElement.clientWidth - 24), height = 110;
        const context = fitted(chart.canvas, width, height);
        const { start, now } = this.app;
        const x = (at) => (at - start) / Math.max(now - start, 1) * width;
        context.font = `10.5px ${getComputedStyle(document.body).fontFamily}`;
        context.textBaseline = "alphabetic";
        const step = stepFor(Math.max(now - start, 1) / Math.max(2, width / 90), now);
        for (let tick = Math.ceil(start / step) * step; tick <= now; tick += step) {
            context.fillStyle = palette.line;
            context.fillRect(Math.round(x(tick)), 0, 1, height - 14);
            context.fillStyle = palette["text-soft"];
            if (x(tick) < width - 50) context.fillText(moment(tick, step), Math.round(x(tick)) + 3, height - 2);
        }
        return { context, palette, width, height: height - 16, x };
    }

    end({ context, palette, height, x }) {
        if (this.app.cursor === null) return;
        // Bars have any color: the line has an edge that none of them has.
        const at = Math.round(x(this.app.cursor));
        context.fillStyle = palette.panel;
        context.fillRect(at - 2, 0, 4.5, height);
        context.fillStyle = palette.focus;
        context.fillRect(at - 0.5, 0, 1.5, height);
    }

    drawHits({ bins, sums, width: count }) {
        const area = this.begin(this.hits);
        const { context, palette, width, height } = area;
        const step = width / count;
        for (let bin = 0; bin < count; bin += 1) {
            const total = bins[0][bin] + bins[1][bin] + bins[2][bin];
            if (total === 0) continue;
            let y = height;
            answers.forEach((name, at) => {
                const high = bins[at][bin] / total * (height - 2);
                context.fillStyle = palette[`c-${name}`];
                context.fillRect(bin * step, y - high, step - (step > 2.5 ? 0.8 : 0), high);
                y -= high;
            });
        }
        this.end(area);
        const total = sums[0] + sums[1] + sums[2];
        const words = answers.map((name, at) => `${name} ${number(sums[at])}`);
        setText(this.hits.big, total ? `${percent((sums[0] + sums[1]) / total)} from caches` : "no answers yet");
        show(this.hits.legend, answers.map((name, at) => make("li", null, make(`i.swatch.c-${name}`), `${name} ${number(sums[at])}`)));
        this.hits.canvas.setAttribute("aria-label", `Answers over time: ${words.join(", ")}`);
    }

    drawLeaving({ bins, sums, width: count }) {
        const area = this.begin(this.leaving);
        const { context, palette, width, height } = area;
        const step = width / count;
        let most = 1, total = 0;
        for (let bin = 0; bin < count; bin += 1) {
            let sum = 0;
            for (let at = answers.length; at < bins.length; at += 1) sum += bins[at][bin];
            most = Math.max(most, sum);
        }
        for (let bin = 0; bin < count; bin += 1) {
            let y = height;
            causes.forEach((name, at) => {
                const high = bins[answers.length + at][bin] / most * (height - 4);
                if (high === 0) return;
                context.fillStyle = palette[`c-${name}`];
                context.fillRect(bin * step, y - Math.max(high, 1), step - (step > 2.5 ? 0.8 : 0), Math.max(high, 1));
                y -= high;
            });
        }
        this.end(area);
        // What is drawn is named, also when it comes after the time that is looked at.
        const present = causes.map((name, at) => [name, sums[answers.length + at], bins[answers.length + at]])
            .filter(([, sum, drawn]) => { total += sum; return sum || drawn.some(Boolean); });
        setText(this.leaving.big, several(total, "eviction"));
        show(this.leaving.legend, present.length ? present.map(([name, sum]) => make("li", null, make(`i.swatch.c-${name}`), `${name} ${number(sum)}`)) : make("li.thin", null, "none"));
        this.leaving.canvas.setAttribute("aria-label", `Evictions over time: ${present.map(([name, sum]) => `${name} ${sum}`).join(", ") || "none"}`);
    }

    /** The bytes of the first paginators over time, from their states, and their limits. */
    drawSizes(chosen) {
        const area = this.begin(this.sizes);
        const { context, palette, height, x } = area;
        const lines = chosen.slice(0, 4).map((subject) => ({ subject, points: this.points(subject.subject) })).filter(({ points }) => points.length);
        const most = lines.reduce((high, { points }) => points.reduce((one, point) => Math.max(one, point.bytes, finite(point.limit)), high), 1);
        const y = (value) => height - value / most * (height - 6);
        const styles = ["c-source", "c-store", "c-memory", "c-warn"];
        lines.forEach(({ points }, at) => {
            context.strokeStyle = palette[styles[at]];
            context.lineWidth = 1.5;
            context.beginPath();
            points.forEach((point, place) => {
                if (place === 0) context.moveTo(x(point.time), y(point.bytes));
                else { context.lineTo(x(point.time), y(points[place - 1].bytes)); context.lineTo(x(point.time), y(point.bytes)); }
            });
            context.lineTo(x(this.app.now), y(points.at(-1).bytes));
            context.stroke();
            if (points.at(-1).limit > 0) {
                context.setLineDash([4, 3]);
                context.lineWidth = 1;
                context.beginPath();
                context.moveTo(0, y(points.at(-1).limit));
                context.lineTo(area.width, y(points.at(-1).limit));
                context.stroke();
                context.setLineDash([]);
            }
        });
        this.end(area);
        const now = lines.map(({ subject, points }) => ({ subject, point: points.findLast((point) => point.time <= this.app.time) }));
        const sum = now.reduce((total, { point }) => total + finite(point?.bytes), 0);
        setText(this.sizes.big, lines.length ? bytes(sum) : "no state yet");
        show(this.sizes.legend, now.map(({ subject, point }, at) => make("li", null, make(`i.swatch.${styles[at]}`),
            foreign(this.app.recording.subjectName(subject.subject)), ` ${bytes(finite(point?.bytes))}${point?.limit > 0 ? ` of ${bytes(point.limit)}` : ", no limit"}`)));
        this.sizes.canvas.setAttribute("aria-label", `Bytes in memory over time, now ${bytes(sum)}`);
    }

    /** The sizes of a paginator over time; of very many states some hundreds are looked at, and those once. */
    points(subject) {
        const list = this.app.recording.states.get(subject) ?? [];
        const step = Math.max(1, Math.ceil(list.length / 300));
        const points = [];
        for (let at = (list.length - 1) % step; at < list.length; at += step) {
            const entry = list[at];
            if (entry.size === undefined) {
                const { memory } = this.app.recording.stateAt(subject, entry.time) ?? {};
                entry.size = { bytes: finite(memory?.bytes), limit: finite(memory?.limits?.bytes) };
            }
            points.push({ time: entry.time, ...entry.size });
        }
        return points;
    }

    memory(state) {
        const memory = state.memory ?? {};
        const limits = memory.limits ?? {};
        const { time } = state;
        const entries = array(memory.entries);
        const size = (name, label, words) => Number.isFinite(limits[name])
            ? meter(label, memory[name], limits[name], `${words(finite(memory[name]))} of ${words(limits[name])}`) : fact(label, words(finite(memory[name])));
        return [
            make("div.meters", null, size("pages", "Pages", number), size("items", "Items", number), size("bytes", "Bytes", bytes),
                memory.pinned ? fact("Pinned", `${several(finite(memory.pinned.pages), "page")}, ${bytes(finite(memory.pinned.bytes))}`) : null,
                fact("Strategy", text(memory.strategy) || "–")),
            memory.adaptive ? this.adaptive(memory.adaptive) : null,
            entries.length ? make("details", null, make("summary", null, `${several(entries.length + finite(memory.entriesLeftOut), "page")} in memory`),
                table("Pages in memory", [{ name: "Page" }, { name: "Age", numeric: true }, { name: "Stale", numeric: true }, { name: "Leaves", numeric: true }, { name: "Items", numeric: true }, { name: "Bytes", numeric: true }, { name: "Pinned" }],
                    entries.slice(0, 200).map((entry) => [foreign(pageOf(entry.page)?.label ?? "–"), duration(time - finite(entry.since, time)),
                        entry.invalidated === true ? "invalidated" : Number.isFinite(entry.expires) ? (entry.expires > time ? `in ${duration(entry.expires - time)}` : "yes") : "–", leaves(entry, time), number(entry.items), bytes(entry.bytes), entry.pinned ? "yes" : "–"]), entries.length + finite(memory.entriesLeftOut) - Math.min(entries.length, 200))) : null,
        ];
    }

    adaptive({ follows, why, scores }) {
        const list = array(scores);
        const most = list.reduce((high, one) => Math.max(high, finite(one.hits)), 1);
        return make("div.adaptive", null, make("p", null, "The adaptive policy follows ", make("b", null, foreign(text(follows) || "none")), why ? [": ", foreign(Object.hasOwn(reasons, why) ? reasons[why] : text(why))] : null),
            list.length ? make("ul.scores", null, list.map((one) => make("li", { class: text(one.name) === text(follows) ? "chosen" : null }, foreign(text(one.name)),
                make("progress", { max: String(most), value: String(finite(one.hits)), "aria-hidden": "true" }), make("span", null, several(finite(one.hits), "hit"))))) : null);
    }

    store(state) {
        const limits = state.limits ?? {};
        const size = (name, label, words) => Number.isFinite(limits[name])
            ? meter(label, state[name], limits[name], `${words(finite(state[name]))} of ${words(limits[name])}`) : fact(label, words(finite(state[name])));
        const known = ["subject", "time", "taken", "pages", "bytes", "pendingWrites", "flushing", "limits", "entries", "entriesLeftOut"];
        const entries = array(state.entries);
        const more = Object.entries(state).filter(([name, value]) => Number.isFinite(value) && !known.includes(name)).slice(0, 16);
        return [make("div.meters", null, "pages" in state ? size("pages", "Pages on disk", number) : null, "bytes" in state ? size("bytes", "Bytes on disk", bytes) : null,
            fact("Pending writes", number(finite(state.pendingWrites))), state.flushing === undefined ? null : fact("Flushing", state.flushing ? "yes" : "no"),
            more.map(([name, value]) => fact(words(name), number(value)))),
        entries.length ? make("details", null, make("summary", null, `${several(entries.length + finite(state.entriesLeftOut), "page")} on disk`),
            table("Pages on disk", [{ name: "Page" }, { name: "Leaves", numeric: true }, { name: "Items", numeric: true }, { name: "Bytes", numeric: true }],
                entries.slice(0, 200).map((entry) => [foreign(pageOf(entry?.page)?.label ?? "–"), leaves(entry, state.time), number(finite(entry?.items)), bytes(finite(entry?.bytes))]), entries.length + finite(state.entriesLeftOut) - 200)) : null];
    }
}

/** When a page leaves because of its age. */
function leaves(entry, time) { return !Number.isFinite(entry?.leaves) ? "–" : entry.leaves > time ? `in ${duration(entry.leaves - time)}` : "due"; }
