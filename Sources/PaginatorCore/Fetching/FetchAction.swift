/// Something that happens in the order in which it was decided. The engine takes these from a queue, one at a time.
enum OrderedAction: Sendable {
    case admit(PageIdentity, LoadedPage)
    case removeFromMemory(PageSelection, EvictionCause)
    case dropFromMemory(PageIdentity, LoadedPage)
    // With a time of asking: what the source is asked for later is newer.
    case invalidateMemory(PageSelection, PaginatorInstant)
    case invalidateTags(Set<ExactText>, PaginatorInstant)
    case expireMemory
    case trimMemory(fraction: Double)
    case save(PageIdentity, LoadedPage)
    case removeFromStore(PageSelection)
    case invalidateStore(PageSelection)
    case readStore(PageIdentity, load: UInt64)
    case post(Callback)
    case pageChanged(PageIdentity, at: PaginatorInstant)
    // An event is large; boxed, it does not make every other action as large.
    indirect case report(PaginatorEvent)
    case submit(UInt64, SchedulerDemand)
    case retry(UInt64, SchedulerDemand, failures: Int, statedDelay: Duration?)
    case reprioritize(UInt64, SchedulerDemand)
    case withdraw(UInt64)
    case endAttempt(UInt64, AttemptOutcome)
    case callSource(UInt64, SourceRequest)
}

/// Something that runs outside every lock, on no particular thread, and answers with an event that carries its token.
enum UnorderedAction: Sendable {
    /// `isHandedOn` where a walk may go on from what is found: from page to page inside each other it would fill the stack.
    case lookUp(PageIdentity, load: UInt64, isHandedOn: Bool)
    case stopSource(UInt64)
    case judge(UInt64, PageIdentity, LoadedPage)
    case decide(DecisionToken, ErrorStrategy.Failure)
    case neighborKeys(UInt64, AroundRequest)
    /// The end of a fetch whose caller is a task, which goes on wherever it belongs: it needs no turn among the callbacks.
    case resume(Callback)
}

enum DecisionToken: Hashable, Sendable {
    case load(UInt64, number: UInt64)
    case waiter(UInt64)
}
