// The lanes of the timeline: each has rows of spans that do not overlap, built once and continued as events come.

import { lanes as definitions, classes, meaningOf, meaningOfEvent, isReplacement, classOf } from "./kinds.js";
import { Spans } from "./spans.js";

const failed = classes.indexOf("fail"), unended = classes.indexOf("muted");

class Lane {
    constructor(definition) {
        this.definition = definition;
        this.rows = [];
        this.open = new Map(); // What has begun and not ended, by subject and page: { start, row, event }.
        this.count = 0;
    }

    /** The row in which something that begins at a time may stand: the first that is free, else the one that is free first. */
    rowFor(start) {
        let soonest = 0;
        for (let at = 0; at < this.rows.length; at += 1) {
            const row = this.rows[at];
            if (row.taken) continue;
            if (row.spans.lastEnd <= start) return at;
            if (this.rows[soonest].taken || row.spans.lastEnd < this.rows[soonest].spans.lastEnd) soonest = at;
        }
        if (this.rows.length < this.definition.rows) {
            this.rows.push({ spans: new Spans(), taken: 0, isCrowded: false });
            return this.rows.length - 1;
        }
        return soonest;
    }

    begin(key, start, event) {
        const known = this.open.get(key);
        if (known) this.rows[known.row].taken -= 1;
        const row = this.rowFor(start);
        this.rows[row].taken += 1;
        this.open.set(key, { start, row, event });
    }

    add(start, end, kind, event, key) {
        const opened = key === undefined ? undefined : this.open.get(key);
        let row;
        if (opened) {
            row = opened.row;
            this.rows[row].taken -= 1;
            this.open.delete(key);
        } else {
            row = this.rowFor(start);
        }
        if (start < this.rows[row].spans.lastEnd) this.rows[row].isCrowded = true;
        this.rows[row].spans.append(start, end, kind, event, kind === failed);
        this.count += 1;
    }
}

export class Lanes {
    /** accepts(index): whether an event is shown; null for all. */
    constructor(recording, accepts = null) {
        this.recording = recording;
        this.accepts = accepts;
        this.rebuild();
    }

    rebuild() {
        this.generation = this.recording.generation;
        this.taken = 0;
        this.lanes = definitions.map((definition) => new Lane(definition));
        this.byName = new Map(this.lanes.map((lane) => [lane.definition.id, lane]));
        this.kindTable = [];
        this.kindNames = null;
        this.latest = []; // The time of the last event by subject.
        this.update();
    }

    /** Takes the events that have come since. */
    update() {
        const recording = this.recording;
        if (this.generation !== recording.generation) { this.rebuild(); return; }
        if (this.kindNames !== recording.kinds) {
            this.kindNames = recording.kinds;
            this.kindTable = [];
        }
        for (let index = this.taken; index < recording.length; index += 1) {
            if (!this.accepts || this.accepts(index)) this.take(index);
        }
        this.taken = recording.length;
        this.endOfDetached();
    }

    /** What has begun and not ended of a subject that is detached ends with its last event: no other will come. */
    endOfDetached() {
        const { recording } = this;
        for (const lane of this.lanes) {
            for (const [key, { start, event }] of lane.open) {
                const subject = recording.subject[event];
                if (recording.subjects.get(subject)?.detached === true) lane.add(start, Math.max(start, this.latest[subject]), unended, event, key);
            }
        }
    }

    take(index) {
        const recording = this.recording;
        const meaning = this.kindTable[recording.kind[index]] ??= this.known(index);
        const time = recording.time[index], subject = recording.subject[index];
        if (!(this.latest[subject] >= time)) this.latest[subject] = time;
        if (!meaning.lane) return;
        if (meaning.opens === true) { meaning.lane.begin(keyOf(recording, index), time, index); return; }
        const duration = recording.duration[index];
        const length = meaning.span && duration > 0 ? duration : 0;
        const start = meaning.span === "after" ? time : time - length;
        const kind = meaning.isPlain && recording.error[index] === 0 ? meaning.class : classOf(recording, index, meaning.meaning);
        const lane = isReplacement(recording, index) ? this.byName.get("memory") : meaning.lane;
        lane.add(start, start + length, kind, index, meaning.closes ? keyOf(recording, index) : undefined);
        if (meaning.opened) meaning.opened.begin(keyOf(recording, index), time, index);
    }

    /** What is the same for all events of a kind. */
    known(index) {
        const meaning = meaningOf(this.recording.kindName(index));
        const { opens, closes, span, lane } = meaning;
        const isPlain = !["fetches", "deliveries", "evictions"].includes(lane);
        return { meaning, opens, closes, span, isPlain, lane: this.byName.get(lane), opened: typeof opens === "string" ? this.byName.get(opens) : null,
            class: classes.indexOf(meaning.class) };
    }

    /** The lanes to show. */
    get shown() { return this.lanes.filter((lane) => lane.definition.always || lane.count > 0 || lane.open.size > 0); }
}

/** The stretch of time that an event is about. */
export function stretchOf(recording, index) {
    const meaning = meaningOfEvent(recording, index);
    const duration = recording.duration[index];
    const length = meaning.span && duration > 0 ? duration : 0;
    const start = meaning.span === "after" ? recording.time[index] : recording.time[index] - length;
    return { start, end: start + length, meaning };
}

/** A number for a page of a subject: a small one where that is possible, which maps find sooner. */
function keyOf(recording, index) {
    const subject = recording.subject[index], page = recording.page[index];
    return subject < 64 && page < 0x800000 ? page * 64 + subject : 0x40000000 + subject * 0x100000000 + page;
}
