// The rows of a list, changed only by what the app says: a whole list, or operations in their order.

export class Entry {
    constructor(row) {
        this.row = row;
        this.id = row.id;
        /** In pixels: as measured, or as estimated. */
        this.height = 0;
        this.isMeasured = false;
        this.element = null;
        this.drawn = null;
        this.context = null;
        /** Whether it is in the list and did not move in the change that is under way: what one reads is held by such a row. */
        this.stays = true;
        this.isGone = false;
    }
}

export class RowStore {
    constructor() {
        this.entries = [];
    }

    reset(rows) {
        const known = new Map(this.entries.map((entry) => [entry.id, entry]));
        for (const entry of this.entries) entry.isGone = true;
        this.entries = rows.map((row) => {
            const entry = known.get(row.id) ?? new Entry(row);
            known.delete(row.id);
            entry.row = row;
            entry.isGone = false;
            return entry;
        });
    }

    /** Applies operations in their order, and answers whether each of them made sense and `count` rows are left. */
    apply(operations, count) {
        // A row that is taken out and put in again has moved: it is the same row.
        const taken = new Map();
        for (const [what, at, extra] of operations) {
            const { entries } = this;
            if (!Number.isInteger(at) || at < 0) return false;
            if (what === "-") {
                if (at >= entries.length) return false;
                const [entry] = entries.splice(at, 1);
                entry.isGone = true;
                taken.set(entry.id, entry);
            } else if (what === "+") {
                if (at > entries.length || !extra) return false;
                const entry = taken.get(extra.id) ?? new Entry(extra);
                taken.delete(extra.id);
                if (entry.isGone) Object.assign(entry, { row: extra, isGone: false, stays: false });
                entries.splice(at, 0, entry);
            } else if (what === "m") {
                if (at >= entries.length || !Number.isInteger(extra) || extra < 0 || extra >= entries.length) return false;
                const [entry] = entries.splice(at, 1);
                entry.stays = false;
                entries.splice(extra, 0, entry);
            } else if (what === "=") {
                if (at >= entries.length || !extra) return false;
                entries[at].row = extra;
                entries[at].id = extra.id;
            } else {
                return false;
            }
        }
        return count === undefined || count === this.entries.length;
    }

    indexOf(id) { return this.entries.findIndex((entry) => entry.id === id); }
}
