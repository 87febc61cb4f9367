import PaginatorCore

// Bookmarks.
extension ListMachine {
    func bookmark() -> PaginatorListBookmark? {
        guard kept.isEmpty else { return kept[0].bookmark() }
        guard !seats.isEmpty else { return nil }
        let middle = visibleRank ?? firstPage ?? 0
        var keys = Array(droppedKeys(at: .start).reversed())
        var page = keys.count
        var item = 0
        var fingerprint: UInt64?
        // A bookmark that is made before the item is found still leads to that item.
        let restoreTarget = restoreTarget
        tree.forEach { place in
            guard let seat = seats[place.rank] else { return }
            if place.rank == middle {
                page = keys.count
                let rows = place.payload.rows
                let seen = visible.flatMap { seen in
                    rows.firstIndex { $0.id == seen.first } ?? rows.firstIndex { $0.id == seen.last }
                }
                item = seen ?? 0
                let found = seen.map { rows[$0].id.fingerprint }
                // A class may have the same description for all its objects.
                let isUnique = rows.count(where: { $0.id.fingerprint == found }) == 1
                fingerprint = restoreTarget?.fingerprint ?? (isUnique ? found : nil)
            }
            keys.append(effectiveKey(of: seat, at: place.rank))
        }
        keys += droppedKeys(at: .end)
        let start = min(
            max(0, page - PaginatorListBookmark.maxPages / 2), max(0, keys.count - PaginatorListBookmark.maxPages))
        let near = Array(keys[start...].prefix(PaginatorListBookmark.maxPages))
        // Edits may have shifted two pages to the same offset; the visible page alone is enough then.
        for (keys, page) in [(near, page - start), ([keys[page]], 0)] {
            do throws(PaginatorError) {
                return try PaginatorListBookmark(
                    scope: config.scope, pageSize: config.pageSize, keys: keys, page: page, item: item,
                    fingerprint: fingerprint)
            } catch {
                continue
            }
        }
        return nil
    }

    // The current keys of the pages dropped at one end, the nearest first, as if they were brought back in turn.
    func droppedKeys(at end: ListEnd) -> [String] {
        var shift = leadingShift + (end == .start ? 0 : tree.total.shift)
        return self[dropped: end].reversed().map { page in
            if end == .start { shift -= page.shifts.own }
            defer { if end == .end { shift += page.shifts.own } }
            return shifted(page.identity.key, by: shift - page.shifts.beforeAtFetch)
        }
    }

    // Loads the visible page. The others count as dropped, and are loaded when they are needed.
    mutating func restore(_ bookmark: PaginatorListBookmark) {
        // The list may have switched its scope since the bookmark was checked.
        guard bookmark.scope.hasSameBytes(as: config.scope) else { return }
        reset()
        var load = Load(id: makeNumber(), purpose: .first, identity: identity(bookmark.keys[bookmark.page]))
        load.bookmark = bookmark
        start(load)
    }

    mutating func takeDroppedPages(of bookmark: PaginatorListBookmark) {
        // After a shift, the caches may have other pages of this list under these keys.
        func page(_ key: String) -> DroppedPage {
            DroppedPage(identity: identity(key), ids: nil, isOutdated: shiftedAt != nil)
        }
        droppedBefore = bookmark.keys[..<bookmark.page].map(page)
        droppedAfter = bookmark.keys[(bookmark.page + 1)...].reversed().map(page)
        dropped = Set((droppedBefore + droppedAfter).map(\.identity))
    }

    // Returns the item in a bookmark's place.
    func item(of bookmark: PaginatorListBookmark, on page: ListPage) -> ListItemID? {
        page.items.isEmpty ? nil : page.items[min(bookmark.item, page.items.count - 1)].id
    }

    // Goes to a bookmark's place again if its page has come in place of an older one, and without the row there.
    mutating func goAgain(to bookmark: PaginatorListBookmark, on page: ListPage) {
        rebuildDirty()
        guard let place = restoreTarget?.place, position(of: place) == nil,
            let id = item(of: bookmark, on: page), position(of: id) != nil
        else { return }
        go(to: id)
        restoreTarget?.place = id
    }

    /// A bookmark's item, until it is found.
    struct RestoreTarget: Sendable {
        // `nil` if it is known by its place alone.
        let fingerprint: UInt64?
        // The row in its place. A hint elsewhere ends the search.
        var place: ListItemID
        // The ends at which one more page is searched: that of the last load, and those that follow.
        var tried: ListEnd?
        var untried: [ListEnd] = [.end, .start]
    }

    // Searches a bookmark's item in the loaded pages, and then in one more page at either end.
    mutating func seek() {
        guard let restoreTarget, running[.first] == nil else { return }
        rebuildDirty()
        let ids = seats.values.lazy.flatMap(\.ids)
        if let id = ids.first(where: { $0.fingerprint == restoreTarget.fingerprint && position(of: $0) != nil }) {
            go(to: id)
            self.restoreTarget = nil
            return prefetch()
        }
        if let end = restoreTarget.tried, running[end.purpose] != nil { return }
        while restoreTarget.fingerprint != nil, let end = self.restoreTarget?.untried.first {
            self.restoreTarget?.untried.removeFirst()
            self.restoreTarget?.tried = end
            load(at: end)
            if running[end.purpose] != nil { return }
        }
        self.restoreTarget = nil
    }
}
