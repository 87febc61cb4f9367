extension PageCache {
    private static let shownPages = 2_000

    /// What there is, with the first pages.
    var state: StateValue {
        writer.withLock {
            let indices = table.indices(in: .all)
            let entries = indices.prefix(Self.shownPages).map { index in
                let facts = evictor.facts(of: PageHandle(index: index))
                let page = table[index]
                return StateValue([
                    "page": .page(table.identity(at: index)), "since": page.map { .instant($0.fetchedAt) },
                    "expires": page?.details.expiresAt.map(StateValue.instant), "items": facts.map { .count($0.items) },
                    "bytes": facts.map { .count($0.bytes) }, "invalidated": page.map { .flag($0.isInvalidated) },
                    "pinned": .flag(evictor.isPinned(PageHandle(index: index))),
                    "tags": page.flatMap { $0.details.tags.isEmpty ? nil : .texts($0.details.tags) },
                ])
            }
            return .fields(
                evictor.usage.fields + [
                    ("pinned", .fields(evictor.pinnedUsage.fields)), ("limits", .fields(evictor.limits.fields)),
                    ("strategy", .text(evictor.strategyName)),
                ] + (evictor.adaptive.map { [("adaptive", $0.state)] } ?? []) + [
                    ("entries", .list(Array(entries))), ("entriesLeftOut", .count(indices.count - entries.count)),
                ])
        }
    }
}

extension PageUsage {
    fileprivate var fields: [(name: String, value: StateValue)] {
        [("pages", .count(pages)), ("items", .count(items)), ("bytes", .count(bytes))]
    }
}

extension EvictionLimits {
    fileprivate var fields: [(name: String, value: StateValue)] {
        [("pages", pages), ("items", items), ("bytes", bytes)].filter { $0.1 < .max }.map { ($0.0, .count($0.1)) }
    }
}

extension PaginatorEvictor {
    fileprivate var limits: EvictionLimits { orders.reduce(.none) { $0.intersection($1.limits) } }
    fileprivate var adaptive: AdaptiveOrder? { orders.lazy.compactMap { $0 as? AdaptiveOrder }.first }

    fileprivate var strategyName: String {
        let names = orders.map { order in
            switch order {
            case let order as QueueOrder: "\(order.kind)"
            case is LFUOrder: "lfu"
            case is AdaptiveOrder: "adaptive"
            default: "own"
            }
        }
        return names.joined(separator: "+")
    }

    fileprivate func facts(of page: PageHandle) -> PageFacts? {
        slots.indices.contains(page.index) ? slots[page.index]?.facts : nil
    }
}

extension AdaptiveOrder {
    /// Which policy it follows, and the hits by which it chose: of late, or over the long memory after a loss.
    var state: StateValue {
        let names = ["lru", "lirs", "s3fifo", "cache"]
        return StateValue([
            "follows": .text(names[election.leader]), "why": .text(isLosing ? "longMemory" : "recentHits"),
            "scores": .list(
                zip(names, election.hits(isLosing: isLosing)).map {
                    StateValue(["name": .text($0), "hits": .count($1)])
                }),
        ])
    }
}
