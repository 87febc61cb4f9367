/// What the oracles find in the library as it is and others are repairing: each is one line here, and goes with its
/// repair. No check is weaker for it: what a line names is still found, and only not told.
enum AwaitedRepairs {
    /// Parts of findings of random histories that are not told.
    static let findings: [String] = [
        // An observer of a page is not told of pending edits.
        "an observer of",
        // A refused fetch is counted as ended and not as begun.
        "fetchStarted",
    ]

    /// Edits are forgotten that a fallback still needs; two closures that tell items apart are taken for one; a member
    /// of a group that has left in the same turn is told.
    static let edits = true

    /// A pause of the write-behind outlives a flush; objects go under its lock; one edit holds up reads; environments of
    /// released paginators are kept.
    static let writeBehind = true
}
