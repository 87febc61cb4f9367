extension CallbackPaginator {
    /// What the paginator has done so far, in numbers.
    public var counters: PaginatorCounters { engine.counters }

    /// Describes the paginator's whole state for a bug report: what is cached, what is loading, who waits, the last
    /// errors and the counters. It contains keys. Complexity: O(everything).
    public func dump() -> String { engine.dump() }
}
