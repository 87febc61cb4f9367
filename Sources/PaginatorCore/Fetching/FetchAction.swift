/// An action that is performed in the order of the decisions. The engine takes these from a queue, one at a time.
enum OrderedAction: Sendable {
    case admit(PageIdentity, LoadedPage)
    case removeFromMemory(PageSelection, EvictionCause)
    case dropFromMemory(PageIdentity, LoadedPage)
    // The time of the invalidation: pages that the source is asked for later are newer.
    case invalidateMemory(PageInvalidation, PaginatorInstant)
    case expireMemory
    case changeStore(StoreOperation)
    case readStore(PageIdentity, load: UInt64)
    case post(Callback)
    case pageChanged(PageIdentity, at: PaginatorInstant)
    // Boxed, because an event is large and would make every action as large.
    indirect case report(PaginatorEvent)
    case submit(UInt64, SchedulerDemand)
    case retry(UInt64, SchedulerDemand, failures: Int, statedDelay: Duration?)
    case reprioritize(UInt64, SchedulerDemand)
    case withdraw(UInt64)
    case endAttempt(UInt64, AttemptOutcome)
    case callSource(UInt64, SourceRequest)
}

/// An action that runs outside every lock, on any thread, and answers with an event that carries its token.
enum UnorderedAction: Sendable {
    /// `runsOnExecutor`: runs on another thread, because a walk over cached pages would recurse and overflow the stack.
    case lookUp(PageIdentity, load: UInt64, runsOnExecutor: Bool)
    case stopSource(UInt64)
    case judge(UInt64, PageIdentity, LoadedPage)
    case decide(DecisionToken, ErrorStrategy.Failure)
    case neighborKeys(UInt64, AroundRequest)
    /// Ends a fetch that a task awaits. The task resumes on its own executor, so this does not go through the mailbox.
    case resumeTask(Callback)
}

enum DecisionToken: Hashable, Sendable {
    case load(UInt64, number: UInt64)
    case waiter(UInt64)
}
