// Spans of time in the order in which they came, with summaries of sixteen each, of sixteen of those, and so on: what to
// draw is found in as many steps as there are pixels, however many spans there are.

const fan = 4; // Bits: sixteen children.

class Level {
    constructor() {
        this.length = 0;
        this.starts = new Float64Array(64);
        this.ends = new Float64Array(64);
        this.kinds = new Uint8Array(64); // Of a summary: that of the longest span.
        this.bad = new Uint32Array(64); // How many failed.
    }

    append(start, end, kind, bad) {
        if (this.length === this.starts.length) {
            for (const name of ["starts", "ends", "kinds", "bad"]) {
                const grown = new this[name].constructor(this.length * 2);
                grown.set(this[name]);
                this[name] = grown;
            }
        }
        const at = this.length++;
        this.starts[at] = start;
        this.ends[at] = end;
        this.kinds[at] = kind;
        this.bad[at] = bad;
    }
}

export class Spans {
    constructor() {
        this.levels = [new Level()];
        this.events = new Uint32Array(64);
        this.lastEnd = -Infinity;
    }

    get length() { return this.levels[0].length; }

    append(start, end, kind, event, isBad = false) {
        const place = this.length;
        if (place === this.events.length) {
            const grown = new Uint32Array(place * 2);
            grown.set(this.events);
            this.events = grown;
        }
        this.events[place] = event;
        if (end > this.lastEnd) this.lastEnd = end;
        this.levels[0].append(start, end, kind, isBad ? 1 : 0);
        // Sixteen are summed up when the last of them is there; until then they stand for themselves.
        for (let number = 0; (this.levels[number].length & ((1 << fan) - 1)) === 0; number += 1) this.#sumUp(number);
    }

    #sumUp(number) {
        const level = this.levels[number];
        let start = Infinity, end = -Infinity, kind = 0, longest = -1, bad = 0;
        for (let at = level.length - (1 << fan); at < level.length; at += 1) {
            const from = level.starts[at], to = level.ends[at];
            if (from < start) start = from;
            if (to > end) end = to;
            if (to - from > longest) {
                longest = to - from;
                kind = level.kinds[at];
            }
            bad += level.bad[at];
        }
        (this.levels[number + 1] ??= new Level()).append(start, end, kind, bad);
    }

    /**
     * Visits what overlaps a stretch of time. What is shorter than `fine`, alone or together, comes as one summary, whose
     * `event` is -1; `bad` is the share of it that failed.
     * visit(start, end, kind, event, bad)
     */
    visit(from, to, fine, visit) {
        let first = 0;
        for (let number = this.levels.length - 1; number >= 0; number -= 1) {
            const level = this.levels[number];
            for (let at = first; at < level.length; at += 1) this.#descend(number, at, from, to, fine, visit);
            first = level.length << fan;
        }
    }

    #descend(number, at, from, to, fine, visit) {
        const level = this.levels[number];
        const start = level.starts[at], end = level.ends[at];
        if (end < from || start > to) return;
        if (number === 0) { visit(start, end, level.kinds[at], this.events[at], level.bad[at]); return; }
        if (end - start <= fine) { visit(start, end, level.kinds[at], -1, level.bad[at] / 2 ** (number * fan)); return; }
        const first = at << fan;
        for (let child = first; child < first + (1 << fan); child += 1) this.#descend(number - 1, child, from, to, fine, visit);
    }
}
