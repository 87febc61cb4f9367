import Synchronization

extension FetchEngine {
    /// Returns the page that a fetch without a lane would be answered with at once, as its reader sees it, and counts it as
    /// a use; `nil` where the fetch has more to do than to hand it over.
    ///
    /// Takes the words of a request apart, because making and ending one costs as much as the look-up. Runs the user's
    /// pending edits, where there are any. Complexity: O(bytes of the key).
    package func freshPage(key: String, pageSize: Int, scope: String, policy: FetchPolicy?) -> FreshHit? {
        guard var hit = freshHit(key: key, pageSize: pageSize, scope: scope, policy: policy) else { return nil }
        edits.show(&hit)
        return hit
    }

    /// Returns a page as memory has it; `nil` where a fetch has more to do.
    ///
    /// What is in memory had a good request, so the request is not checked.
    private func freshHit(key: String, pageSize: Int, scope: String, policy: FetchPolicy?) -> FreshHit? {
        guard takesShortcut, (policy ?? defaultPolicy).kind.isContentWithFreshCache,
            let hit = memory.readFresh(PageIdentity(key: key, pageSize: pageSize, scope: scope), by: clock), !isReleased
        else { return nil }
        memoryHits.add(1, ordering: .relaxed)
        return hit
    }

    /// Fetches one page for a ticket; where memory has all that is needed, the ticket is answered with it. The mailbox brings
    /// the page up to date when it is delivered.
    func answerOrFetch(_ request: PageRequest, for ticket: FetchTicket) {
        if request.lane == nil,
            let hit = freshHit(
                key: request.key, pageSize: request.pageSize, scope: request.scope, policy: request.policy)
        {
            post(.hit(hit), to: ticket, decidedAt: clock.now)
        } else {
            fetch(request, for: ticket)
        }
    }

    /// Returns a page from memory that nobody needs to look at first, and counts it as a use.
    func readNow(_ identity: PageIdentity) -> (any AnyObject & Sendable)? {
        guard !judgesPages, let hit = memory.readFresh(identity, by: clock), edits.isCurrent(hit.editMark) else {
            return nil
        }
        return hit.object
    }
}
