/// One thing that happened inside a paginator.
///
/// ``kind`` tells what; the other fields are set where they have a meaning.
public struct PaginatorEvent: Sendable, CustomStringConvertible {
    /// What happened, as a value to compare with; later versions may add kinds.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private enum Name: Int, Sendable, CaseIterable {
            case fetchStarted, fetchEnded, memoryHit, memoryMiss, storeHit, storeMiss, joined
            case loadStarted, loadEnded, attemptStarted, attemptEnded, retryScheduled, retryRefused, throttled
            case sourcePaused
            case validated, verdict, evicted, lateAnswer, duplicateAnswer, repeatedKey, refusedKey, storeFailed
            case callbackDelivered
            case eventsLost
        }

        private let name: Name

        private init(_ name: Name) { self.name = name }

        /// Every kind there is in this version, by its number.
        static let all = Name.allCases.map(Kind.init)

        /// Its place among all kinds.
        var number: Int { name.rawValue }

        /// A fetch began; one that is refused ends at once.
        public static let fetchStarted = Kind(.fetchStarted)
        /// A fetch was settled; the duration is from its start, the error says why it failed.
        public static let fetchEnded = Kind(.fetchEnded)
        /// A usable page was found in memory.
        public static let memoryHit = Kind(.memoryHit)
        /// No usable page was found in memory.
        public static let memoryMiss = Kind(.memoryMiss)
        /// A usable page was found in the store; the duration is that of the read.
        public static let storeHit = Kind(.storeHit)
        /// No usable page was found in the store; the duration is that of the read.
        public static let storeMiss = Kind(.storeMiss)
        /// A fetch joined a load that was already running.
        public static let joined = Kind(.joined)
        /// A load began.
        public static let loadStarted = Kind(.loadStarted)
        /// A load ended; the duration is from its start.
        public static let loadEnded = Kind(.loadEnded)
        /// The source was called; the duration is the wait in the queue, the count says how many other loads wait for
        /// the source or call it.
        public static let attemptStarted = Kind(.attemptStarted)
        /// The source answered, failed, timed out or was stopped; the duration is that of the call.
        public static let attemptEnded = Kind(.attemptEnded)
        /// Another attempt will be made; the duration is the back-off.
        public static let retryScheduled = Kind(.retryScheduled)
        /// Another attempt was refused: the budget is spent.
        public static let retryRefused = Kind(.retryRefused)
        /// An attempt was refused because the source has been failing, or waits because the source asked to be left
        /// alone; the duration then says for how long.
        public static let throttled = Kind(.throttled)
        /// The source asked to be left alone, for the duration.
        public static let sourcePaused = Kind(.sourcePaused)
        /// A validator accepted a fetched page; the duration is that of the judgement.
        public static let validated = Kind(.validated)
        /// A validator judged a page other than good; the detail is the verdict, the duration that of the judgement.
        public static let verdict = Kind(.verdict)
        /// A page left memory; the cause tells why.
        public static let evicted = Kind(.evicted)
        /// The source answered an attempt that was already over.
        public static let lateAnswer = Kind(.lateAnswer)
        /// The source answered an attempt a second time.
        public static let duplicateAnswer = Kind(.duplicateAnswer)
        /// A page named a neighbor that had already been passed.
        public static let repeatedKey = Kind(.repeatedKey)
        /// A page named a neighbor by a key that no request may have; the error says what is wrong with it.
        public static let refusedKey = Kind(.refusedKey)
        /// The store failed, or did not answer a read in time; the fetch goes on without it.
        public static let storeFailed = Kind(.storeFailed)
        /// A terminal callback ran; the duration is the wait between decision and call. Told only where there is an observer.
        public static let callbackDelivered = Kind(.callbackDelivered)
        /// The observer was too slow; the count says how many events were lost.
        public static let eventsLost = Kind(.eventsLost)

        /// The kind's name, the same as the static member's.
        public var description: String { "\(name)" }
    }

    /// What happened.
    public let kind: Kind
    /// When it was decided, on the paginator's clock.
    public let time: PaginatorInstant
    /// The page concerned, where there is one.
    public var identity: PageIdentity?
    /// How long it took; see the kind.
    public var duration: Duration?
    /// What went wrong, where something did.
    public var error: PaginatorError?
    /// Which attempt, from 1, where it is about one.
    public var attempt: Int?
    /// Where the page came from, where one was delivered.
    public var origin: PageOrigin?
    /// Why a page left memory.
    public var evictionCause: EvictionCause?
    /// How many, where it is about a number: events lost, tasks waiting.
    public var count: Int?
    /// More for people: a verdict, a key.
    public var detail: String?

    /// Makes an event, for tests of observers; paginators make their own.
    ///
    /// - Parameters:
    ///   - kind: what happened.
    ///   - time: when it was decided.
    ///   - identity: the page concerned.
    public init(_ kind: Kind, at time: PaginatorInstant, identity: PageIdentity? = nil) {
        self.kind = kind
        self.time = time
        self.identity = identity
    }

    /// One line for logs. It contains the key; see ``metricsLabel`` for a text without user data.
    public var description: String {
        var parts = [kind.description]
        if let identity { parts.append("page=\(identity)") }
        if let attempt { parts.append("attempt=\(attempt)") }
        if let origin { parts.append("origin=\(origin.rawValue)") }
        if let evictionCause { parts.append("cause=\(evictionCause)") }
        if let duration { parts.append("duration=\(duration)") }
        if let count { parts.append("count=\(count)") }
        if let error { parts.append("error=\(error)") }
        if let detail { parts.append("detail=\(detail)") }
        return parts.joined(separator: " ")
    }

    /// A short text free of user data: the kind with its origin, cause or error code.
    public var metricsLabel: String {
        if let error { return "\(kind).\(error.metricsLabel)" }
        if let evictionCause { return "\(kind).\(evictionCause)" }
        if let origin { return "\(kind).\(origin.rawValue)" }
        return kind.description
    }
}
