/// Counters of a store since it was created; they never decrease.
public struct PageStoreStatistics: Sendable, Hashable {
    /// Loads answered with a page.
    public var hits = 0
    /// Loads without a result.
    public var misses = 0
    /// Loads that found a page of another codec or version; also counted as misses.
    public var codecMismatches = 0
    /// Loads that found and removed a damaged page.
    public var damagedPages = 0
    /// Loads that failed in any other way.
    public var failedLoads = 0
    /// Pages saved in the file.
    public var savedPages = 0
    /// Commits that succeeded.
    public var commits = 0
    /// Commits that failed; most are retried.
    public var failedCommits = 0
    /// Pages evicted by the strategy or because of their age.
    public var evictions = 0
    /// Replacements of a damaged or missing file by a new one.
    public var replacedFiles = 0

    /// Creates zero statistics.
    public init() {}
}
