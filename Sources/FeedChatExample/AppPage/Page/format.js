// Times and numbers in the app's language.

let language = "en";
let made = new Map();

export function setLanguage(next) {
    language = next;
    made = new Map();
}

function once(key, make) {
    if (!made.has(key)) made.set(key, make());
    return made.get(key);
}

export function number(value) {
    return once("compact", () => new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 })).format(value);
}

export function percent(value) {
    return once("percent", () => new Intl.NumberFormat(language, { style: "percent" })).format(value);
}

/** A number of bytes. */
export function size(bytes) {
    return once("size", () => new Intl.NumberFormat(language, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 })).format(bytes / 1e6);
}

/** How long ago, in a few letters; a date when it is more than a week. */
export function ago(time, now = Date.now()) {
    const then = Date.parse(time);
    if (!Number.isFinite(then)) return "";
    const seconds = Math.round((now - then) / 1000);
    const relative = once("ago", () => new Intl.RelativeTimeFormat(language, { style: "narrow", numeric: "auto" }));
    if (Math.abs(seconds) < 60) return relative.format(0, "second");
    for (const [unit, size, limit] of [["minute", 60, 3600], ["hour", 3600, 86_400], ["day", 86_400, 604_800]]) {
        if (Math.abs(seconds) < limit) return relative.format(-Math.trunc(seconds / size), unit);
    }
    return once("date", () => new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric" })).format(then);
}

export function clock(time) {
    const then = Date.parse(time);
    return Number.isFinite(then) ? once("clock", () => new Intl.DateTimeFormat(language, { hour: "numeric", minute: "2-digit" })).format(then) : "";
}

export function fullTime(time) {
    const then = Date.parse(time);
    return Number.isFinite(then) ? once("full", () => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" })).format(then) : "";
}
