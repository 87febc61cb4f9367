/// Something that happened inside a paginator.
///
/// ``kind`` says what; the other fields are set if they apply.
public struct PaginatorEvent: Sendable, Hashable, CustomStringConvertible {
    /// The kind of event. Later versions may add kinds: switch over it with a `default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: String, Sendable, CaseIterable {
        /// A fetch began. An invalid one ends at once.
        case fetchStarted
        /// A fetch ended; the duration is from its start, the error why it failed.
        case fetchEnded
        /// A page was found in memory, fresh or stale.
        case memoryHit
        /// No page was found in memory, or the validator rejected it.
        case memoryMiss
        /// A read of the store began.
        case storeReadStarted
        /// A usable page was found in the store; the duration is that of the read.
        case storeHit
        /// No usable page was found in the store; the duration is that of the read. With an error, the read ended
        /// early: no waiter was left, or the page was cleared.
        case storeMiss
        /// A fetch joined a load that was already running.
        case joined
        /// A load began: the source will be called, at once or after a wait. An answer from a cache is no load.
        case loadStarted
        /// A load ended; the duration is from its start. The error tells why it failed; `cancelled` if it had no waiter
        /// left.
        case loadEnded
        /// The source is called; the duration is the wait in the queue, the count the number of other loads that wait
        /// for the source or call it.
        case attemptStarted
        /// The source answered, failed, timed out or was stopped; the duration is that of the call.
        case attemptEnded
        /// Another attempt will be made; the duration is the back-off.
        case retryScheduled
        /// Another attempt was refused, because the retry budget is spent.
        case retryRefused
        /// An attempt was refused because the source has been failing, or waits because the source asked for a pause;
        /// the duration is that of the pause.
        case throttled
        /// The source asked for a pause, for the duration.
        case sourcePaused
        /// A validator accepted a fetched page; the duration is that of the judgement.
        case validated
        /// A validator did not accept a page; the detail is the verdict, the duration that of the judgement.
        case verdict
        /// A page left memory; see the cause.
        case evicted
        /// The store wrote changes; the duration is that of the write, the count the number of saved pages.
        case stored
        /// The store evicted pages because of its limits; the count is their number.
        case storeEvicted
        /// Bytes were decoded into items; the duration is that of the decoding, the origin that of the bytes: source or
        /// store. It is part of the source's call or the store's read.
        case decoded
        /// The source answered an attempt that was over.
        case lateAnswer
        /// The source answered an attempt a second time.
        case duplicateAnswer
        /// A page named a neighbor that had already appeared.
        case repeatedKey
        /// A page named a neighbor by an invalid key; the error says why.
        case refusedKey
        /// The store failed, or did not answer a read in time. The fetch continues without it.
        case storeFailed
        /// A terminal callback ran; the duration is the wait between decision and call. Only reported to an observer.
        case callbackDelivered
        /// A connection to a followed source is open.
        case followed
        /// A connection to a followed source has ended, or could not be opened; the error says why if it was lost.
        case followingLost
        /// The observer was too slow; the count is the number of lost events.
        case eventsLost
    }

    /// The kind of event.
    public let kind: Kind
    /// The time of the decision, on the paginator's clock.
    public let time: PaginatorInstant
    /// The page, if there is one.
    public var identity: PageIdentity?
    /// The duration; see the kind.
    public var duration: Duration?
    /// The error, if there was one.
    public var error: PaginatorError?
    /// The number of the attempt, from 1. After a part of a page they are counted anew. Of a load that has ended it is
    /// the last one, `nil` without one.
    public var attempt: Int?
    /// Where the page or its bytes came from.
    public var origin: PageOrigin?
    /// Why a page left memory.
    public var evictionCause: EvictionCause?
    /// A number; see the kind.
    public var count: Int?
    /// More text for display: a verdict, a key.
    public var detail: String?

    /// Creates an event, for tests of observers; paginators make their own.
    ///
    /// - Parameters:
    ///   - kind: the kind of event.
    ///   - time: when it was decided.
    ///   - identity: the page, if there is one.
    public init(_ kind: Kind, at time: PaginatorInstant, identity: PageIdentity? = nil) {
        self.kind = kind
        self.time = time
        self.identity = identity
    }

    package init(failureOfStore error: PaginatorError, at time: PaginatorInstant) {
        self.init(.storeFailed, at: time)
        self.error = error
    }

    /// The number of events that it stands for.
    package var weight: Int { kind == .eventsLost || kind == .storeEvicted ? max(0, count ?? 1) : 1 }

    /// One line for logs. It contains the key; see ``metricsLabel`` for a text without user data.
    public var description: String { text(showsUserData: true) }

    /// One line for logs. Without user data, a page is named by a hash and an error by its label.
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

    /// A short text without user data: the kind with its origin, cause or error code.
    public var metricsLabel: String {
        if let error { return "\(kind.rawValue).\(error.metricsLabel)" }
        if let evictionCause { return "\(kind.rawValue).\(evictionCause.rawValue)" }
        if let origin { return "\(kind.rawValue).\(origin.rawValue)" }
        return kind.rawValue
    }
}
