package enum PageChange: Sendable {
    /// The visible state of pages may have changed.
    case state(PageSelection)
    /// The source returned a page, or a page was primed.
    case renewed(PageIdentity, LoadedPage)
    case invalidated(PageInvalidation, at: PaginatorInstant)
    /// Lists reload the pages that this marks stale.
    case reload(PageInvalidation, at: PaginatorInstant)
    /// The source has more rows at the head of a scope, since a request time.
    case newRows(Int, scope: ExactText, PaginatorInstant)
}

package enum PageInvalidation: Sendable, Hashable {
    case selected(PageSelection)
    case tagged(Set<ExactText>)

    /// Whether the change makes the page stale, provided that it was requested before.
    package func contains(_ identity: PageIdentity, _ tags: [String]) -> Bool {
        switch self {
        case .selected(let selection): selection.contains(identity)
        case .tagged(let marked): tags.hasTag(in: marked)
        }
    }
}

final class PageSubscriptions: Sendable {
    typealias Subscriber = ChangeSubscription<[PageChange]>

    enum Topic: Sendable, Hashable {
        case state(PageIdentity)
        case list(scope: ExactText, pageSize: Int)

        fileprivate func concerns(_ change: PageChange) -> Bool {
            switch (self, change) {
            case (.state(let page), .state(let selection)): selection.contains(page)
            case (.list(let own, _), .newRows(_, let scope, _)): own == scope
            case (.list(let own, _), .invalidated(let pages, _)), (.list(let own, _), .reload(let pages, _)):
                if case .selected(.scope(let scope)) = pages { own == ExactText(scope) } else { true }
            default: false
            }
        }
    }

    private let subscribers = Guarded<[Topic: [UInt64: Subscriber]]>([:])

    var observedPages: [PageIdentity] {
        subscribers.withLock { $0.keys.compactMap { if case .state(let page) = $0 { page } else { nil } } }
    }

    func isObserved(_ page: PageIdentity) -> Bool {
        subscribers.withLock { $0[.state(page)] != nil }
    }

    func add(_ subscriber: Subscriber, as number: UInt64, to topic: Topic) {
        subscribers.withLock { $0[topic, default: [:]][number] = subscriber }
    }

    func remove(_ number: UInt64, from topic: Topic) {
        let removed = subscribers.withLock { subscribers in
            let removed = subscribers[topic]?.removeValue(forKey: number)
            if subscribers[topic]?.isEmpty == true { subscribers[topic] = nil }
            return removed
        }
        // Released outside the lock, because it may hold objects of the user.
        withExtendedLifetime(removed) {}
    }

    func endAll() {
        for subscriber in subscribers.replace(with: [:]).values.flatMap({ $0.values }) { subscriber.end() }
    }

    /// Notifies all subscribers that the change concerns. Complexity: O(topics); O(1) for one page.
    func tell(_ change: PageChange, in mailbox: CallbackMailbox, at now: PaginatorInstant) {
        let concerned = subscribers.withLock { subscribers -> [UInt64: Subscriber] in
            if subscribers.isEmpty { return [:] }
            switch change {
            case .state(.identity(let page)): return subscribers[.state(page)] ?? [:]
            case .renewed(let page, _):
                return subscribers[.list(scope: ExactText(page.scope), pageSize: page.pageSize)] ?? [:]
            case .state, .invalidated, .reload, .newRows:
                return subscribers.filter { $0.key.concerns(change) }.values
                    .reduce(into: [:]) { all, some in all.merge(some) { one, _ in one } }
            }
        }
        if concerned.isEmpty { return }
        // In the order of subscription, so that a simulated run is reproducible.
        for (_, subscriber) in concerned.sorted(by: { $0.key < $1.key }) {
            subscriber.tell([change], in: mailbox, at: now)
        }
    }
}
