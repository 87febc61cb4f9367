import PaginatorCore

/// Decides how a file is uploaded in chunks: which bytes are next, what follows a failure, and when it is complete.
///
/// The backend's progress always counts, so an upload continues where it stopped after a failure, a kill, or on another
/// day. A successful chunk enlarges the next one, a failure halves it.
package struct UploadMachine: Sendable {
    /// The limits of an upload.
    package struct Policy: Sendable, Hashable {
        /// The size of the first chunk, in bytes.
        package var firstChunk = 16_384
        package var smallestChunk = 4_096
        package var largestChunk = 262_144
        /// The number of consecutive failures after which the upload stops for now, at least 1.
        package var attemptLimit = 4
        package var backoffBase: Duration = .milliseconds(200)
        package var backoffCap: Duration = .seconds(5)

        package init() {}
    }

    /// The events of the machine.
    package enum Event: Sendable, Equatable {
        /// The backend's number of received bytes, and the path of the file once it is complete.
        case answered(received: Int, location: String?)
        /// A call failed; `isFinal` if a retry would fail, too, and the delay that the backend stated.
        case failed(isFinal: Bool, statedDelay: Duration? = nil)
        /// The wait is over.
        case waited
    }

    /// The actions of the machine, one at a time.
    package enum Action: Sendable, Equatable {
        /// Request the upload, or its progress.
        case begin
        /// Send these bytes of the file.
        case send(Range<Int>)
        case wait(Duration)
        /// The file is complete.
        case finish(String)
        case giveUp
    }

    private let byteCount: Int
    private let policy: Policy
    private var received = 0
    private var chunk: Int
    private var failures = 0
    private var random: SplitMix64
    /// The bytes that are being sent.
    private var sending: Range<Int>?

    package init(byteCount: Int, policy: Policy = Policy(), seed: UInt64) {
        self.byteCount = max(0, byteCount)
        self.policy = policy
        chunk = policy.firstChunk
        random = SplitMix64(seed: seed)
    }

    /// The share of the file that the backend has, 0 to 1.
    package var progress: Double { byteCount == 0 ? 1 : Double(received) / Double(byteCount) }

    /// Starts, or starts again.
    package mutating func start() -> Action { .begin }

    /// Handles one event and returns the next action.
    package mutating func handle(_ event: Event) -> Action {
        switch event {
        case .answered(let count, let location):
            let isStuck = sending != nil && count <= received
            if count > received {
                // Only progress resets the failures, so that an upload cannot continue forever.
                failures = 0
                if sending != nil { chunk = min(chunk * 2, max(policy.largestChunk, policy.smallestChunk)) }
            }
            received = min(max(0, count), byteCount)
            sending = nil
            if received == byteCount, let location { return .finish(location) }
            if isStuck || received == byteCount { return fail(isFinal: false) }
            return send()
        case .failed(let isFinal, let statedDelay):
            sending = nil
            chunk = max(chunk / 2, policy.smallestChunk)
            // A longer wait is the caller's, which has other work.
            return fail(isFinal: isFinal || statedDelay ?? .zero > policy.backoffCap, statedDelay)
        case .waited: return .begin
        }
    }

    private mutating func send() -> Action {
        let range = received..<min(byteCount, received + max(1, chunk))
        sending = range
        return .send(range)
    }

    private mutating func fail(isFinal: Bool, _ statedDelay: Duration? = nil) -> Action {
        failures += 1
        if isFinal || failures >= max(1, policy.attemptLimit) { return .giveUp }
        let backoff = Backoff(base: policy.backoffBase, cap: policy.backoffCap)
        return .wait(backoff.delay(failures: failures, statedDelay: statedDelay, using: &random))
    }
}
