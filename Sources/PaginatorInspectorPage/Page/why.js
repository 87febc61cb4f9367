// Answers "why did it load" and "why is it gone" in a sentence, from the events of the page alone.

import { causeSentences, isReplacement, meaningOf } from "./kinds.js";
import { duration } from "./format.js";

/** The story of one page around one of its events: its events by time, and where among them the one is. */
export function storyOf(recording, index) {
    const page = recording.page[index];
    if (!page) return { events: [], at: -1 };
    const events = recording.eventsOf(page).filter((one) => recording.subject[one] === recording.subject[index]
        || meaningOf(recording.kindName(one)).lane === "store");
    return { events, at: events.indexOf(index) };
}

/** A sentence or two about one event; null where there is nothing to tell beyond its fields. */
export function whyOf(recording, index, story = storyOf(recording, index)) {
    const kind = recording.kindName(index);
    switch (kind) {
    case "fetchStarted": case "memoryMiss": case "memoryHit": case "joined": return answerOf(recording, story);
    case "storeReadStarted": case "storeHit": case "storeMiss": return whyRead(recording, story);
    case "loadStarted": return whyLoad(recording, story, story.at);
    case "loadEnded": return whyLoad(recording, story, back(recording, story, story.at, ["loadStarted"]));
    case "attemptStarted": case "attemptEnded": return whyAttempt(recording, story, index);
    case "retryScheduled": return `Attempt ${recording.attempt[index] || "?"}${failed(recording, index)} did not succeed; the next is made after ${duration(recording.duration[index])}.`;
    case "retryRefused": return "The retry budget is spent: most attempts of late failed, and more would only add load.";
    case "throttled": return recording.duration[index] > 0 ? `The source asked to be left alone for ${duration(recording.duration[index])}.`
        : "The source has been failing, so that it is left alone for now.";
    case "evicted": return whyGone(recording, story, index);
    case "fetchEnded": return recording.error[index] ? `The caller got the error${failed(recording, index)}.` : null;
    case "verdict": return `A validator judged the page${detail(recording, index)}; what it judges so is not shown as good.`;
    case "lateAnswer": return "The source answered an attempt that had already been given up; the answer is not used.";
    default: return null;
    }
}

/** Where a page is and why, as of a time; story as of storyOf, its events up to then. */
export function whereaboutsOf(recording, events, time) {
    for (let at = events.length - 1; at >= 0; at -= 1) {
        const index = events[at];
        if (recording.time[index] > time) continue;
        const ago = duration(time - recording.time[index]);
        switch (recording.kindName(index)) {
        case "evicted": return isReplacement(recording, index) ? `A newer copy took its place in memory ${ago} ago.` : `It left memory ${ago} ago: ${causeSentence(recording, index)}.`;
        case "loadStarted": return `It has been loading for ${ago}.`;
        case "loadEnded": return recording.error[index]
            ? `Its load failed ${ago} ago${failed(recording, index)}.` : `It was loaded ${ago} ago.`;
        case "storeHit": return `It was read from the store ${ago} ago.`;
        default: break;
        }
    }
    return null;
}

function whyLoad(recording, story, at) {
    if (at < 0) return null;
    const { events } = story;
    const time = recording.time[events[at]];
    // First what the fetch itself found, back to its beginning; then what was before it.
    let missed = false, noStore = false, hit = false, stored = false;
    let before = at - 1;
    for (; before >= 0; before -= 1) {
        const kind = recording.kindName(events[before]);
        if (kind === "memoryMiss") missed = true;
        else if (kind === "memoryHit") hit = true;
        else if (kind === "storeMiss") noStore = true;
        else if (kind === "storeHit") stored = true;
        else if (kind === "fetchStarted") { before -= 1; break; }
        else if (kind !== "storeReadStarted" && kind !== "joined") break;
    }
    if (stored || hit) {
        return `It was loaded although ${stored ? "the store" : "memory"} had a copy: the copy was stale, or the caller asked for a fresh one.`;
    }
    const store = noStore ? ", and the store had no usable copy" : "";
    for (; before >= 0; before -= 1) {
        const index = events[before];
        const ago = duration(time - recording.time[index]);
        switch (recording.kindName(index)) {
        case "evicted":
            if (isReplacement(recording, index)) break; // The newer copy came from a load, which is further back.
            return `It was loaded again because it had left memory ${ago} before: ${causeSentence(recording, index)}${store}.`;
        case "verdict":
            return `It was loaded again because a validator had judged it${detail(recording, index)} ${ago} before.`;
        case "loadEnded":
            if (recording.error[index]) return `It was loaded again because the load ${ago} before had failed${failed(recording, index)}.`;
            return `It was loaded again because the copy of ${ago} before was of no use any more: invalidated, or never cached${store}.`;
        case "memoryHit": case "storeHit":
            return `It was loaded again because the copy that was used ${ago} before is of no use any more: invalidated, or out of its lifetime${store}.`;
        default: break;
        }
    }
    if (missed || noStore) {
        return `It was loaded because ${noStore ? "neither memory nor the store had it" : "memory did not have it"}; nothing in this recording had loaded it before.`;
    }
    return "It was loaded ahead, or asked for before this recording begins.";
}

function whyRead(recording, story) {
    const before = story.events.slice(0, story.at).findLast((one) => recording.kindName(one) === "evicted" && !isReplacement(recording, one));
    if (before === undefined) return "The store was asked because memory did not have the page.";
    return `The store was asked because memory no longer had the page: ${causeSentence(recording, before)}, ${duration(recording.time[story.events[story.at]] - recording.time[before])} before.`;
}

function whyAttempt(recording, story, index) {
    const attempt = recording.attempt[index];
    const start = recording.kindName(index) === "attemptStarted" ? story.at : back(recording, story, story.at, ["attemptStarted"]);
    if (attempt > 1) {
        const retry = story.events[back(recording, story, start, ["retryScheduled"])];
        if (retry !== undefined) {
            return `Attempt ${attempt} was made because attempt ${attempt - 1}${failed(recording, retry)} did not succeed; the back-off was ${duration(recording.duration[retry])}.`;
        }
        return `Attempt ${attempt} was made because the one before did not succeed.`;
    }
    return whyLoad(recording, story, back(recording, story, start, ["loadStarted"]));
}

function whyGone(recording, story, index) {
    if (isReplacement(recording, index)) return "A newer copy of the page is in memory: it took the place of this one.";
    const time = recording.time[index];
    const use = story.events[back(recording, story, story.at, ["memoryHit", "loadEnded", "storeHit", "fetchEnded"])];
    const last = use === undefined ? "" : ` It was last used ${duration(time - recording.time[use])} before.`;
    const again = story.events.slice(story.at + 1).find((one) => ["fetchStarted", "loadStarted", "storeReadStarted"].includes(recording.kindName(one)));
    const next = again === undefined ? " Nothing has asked for it since." : ` It was asked for again ${duration(recording.time[again] - time)} later.`;
    return `It is gone from memory because ${causeSentence(recording, index)}.${last}${next}`;
}

/** How a fetch was answered, from what follows it. */
function answerOf(recording, { events, at }) {
    for (let after = at; after < events.length; after += 1) {
        const index = events[after];
        switch (recording.kindName(index)) {
        case "memoryHit": return "It was answered from memory.";
        case "storeHit": return "It was answered from the store.";
        case "joined": return "It joined a load of the same page that was already running, so that the source is asked once.";
        case "loadStarted": return whyLoad(recording, { events, at }, after);
        case "fetchEnded": return after > at && recording.error[index] ? `It ended with an error${failed(recording, index)}.` : null;
        default: break;
        }
    }
    return null;
}

function causeSentence(recording, index) {
    const cause = recording.causeName(index);
    if (!cause) return "the recording does not say why";
    return Object.hasOwn(causeSentences, cause) ? causeSentences[cause] : cause;
}

function failed(recording, index) {
    const error = recording.errorAt(recording.error[index]);
    return error ? ` (${error.code}${error.message && error.message !== error.code ? `: ${error.message}` : ""})` : "";
}

function detail(recording, index) {
    const text = recording.detailText(index);
    return text ? ` “${text}”` : " other than good";
}

/** The place of the nearest event before a place that has one of the kinds; -1 for none. */
function back(recording, { events }, from, kinds) {
    for (let at = from - 1; at >= 0; at -= 1) if (kinds.includes(recording.kindName(events[at]))) return at;
    return -1;
}
