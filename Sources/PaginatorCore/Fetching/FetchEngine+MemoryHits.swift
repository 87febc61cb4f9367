extension FetchEngine {
    /// Returns a page from memory that nobody needs to look at first, and counts it as a use.
    func readNow(_ identity: PageIdentity) -> (any AnyObject & Sendable)? {
        guard !judgesPages, let hit = memory.readFresh(identity, by: clock), edits.isCurrent(hit.editCount) else {
            return nil
        }
        return hit.object
    }
}
