/// One call of a data source.
public struct SourceRequest: Sendable, Hashable {
    /// The page asked for.
    public var identity: PageIdentity

    /// Whether the key is the source's first key.
    public var isFirst: Bool

    /// Which attempt of the load this is, from 1.
    public var attempt: Int

    /// How urgent the load was when the attempt started.
    public var priority: FetchPriority

    /// Whether nobody waits for the page yet.
    public var isPrefetch: Bool

    /// The page's key.
    public var key: String { identity.key }

    /// The number of items asked for.
    public var pageSize: Int { identity.pageSize }

    /// The scope of the request; empty when there is only one.
    public var scope: String { identity.scope }

    /// Makes a call, for adapters and tests; paginators make their own.
    ///
    /// - Parameters:
    ///   - identity: the page asked for.
    ///   - isFirst: whether the key is the source's first key.
    ///   - attempt: which attempt of the load this is, from 1.
    ///   - priority: how urgent the load is.
    ///   - isPrefetch: whether nobody waits for the page yet.
    public init(
        identity: PageIdentity,
        isFirst: Bool = false,
        attempt: Int = 1,
        priority: FetchPriority = .medium,
        isPrefetch: Bool = false
    ) {
        self.identity = identity
        self.isFirst = isFirst
        self.attempt = attempt
        self.priority = priority
        self.isPrefetch = isPrefetch
    }
}

/// How to stop one call of a data source.
public struct SourceCancellation: Sendable {
    private let action: @Sendable () -> Void

    /// For a call that cannot be stopped; its answer is ignored.
    public static let none = SourceCancellation {}

    /// Stops a call by running `action`, once at most, on any thread.
    public init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    /// Stops the call.
    public func cancel() {
        action()
    }
}
