/// What runs when an object ends: one closure for each owner, with the state that the owner shows in the inspector.
final class EndHandlers: Sendable {
    private let hasRun = OnceFlag()
    let owners = Guarded<[ObjectIdentifier: (end: @Sendable () -> Void, state: StateValue?)]>([:])

    var states: [StateValue] { owners.withLock { $0.values.compactMap(\.state) } }

    // Sets the closure that runs when the object ends, or at once if it has ended; `nil` removes it.
    func set(_ end: (@Sendable () -> Void)?, for owner: ObjectIdentifier) {
        let earlier = owners.withLock { owners in
            defer { owners[owner] = end.map { (end: $0, state: nil) } }
            return owners[owner]
        }
        // The previous closure may hold objects of the user, which are released outside the lock.
        withExtendedLifetime(earlier) {}
        if hasRun.isTaken { end?() }
    }

    // Has no effect before the closure is set.
    func show(_ state: StateValue?, of owner: ObjectIdentifier) { owners.withLock { $0[owner]?.state = state } }

    func run() {
        _ = hasRun.take()
        for owner in owners.withLock({ $0 }).values { owner.end() }
    }
}
