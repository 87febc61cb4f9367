// What several views are made of: meters, a choice among subjects, and empty states.

import { make, show, foreign } from "./dom.js";
import { finite, moment, number } from "./format.js";

/** A choice among the subjects of some kinds. Few are shown all at once; of many, one. */
export class Chooser {
    constructor(app, kinds, name) {
        this.app = app;
        this.kinds = kinds;
        this.value = null;
        this.select = make("select", { "aria-label": name, onchange: () => { this.value = Number(this.select.value); app.draw(); } });
        this.element = make("div.bar", null, this.select);
    }

    /** The subjects to show. */
    chosen() {
        const all = this.kinds.flatMap((kind) => this.app.recording.subjectsOf(kind));
        const several = all.length <= 6;
        const options = [[0, `All ${all.length}`], ...all.map((one) => [one.subject, `${this.app.recording.subjectName(one.subject)}${one.detached ? " (detached)" : ""}`])];
        if (this.value !== null && this.value !== 0 && !all.some((one) => one.subject === this.value)) this.value = null;
        const value = this.value ?? (several ? 0 : all[0].subject);
        const isNew = show(this.select, options.map(([id, label]) => make("option", { value: String(id) }, label)));
        if (isNew || this.select.value !== String(value)) this.select.value = String(value);
        this.element.hidden = all.length < 2;
        return value === 0 ? all : all.filter((one) => one.subject === value);
    }
}

/** A bar that shows a value of a limit, with words. */
export function meter(name, value, limit, words, { bad = false, inverse = false } = {}) {
    const share = limit > 0 ? Math.min(Math.max(finite(value) / limit, 0), 1) : 0;
    const level = bad || (inverse && share < 0.25) ? "high" : "normal";
    return make("div.meter", null, make("span.name", null, name), make("span.words", null, words ?? `${number(value)} of ${number(limit)}`),
        limit > 0 ? make(`progress.${level}`, { max: "1", value: share.toFixed(3), "aria-label": name }) : make("span.none"));
}

export function fact(name, value) {
    return make("div.fact", null, make("span.name", null, name), make("span.words", null, value));
}

/** The heading of a subject's part, with the time of the state that it shows. */
export function heading(app, subject, state, more = null) {
    return make("header.subject", null, make("h2", null, foreign(app.recording.subjectName(subject.subject))),
        make("span.kind", null, subject.kind), app.isGone(subject) ? make("span.chip", null, "detached") : null,
        make("span.thin", null, more, state ? `${more ? ", " : ""}as of ${moment(state.taken ?? state.time)}` : null));
}

export function empty(text) { return make("p.empty", null, text); }
