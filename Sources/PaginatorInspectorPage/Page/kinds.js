// What the kinds of events mean for people: which lane they stand in, which stretch of time they are about, how they are
// colored, and their names. A kind that is not here stands among the notices under its own name.

/** Classes of what is drawn, by severity: where several fall on one pixel, the last of them is seen. */
export const classes = ["muted", "wait", "deliver", "memory", "store", "source",
    "strategy", "lifetime", "replaced", "trimmed", "rejected", "cleared", "warn", "fail"];
const classNumber = Object.fromEntries(classes.map((name, number) => [name, number]));

export const lanes = [
    { id: "notes", name: "Steps", rows: 1, always: false },
    { id: "loads", name: "Loads by page", rows: 12, always: true },
    { id: "attempts", name: "Attempts", rows: 6, always: true },
    { id: "backoff", name: "Back-off", rows: 4, always: true },
    { id: "queue", name: "Queue wait", rows: 4, always: true },
    { id: "store", name: "Store", rows: 3, always: true },
    { id: "validation", name: "Validation", rows: 2, always: true },
    { id: "memory", name: "Memory", rows: 1, always: false },
    { id: "fetches", name: "Fetches", rows: 8, always: false },
    { id: "deliveries", name: "Deliveries", rows: 2, always: true },
    { id: "evictions", name: "Evictions", rows: 1, always: true },
    { id: "notices", name: "Notices", rows: 2, always: false },
];

// span: "before" for [time - duration, time], "after" for [time, time + duration], absent for a moment.
// opens and closes: the pair of kinds whose first one shows a bar that is still growing.
const meanings = {
    fetchStarted: { label: "Fetch began", lane: null },
    fetchEnded: { label: "Fetch ended", lane: "fetches", span: "before", class: "deliver" },
    memoryHit: { label: "Found in memory", lane: "memory", class: "memory" },
    memoryMiss: { label: "Not in memory", lane: "memory", class: "muted" },
    storeReadStarted: { label: "Read of the store began", lane: "store", opens: true },
    storeHit: { label: "Found in the store", lane: "store", span: "before", class: "store", closes: true },
    storeMiss: { label: "Not in the store", lane: "store", span: "before", class: "muted", closes: true },
    joined: { label: "Joined a running load", lane: null },
    loadStarted: { label: "Load began", lane: "loads", opens: true },
    loadEnded: { label: "Load ended", lane: "loads", span: "before", class: "source", closes: true },
    attemptStarted: { label: "Attempt began", lane: "queue", span: "before", class: "wait", opens: "attempts" },
    attemptEnded: { label: "Attempt ended", lane: "attempts", span: "before", class: "source", closes: true },
    retryScheduled: { label: "Another attempt scheduled", lane: "backoff", span: "after", class: "wait" },
    retryRefused: { label: "Another attempt refused", lane: "notices", class: "warn" },
    throttled: { label: "Throttled", lane: "backoff", span: "after", class: "warn" },
    sourcePaused: { label: "Source asked for a pause", lane: "backoff", span: "after", class: "warn" },
    validated: { label: "Page accepted", lane: "validation", span: "before", class: "deliver" },
    verdict: { label: "Page not accepted", lane: "validation", span: "before", class: "warn" },
    evicted: { label: "Left memory", lane: "evictions", class: "strategy" },
    stored: { label: "Store wrote", lane: "store", span: "before", class: "store" },
    storeEvicted: { label: "Left the store", lane: "evictions", class: "trimmed" },
    decoded: { label: "Decoded", lane: "validation", span: "before", class: "source" },
    lateAnswer: { label: "Late answer", lane: "notices", class: "warn" },
    duplicateAnswer: { label: "Second answer", lane: "notices", class: "warn" },
    repeatedKey: { label: "Neighbor named again", lane: "notices", class: "warn" },
    refusedKey: { label: "Neighbor's key refused", lane: "notices", class: "warn" },
    storeFailed: { label: "Store failed", lane: "notices", class: "fail" },
    callbackDelivered: { label: "Callback ran", lane: "deliveries", span: "before", class: "deliver" },
    followed: { label: "Following began", lane: "notices", class: "deliver" },
    followingLost: { label: "Following lost", lane: "notices", class: "warn" },
    note: { label: "Step", lane: "notes", class: "deliver" },
    eventsLost: { label: "Events lost", lane: "notices", class: "warn" },
};

/** The meaning of a kind by its name. */
export function meaningOf(name) {
    if (Object.hasOwn(meanings, name)) return meanings[name];
    return { label: words(name), lane: "notices", class: "deliver" };
}

/** Whether an event is that a newer copy of a page took the place of the older one: the page has not left memory. */
export function isReplacement(recording, index) {
    return recording.cause[index] !== 0 && recording.causeName(index) === "replaced" && recording.kindName(index) === "evicted";
}

const replacement = { label: "Replaced in memory", lane: "memory", class: "replaced" };

/** The meaning of an event. */
export function meaningOfEvent(recording, index) {
    return isReplacement(recording, index) ? replacement : meaningOf(recording.kindName(index));
}

/** A name of code as words: savedPages as "Saved pages". */
export function words(name) {
    const text = name.replace(/([a-z])([A-Z])/g, (_, one, other) => `${one} ${other.toLowerCase()}`);
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The class of an event, as a number: failures and causes weigh more than its kind. */
export function classOf(recording, index, meaning) {
    if (recording.error[index] && meaning.class !== "wait") {
        return isCalm(recording.errorAt(recording.error[index])) ? classNumber.muted : classNumber.fail;
    }
    const cause = recording.causeName(index);
    if (cause && Object.hasOwn(classNumber, cause)) return classNumber[cause];
    if (meaning.lane === "fetches" || meaning.lane === "deliveries") {
        const origin = recording.originName(index);
        if (origin && Object.hasOwn(classNumber, origin)) return classNumber[origin];
    }
    return classNumber[meaning.class ?? "muted"];
}

/** Whether an error is only that nobody wanted the answer any more. */
export function isCalm(error) { return error !== null && ["cancelled", "superseded"].includes(error.code.split(".")[0]); }

/** Sentences for the causes of evictions. */
export const causeSentences = {
    strategy: "memory was full and the eviction strategy chose it",
    lifetime: "its lifetime had passed",
    cleared: "it was cleared",
    replaced: "a newer copy took its place in memory",
    rejected: "a validator dropped it",
    trimmed: "memory was trimmed",
};
