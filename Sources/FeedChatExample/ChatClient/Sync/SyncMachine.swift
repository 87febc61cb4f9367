package import ChatWire
package import PaginatorCore

/// The events of a ``SyncMachine``.
package enum SyncEvent: Sendable, Hashable {
    /// The socket is open: missed events are requested before new ones are shown.
    case opened
    case closed
    /// Events may be waiting, because of a push.
    case wanted
    /// Whether the user is signed in; otherwise nothing is requested.
    case signedIn(Bool)
    case live(ChatEvent)
    case fetched(Int, SyncPage)
    /// A request failed, and the delay that the server stated.
    case fetchFailed(Int, statedDelay: Duration? = nil)
    case committed(Int)
    case commitFailed(Int)
    /// The armed deadline has passed.
    case time
}

/// The actions of a ``SyncMachine``.
package enum SyncAction: Sendable, Hashable {
    /// Request the events after one.
    case fetch(Int, after: Int64)
    /// Write events and the position after them, in one transaction.
    case commit(Int, [ChatEvent], upTo: Int64)
    case show(ContactStatus)
    case arm(PaginatorInstant)
    /// Whether events may be missing, for display.
    case gap(Bool)
    /// The device has all events that the server had at the last request.
    case caughtUp
}

/// Decides how the device follows the server's events: first the missed ones, then live ones, in the order of their
/// ids, each once.
///
/// Each event names the one before it. Live events that follow the committed ones are committed in batches. Anything
/// else (a hole, a wrong order, too many events) is a gap, and the events are requested.
package struct SyncMachine: Sendable {
    private enum Phase: Hashable {
        case idle
        case fetching(Int)
        case committing(Int, upTo: Int64, completes: Bool)
        /// The last call failed; the next one is due at `until`.
        case waiting(until: PaginatorInstant)
    }

    /// The maximum number of live events that wait during a commit.
    private static let inboxLimit = 1_000

    /// The last event that is committed.
    package private(set) var place: Int64
    private let backoff: Backoff
    private var random: SplitMix64
    private var phase = Phase.idle
    private var isOpen = false
    private var isSignedIn = true
    /// Set with each reason to request; an answer clears it only if it was requested after the reason.
    private var isSyncWanted = false
    private var inbox: [ChatEvent] = []
    private var failures = 0
    private var lastToken = 0
    private var hasGap = false
    private var actions: [SyncAction] = []

    /// Starts at the position of the database.
    package init(place: Int64, config: SocketConfig = SocketConfig(), seed: UInt64) {
        self.place = place
        backoff = Backoff(base: config.backoffBase, cap: config.backoffCap)
        random = SplitMix64(seed: seed)
    }

    /// Handles an event and returns the actions, in order.
    package mutating func handle(_ event: SyncEvent, at now: PaginatorInstant) -> [SyncAction] {
        switch event {
        case .opened:
            isOpen = true
            isSyncWanted = true
            failures = 0
            if case .waiting = phase { phase = .idle }
        case .closed:
            isOpen = false
            inbox = []
        case .wanted: isSyncWanted = true
        case .signedIn(let isSignedIn):
            self.isSignedIn = isSignedIn
            failures = 0
            if case .waiting = phase { phase = .idle }
        case .live(let event): receive(event)
        case .fetched(let token, let page): fetched(token, page, now)
        case .fetchFailed(let token, let statedDelay):
            guard phase == .fetching(token) else { break }
            isSyncWanted = true
            if isSignedIn { wait(now, statedDelay) } else { phase = .idle }
        case .committed(let token): committed(token)
        case .commitFailed(let token):
            guard case .committing(token, _, _) = phase else { break }
            isSyncWanted = true
            wait(now)
        case .time:
            if case .waiting(let until) = phase, until <= now { phase = .idle }
        }
        step()
        defer { actions = [] }
        return actions
    }

    private mutating func receive(_ event: ChatEvent) {
        switch event.content {
        case .contactStatusUpdate(let status): return actions.append(.show(status))
        case .position(let last):
            isSyncWanted = isSyncWanted || last > place
            return
        default: break
        }
        guard event.id > place, !inbox.contains(where: { $0.id == event.id }) else { return }
        guard inbox.count < Self.inboxLimit else {
            isSyncWanted = true
            return
        }
        let index = inbox.firstIndex { $0.id > event.id } ?? inbox.endIndex
        inbox.insert(event, at: index)
    }

    private mutating func fetched(_ token: Int, _ page: SyncPage, _ now: PaginatorInstant) {
        guard phase == .fetching(token) else { return }
        // A server that says it has more and gives nothing, or lags behind what it has told live, would otherwise be
        // asked again and again without a pause. An answer that is older than a reason to request shows no lag.
        let lags = page.hasMore || hasHole && !isSyncWanted
        isSyncWanted = isSyncWanted || page.hasMore
        let isFurther = page.lastSyncedMessage > place
        guard isFurther || !lags else { return wait(now) }
        failures = 0
        guard isFurther else {
            phase = .idle
            if !isSyncWanted { actions.append(.caughtUp) }
            return
        }
        commit(page.events, upTo: page.lastSyncedMessage, completes: !page.hasMore)
    }

    private mutating func committed(_ token: Int) {
        guard case .committing(token, let upTo, let completes) = phase else { return }
        place = max(place, upTo)
        phase = .idle
        if completes, !isSyncWanted { actions.append(.caughtUp) }
    }

    private mutating func wait(_ now: PaginatorInstant, _ statedDelay: Duration? = nil) {
        failures = min(failures + 1, 62)
        let until = now.advanced(by: backoff.delay(failures: failures, statedDelay: statedDelay, using: &random))
        phase = .waiting(until: until)
        actions.append(.arm(until))
    }

    private mutating func commit(_ events: [ChatEvent], upTo: Int64, completes: Bool) {
        lastToken &+= 1
        phase = .committing(lastToken, upTo: upTo, completes: completes)
        actions.append(.commit(lastToken, events, upTo: upTo))
    }

    /// Starts the next step if none is running.
    private mutating func step() {
        if phase == .idle, !isSyncWanted { drain() }
        if phase == .idle, isSyncWanted, isSignedIn {
            isSyncWanted = false
            lastToken &+= 1
            phase = .fetching(lastToken)
            actions.append(.fetch(lastToken, after: place))
        }
        let gap = isOpen && isBehind
        if gap != hasGap {
            hasGap = gap
            actions.append(.gap(gap))
        }
    }

    private var isBehind: Bool {
        switch phase {
        case .fetching, .waiting: true
        case .committing(_, _, let completes): isSyncWanted || !completes
        case .idle: isSyncWanted
        }
    }

    /// Whether the first live event does not follow the committed ones.
    private var hasHole: Bool {
        inbox.first { $0.id > place }.map { $0.previous > place } ?? false
    }

    /// Commits the live events that follow the committed ones; any others mean that events were missed.
    private mutating func drain() {
        inbox.removeAll { $0.id <= place }
        guard !inbox.isEmpty else { return }
        var last = place
        let joined = inbox.prefix { event in
            guard event.previous <= last else { return false }
            last = event.id
            return true
        }
        guard !joined.isEmpty else {
            isSyncWanted = true
            return
        }
        inbox.removeFirst(joined.count)
        commit(Array(joined), upTo: last, completes: true)
    }
}
