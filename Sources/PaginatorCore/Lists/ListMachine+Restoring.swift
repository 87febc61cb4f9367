// Leaving and coming back.
extension ListMachine {
    func bookmark() -> PaginatorListBookmark? {
        guard !slots.isEmpty else { return nil }
        let middle = visibleRank ?? firstPage ?? 0
        var keys = droppedBefore.map(\.identity.key)
        var page = keys.count
        var item = 0
        tree.forEach { place in
            guard let slot = slots[place.rank] else { return }
            if place.rank == middle {
                page = keys.count
                let rows = place.payload.rows
                item =
                    visible.flatMap { seen in
                        rows.firstIndex { $0.id == seen.first } ?? rows.firstIndex { $0.id == seen.last }
                    } ?? 0
            }
            keys.append(effectiveKey(of: slot, at: place.rank))
        }
        keys += droppedAfter.reversed().map(\.identity.key)
        let start = min(
            max(0, page - PaginatorListBookmark.maxPages / 2), max(0, keys.count - PaginatorListBookmark.maxPages))
        let near = Array(keys[start...].prefix(PaginatorListBookmark.maxPages))
        // Two pages may have come to the same offset through edits; the page looked at is enough then.
        for (keys, page) in [(near, page - start), ([keys[page]], 0)] {
            do throws(PaginatorError) {
                return try PaginatorListBookmark(
                    scope: config.scope, pageSize: config.pageSize, keys: keys, page: page, item: item)
            } catch {
                continue
            }
        }
        return nil
    }

    // Loads the page looked at; the others count as dropped, and come back when they are wanted.
    mutating func restore(_ bookmark: PaginatorListBookmark) {
        reset()
        var load = Load(id: makeNumber(), purpose: .first, identity: identity(bookmark.keys[bookmark.page]))
        load.bookmark = bookmark
        start(load)
    }

    mutating func takeDroppedPages(of bookmark: PaginatorListBookmark) {
        func page(_ key: String) -> DroppedPage { DroppedPage(identity: identity(key), ids: nil) }
        droppedBefore = bookmark.keys[..<bookmark.page].map(page)
        droppedAfter = bookmark.keys[(bookmark.page + 1)...].reversed().map(page)
        dropped = Set((droppedBefore + droppedAfter).map(\.identity))
    }

    func visibleRange(of bookmark: PaginatorListBookmark, on page: ListPage) -> VisibleRange? {
        guard !page.items.isEmpty else { return nil }
        let id = page.items[min(bookmark.item, page.items.count - 1)].id
        return (id, id)
    }
}
