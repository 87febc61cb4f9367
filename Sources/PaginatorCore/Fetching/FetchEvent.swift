enum FetchEvent: Sendable {
    /// A caller asks for a page; `memory` is the result of the memory lookup, or `nil` if memory was not read.
    case fetch(FetchTicket, PageRequest, PageIdentity, memory: MemoryLookup?)
    case served(PageRequest, PageIdentity, MemoryMeaning)
    /// A request is invalid; without a ticket, the caller already got the error.
    case refuse(FetchTicket?, PaginatorError, isAround: Bool)
    case fetchAround(FetchTicket, AroundRequest)
    case neighborKeys(UInt64, forward: [String], backward: [String])
    case prefetch(FetchTicket, PrefetchRequest, refused: [PageIdentity: PaginatorError])
    case refresh(FetchTicket, PageRequest)
    /// A caller has cancelled; the ticket is already in its cancelled state.
    case cancel(FetchTicket)
    case prime(PageIdentity, LoadedPage)
    case clear(PageSelection)
    case invalidate(PageInvalidation)
    /// The lookup of a load in memory or the store has finished.
    case looked(UInt64, CacheAnswer)
    case readStore(UInt64, CacheAnswer)
    case started(UInt64, waited: Duration)
    case refused(UInt64, SchedulerRefusal)
    case backedOff(UInt64, delay: Duration)
    case paused(UInt64, delay: Duration, because: (any Error)?)
    case answered(UInt64, PageIdentity, Result<LoadedPage, SourceError>)
    /// The source has shown the first items of the page of a running attempt.
    case streamed(UInt64, LoadedPage)
    case judged(UInt64, PageVerdict)
    case decided(DecisionToken, ErrorStrategy.Decision)
    case timePassed
    case suspend
    case resume
    case release
}
