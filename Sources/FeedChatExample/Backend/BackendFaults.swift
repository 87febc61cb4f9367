import PaginatorCore

/// The faults of the backend, and the requests that it got.
package final class BackendFaults: Sendable {
    /// The fault of one request.
    package enum Fault: Sendable, Hashable {
        /// An answer with this status, and `Retry-After` in seconds; the request is not carried out.
        case status(Int, retryAfter: Int? = nil)
        /// The connection is closed before the request is carried out.
        case lostRequest
        /// The request is carried out, and the connection is closed before the answer.
        case lostAnswer
        /// The request waits until ``BackendFaults/heal()``, and is then carried out.
        case stall
    }

    /// Random faults. Every variable is zero by default.
    package struct Weather: Sendable, Codable {
        /// The delay of each answer, in milliseconds.
        package var latency = 0
        /// The share of requests that are lost, 0 to 1.
        package var lostRequests = 0.0
        /// The share of answers that are lost, 0 to 1.
        package var lostAnswers = 0.0
        /// The share of requests that are answered with 503, 0 to 1.
        package var serverErrors = 0.0

        package init() {}
    }

    /// A request that has arrived.
    package struct Arrival: Sendable {
        package let method: String
        package let path: String
        package let time: ContinuousClock.Instant
    }

    fileprivate struct Planned {
        let method: String?
        let path: String
        let fault: Fault
    }

    fileprivate struct State {
        var weather = Weather()
        var planned: [Planned] = []
        var arrivals: [Arrival] = []
        var arrivalLimit: Int
        var random: SeededNumbers
        var stalled: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastStalled = 0
        /// The number of heals, so that a request that is about to stall notices one.
        var heals = 0
        var watchers: [Int: (isMet: ([Arrival]) -> Bool, met: AsyncStream<Void>.Continuation)] = [:]
        var lastWatcher = 0
    }

    private let state: Guarded<State>

    /// - Parameter arrivalLimit: the minimum number of remembered arrivals; the oldest are dropped.
    init(seed: UInt64, arrivalLimit: Int = 50_000) {
        state = Guarded(State(arrivalLimit: arrivalLimit, random: SeededNumbers(seed: seed)))
    }

    /// The requests that have arrived; in a long run, the last ones.
    package var arrivals: [Arrival] { state.withLock { $0.arrivals } }

    /// Returns the number of requests with a path that begins with `path`.
    package func count(_ method: String? = nil, _ path: String = "/") -> Int {
        state.withLock { Self.count($0.arrivals, method, path) }
    }

    private static func count(_ arrivals: [Arrival], _ method: String?, _ path: String) -> Int {
        arrivals.count { $0.path.hasPrefix(path) && (method == nil || $0.method == method) }
    }

    /// Waits for a number of requests.
    ///
    /// - Throws: ``NotArrived`` if the task is cancelled first.
    package func waitForRequests(_ count: Int, _ method: String? = nil, _ path: String = "/") async throws {
        let (met, continuation) = AsyncStream<Void>.makeStream()
        let id = state.withLock { state in
            state.lastWatcher += 1
            let isMet: ([Arrival]) -> Bool = { Self.count($0, method, path) >= count }
            if isMet(state.arrivals) {
                continuation.finish()
            } else {
                state.watchers[state.lastWatcher] = (isMet, continuation)
            }
            return state.lastWatcher
        }
        for await _ in met {}
        state.withLock { $0.watchers[id] = nil }
        if Task.isCancelled {
            throw NotArrived(count: count, method: method, path: path, arrived: self.count(method, path))
        }
    }

    /// The awaited requests did not arrive.
    package struct NotArrived: Error {
        let count: Int
        let method: String?
        let path: String
        let arrived: Int
    }

    /// Sets the random faults.
    package func set(_ weather: Weather) {
        state.withLock { $0.weather = weather }
    }

    /// Plans faults for the next requests with a path that begins with `path`, one each, in order.
    package func plan(_ faults: [Fault], _ method: String? = nil, _ path: String = "/") {
        state.withLock { $0.planned += faults.map { Planned(method: method, path: path, fault: $0) } }
    }

    /// Ends all faults, planned ones included.
    package func heal() {
        let stalled = state.withLock { state in
            state.weather = Weather()
            state.planned = []
            state.heals += 1
            defer { state.stalled = [:] }
            return Array(state.stalled.values)
        }
        for request in stalled { request.resume() }
    }

    /// Counts a request, waits for its delay, and returns its fault.
    func admit(method: String, path: String) async -> Fault? {
        let isControl = path.hasPrefix("/control")
        let (fault, latency, heals) = state.withLock { state in
            let fault = isControl ? nil : state.nextFault(method: method, path: path)
            // A waiter that is resumed by the arrival may heal at once.
            state.arrivals.append(Arrival(method: method, path: path, time: .now))
            if state.arrivals.count >= 2 * state.arrivalLimit { state.arrivals.removeFirst(state.arrivalLimit) }
            for watcher in state.watchers.values where watcher.isMet(state.arrivals) { watcher.met.finish() }
            return (fault, isControl ? 0 : state.weather.latency, state.heals)
        }
        if latency > 0 {
            // Cancelling the wait only makes the answer earlier.
            try? await Task.sleep(for: .milliseconds(latency))
        }
        guard fault == .stall else { return fault }
        await stall(since: heals)
        // The backend was stopped, so the request is not carried out.
        return Task.isCancelled ? .lostRequest : .stall
    }

    /// Returns after the next heal, or when the backend stops.
    private func stall(since heals: Int) async {
        let id = state.withLock { state in
            state.lastStalled += 1
            return state.lastStalled
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    guard state.heals == heals, !Task.isCancelled else { return true }
                    state.stalled[id] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.stalled.removeValue(forKey: id) }?.resume()
        }
    }

    func addRoutes(to routes: inout BackendRoutes) {
        routes.addOpen("PUT /control/faults") { [self] request in
            set(try request.decoded(Weather.self))
            return BackendResponse(status: 204)
        }
    }
}

extension BackendFaults.State {
    fileprivate mutating func nextFault(method: String, path: String) -> BackendFaults.Fault? {
        let index = planned.firstIndex { path.hasPrefix($0.path) && ($0.method == nil || $0.method == method) }
        if let index { return planned.remove(at: index).fault }
        let draw = Double(random.below(1_000_000)) / 1_000_000
        if draw < weather.lostRequests { return .lostRequest }
        if draw < weather.lostRequests + weather.lostAnswers { return .lostAnswer }
        if draw < weather.lostRequests + weather.lostAnswers + weather.serverErrors { return .status(503) }
        return nil
    }
}

/// A reproducible pseudorandom sequence: SplitMix64 by Steele, Lea and Flood.
package struct SeededNumbers: Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// Returns a number from 0 to `bound` - 1.
    package mutating func below(_ bound: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, bound)))
    }
}
