extension PageCache {
    /// The state of the cache, with the first pages.
    var state: StateValue {
        withWriter { table, upkeep in
            let evictor = upkeep.evictor
            // Pages that lists hold come first.
            var (indices, others): ([Int], [Int]) = ([], [])
            for index in table.indices(in: .all) {
                if upkeep.isPinned(table.identity(at: index)) { indices.append(index) } else { others.append(index) }
            }
            indices += others
            var entries: [StateValue] = []
            for index in indices.prefix(StateValue.mostShown) {
                let page = table[index]
                entries.append(
                    evictor.state(
                        of: PageHandle(index: index),
                        [
                            "page": .page(table.identity(at: index)), "since": page.map { .instant($0.fetchedAt) },
                            "expires": page?.details.expiresAt.map(StateValue.instant),
                            "invalidated": page.map { .flag($0.isInvalidated) },
                            "tags": page.flatMap { $0.details.tags.isEmpty ? nil : .texts($0.details.tags) },
                        ]))
            }
            let more = StateValue([
                "pinned": .fields(evictor.pinnedUsage.fields), "limits": evictor.limitsState,
                "strategy": .text(evictor.strategyName),
                "adaptive": evictor.orders.lazy.compactMap { ($0 as? AdaptiveOrder)?.state }.first,
                "nextExpiry": evictor.nextDeadline.map(StateValue.instant), "entries": .list(entries),
                "entriesLeftOut": .some(indices.count - entries.count),
            ])
            return .fields(evictor.usage.fields + more.fields)
        }
    }
}

extension PageUsage {
    fileprivate var fields: [(name: String, value: StateValue)] {
        [("pages", .count(pages)), ("items", .count(items)), ("bytes", .count(bytes))]
    }
}

extension PaginatorEvictor {
    package var limitsState: StateValue {
        let all = orders.reduce(EvictionLimits.none) { $0.intersection($1.limits) }
        let known = [("pages", all.pages), ("items", all.items), ("bytes", all.bytes)].filter { $0.1 < .max }
        return .fields(known.map { ($0, .count($1)) })
    }

    /// Returns the state of a page, with what the strategy knows about it.
    package func state(of page: PageHandle, _ known: KeyValuePairs<String, StateValue?>) -> StateValue {
        let cell = cells.indices.contains(page.index) ? cells[page.index] : nil
        let facts = StateValue([
            "items": cell.map { .count($0.facts.items) }, "bytes": cell.map { .count($0.facts.bytes) },
            "pinned": cell.map { .flag($0.isPinned) }, "leaves": cell?.deadline.map(StateValue.instant),
        ])
        return .fields(StateValue(known).fields + facts.fields)
    }

    fileprivate var strategyName: String {
        orders.map { order in
            (order as? QueueOrder).map { "\($0.kind)" }
                ?? (order is LFUOrder ? "lfu" : order is AdaptiveOrder ? "adaptive" : "own")
        }.joined(separator: "+")
    }
}

extension AdaptiveOrder {
    /// The chosen policy, and the hits behind the choice: recent ones, or those of the long memory after a loss.
    var state: StateValue {
        let names = LeaderElection.Leader.allCases.map { "\($0)" } + ["cache"]
        return StateValue([
            "follows": .text("\(election.leader)"), "why": .text(isLosing ? "longMemory" : "recentHits"),
            "scores": .list(
                zip(names, election.hits(isLosing: isLosing)).map {
                    StateValue(["name": .text($0), "hits": .count($1)])
                }),
        ])
    }
}
