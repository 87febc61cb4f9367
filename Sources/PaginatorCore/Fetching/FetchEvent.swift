enum FetchEvent: Sendable {
    /// A caller asks for a page; `memory` is what a look into memory gave, or `nil` when nobody looked.
    case fetch(FetchTicket, PageRequest, PageIdentity, memory: MemoryLook?)
    case served(PageRequest, PageIdentity, MemoryMeaning, LoadedPage?)
    /// A caller's request is bad; one without a ticket was told so on the spot.
    case refuse(FetchTicket?, PaginatorError, isAround: Bool)
    case fetchAround(FetchTicket, AroundRequest)
    case neighborKeys(UInt64, forward: [String], backward: [String])
    case prefetch(FetchTicket, PrefetchRequest, refused: [PageIdentity: PaginatorError])
    case refresh(FetchTicket, PageRequest)
    /// The caller gave up: the ticket's word says so already.
    case cancel(FetchTicket)
    case prime(PageIdentity, LoadedPage)
    case clear(PageSelection)
    case invalidate(PageSelection)
    case invalidateTags(Set<ExactText>)
    case trim(fraction: Double)
    /// A load's look into memory or the store came back. Each load looks once at most.
    case looked(UInt64, CacheAnswer)
    case readStore(UInt64, CacheAnswer)
    case started(UInt64, waited: Duration)
    case refused(UInt64, SchedulerRefusal)
    case backedOff(UInt64, delay: Duration)
    case held(UInt64, delay: Duration, because: (any Error)?)
    case answered(UInt64, PageIdentity, Result<LoadedPage, SourceError>)
    /// The first items of the page that an attempt is bringing.
    case streamed(UInt64, LoadedPage)
    case answeredAgain(PageIdentity)
    case judged(UInt64, PageVerdict)
    case decided(DecisionToken, ErrorStrategy.Decision)
    case timePassed
    case suspend
    case resume
    case release
}
