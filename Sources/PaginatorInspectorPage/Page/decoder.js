// Reads the chunks of a recording: those of a file, which begins with a signature, and those of a message, which does not.
// It knows the format and nothing else; what it reads goes to a sink.
//
// sink: expect(events), info(json), text(id, string), subject(json), events(bytes, count), state(json, bytes), reset(reason), answer(json)

export const signature = "PAGREC01";
export const eventSize = 40;

/** Why a file or a message cannot be read, as a sentence for people. */
export class BrokenRecording extends Error {}

const utf8 = new TextDecoder("utf-8");

/** Whether bytes begin as a recording does; throws a BrokenRecording that says what they are instead. */
export function checkSignature(bytes) {
    const found = String.fromCharCode(...bytes.subarray(0, signature.length));
    if (found === signature) return;
    if (bytes.length === 0) throw new BrokenRecording("The file is empty.");
    if (/^PAGREC\d\d$/.test(found)) {
        throw new BrokenRecording(`The recording has format ${found.slice(6)}, and this page reads format 01. Open it with the inspector that made it.`);
    }
    throw new BrokenRecording("This is no recording of PaginatorInspector: it does not begin with PAGREC01.");
}

/** Reads a whole file into the sink. Answers null, or a sentence that says where the file ends too early. */
export function readFile(bytes, sink) {
    checkSignature(bytes);
    return readChunks(bytes, signature.length, sink);
}

/** Reads a message into the sink. Answers null, or a sentence that says what is wrong with its end. */
export function readMessage(bytes, sink) { return readChunks(bytes, 0, sink); }

/** What the chunks `I` of a message say together; nothing else of it is looked at. */
export function infoOf(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const info = {};
    for (let at = 0; at + 5 <= bytes.length; at += 5 + view.getUint32(at + 1, true)) {
        const end = at + 5 + view.getUint32(at + 1, true);
        if (bytes[at] === 0x49 && end <= bytes.length) Object.assign(info, object(bytes.subarray(at + 5, end), at));
    }
    return info;
}

function readChunks(bytes, from, sink) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    sink.expect(countEvents(bytes, view, from));
    let at = from;
    while (at < bytes.length) {
        if (at + 5 > bytes.length) return cut(at, bytes.length);
        const type = bytes[at];
        const length = view.getUint32(at + 1, true);
        const begin = at + 5;
        if (begin + length > bytes.length) return cut(at, bytes.length);
        readChunk(type, bytes.subarray(begin, begin + length), at, sink);
        at = begin + length;
    }
    return null;
}

/** How many events are coming, as far as the lengths of the chunks tell: so that there is room for them at once. */
function countEvents(bytes, view, from) {
    let count = 0;
    for (let at = from; at + 5 <= bytes.length; at += 5 + view.getUint32(at + 1, true)) {
        if (bytes[at] === 0x45) count += Math.min(view.getUint32(at + 1, true), bytes.length - at) / eventSize;
    }
    return Math.floor(count);
}

function cut(at, length) {
    return `The recording is cut off: its last part begins at byte ${at} and does not end before byte ${length}. Everything before it is shown.`;
}

function readChunk(type, payload, at, sink) {
    switch (String.fromCharCode(type)) {
    case "N": {
        if (payload.length < 4) throw damaged(at, "a text without a number");
        const id = payload[0] + payload[1] * 0x100 + payload[2] * 0x10000 + payload[3] * 0x1000000;
        sink.text(id, utf8.decode(payload.subarray(4)));
        break;
    }
    case "E": {
        if (payload.length < 4) throw damaged(at, "events without a count");
        const count = new DataView(payload.buffer, payload.byteOffset, 4).getUint32(0, true);
        if (count * eventSize > payload.length - 4) {
            throw damaged(at, `${count} events, and room for ${Math.floor((payload.length - 4) / eventSize)}`);
        }
        sink.events(payload.subarray(4, 4 + count * eventSize), count);
        break;
    }
    case "I": sink.info(object(payload, at)); break;
    case "A": sink.subject(object(payload, at)); break;
    case "S": sink.state(object(payload, at), payload); break;
    case "R": sink.reset(object(payload, at)); break;
    case "K": sink.answer(object(payload, at)); break;
    default: break; // A chunk of a later version.
    }
}

/** The JSON object that bytes are. */
export function object(payload, at = 0) {
    let value;
    try {
        value = JSON.parse(utf8.decode(payload));
    } catch {
        throw damaged(at, "a part that is no JSON");
    }
    if (value === null || typeof value !== "object" || Array.isArray(value)) throw damaged(at, "a part that is no JSON object");
    return value;
}

function damaged(at, what) {
    return new BrokenRecording(`The recording is damaged at byte ${at}: ${what}.`);
}

/** A command as a chunk for the server. */
export function commandChunk(command) {
    const json = new TextEncoder().encode(JSON.stringify(command));
    const chunk = new Uint8Array(5 + json.length);
    chunk[0] = "C".charCodeAt(0);
    new DataView(chunk.buffer).setUint32(1, json.length, true);
    chunk.set(json, 5);
    return chunk;
}
