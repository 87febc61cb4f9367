/// One thing that happened inside a paginator.
///
/// ``kind`` tells what; the other fields are set where they have a meaning.
public struct PaginatorEvent: Sendable, Hashable, CustomStringConvertible {
    /// What happened. Later versions may add kinds: switch over it with a `default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: String, Sendable, CaseIterable {
        /// A fetch began; one that is refused ends at once.
        case fetchStarted
        /// A fetch was settled; the duration is from its start, the error says why it failed.
        case fetchEnded
        /// A page was found in memory, fresh or stale.
        case memoryHit
        /// No page was found in memory, or one that the validator refused.
        case memoryMiss
        /// A read of the store began.
        case storeReadStarted
        /// A usable page was found in the store; the duration is that of the read.
        case storeHit
        /// No usable page was found in the store; the duration is that of the read. The error says that nobody waited for
        /// its end any more.
        case storeMiss
        /// A fetch joined a load that was already running.
        case joined
        /// A load began: the source is to be asked, at once or in its turn. What a cache answers is no load.
        case loadStarted
        /// A load ended; the duration is from its start. The error says why it failed, and `cancelled` that nobody waited
        /// for it any more.
        case loadEnded
        /// The source is called; the duration is the wait in the queue, the count says how many other loads wait for
        /// the source or call it.
        case attemptStarted
        /// The source answered, failed, timed out or was stopped; the duration is that of the call.
        case attemptEnded
        /// Another attempt will be made; the duration is the back-off.
        case retryScheduled
        /// Another attempt was refused: the budget is spent.
        case retryRefused
        /// An attempt was refused because the source has been failing, or waits because the source asked to be left
        /// alone; the duration then says for how long.
        case throttled
        /// The source asked to be left alone, for the duration.
        case sourcePaused
        /// A validator accepted a fetched page; the duration is that of the judgement.
        case validated
        /// A validator judged a page other than good; the detail is the verdict, the duration that of the judgement.
        case verdict
        /// A page left memory; the cause tells why.
        case evicted
        /// The store wrote changes; the duration is that of the writing, the count says how many pages it saved.
        case stored
        /// Pages left the store because of its limits; the count says how many.
        case storeEvicted
        /// Bytes became items; the duration is that of the decoding, the origin says whether the source sent them or the
        /// store had them. It is part of the call of the source and of the read of the store.
        case decoded
        /// The source answered an attempt that was already over.
        case lateAnswer
        /// The source answered an attempt a second time.
        case duplicateAnswer
        /// A page named a neighbor that had already been passed.
        case repeatedKey
        /// A page named a neighbor by a key that no request may have; the error says what is wrong with it.
        case refusedKey
        /// The store failed, or did not answer a read in time; the fetch goes on without it.
        case storeFailed
        /// A terminal callback ran; the duration is the wait between decision and call. Told only where there is an observer.
        case callbackDelivered
        /// A connection to a source that is followed is there.
        case followed
        /// A connection to a source that is followed has ended, or could not be opened; the error says why, where it was lost.
        case followingLost
        /// The observer was too slow; the count says how many events were lost.
        case eventsLost
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

    package init(failureOfStore error: PaginatorError, at time: PaginatorInstant) {
        self.init(.storeFailed, at: time)
        self.error = error
    }

    /// As how many it counts.
    package var weight: Int { kind == .eventsLost || kind == .storeEvicted ? max(0, count ?? 1) : 1 }

    /// One line for logs. It contains the key; see ``metricsLabel`` for a text without user data.
    public var description: String { text(showsUserData: true) }

    /// One line for logs. Without user data, pages are named by a hash, and errors by their label.
    package func text(showsUserData: Bool) -> String {
        let parts: [(name: String, value: String?)] = [
            ("page", identity.map { showsUserData ? "\($0)" : $0.nameWithoutKey }),
            ("attempt", attempt.map(String.init)), ("origin", origin?.rawValue), ("cause", evictionCause?.rawValue),
            ("ms", duration?.inMilliseconds), ("count", count.map(String.init)),
            ("error", error.map { showsUserData ? "\($0)" : $0.metricsLabel }),
            ("detail", showsUserData ? detail : nil),
        ]
        return parts.reduce(into: kind.rawValue) { line, part in
            if let value = part.value { line += " \(part.name)=\(value)" }
        }
    }

    /// A short text free of user data: the kind with its origin, cause or error code.
    public var metricsLabel: String {
        if let error { return "\(kind.rawValue).\(error.metricsLabel)" }
        if let evictionCause { return "\(kind.rawValue).\(evictionCause.rawValue)" }
        if let origin { return "\(kind.rawValue).\(origin.rawValue)" }
        return kind.rawValue
    }
}
