/// Where a local source runs out and remote pages have to be loaded, for one scope: which remote key comes next, whether
/// the remote end was reached, and the one load that all share who stand there.
///
/// A pure machine; who waits is kept for the mediator. What it is told of a load that is over changes nothing.
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
        /// Drop it, and let these read the local source again: it was restarted meanwhile.
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
        /// What comes after the page; `nil` after a restart.
        case saving(RemoteLoad, then: Next?)
    }

    private var stage = Stage.idle
    private var next: Next?
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0

    /// Grows each time that the local source is changed through here.
    private(set) var version = 0
    var lastUse = 0

    var knowsNext: Bool { next != nil }

    var isAtEnd: Bool { if case .end? = next { true } else { false } }

    var isIdle: Bool { if case .idle = stage { true } else { false } }

    /// Someone has come to the end of the local source, read at `version`; a refresh does not share a load at the end. The
    /// load begins at `key` while none is known.
    mutating func join(
        _ waiter: Waiter, for purpose: RemoteLoad.Purpose, since version: Int, unknown key: String
    ) -> Joined {
        // The page that ran out is older than what was saved since.
        if purpose == .append, version != self.version { return .readAgain }
        guard isIdle else { return .wait(waiter: add(waiter)) }
        var start = key
        if purpose == .append {
            switch next {
            case .key(let known): start = known
            case .refused: return .refused
            case .end: return .endReached
            case nil: break
            }
        }
        guard Self.isUsable(start) else { return .refused }
        let load = RemoteLoad(purpose: purpose, key: start)
        stage = .fetching(load, isOutdated: false)
        return .start(load, waiter: add(waiter))
    }

    private mutating func add(_ waiter: Waiter) -> Int {
        lastWaiter += 1
        waiters[lastWaiter] = waiter
        return lastWaiter
    }

    /// Someone no longer waits. The load is abandoned when nobody waits for it and its page has not come.
    mutating func leave(_ number: Int) -> (waiter: Waiter?, abandoned: RemoteLoad?) {
        guard let waiter = waiters.removeValue(forKey: number) else { return (nil, nil) }
        // A page that is being saved is saved to its end.
        guard waiters.isEmpty, case .fetching(let load, _) = stage else { return (waiter, nil) }
        stage = .idle
        return (waiter, load)
    }

    /// The remote source gave a page. A next key that repeats the page's own is taken for the end; one that no source can be
    /// asked for is the next caller's error.
    mutating func fetched(_ load: RemoteLoad, nextKey: String?) -> Fetched {
        guard case .fetching(let current, let isOutdated) = stage, current.call === load.call else { return .ignore }
        // A page from before the restart would be added to what is empty now.
        guard !isOutdated else { return .drop(finish(changed: true)) }
        let key = nextKey.flatMap { $0.hasSameBytes(as: load.key) ? nil : $0 }
        stage = .saving(load, then: key.map { Self.isUsable($0) ? .key($0) : .refused } ?? .end)
        return .save
    }

    mutating func ended(_ load: RemoteLoad, isSaved: Bool) -> [Waiter] {
        switch stage {
        case .saving(let current, let after) where current.call === load.call:
            if isSaved, let after { next = after }
            // Also a page that was saved in part has changed the local source.
            return finish(changed: true)
        case .fetching(let current, _) where current.call === load.call && !isSaved:
            return finish(changed: false)
        case .idle, .fetching, .saving: return []
        }
    }

    /// The local source was emptied or changed from outside: the first remote page comes next.
    mutating func restart() {
        next = nil
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
        return waiters.sorted { $0.key < $1.key }.map(\.value)
    }

    // A hostile remote source chooses its keys; the limits are those that paginators have by default.
    private static func isUsable(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.count <= 4_096 && !key.utf8.contains(0)
    }
}

/// A load of one remote page. Loads are told apart by their calls.
struct RemoteLoad: Sendable {
    enum Purpose: Sendable, Hashable {
        case append
        /// The first page again; what was loaded is replaced.
        case refresh
    }

    let call = CallPart()
    let purpose: Purpose
    let key: String
}
