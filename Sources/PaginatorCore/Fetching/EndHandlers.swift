/// The closures that run when an object ends, one for each owner.
final class EndHandlers: Sendable {
    private let hasRun = OnceFlag()
    /// The states that owners show in the inspector.
    let states = Guarded<[ObjectIdentifier: StateValue]>([:])
    let bodies = Guarded<[ObjectIdentifier: @Sendable () -> Void]>([:])

    // Sets the closure that runs when the object ends, or at once if it has ended; `nil` removes it.
    func set(_ body: (@Sendable () -> Void)?, for owner: ObjectIdentifier) {
        let earlier = bodies.withLock { bodies in
            defer { bodies[owner] = body }
            return bodies[owner]
        }
        // The previous closure may hold objects of the user, which are released outside the lock.
        withExtendedLifetime(earlier) {}
        if hasRun.isTaken { body?() }
    }

    func run() {
        _ = hasRun.take()
        for body in bodies.withLock({ $0 }).values { body() }
    }
}
