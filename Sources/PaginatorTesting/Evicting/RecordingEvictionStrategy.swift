public import PaginatorCore

/// One call of a ``RecordingEvictionStrategy``.
public enum EvictionCall: Sendable, Hashable {
    /// A page came.
    case inserted(PageHandle, PageFacts)
    /// A page was read.
    case used(PageHandle)
    /// A page went, or was pinned.
    case removed(PageHandle)
    /// A victim was asked for, and this one was named; `nil` when the strategy was content.
    case victim(PageHandle?)
    /// It was asked whether a page may come in, with the answer.
    case admits(PageFacts, Bool)
}

/// The calls of a ``RecordingEvictionStrategy`` and of its copies.
public final class EvictionLog: Sendable {
    private let handshake = Handshake<[EvictionCall]>([])

    /// Makes an empty log.
    public init() {}

    /// Every call so far, in order.
    public var calls: [EvictionCall] { handshake.read { $0 } }

    /// The pages that the strategy let go, in order.
    public var victims: [PageHandle] {
        calls.compactMap { if case .victim(let page?) = $0 { page } else { nil } }
    }

    /// Waits until calls have come.
    ///
    /// - Parameter count: how many in all.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForCalls(_ count: Int) async throws(CancellationError) {
        try await handshake.wait { $0.count >= count }
    }

    func append(_ call: EvictionCall) {
        handshake.update { $0.append(call) }
    }
}

/// An eviction strategy that hands every call on to a real one and records it in a log.
///
/// It breaks one rule of strategies on purpose: its copies share the log. Otherwise it behaves as the real one.
public struct RecordingEvictionStrategy<Base: PaginatorEvictionStrategy>: PaginatorEvictionStrategy {
    private var base: Base
    /// Where calls are recorded.
    public let log: EvictionLog

    /// Wraps a strategy.
    ///
    /// - Parameters:
    ///   - base: the real strategy.
    ///   - log: where calls are recorded.
    public init(_ base: Base, log: EvictionLog) {
        self.base = base
        self.log = log
    }

    /// Records the call and makes it.
    public mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
        log.append(.inserted(page, facts))
        base.inserted(page, facts)
    }

    /// Records the call and makes it.
    public mutating func used(_ page: PageHandle) {
        log.append(.used(page))
        base.used(page)
    }

    /// Records the call and makes it.
    public mutating func removed(_ page: PageHandle) {
        log.append(.removed(page))
        base.removed(page)
    }

    /// Asks the real strategy and records the answer.
    public mutating func victim(in usage: PageUsage) -> PageHandle? {
        let page = base.victim(in: usage)
        log.append(.victim(page))
        return page
    }

    /// Asks the real strategy and records the answer.
    public func admits(_ facts: PageFacts) -> Bool {
        let answer = base.admits(facts)
        log.append(.admits(facts, answer))
        return answer
    }

    /// The real strategy's lifetime.
    public var lifetime: Duration? { base.lifetime }
}
