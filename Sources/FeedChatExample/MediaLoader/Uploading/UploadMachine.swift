import PaginatorCore

/// Decides how a file goes to the backend in chunks: which bytes are next, what follows a failure, when it is done.
///
/// The backend knows how far the upload has come; the machine believes it, always, so an upload goes on where it stopped
/// after a failure, a kill, or on another day. A chunk that went through grows the next one, a failure halves it.
package struct UploadMachine: Sendable {
    /// What an upload is allowed.
    package struct Policy: Sendable, Hashable {
        /// The first chunk, in bytes.
        package var firstChunk = 16_384
        package var smallestChunk = 4_096
        package var largestChunk = 262_144
        /// Failures in a row after which the upload is given up for now, at least 1.
        package var attemptLimit = 4
        package var backoffBase: Duration = .milliseconds(200)
        package var backoffCap: Duration = .seconds(5)

        package init() {}
    }

    /// What the machine is told.
    package enum Event: Sendable, Equatable {
        /// The backend says how many bytes it has, and where the file is once it has all of them.
        case answered(received: Int, location: String?)
        /// A call failed; `isFinal` where another one would fail too.
        case failed(isFinal: Bool)
        /// The wait is over.
        case waited
    }

    /// What the machine asks for, one thing at a time.
    package enum Action: Sendable, Equatable {
        /// Ask for the upload, or for how far it has come.
        case begin
        /// Send these bytes of the file.
        case send(Range<Int>)
        case wait(Duration)
        /// The file is there.
        case finish(String)
        case giveUp
    }

    private let byteCount: Int
    private let policy: Policy
    private var received = 0
    private var chunk: Int
    private var failures = 0
    private var random: SplitMix64
    /// Bytes under way.
    private var sending: Range<Int>?

    package init(byteCount: Int, policy: Policy = Policy(), seed: UInt64) {
        self.byteCount = max(0, byteCount)
        self.policy = policy
        chunk = policy.firstChunk
        random = SplitMix64(seed: seed)
    }

    /// The share of the file that the backend has, 0 to 1.
    package var progress: Double { byteCount == 0 ? 1 : Double(received) / Double(byteCount) }

    /// Begins, or begins again.
    package mutating func start() -> Action { .begin }

    /// Takes one event and returns what to do next.
    package mutating func handle(_ event: Event) -> Action {
        switch event {
        case .answered(let count, let location):
            let isStuck = sending != nil && count <= received
            if count > received {
                // Only what moves the upload makes good what failed, so that none goes on forever.
                failures = 0
                if sending != nil { chunk = min(chunk * 2, max(policy.largestChunk, policy.smallestChunk)) }
            }
            received = min(max(0, count), byteCount)
            sending = nil
            if received == byteCount, let location { return .finish(location) }
            if isStuck || received == byteCount { return fail(isFinal: false) }
            return send()
        case .failed(let isFinal):
            sending = nil
            chunk = max(chunk / 2, policy.smallestChunk)
            return fail(isFinal: isFinal)
        case .waited: return .begin
        }
    }

    private mutating func send() -> Action {
        let range = received..<min(byteCount, received + max(1, chunk))
        sending = range
        return .send(range)
    }

    private mutating func fail(isFinal: Bool) -> Action {
        failures += 1
        if isFinal || failures >= max(1, policy.attemptLimit) { return .giveUp }
        let backoff = Backoff(base: policy.backoffBase, cap: policy.backoffCap)
        return .wait(backoff.delay(failures: failures, statedDelay: nil, using: &random))
    }
}
