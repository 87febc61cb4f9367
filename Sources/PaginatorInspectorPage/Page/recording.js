// Everything that is known of one run: events in columns, texts, subjects, and their states over time. It is a sink of
// decoder.js. Texts come from outside and are shown as text only.

import { object } from "./decoder.js";
import { pageOf, errorOf } from "./texts.js";

// A page that is left open beside an app for days keeps at most this much.
const mostEvents = 2_000_000;
const mostStateBytes = 256 << 20;
const mostTextBytes = 128 << 20;
// Of the texts that came last, an event to come may name so much: by default, the library keeps less than that.
const mostNamedBytes = 32 << 20;

const columns = {
    time: Float64Array, duration: Float64Array, page: Uint32Array, error: Uint32Array, detail: Uint32Array,
    count: Int32Array, subject: Uint16Array, kind: Uint8Array, origin: Uint8Array, cause: Uint8Array,
    attempt: Uint16Array,
};

export class Recording {
    constructor() {
        /** Goes up whenever what was read so far is void: indexes of events from before mean nothing any more. */
        this.generation = 0;
        this.info = {};
        this.answers = () => {};
        this.clear();
    }

    clear() {
        this.generation += 1;
        this.length = 0;
        this.capacity = 0;
        for (const [name, type] of Object.entries(columns)) this[name] = new type(0);
        // Each text has one number here, however often it is told: the library drops texts, and tells them anew.
        this.texts = [];
        this.byText = new Map();
        this.numbers = new Map(); // By those of the messages, the latest last.
        this.textBytes = 0;
        this.pages = [];
        this.errors = [];
        this.subjects = new Map();
        this.states = new Map();
        this.stateBytes = 0;
        this.parsed = new Map();
        this.start = Infinity;
        this.end = -Infinity;
        this.sorted = true;
        this.order = null;
    }

    get isEmpty() { return this.length === 0 && this.states.size === 0; }
    get kinds() { return names(this.info.kinds); }
    get origins() { return names(this.info.origins); }
    get causes() { return names(this.info.causes); }

    text(id, string) {
        if (!(id > 0)) return;
        let number = this.byText.get(string);
        if (number === undefined) {
            number = Math.max(1, this.texts.length);
            this.texts[number] = string;
            this.byText.set(string, number);
            this.textBytes += costOf(string);
        }
        this.numbers.set(id, number);
    }
    state(json, bytes) {
        if (!Number.isInteger(json.subject) || !Number.isFinite(json.time)) return;
        let list = this.states.get(json.subject);
        if (!list) this.states.set(json.subject, list = []);
        // A copy: the message that they came in may be large. The value is parsed anew when it is looked at.
        const entry = { time: json.time, bytes: bytes.slice() };
        let at = list.length;
        while (at > 0 && list[at - 1].time > entry.time) at -= 1;
        list.splice(at, 0, entry);
        this.remember(entry, json);
        this.stateBytes += bytes.length;
        if (this.stateBytes > mostStateBytes) this.thinStates();
        this.extend(json.time, json.time);
    }
    events(bytes, count) {
        this.reserve(count);
        // Columns of an aligned copy are read faster than through a DataView. All machines with a browser are little endian.
        const buffer = bytes.slice().buffer;
        const f64 = new Float64Array(buffer), u32 = new Uint32Array(buffer), i32 = new Int32Array(buffer);
        const u16 = new Uint16Array(buffer), u8 = new Uint8Array(buffer);
        const { time: times, duration, page, error, detail, count: counts, subject, kind, origin, cause, attempt, numbers } = this;
        const numberOf = (id) => id === 0 ? 0 : numbers.get(id) ?? 0;
        let { length } = this, last = length > 0 ? times[length - 1] : -Infinity;
        let low = this.start, high = this.end, sorted = this.sorted;
        for (let row = 0; row < count; row += 1) {
            const time = f64[row * 5];
            if (!(time - time === 0)) continue; // Not a finite number.
            times[length] = time;
            duration[length] = f64[row * 5 + 1];
            page[length] = numberOf(u32[row * 10 + 4]);
            error[length] = numberOf(u32[row * 10 + 5]);
            detail[length] = numberOf(u32[row * 10 + 6]);
            counts[length] = i32[row * 10 + 7];
            subject[length] = u16[row * 20 + 16];
            kind[length] = u8[row * 40 + 34];
            origin[length] = u8[row * 40 + 35];
            cause[length] = u8[row * 40 + 36];
            attempt[length] = u16[row * 20 + 19];
            length += 1;
            if (time < last) sorted = false;
            last = time;
            if (time < low) low = time;
            if (time > high) high = time;
        }
        this.length = length;
        this.sorted = sorted;
        this.extend(low, high);
        this.order = null;
        if (this.length > mostEvents || this.textBytes > mostTextBytes) this.dropOldest(this.length >> 1);
    }

    extend(from, to) {
        if (from < this.start) this.start = from;
        if (to > this.end) this.end = to;
    }

    reserve(count) {
        if (this.length + count <= this.capacity) return;
        this.capacity = Math.max(this.length + count, Math.min(this.capacity * 2, this.capacity + 500_000), 1024);
        for (const [name, type] of Object.entries(columns)) {
            const grown = new type(this.capacity);
            grown.set(this[name].subarray(0, this.length));
            this[name] = grown;
        }
    }

    dropOldest(count) {
        for (const name of Object.keys(columns)) this[name].copyWithin(0, count, this.length);
        this.length -= count;
        this.generation += 1;
        this.start = this.time[0];
        this.dropTexts();
    }

    /** Drops the texts that neither an event names nor one to come may. */
    dropTexts() {
        const needed = new Uint8Array(this.texts.length);
        const fields = [this.page, this.error, this.detail];
        for (const field of fields) for (let index = 0; index < this.length; index += 1) needed[field[index]] = 1;
        let named = 0;
        const latest = [...this.numbers].reverse().filter(([, number]) => (named += costOf(this.texts[number])) <= mostNamedBytes);
        this.numbers = new Map(latest.reverse());
        for (const number of this.numbers.values()) needed[number] = 1;
        const texts = [], moved = new Uint32Array(needed.length);
        this.byText.clear();
        this.textBytes = 0;
        for (let number = 1; number < needed.length; number += 1) {
            if (!needed[number]) continue;
            moved[number] = Math.max(1, texts.length);
            texts[moved[number]] = this.texts[number];
            this.byText.set(this.texts[number], moved[number]);
            this.textBytes += costOf(this.texts[number]);
        }
        for (const field of fields) for (let index = 0; index < this.length; index += 1) field[index] = moved[field[index]];
        for (const [id, number] of this.numbers) this.numbers.set(id, moved[number]);
        [this.texts, this.pages, this.errors] = [texts, [], []];
    }

    thinStates() {
        let bytes = 0;
        for (const list of this.states.values()) {
            list.splice(0, Math.floor(list.length / 2));
            for (const entry of list) bytes += entry.bytes.length;
        }
        this.stateBytes = bytes;
    }

    remember(entry, value) {
        this.parsed.set(entry, value);
        if (this.parsed.size > 64) this.parsed.delete(this.parsed.keys().next().value);
    }

    // What views ask.

    kindName(index) { return this.kinds[this.kind[index]] ?? `kind ${this.kind[index]}`; }
    originName(index) { return this.origin[index] ? this.origins[this.origin[index] - 1] ?? "?" : null; }
    causeName(index) { return this.cause[index] ? this.causes[this.cause[index] - 1] ?? "?" : null; }
    detailText(index) { return this.detail[index] ? this.texts[this.detail[index]] ?? null : null; }

    /** The page with a text's number; null for 0. */
    pageAt(id) {
        if (!id) return null;
        return this.pages[id] ??= pageOf(this.texts[id]);
    }
    errorAt(id) {
        if (!id) return null;
        return this.errors[id] ??= errorOf(this.texts[id]);
    }

    subjectName(number) {
        const subject = this.subjects.get(number);
        return typeof subject?.name === "string" && subject.name ? subject.name : number ? `subject ${number}` : "";
    }
    subjectsOf(kind) {
        return [...this.subjects.values()].filter((one) => one.kind === kind).sort((one, other) => one.subject - other.subject);
    }

    /** The newest state of a subject that is no newer than a time, or null. */
    stateAt(subject, time) {
        const list = this.states.get(subject);
        if (!list) return null;
        const at = firstAfter(list.length, (index) => list[index].time > time) - 1;
        if (at < 0) return null;
        const entry = list[at];
        const known = this.parsed.get(entry);
        if (known) return known;
        const value = object(entry.bytes);
        this.remember(entry, value);
        return value;
    }

    /** The times of all states, in order. */
    stateTimes() {
        const times = new Set();
        for (const list of this.states.values()) for (const entry of list) times.add(entry.time);
        return Float64Array.from(times).sort();
    }

    /** The events' indexes by time. */
    inOrder() {
        if (this.order) return this.order;
        const order = new Uint32Array(this.length);
        for (let index = 0; index < order.length; index += 1) order[index] = index;
        if (!this.sorted) {
            const time = this.time;
            order.sort((one, other) => time[one] - time[other] || one - other);
        }
        return this.order = order;
    }

    /** The place, in `inOrder()`, of the first event after a time. */
    placeAfter(time) {
        const order = this.inOrder();
        return firstAfter(order.length, (at) => this.time[order[at]] > time);
    }

    /** The events of one page, by time. */
    eventsOf(page, subject = 0) {
        const found = [];
        for (let index = 0; index < this.length; index += 1) {
            if (this.page[index] === page && (!subject || this.subject[index] === subject)) found.push(index);
        }
        return this.sorted ? found : found.sort((one, other) => this.time[one] - this.time[other] || one - other);
    }

    /** The number of the text of a page, by the page's identity; 0 when no event names it. */
    pageNumber(id) {
        for (let number = 1; number < this.texts.length; number += 1) {
            const text = this.texts[number];
            if (text !== undefined && text.charCodeAt(0) === 0x7B && this.pageAt(number)?.id === id) return number;
        }
        return 0;
    }

    /** The sink that a decoder fills. */
    get sink() {
        return {
            info: (json) => { this.info = { ...this.info, ...json }; },
            subject: (json) => { if (Number.isInteger(json.subject)) this.subjects.set(json.subject, json); },
            reset: () => this.clear(),
            expect: (count) => this.reserve(count),
            answer: (json) => this.answers(json),
            text: (id, string) => this.text(id, string),
            events: (bytes, count) => this.events(bytes, count),
            state: (json, bytes) => this.state(json, bytes),
        };
    }
}

/** How many bytes a text takes, with what leads to it. */
function costOf(text) { return 2 * text.length + 64; }

function names(value) { return Array.isArray(value) ? value : []; }

/** The first index of `count` for which the test holds; it holds for all after that. */
export function firstAfter(count, test) {
    let low = 0, high = count;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (test(middle)) high = middle; else low = middle + 1;
    }
    return low;
}
