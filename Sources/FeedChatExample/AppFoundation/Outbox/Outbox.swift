import Dispatch
package import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The engine that sends user actions of times when the app was offline, in the background or killed.
///
/// Feed and chat provide tables of pending operations (``OutboxTable``), and the outbox sends them:
///
/// - **in order** within a lane (a post, a conversation), several lanes at once;
/// - **when its gates are open**: connected, signed in, in the foreground. ``drainOnce()`` is for a background task;
/// - **again** after a failure that counts, with exponential back-off and full jitter, up to the attempt limit; then
///   the table rolls back. A server that is not reached, or is unavailable for now, costs no attempt, and only one lane
///   at a time tries it;
/// - **with effect once**: an operation keeps its id, and one that was being sent at a kill is sent again with it.
///
/// Write a row in the same transaction as the state that the user sees, then call ``changed(_:)``:
///
///     let outbox = Outbox([.init(interactions, policy: policy), .init(posts)], clock: clock, closedGates: .signedOut)
///     outbox.follow(environment)
///     try await database.write { try PendingLike(...).insert($0) }
///     outbox.changed(interactions.name)
///
/// ``OutboxMachine`` makes the decisions; events reach it on one serial queue, in order. All calls may be made on any
/// thread and return at once, unless they are `async`.
package final class Outbox: Sendable {
    /// A table and its policy.
    package struct Entry: Sendable {
        let driver: any OutboxTableDriver
        let policy: OutboxPolicy

        package init(_ table: some OutboxTable, policy: OutboxPolicy = OutboxPolicy()) {
            driver = OutboxDriver(table)
            self.policy = policy
        }
    }

    private struct State {
        var machine: OutboxMachine
        var tasks: [Int: Task<Void, Never>] = [:]
        var sends: [Int: Task<Void, Never>] = [:]
        var lastTask = 0
        var drains: [Int: CheckedContinuation<OutboxDrain, Never>] = [:]
        var lastDrain = 0
        var gates: OutboxGates
        var environment: (any AnyObject & Sendable)?
        var session: (any AnyObject & Sendable)?
        var isClosed = false
    }

    private let drivers: [any OutboxTableDriver]
    private let observer: @Sendable (OutboxStatistics) -> Void
    private let clock: any PaginatorClock
    private let timer: any PaginatorTimer
    private let queue = DispatchQueue(label: "outbox")
    private let state: Guarded<State>

    /// Creates an outbox, which looks for pending rows at once, including those of an earlier run.
    ///
    /// - Parameters:
    ///   - entries: the tables; their names differ.
    ///   - clock: the time of back-off and timeouts, and the wall clock of ``OutboxLane/notBefore``.
    ///   - closedGates: the gates that are closed at first.
    ///   - seed: the seed of the jitter.
    ///   - observer: called with the statistics after each change, on the outbox's queue.
    package init(
        _ entries: [Entry], clock: any PaginatorClock = SystemPaginatorClock(), closedGates: OutboxGates = [],
        seed: UInt64 = .random(in: 0 ... .max),
        observer: @escaping @Sendable (OutboxStatistics) -> Void = { _ in }
    ) {
        self.observer = observer
        drivers = entries.map(\.driver)
        self.clock = clock
        let machine = OutboxMachine(policies: entries.map(\.policy), closedGates: closedGates, seed: seed)
        state = Guarded(State(machine: machine, gates: closedGates))
        let relay = TimerRelay()
        timer = clock.makeTimer { relay.outbox?.post(.time) }
        relay.set(self)
        post(.changed(table: nil))
    }

    /// The statistics so far.
    package var statistics: OutboxStatistics { state.withLock { $0.machine.statistics } }

    /// Reports that there may be new rows; call it after the transaction that wrote them.
    ///
    /// - Parameter table: the table's name; `nil` for any of them.
    package func changed(_ table: String? = nil) {
        post(.changed(table: table.flatMap(index)))
    }

    /// Closes or opens gates; the others do not change.
    package func setGates(_ gates: OutboxGates, closed: Bool) {
        queue.async { self.changeGates(gates, closed: closed) }
    }

    private func changeGates(_ gates: OutboxGates, closed: Bool) {
        let all = state.withLock { state in
            if closed { state.gates.formUnion(gates) } else { state.gates.subtract(gates) }
            return state.gates
        }
        handle(.gates(all))
    }

    /// Follows the connection and the lifecycle of the device, instead of an earlier environment.
    package func follow(_ environment: AppEnvironment) {
        let observation = environment.observeState { [weak self, weak environment] _ in
            if let environment { self?.look(at: environment) }
        }
        state.withLock { $0.environment = observation }
        look(at: environment)
    }

    private func look(at environment: AppEnvironment) {
        // Read on the queue, so that an old state never follows a new one.
        queue.async { [self] in
            let now = environment.state
            changeGates(.offline, closed: !now.isOnline)
            changeGates(.background, closed: now.lifecycle != .foreground)
        }
    }

    /// Follows a user's session: while the user is signed out, nothing is sent and every row stays.
    package func follow(_ session: AppSession, of user: AppSession.User) {
        let observation = session.observe { [weak self, weak session] in
            if let session { self?.look(at: session, of: user) }
        }
        state.withLock { $0.session = observation }
        look(at: session, of: user)
    }

    private func look(at session: AppSession, of user: AppSession.User) {
        // Read on the queue, as for the environment.
        queue.async { [self] in
            let isSignedIn = session.isSignedIn(user)
            if isSignedIn { handle(.signedIn) }
            changeGates(.signedOut, closed: !isSignedIn)
        }
    }

    /// Stops the attempt of a lane whose row the user has withdrawn; remove the row first.
    package func stop(lane: String, of table: String) {
        guard let index = index(table) else { return }
        post(.stop(OutboxMachine.LaneKey(table: index, name: lane)))
    }

    /// Sends all operations that can be sent now, also in the background, and returns when no more can be sent.
    ///
    /// Operations that wait for their next attempt are left for later. When the calling task is cancelled, such as at
    /// the expiration of a background task, running attempts are stopped and it returns; their rows stay.
    package func drainOnce() async -> OutboxDrain {
        let id = state.withLock { state in
            state.lastDrain += 1
            return state.lastDrain
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isClosed = state.withLock { state in
                    if !state.isClosed { state.drains[id] = continuation }
                    return state.isClosed
                }
                if isClosed {
                    continuation.resume(returning: OutboxDrain(sent: 0, cancelled: 0, isComplete: false))
                } else {
                    post(.drain(id))
                    if Task.isCancelled { post(.abandonDrain(id)) }
                }
            }
        } onCancel: {
            post(.abandonDrain(id))
        }
    }

    /// Stops permanently, and returns when no table is used any more; every row stays. After it, files can be deleted.
    package func shutDown() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                handle(.shutDown)
                let drains = state.withLock { state in
                    state.isClosed = true
                    state.environment = nil
                    state.session = nil
                    defer { state.drains = [:] }
                    return Array(state.drains.values)
                }
                for drain in drains { drain.resume(returning: OutboxDrain(sent: 0, cancelled: 0, isComplete: false)) }
                continuation.resume()
            }
        }
        for task in state.withLock({ Array($0.tasks.values) }) { await task.value }
    }

    private func index(_ table: String) -> Int? { drivers.firstIndex { $0.name == table } }

    // MARK: Events and actions

    private func post(_ event: OutboxEvent) {
        queue.async { self.handle(event) }
    }

    /// Runs only on the queue, so that actions are performed in order.
    private func handle(_ event: OutboxEvent) {
        let now = clock.now
        let (actions, statistics) = state.withLock { state -> ([OutboxAction], OutboxStatistics?) in
            let before = state.machine.statistics
            let actions = state.machine.handle(event, at: now)
            return (actions, state.machine.statistics == before ? nil : state.machine.statistics)
        }
        for action in actions { perform(action) }
        if let statistics { observer(statistics) }
    }

    private func perform(_ action: OutboxAction) {
        switch action {
        case .scan(let table, let busy, let limit, let batchLimit):
            let driver = drivers[table]
            run { [clock] in
                do {
                    let found = try await driver.scan(
                        excluding: busy, limit: limit, batchLimit: batchLimit, wallTime: clock.wallTime)
                    return .scanned(table: table, found)
                } catch {
                    return .scanFailed(table: table)
                }
            }
        case .send(let token, let key, let count):
            let driver = drivers[key.table]
            driver.take(token, lane: key.name, count: count)
            run(sending: token) { .sent(token, await driver.send(token)) }
        case .cancelSend(let token):
            state.withLock { $0.sends.removeValue(forKey: token) }?.cancel()
        case .forget(let token, let table): drivers[table].forget(token)
        case .recordSuccess(let token):
            record(token) { try await $0.recordSuccess(token) }
        case .recordFailure(let token, let failureCount, let delay, let failure):
            let notBefore = clock.wallTime.addingTimeInterval(delay.inSeconds)
            record(token) { try await $0.recordFailure(token, failureCount, notBefore, failure) }
        case .recordCancellation(let token, let failure):
            record(token) { try await $0.recordCancellation(token, failure) }
        case .arm(let deadline): timer.arm(at: deadline)
        case .disarm: timer.disarm()
        case .drained(let id, let drain):
            state.withLock { $0.drains.removeValue(forKey: id) }?.resume(returning: drain)
        }
    }

    private func record(
        _ token: Int, _ write: @escaping @Sendable (any OutboxTableDriver) async throws -> Void
    ) {
        guard let driver = drivers.first(where: { $0.holds(token) }) else { return }
        run {
            do {
                try await write(driver)
                return .recorded(token, isStored: true)
            } catch {
                return .recorded(token, isStored: false)
            }
        }
    }

    /// Runs work off the queue and feeds its event; ``shutDown()`` waits for it.
    private func run(sending token: Int? = nil, _ work: @escaping @Sendable () async -> OutboxEvent) {
        state.withLock { state in
            state.lastTask += 1
            let id = state.lastTask
            let task = Task.detached { [weak self] in
                let event = await work()
                guard let self else { return }
                self.state.withLock { state in
                    state.tasks[id] = nil
                    if let token { state.sends[token] = nil }
                }
                self.post(event)
            }
            state.tasks[id] = task
            if let token { state.sends[token] = task }
        }
    }

    /// A weak reference from the timer to the outbox.
    private final class TimerRelay: Sendable {
        private struct Reference: Sendable { weak var outbox: Outbox? }
        private let reference = Guarded(Reference())

        var outbox: Outbox? { reference.withLock { $0.outbox } }
        func set(_ outbox: Outbox) { reference.withLock { $0.outbox = outbox } }
    }
}
