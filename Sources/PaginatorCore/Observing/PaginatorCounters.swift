/// The numbers and durations of a paginator's events.
///
/// When nothing is running, the numbers of starts and ends are equal, and ``answers`` and ``failures`` add up to the
/// fetches. Each fetch, prefetch and neighbor that may use a cached page counts as a `memoryHit`, a `memoryMiss` or
/// `joined`, and again if an invalidation restarts it.
///
/// ```swift
/// let counters = paginator.counters
/// print(counters[.loadStarted], counters.memoryHitRatio ?? 0)
/// print(counters.durations(of: .attemptEnded).percentile(0.99))
/// ```
public struct PaginatorCounters: Sendable, Hashable {
    private struct Tally: Hashable {
        var count = 0
        var durations = DurationSummary()
    }

    private static let kinds = PaginatorEvent.Kind.allCases

    /// In the order of ``kinds``, which is faster than hashing.
    private var tallies = [Tally](repeating: Tally(), count: kinds.count)

    /// The number of pages that left memory, by cause.
    public private(set) var evictions: [EvictionCause: Int] = [:]

    /// The number of fetches that failed, by error code.
    public private(set) var failures: [PaginatorError.Code: Int] = [:]

    /// The number of fetches that returned a page, by origin.
    public private(set) var answers: [PageOrigin: Int] = [:]

    /// The number of verdicts other than ``PageVerdict/accept``, by name without the reason.
    public private(set) var verdicts: [String: Int] = [:]

    /// The longest queue of loads that an event reported.
    private(set) var longestQueue = 0

    private(set) var failedAttempts = 0

    /// The number of events of a kind. For ``PaginatorEvent/Kind/eventsLost`` it is the number of lost events, which
    /// the other numbers lack; for ``PaginatorEvent/Kind/storeEvicted`` the number of pages. Complexity: O(1).
    public subscript(kind: PaginatorEvent.Kind) -> Int { tallies[Self.place(of: kind)].count }

    /// The durations of a step, by the kind of event that reports it; see the kind. Complexity: O(1).
    public func durations(of kind: PaginatorEvent.Kind) -> DurationSummary {
        tallies[Self.place(of: kind)].durations
    }

    /// The share of reads of memory that found a page, fresh or stale, from 0 to 1; `nil` before the first one.
    public var memoryHitRatio: Double? {
        let looked = self[.memoryHit] + self[.memoryMiss]
        return looked > 0 ? Double(self[.memoryHit]) / Double(looked) : nil
    }

    mutating func record(_ event: PaginatorEvent) {
        record(
            event.kind, weight: event.weight, lasting: event.duration?.wholeNanoseconds, error: event.error,
            origin: event.origin, cause: event.evictionCause, count: event.count, detail: event.detail)
    }

    /// For an event that is only counted.
    mutating func record(
        _ kind: PaginatorEvent.Kind, weight: Int = 1, lasting nanoseconds: Int64? = nil, error: PaginatorError? = nil,
        origin: PageOrigin? = nil, cause: EvictionCause? = nil, count: Int? = nil, detail: String? = nil
    ) {
        add(weight, nanoseconds, to: kind)
        switch kind {
        case .fetchEnded:
            if let error {
                failures[error.code, default: 0] += 1
            } else if let origin {
                answers[origin, default: 0] += 1
            }
        case .attemptEnded where error?.isByCaller == false:
            failedAttempts += 1
        case .attemptStarted:
            longestQueue = max(longestQueue, count ?? 0)
        case .evicted:
            if let cause { evictions[cause, default: 0] += 1 }
        case .verdict:
            verdicts[Self.name(ofVerdict: detail), default: 0] += 1
        default:
            break
        }
    }

    // For hits without an event.
    mutating func recordMemoryHits(_ count: Int) {
        guard count > 0 else { return }
        for kind in [PaginatorEvent.Kind.fetchStarted, .memoryHit, .fetchEnded] { add(count, nil, to: kind) }
        answers[.memory, default: 0] += count
    }

    mutating func merge(_ other: PaginatorCounters) {
        evictions.merge(other.evictions, uniquingKeysWith: +)
        failures.merge(other.failures, uniquingKeysWith: +)
        answers.merge(other.answers, uniquingKeysWith: +)
        verdicts.merge(other.verdicts, uniquingKeysWith: +)
        for (kind, tally) in zip(Self.kinds, other.tallies) {
            add(tally.count, nil, to: kind)
            tallies[Self.place(of: kind)].durations.merge(tally.durations)
        }
        failedAttempts += other.failedAttempts
        longestQueue = max(longestQueue, other.longestQueue)
    }

    private mutating func add(_ count: Int, _ nanoseconds: Int64?, to kind: PaginatorEvent.Kind) {
        let place = Self.place(of: kind)
        let (sum, overflow) = tallies[place].count.addingReportingOverflow(count)
        tallies[place].count = overflow ? .max : sum
        if let nanoseconds { tallies[place].durations.record(nanoseconds: nanoseconds) }
    }

    private static func place(of kind: PaginatorEvent.Kind) -> Int { kinds.firstIndex(of: kind) ?? 0 }

    /// The ASCII letters at the start of a verdict's text. The reason that follows may contain user data. ASCII texts
    /// are equal only if their bytes are.
    private static func name(ofVerdict detail: String?) -> String {
        let letters = (detail ?? "unnamed").utf8.prefix { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
        return String(decoding: Array(letters), as: UTF8.self)
    }
}
