/// What a paginator has done, in numbers, counted from its events.
///
/// ```swift
/// let counting = CountingObserver()
/// config.observer = counting
/// print(counting.counters)
/// ```
public struct PaginatorCounters: Sendable, Hashable {
    /// By the place of the kind.
    private var byKind = [Int](repeating: 0, count: Self.kinds)
    private var durationsByKind = [DurationSummary](repeating: DurationSummary(), count: Self.kinds)

    private static var kinds: Int { PaginatorEvent.Kind.Name.allCases.count }

    /// Pages that left memory, by cause.
    public private(set) var evictions: [EvictionCause: Int] = [:]

    /// Fetches that ended with an error, by its code.
    public private(set) var failures: [PaginatorError.Code: Int] = [:]

    /// Fetches that ended with a page, by where the page came from.
    public private(set) var answers: [PageOrigin: Int] = [:]

    /// Verdicts other than good, by name and without the reason of a failure.
    public private(set) var verdicts: [String: Int] = [:]

    /// Attempts that failed or timed out.
    public private(set) var failedAttempts = 0

    /// Events that the observer was too slow for; their numbers are missing in the others.
    public private(set) var eventsLost = 0

    /// The longest queue that an event told of.
    public private(set) var longestQueue = 0

    /// Makes counters that stand at zero.
    public init() {}

    /// Counts an event. Complexity: O(1).
    public mutating func record(_ event: PaginatorEvent) {
        byKind[event.kind.place] += 1
        if let duration = event.duration { durationsByKind[event.kind.place].record(duration) }
        switch event.kind {
        case .fetchEnded:
            if let error = event.error {
                failures[error.code, default: 0] += 1
            } else if let origin = event.origin {
                answers[origin, default: 0] += 1
            }
        case .attemptEnded where event.error?.isByCaller == false:
            failedAttempts += 1
        case .attemptStarted:
            longestQueue = max(longestQueue, event.count ?? 0)
        case .evicted:
            if let cause = event.evictionCause { evictions[cause, default: 0] += 1 }
        case .verdict:
            verdicts[Self.name(ofVerdict: event.detail), default: 0] += 1
        case .eventsLost:
            eventsLost = Self.sum(eventsLost, max(0, event.count ?? 1))
        default:
            break
        }
    }

    /// Counts fetches that memory answered without an event of their own. Complexity: O(1).
    package mutating func recordMemoryHits(_ count: Int) {
        guard count > 0 else { return }
        for kind in [PaginatorEvent.Kind.fetchStarted, .memoryHit, .fetchEnded] { byKind[kind.place] += count }
        answers[.memory, default: 0] += count
    }

    /// How many events of a kind came; see the kind for what that means.
    public func count(of kind: PaginatorEvent.Kind) -> Int { byKind[kind.place] }

    /// How long a step took, by the kind of event that tells its duration; see the kind for which one.
    public func durations(of kind: PaginatorEvent.Kind) -> DurationSummary {
        durationsByKind[kind.place]
    }

    /// Adds what other counters have counted, of another paginator or another time.
    public mutating func merge(_ other: PaginatorCounters) {
        evictions.merge(other.evictions, uniquingKeysWith: +)
        failures.merge(other.failures, uniquingKeysWith: +)
        answers.merge(other.answers, uniquingKeysWith: +)
        verdicts.merge(other.verdicts, uniquingKeysWith: +)
        for kind in byKind.indices {
            byKind[kind] += other.byKind[kind]
            durationsByKind[kind].merge(other.durationsByKind[kind])
        }
        failedAttempts += other.failedAttempts
        eventsLost = Self.sum(eventsLost, other.eventsLost)
        longestQueue = max(longestQueue, other.longestQueue)
    }

    private static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }

    /// A verdict's text up to the reason, which may hold user data.
    private static func name(ofVerdict detail: String?) -> String {
        guard let detail else { return "unnamed" }
        return String(detail.prefix { $0.isLetter })
    }
}
