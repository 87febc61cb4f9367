// What the texts of a recording mean: pages and errors. They come from outside; nothing here trusts their form.

/** A page from the JSON text of an event, or from the field of a state: an object, a text, or null. */
export function pageOf(value) {
    if (value === undefined || value === null) return null;
    let fields = value;
    if (typeof value === "string") {
        try { fields = JSON.parse(value); } catch { fields = { key: value }; }
    }
    if (fields === null || typeof fields !== "object") fields = { key: String(value) };
    const scope = plain(fields.scope), hash = plain(fields.hash);
    const size = Number.isFinite(fields.size) ? fields.size : null;
    if (hash) return { id: `#${hash}`, label: `#${hash}`, key: null, scope: null, size: null, hash, json: { hash: fields.hash } };
    const key = plain(fields.key) || "first page";
    return { id: `${scope}\u0000${plain(fields.key)}\u0000${size ?? ""}`, label: scope ? `${scope} / ${key}` : key, key, scope, size, hash: null, json: fields };
}

/** An error from the JSON text of an event. */
export function errorOf(value) {
    if (typeof value !== "string") return null;
    try {
        const fields = JSON.parse(value);
        if (fields && typeof fields === "object") return { code: plain(fields.code) || "error", message: plain(fields.message) };
    } catch { /* A text that is no JSON is shown as it is. */ }
    return { code: value, message: "" };
}

function plain(value) {
    if (value === undefined || value === null) return "";
    return typeof value === "object" ? JSON.stringify(value) : String(value);
}
