// The strip at the foot of the page: the whole recording in small, what of it the timeline shows, and the time that all
// views show. Dragging in it moves that time.

import { isCalm } from "./kinds.js";
import { colors, fitted } from "./theme.js";
import { setText } from "./dom.js";
import { duration, moment } from "./format.js";

export class Scrubber {
    constructor(app) {
        this.app = app;
        this.element = document.getElementById("scrubber");
        this.canvas = this.element.querySelector("canvas");
        this.clock = document.getElementById("clock");
        this.span = document.getElementById("span");
        this.bins = null;
        const move = (event) => {
            const box = this.element.getBoundingClientRect();
            const { start, now } = app;
            app.selected = -1;
            app.setCursor(start + (event.clientX - box.left) / box.width * (now - start));
            app.reveal(app.cursor);
        };
        this.element.addEventListener("pointerdown", (event) => {
            this.element.setPointerCapture(event.pointerId);
            this.dragging = true;
            move(event);
        });
        this.element.addEventListener("pointermove", (event) => { if (this.dragging) move(event); });
        for (const name of ["pointerup", "pointercancel"]) this.element.addEventListener(name, () => { this.dragging = false; });
        this.element.addEventListener("wheel", (event) => {
            event.preventDefault();
            app.step(event.deltaY + event.deltaX > 0 ? 1 : -1);
        }, { passive: false });
        this.element.addEventListener("keydown", (event) => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            const { start, now } = app;
            const tenth = (now - start) / 10;
            const times = { PageUp: app.time + tenth, PageDown: app.time - tenth, Home: start, End: now };
            if (Object.hasOwn(times, event.key)) {
                app.selected = -1;
                app.setCursor(times[event.key]);
                app.reveal(app.cursor);
            } else if (event.key === "ArrowUp") app.stepState(1);
            else if (event.key === "ArrowDown") app.stepState(-1);
            else return;
            event.preventDefault();
            event.stopPropagation();
        });
    }

    draw() {
        const { app, element } = this;
        const width = element.clientWidth, height = element.clientHeight;
        if (width < 10) return;
        const { start, now, time } = app;
        const length = Math.max(now - start, 1);
        const palette = colors();
        const context = fitted(this.canvas, width, height);
        const x = (at) => (at - start) / length * width;
        this.drawBins(context, palette, width, height, start, length);
        // What the timeline shows is light, the rest is not.
        if (app.shown === "timeline") {
            const from = Math.max(0, x(app.view.from)), to = Math.min(width, x(app.view.to));
            context.fillStyle = palette.veil;
            context.fillRect(0, 0, from, height);
            context.fillRect(to, 0, width - to, height);
            context.fillStyle = palette["text-soft"];
            context.fillRect(from, 0, 1, height);
            context.fillRect(to - 1, 0, 1, height);
        }
        const cursor = Math.min(Math.max(x(time), 1), width - 1);
        context.fillStyle = palette.focus;
        context.fillRect(cursor - 1, 0, 2, height);
        context.beginPath();
        context.arc(cursor, height - 4, 4, 0, Math.PI * 2);
        context.fill();

        const seconds = (ns) => (ns / 1e9).toFixed(3);
        const attributes = { "aria-valuemin": seconds(start), "aria-valuemax": seconds(now), "aria-valuenow": seconds(time),
            "aria-valuetext": `${moment(time)}${app.cursor === null ? (app.connection.isRunning ? ", live" : ", the end") : ""}` };
        for (const [name, value] of Object.entries(attributes)) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
        setText(this.clock, app.recording.isEmpty && !app.connection.isRunning ? "–" : moment(time));
        setText(this.span, `of ${duration(now - start)}`);
    }

    drawBins(context, palette, width, height, start, length) {
        const count = Math.floor(width / 3);
        const { recording } = this.app;
        // Counted anew when enough has changed to be seen.
        const known = this.bins;
        if (!known || known.count !== count || known.generation !== recording.generation || known.length !== recording.length
            || Math.abs(known.span - length) > length / count) {
            const all = new Uint32Array(count), failed = new Uint32Array(count);
            const calm = [];
            for (let index = 0; index < recording.length; index += 1) {
                const bin = Math.min(count - 1, Math.max(0, Math.floor((recording.time[index] - start) / length * count)));
                all[bin] += 1;
                const error = recording.error[index];
                if (error && !(calm[error] ??= isCalm(recording.errorAt(error)))) failed[bin] += 1;
            }
            this.bins = { all, failed, count, generation: recording.generation, length: recording.length, span: length,
                most: all.reduce((most, one) => Math.max(most, one), 1) };
        }
        const { all, failed, most } = this.bins;
        const scale = (height - 8) / Math.sqrt(most);
        for (let bin = 0; bin < count; bin += 1) {
            if (!all[bin]) continue;
            const high = Math.max(1.5, Math.sqrt(all[bin]) * scale);
            context.fillStyle = palette.bins;
            context.fillRect(bin * 3, height - 4 - high, 2, high);
            if (failed[bin]) {
                const bad = Math.max(2, Math.sqrt(failed[bin]) * scale);
                context.fillStyle = palette["c-fail"];
                context.fillRect(bin * 3, height - 4 - bad, 2, bad);
            }
        }
    }
}
