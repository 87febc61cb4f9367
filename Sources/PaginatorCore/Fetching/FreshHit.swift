import Synchronization

/// A fresh page from memory, in the few words that its way to the caller needs.
///
/// Most fetches end with one, so nothing else of the page is copied.
package struct FreshHit: Sendable {
    /// The `PaginatorPage`.
    package var object: any AnyObject & Sendable
    /// When the source gave it.
    package let fetchedAt: PaginatorInstant

    /// How long ago the source gave the page; never negative.
    package func age(at now: PaginatorInstant) -> Duration {
        max(.zero, fetchedAt.duration(to: now))
    }
}

extension FetchedPage {
    /// Gives a page its item type back.
    package init(_ hit: FreshHit, at now: PaginatorInstant) {
        self.init(page: .from(hit.object), origin: .memory, age: hit.age(at: now))
    }
}

extension FetchEngine {
    /// Returns the page that a fetch would be answered with at once, and counts it as a use; `nil` where the fetch has
    /// more to do than to hand it over.
    ///
    /// What is in memory had a good request, so the request is not checked. Complexity: O(bytes of the key).
    package func freshHit(_ request: PageRequest) -> FreshHit? {
        guard takesShortcut, request.lane == nil, edits.isUnused,
            (request.policy ?? defaultPolicy).kind.isContentWithFreshCache,
            let hit = memory.readFresh(request.identity, at: clock.now), !isReleased
        else { return nil }
        memoryHits.add(1, ordering: .relaxed)
        return hit
    }

    /// Returns a page from memory that nobody needs to look at first, and counts it as a use.
    func readNow(_ identity: PageIdentity) -> FreshHit? {
        guard edits.isUnused, !operations.judgesCachedPages else { return nil }
        return memory.readFresh(identity, at: clock.now)
    }

    /// Answers a ticket with what ``freshHit(_:)`` returned.
    ///
    /// The drain lock keeps the order: what was decided before is in the mailbox before.
    package func answer(_ ticket: FetchTicket, with hit: FreshHit) {
        let now = clock.now
        drain { mailbox.post(.hit(hit), to: ticket, decidedAt: now) }
    }
}
