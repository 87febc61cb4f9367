/// What the oracles find in the library as it is: each is one line here, and goes with its repair. No check is weaker for
/// it: what a line names is still found, and only not told.
enum AwaitedRepairs {
    /// Parts of findings of random histories that are not told.
    static let findings: [String] = []
}
