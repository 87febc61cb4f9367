// Numbers as people read them.

/** Nanoseconds as a duration, in the unit that fits. */
export function duration(ns) {
    if (!Number.isFinite(ns)) return "–";
    const size = Math.abs(ns);
    if (size < 1e3) return `${Math.round(ns)} ns`;
    if (size < 1e6) return `${figures(ns / 1e3)} µs`;
    if (size < 1e9) return `${figures(ns / 1e6)} ms`;
    if (size < 60e9) return `${figures(ns / 1e9)} s`;
    const seconds = Math.round(size / 1e9), sign = ns < 0 ? "−" : "";
    if (seconds < 3600) return `${sign}${Math.floor(seconds / 60)} min ${seconds % 60} s`;
    if (seconds < 86400) return `${sign}${Math.floor(seconds / 3600)} h ${Math.floor(seconds % 3600 / 60)} min`;
    return `${sign}${Math.floor(seconds / 86400)} d ${Math.floor(seconds % 86400 / 3600)} h`;
}

/** Three figures that matter. */
function figures(value) {
    const size = Math.abs(value);
    return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

/** A time since the recording's start, with as many places as a step needs. */
export function moment(ns, step = 1e6) {
    if (!Number.isFinite(ns)) return "–";
    const sign = ns < 0 ? "−" : "";
    const places = step >= 1e9 ? 0 : step >= 1e6 ? 3 : step >= 1e3 ? 6 : 9;
    const unit = 10 ** places;
    const total = Math.round(Math.abs(ns) / 1e9 * unit);
    const seconds = Math.floor(total / unit);
    const fraction = places ? "." + String(total % unit).padStart(places, "0") : "";
    const pad = (value) => String(value).padStart(2, "0");
    const hours = Math.floor(seconds / 3600);
    return `${sign}${hours ? hours + ":" : ""}${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}${fraction}`;
}

export function bytes(value) {
    if (!Number.isFinite(value)) return "–";
    if (value < 1000) return `${value} B`;
    if (value < 1e6) return `${figures(value / 1e3)} kB`;
    if (value < 1e9) return `${figures(value / 1e6)} MB`;
    return `${figures(value / 1e9)} GB`;
}

export function number(value) {
    return Number.isFinite(value) ? String(value).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202F") : "–";
}

/** A number where there is little room. */
export function short(value) {
    return value < 10_000 ? number(value) : value < 1e6 ? `${Math.round(value / 1e3)}k` : `${(value / 1e6).toFixed(1)}M`;
}

export function percent(value) {
    return Number.isFinite(value) ? `${value >= 0.9995 || value === 0 ? Math.round(value * 100) : (value * 100).toFixed(1)} %` : "–";
}

export function several(count, one, many = one + "s") { return `${number(count)} ${count === 1 ? one : many}`; }

/** A value of unknown type as text. */
export function text(value) {
    if (value === undefined || value === null) return "";
    return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The finite number that a field is, or a replacement. */
export function finite(value, otherwise = 0) { return typeof value === "number" && Number.isFinite(value) ? value : otherwise; }

/** The array that a field is, or an empty one; never longer than views can bear. */
export function array(value) { return Array.isArray(value) ? value : []; }
