/// How a scheduler starts, retries and holds back work. Every variable has a default, stated with it.
public struct PaginatorSchedulerConfig: Sendable {
    /// Makes a configuration with every default.
    public init() {}
}
