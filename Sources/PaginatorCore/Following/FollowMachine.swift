/// Decides when to connect to a source that pushes, from which event on, and which of its events are new.
struct FollowMachine<Change: Sendable>: Sendable {
    enum Event: Sendable {
        /// The conditions are known or have changed: whether they prevent a connection.
        case hindered(Bool)
        case told(PushEvent<Change>, by: UInt64)
        case timeCame
        case stopped(PaginatorError)
    }

    enum Action: Sendable {
        case connect(UInt64, lastEventID: String?)
        case disconnect
        case apply(PushEvent<Change>)
        // The identity from which a later launch continues; empty if there is none.
        case keep(String)
        case report(PaginatorEvent.Kind, (any Error)? = nil)
        case wake(at: PaginatorInstant)
        case end(PaginatorError?)
    }

    enum State: Sendable {
        case held
        // Each connection has a number. Events of an earlier one are ignored.
        case connecting(UInt64)
        case live(UInt64, since: PaginatorInstant)
        case waiting(until: PaginatorInstant)
        case ended
    }

    static var maxRemembered: Int { 1_024 }
    // A connection that lasted this long worked, even without events.
    private static var soundLife: Duration { .seconds(10) }
    // The longest stated delay that counts, so that a wrong one does not end the connection forever.
    private static var maxStatedDelay: Duration { .hours(1) }
    private static var backoff: Backoff { Backoff(base: .seconds(1), cap: .minutes(1)) }

    var state = State.held
    private(set) var lastEventID: String?
    // The last identities, oldest first.
    var remembered: [ExactText] = []
    // Whether events may have happened that no connection will deliver.
    var hasMissed = false
    // Whether a later launch knows where it can continue, or that it cannot.
    private var hasKept = false
    var failures = 0
    // The time until which the source wants no connection, whatever the conditions.
    private var restsUntil = PaginatorInstant.zero
    var lastConnection: UInt64 = 0
    private var random: SplitMix64
    private var actions: [Action] = []

    init(from lastEventID: String?, seed: UInt64) {
        random = SplitMix64(seed: seed)
        if let lastEventID { note(lastEventID) }
        // An earlier launch followed the source, and left no event to continue from.
        hasMissed = lastEventID?.isEmpty ?? false
        actions = []
    }

    /// Handles an event and returns the actions, in order.
    mutating func handle(_ event: Event, at now: PaginatorInstant) -> [Action] {
        switch (event, state) {
        case (_, .ended): break
        case (.hindered(true), _):
            disconnect()
            state = .held
            if lastEventID == nil { hasMissed = true }
        case (.hindered(false), .held):
            if restsUntil > now {
                wait(until: restsUntil)
            } else {
                failures = 0
                connect()
            }
        case (.told(let event, let number), _):
            if number == connection { told(event, by: number, at: now) }
        case (.timeCame, .waiting(let until)):
            if until <= now { connect() } else { actions.append(.wake(at: until)) }
        case (.stopped(let error), _): end(error)
        case (.hindered(false), _), (.timeCame, _): break
        }
        defer { actions = [] }
        return actions
    }

    var connection: UInt64? {
        switch state {
        case .connecting(let number), .live(let number, _): number
        case .held, .waiting, .ended: nil
        }
    }

    private mutating func connect() {
        lastConnection += 1
        state = .connecting(lastConnection)
        actions.append(.connect(lastConnection, lastEventID: lastEventID))
    }

    private mutating func told(_ event: PushEvent<Change>, by number: UInt64, at now: PaginatorInstant) {
        switch event {
        case .closed(let error): closed(error, at: now)
        case .ended: end(nil)
        case .opened(let id):
            open(number, at: now)
            // An identity that arrived earlier is older than the last one.
            if let id, lastEventID == nil ? !id.isEmpty : !isRemembered(id) { note(id) }
        case .change, .stale, .staleTags, .newRows:
            open(number, at: now)
            if let id = event.id, isRemembered(id) { return }
            actions.append(.apply(event))
            if let id = event.id {
                // The next connection continues after this event. Without an identity, a source that closes after each
                // event would send everything again each time.
                if !id.isEmpty { failures = 0 }
                note(id)
            }
        case .missed:
            open(number, at: now)
            miss()
        }
        // A later launch must know that it cannot continue, unlike one that follows for the first time.
        if case .live = state, lastEventID == nil, !hasKept { keep("") }
    }

    private mutating func open(_ number: UInt64, at now: PaginatorInstant) {
        guard case .connecting = state else { return }
        state = .live(number, since: now)
        actions.append(.report(.followed))
        // Not earlier, because events until then are not delivered either.
        if hasMissed { miss() }
    }

    private mutating func miss() {
        hasMissed = false
        // A restarted source may use the same identities for other events.
        (lastEventID, remembered) = (nil, [])
        actions.append(.apply(.missed))
        keep("")
    }

    private func isRemembered(_ id: String) -> Bool { remembered.contains(ExactText(id)) }

    private mutating func note(_ id: String) {
        lastEventID = id.isEmpty ? nil : id
        if !id.isEmpty, !isRemembered(id) { remembered.append(ExactText(id)) }
        if remembered.count > Self.maxRemembered { remembered.removeFirst() }
        keep(id)
    }

    private mutating func keep(_ id: String) {
        hasKept = true
        actions.append(.keep(id))
    }

    private mutating func closed(_ error: SourceError?, at now: PaginatorInstant) {
        if case .live(_, let since) = state, since.duration(to: now) >= Self.soundLife { failures = 0 }
        disconnect(because: error?.underlying)
        if let error, error.isKeyExpired {
            (lastEventID, hasMissed) = (nil, true)
        } else if let error, !error.isRetryable {
            return end(
                PaginatorError(.sourceFailed, "What is followed has failed for good.", underlying: error.underlying))
        }
        failures = min(failures + 1, 62)
        let jitter = Self.backoff.delay(failures: failures, statedDelay: nil, using: &random)
        // Clients rejected together share the stated delay; the jitter keeps them from returning together.
        let stated = min(error?.statedDelay ?? .zero, Self.maxStatedDelay)
        let until = now.advanced(by: stated).advanced(by: jitter)
        if stated > .zero { restsUntil = until }
        wait(until: until)
    }

    private mutating func wait(until: PaginatorInstant) {
        state = .waiting(until: until)
        actions.append(.wake(at: until))
    }

    private mutating func disconnect(because error: (any Error)? = nil) {
        guard connection != nil else { return }
        // Also before the first connection has opened: pages may be older than the next one.
        if lastEventID == nil { hasMissed = true }
        state = .held
        actions += [.disconnect, .report(.followingLost, error)]
    }

    private mutating func end(_ error: PaginatorError?) {
        disconnect()
        state = .ended
        actions.append(.end(error))
    }

    /// For display, until it has ended.
    var shown: StateValue? {
        switch state {
        case .held: StateValue(["state": .text("held")])
        case .connecting: StateValue(["state": .text("connecting")])
        case .live(_, let since): StateValue(["state": .text("live"), "since": .instant(since)])
        case .waiting(let until): StateValue(["state": .text("waiting"), "due": .instant(until)])
        case .ended: nil
        }
    }
}
