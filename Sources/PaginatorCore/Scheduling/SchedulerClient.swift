/// Owns tasks of a scheduler: the fetch engine of one paginator.
///
/// Every call comes on the scheduler's executor, one at a time for one client and in the order decided, never inside a
/// call of the scheduler and with no lock held. A decision may cross with a call under way, so a client ignores what it is
/// told about a task that it has already cancelled.
protocol SchedulerClient: AnyObject, Sendable {
    /// The task holds a slot now, until its attempt ends or it is cancelled.
    ///
    /// - Parameter waited: how long it was ready to start, back-off not counted.
    /// - Returns: the attempt, which may take as long as it likes: it is run on the executor, when the client was told;
    ///   `nil` where the client sees to it.
    func schedulerDidStart(_ task: UInt64, waited: Duration) -> (@Sendable () -> Void)?

    /// The task will not start; the scheduler has forgotten it.
    func schedulerDidRefuse(_ task: UInt64, reason: SchedulerRefusal)

    /// The task's next attempt is due after `delay`.
    func schedulerDidBackOff(_ task: UInt64, delay: Duration)

    /// The task waits for the end of its client's pause.
    ///
    /// - Parameter delay: how long the pause still lasts.
    func schedulerDidHold(_ task: UInt64, delay: Duration)

    /// The time that it wanted to be woken at is reached.
    func schedulerDidWake()
}
