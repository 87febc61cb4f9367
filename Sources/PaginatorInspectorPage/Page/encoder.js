// Writes what is known of a run as a file again, for when there is no app any more that could.

import { signature, eventSize } from "./decoder.js";

const utf8 = new TextEncoder();
const eventsOfChunk = 50_000;

/** The file of a recording, as far as this page has kept it. */
export function fileOf(recording) {
    const parts = [utf8.encode(signature)];
    const add = (type, payload) => {
        const head = new Uint8Array(5);
        head[0] = type.charCodeAt(0);
        new DataView(head.buffer).setUint32(1, payload.length, true);
        parts.push(head, payload);
    };
    const addJSON = (type, value) => add(type, utf8.encode(JSON.stringify(value)));
    const { now, paused, faults, ...info } = recording.info;
    addJSON("I", info);
    for (const subject of recording.subjects.values()) addJSON("A", subject);
    recording.texts.forEach((text, id) => {
        const bytes = utf8.encode(text);
        const payload = new Uint8Array(4 + bytes.length);
        new DataView(payload.buffer).setUint32(0, id, true);
        payload.set(bytes, 4);
        add("N", payload);
    });
    for (let first = 0; first < recording.length; first += eventsOfChunk) {
        add("E", eventsOf(recording, first, Math.min(eventsOfChunk, recording.length - first)));
    }
    for (const list of recording.states.values()) for (const { bytes } of list) add("S", bytes);
    return new Blob(parts, { type: "application/octet-stream" });
}

function eventsOf(recording, first, count) {
    const payload = new Uint8Array(4 + count * eventSize);
    const view = new DataView(payload.buffer);
    view.setUint32(0, count, true);
    for (let row = 0; row < count; row += 1) {
        const index = first + row, at = 4 + row * eventSize;
        view.setFloat64(at, recording.time[index], true);
        view.setFloat64(at + 8, recording.duration[index], true);
        view.setUint32(at + 16, recording.page[index], true);
        view.setUint32(at + 20, recording.error[index], true);
        view.setUint32(at + 24, recording.detail[index], true);
        view.setInt32(at + 28, recording.count[index], true);
        view.setUint16(at + 32, recording.subject[index], true);
        view.setUint8(at + 34, recording.kind[index]);
        view.setUint8(at + 35, recording.origin[index]);
        view.setUint8(at + 36, recording.cause[index]);
        view.setUint16(at + 38, recording.attempt[index], true);
    }
    return payload;
}
