/// The point where a local source ends and remote pages must be loaded, for one scope: the next remote key, whether the
/// remote end was reached, and the load that all waiters share.
///
/// A pure machine, which holds the waiters for the mediator. Events of an ended load are ignored.
struct RemoteBoundary<Waiter: Sendable>: Sendable {
    enum Joined: Sendable {
        case endReached
        case refused
        case readAgain
        case start(RemoteLoad, waiter: Int)
        case wait(waiter: Int)
    }

    enum Fetched: Sendable {
        case save
        /// Drop the page, and let the waiters read the local source again, because it was restarted meanwhile.
        case drop([Waiter])
        case ignore
    }

    private enum Next: Sendable {
        case key(String)
        case end
        case refused
    }

    private enum Stage: Sendable {
        case idle
        case fetching(RemoteLoad, isOutdated: Bool)
        /// `then` is the key that follows the page; `nil` after a restart.
        case saving(RemoteLoad, then: Next?)
    }

    private var stage = Stage.idle
    private var next: Next?
    // The last key that had expired.
    private var expiredKey: String?
    private var waiters: [Int: (waiter: Waiter, isReader: Bool)] = [:]
    private var lastWaiter = 0

    /// Incremented with each change of the local source made here.
    private(set) var version = 0
    var lastUse = 0
    /// Whether a call of the scope has succeeded.
    var hasBegun = false

    var knowsNext: Bool { next != nil }

    var isAtEnd: Bool { if case .end? = next { true } else { false } }

    var isIdle: Bool { if case .idle = stage { true } else { false } }

    var isRefreshing: Bool {
        switch stage {
        case .fetching(let load, _), .saving(let load, _): load.purpose == .refresh
        case .idle: false
        }
    }

    /// A call is about to read the local source. While a refresh is under way it waits, and its number is returned.
    mutating func awaitRefresh(_ waiter: Waiter) -> Int? { isRefreshing ? add(waiter, isReader: true) : nil }

    /// A call reached the end of the local source, read at `version`. A refresh does not share an append. The load
    /// begins at `key` if no next key is known; without one, nothing follows.
    mutating func join(
        _ waiter: Waiter, for purpose: RemoteLoad.Purpose, since version: Int, unknown key: String?
    ) -> Joined {
        // The page at the end is older than what was saved since.
        if purpose == .append, version != self.version { return .readAgain }
        guard isIdle else { return .wait(waiter: add(waiter)) }
        var start = key
        switch purpose == .append ? next : nil {
        case .key(let known): start = known
        case .refused: return .refused
        case .end: return .endReached
        case nil: break
        }
        guard let key = start else { return .endReached }
        guard Self.isUsable(key) else { return .refused }
        let load = RemoteLoad(purpose: purpose, key: key, startedAt: lastUse)
        stage = .fetching(load, isOutdated: false)
        return .start(load, waiter: add(waiter))
    }

    private mutating func add(_ waiter: Waiter, isReader: Bool = false) -> Int {
        lastWaiter += 1
        waiters[lastWaiter] = (waiter, isReader)
        return lastWaiter
    }

    /// Removes a waiter. The load is abandoned if nobody else wants its page and that has not arrived; calls that are
    /// about to read then wait no longer.
    mutating func leave(_ number: Int) -> (waiter: Waiter?, abandoned: RemoteLoad?, readers: [Waiter]) {
        guard let left = waiters.removeValue(forKey: number) else { return (nil, nil, []) }
        // A save in progress completes.
        guard case .fetching(let load, _) = stage, waiters.values.allSatisfy({ $0.isReader }) else {
            return (left.waiter, nil, [])
        }
        return (left.waiter, load, finish(changed: false))
    }

    /// Handles a page of the remote source. A next key equal to the page's own is the end; an invalid one is reported
    /// to the next waiter.
    mutating func fetched(_ load: RemoteLoad, nextKey: String?) -> Fetched {
        guard case .fetching(let current, let isOutdated) = stage, current.call === load.call else { return .ignore }
        // A page requested before the restart would be added to an empty source.
        guard !isOutdated else { return .drop(finish(changed: true)) }
        let key = nextKey.flatMap { $0.hasSameBytes(as: load.key) ? nil : $0 }
        stage = .saving(load, then: key.map { Self.isUsable($0) ? .key($0) : .refused } ?? .end)
        return .save
    }

    mutating func ended(_ load: RemoteLoad, isSaved: Bool) -> [Waiter] {
        switch stage {
        case .saving(let current, let after) where current.call === load.call:
            if isSaved, let after { next = after }
            // A partly saved page has changed the local source, too.
            return finish(changed: true)
        case .fetching(let current, _) where current.call === load.call && !isSaved: return finish(changed: false)
        case .idle, .fetching, .saving: return []
        }
    }

    /// The remote source no longer knows the key of a load: the next one begins at `first`, and updates saved items. It
    /// returns `nil` if the source has refused the key before, and will again.
    mutating func expired(_ load: RemoteLoad, first: String) -> [Waiter]? {
        guard case .fetching(let current, let isOutdated) = stage, current.call === load.call else { return [] }
        if let expiredKey, expiredKey.hasSameBytes(as: load.key) { return nil }
        expiredKey = load.key
        if !isOutdated { next = .key(first) }
        return finish(changed: false)
    }

    /// The local source was emptied or changed from outside: begin at the first remote page.
    mutating func restart() {
        (next, expiredKey) = (nil, nil)
        version += 1
        switch stage {
        case .idle: break
        case .fetching(let load, _): stage = .fetching(load, isOutdated: true)
        case .saving(let load, _): stage = .saving(load, then: nil)
        }
    }

    private mutating func finish(changed: Bool) -> [Waiter] {
        stage = .idle
        if changed { version += 1 }
        defer { waiters = [:] }
        return waiters.sorted { $0.key < $1.key }.map { $0.value.waiter }
    }

    // A hostile remote source chooses its keys. These are the default limits of paginators.
    private static func isUsable(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.count <= 4_096 && !key.containsNUL
    }
}

/// A load of one remote page, identified by its call.
struct RemoteLoad: Sendable {
    enum Purpose: Sendable, Hashable {
        case append
        /// Loads the first page again, which replaces what was loaded.
        case refresh
    }

    let call = CallPart()
    let purpose: Purpose
    let key: String
    /// By the logical clock of the mediator.
    let startedAt: Int
    /// When a refresh began to be saved, among the times of requests.
    var savedAt: PaginatorInstant?
}
