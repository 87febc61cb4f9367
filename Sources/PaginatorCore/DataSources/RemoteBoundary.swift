/// Where a local source runs out and remote pages have to be loaded, for one scope: which remote key comes next, whether
/// the remote end was reached, and the one load that all share who stand there.
///
/// A pure machine. Every load has a number; answers to a load that is over find none and are ignored.
struct RemoteBoundary: Sendable {
    /// What a load is for.
    enum Purpose: Sendable, Hashable {
        /// More pages at the end of what was loaded.
        case append
        /// The first page again; what was loaded is replaced.
        case refresh
    }

    /// What one who stands at the boundary has to do.
    enum Joined: Sendable, Hashable {
        /// There are no more remote pages.
        case endReached
        /// The key that comes next is none that a source can be asked for.
        case refused
        /// The local source has changed since it was read: read it again.
        case readAgain
        /// Start this load, of this remote key, and wait for it.
        case start(load: Int, key: String)
        /// Wait for the load that is running.
        case wait
    }

    /// What becomes of a remote page.
    enum Fetched: Sendable, Hashable {
        /// Save it into the local source.
        case save
        /// Drop it, and let these read the local source again: it was restarted meanwhile.
        case drop(waiters: [Int])
        /// It belongs to no running load.
        case ignore
    }

    private struct Load: Sendable {
        let id: Int
        let purpose: Purpose
        let key: String
        var waiters: Set<Int>
        /// Whether a restart came after the load's start.
        var isOutdated = false
        /// What comes after the page that is being saved; `nil` while it is still being fetched.
        var saving: Next?
    }

    private enum Next: Sendable {
        case key(String)
        case end
        case refused
    }

    /// Whether a source can be asked for a key, within the limits that paginators have by default. A hostile remote source
    /// chooses its keys.
    private static func isUsable(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.count <= 4_096 && !key.utf8.contains(0)
    }

    init() {}

    private var next: Next?
    private var load: Load?
    private var lastLoad = 0

    /// Grows each time that the local source is changed through here.
    private(set) var version = 0

    /// Whether the next remote key is known, or that there is none.
    var knowsNext: Bool { next != nil }

    /// Whether the last remote page was saved.
    var isAtEnd: Bool { if case .end? = next { true } else { false } }

    /// Whether nobody waits here.
    var isIdle: Bool { load == nil }

    /// Someone has come to the end of the local source.
    ///
    /// - Parameters:
    ///   - waiter: a number of its own.
    ///   - purpose: what the load is for; a refresh does not share a load at the end.
    ///   - version: ``version`` before the local source was read.
    ///   - key: the remote key to start from while none is known.
    mutating func join(_ waiter: Int, for purpose: Purpose, since version: Int, unknown key: String) -> Joined {
        if purpose == .append {
            guard version == self.version else { return .readAgain }
            if isAtEnd, load == nil { return .endReached }
        }
        if load != nil {
            load?.waiters.insert(waiter)
            return .wait
        }
        var start = key
        if purpose == .append {
            switch next {
            case .key(let known): start = known
            case .refused: return .refused
            case .end, nil: break
            }
        }
        guard Self.isUsable(start) else { return .refused }
        lastLoad += 1
        load = Load(id: lastLoad, purpose: purpose, key: start, waiters: [waiter])
        return .start(load: lastLoad, key: start)
    }

    /// Someone no longer waits.
    ///
    /// - Returns: the load to stop, when nobody waits for it and its page has not come.
    mutating func leave(_ waiter: Int) -> Int? {
        guard load?.waiters.remove(waiter) != nil, let left = load else { return nil }
        guard left.waiters.isEmpty, left.saving == nil else { return nil }
        load = nil
        return left.id
    }

    /// The remote source gave a page. A next key that repeats the page's own is taken for the end; one that no source can be
    /// asked for is told to who comes next.
    mutating func fetched(_ id: Int, nextKey: String?) -> Fetched {
        guard let current = load, current.id == id, current.saving == nil else { return .ignore }
        guard !current.isOutdated else { return .drop(waiters: finish()) }
        if let nextKey, !nextKey.hasSameBytes(as: current.key) {
            load?.saving = Self.isUsable(nextKey) ? .key(nextKey) : .refused
        } else {
            load?.saving = .end
        }
        return .save
    }

    /// The remote page is in the local source.
    ///
    /// - Returns: those who waited; `nil` when the load is over.
    mutating func saved(_ id: Int) -> [Int]? {
        guard let current = load, current.id == id, let after = current.saving else { return nil }
        if !current.isOutdated { next = after }
        return finish()
    }

    /// The remote source failed, or saving did.
    ///
    /// - Returns: those who waited; `nil` when the load is over.
    mutating func failed(_ id: Int, isSaving: Bool) -> [Int]? {
        guard let current = load, current.id == id, (current.saving != nil) == isSaving else { return nil }
        // A page that was saved in part has changed the local source, one that never came has not.
        return finish(changed: isSaving)
    }

    /// The local source was emptied or changed from outside: the first remote page comes next.
    mutating func restart() {
        next = nil
        version += 1
        load?.isOutdated = true
    }

    private mutating func finish(changed: Bool = true) -> [Int] {
        defer { load = nil }
        if changed { version += 1 }
        return load?.waiters.sorted() ?? []
    }
}
