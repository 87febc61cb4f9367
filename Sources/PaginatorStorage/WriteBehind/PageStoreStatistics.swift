/// What a store has done since it was made; each number only grows.
public struct PageStoreStatistics: Sendable, Hashable {
    /// Loads answered with a page.
    public var hits = 0
    /// Loads that found nothing.
    public var misses = 0
    /// Loads that found a page of another codec or version; also counted as misses.
    public var codecMismatches = 0
    /// Loads that found a damaged page, which was removed.
    public var damagedPages = 0
    /// Loads that failed in any other way.
    public var failedLoads = 0
    /// Pages saved, in the file.
    public var savedPages = 0
    /// Commits that succeeded.
    public var commits = 0
    /// Commits that failed; most are tried again.
    public var failedCommits = 0
    /// Pages removed because the strategy named them or their lifetime had passed.
    public var evictions = 0
    /// Times that a damaged or vanished file was replaced by a new one.
    public var replacedFiles = 0

    /// Makes statistics of nothing.
    public init() {}
}
