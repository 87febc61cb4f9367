/// What is to be done when an object ends, one thing for each owner.
final class Endings: Sendable {
    private let hasRun = OnceFlag()
    /// What owners show of themselves, for the inspector.
    let states = Guarded<[ObjectIdentifier: StateValue]>([:])
    private let bodies = Guarded<[ObjectIdentifier: @Sendable () -> Void]>([:])

    // Calls `body` when it has ended, also if it has; `nil` for nothing any more.
    func set(_ body: (@Sendable () -> Void)?, for owner: ObjectIdentifier) {
        let earlier = bodies.withLock { bodies in
            defer { bodies[owner] = body }
            return bodies[owner]
        }
        // Released outside the lock, with what it has of the user's.
        withExtendedLifetime(earlier) {}
        if hasRun.isTaken { body?() }
    }

    func run() {
        _ = hasRun.take()
        for body in bodies.withLock({ $0 }).values { body() }
    }
}
