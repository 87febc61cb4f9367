/// What the oracles find in the library as it is: each is one line here, and goes with its repair. No check is weaker for
/// it: what a line names is still found, and only not told.
enum AwaitedRepairs {
    /// Parts of findings of random histories that are not told.
    static let findings: [String] = [
        // A refused fetch is counted as ended and not as begun.
        "fetchStarted",
        // Whoever joins a look ahead that a condition holds back ends as held back, though somebody waits now.
        "no reason for heldBack",
        // A fetch whose page is fresh in memory is answered from the store, where the user's clock calls the library.
        "a fresh page was in memory",
    ]

    /// A prefetch that a condition holds back for longer than a fetch may take never comes.
    static let parkedPrefetches = true
}
