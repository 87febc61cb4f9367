import PaginatorCore
import PaginatorStorage
import PaginatorTesting

// Calls that meet something that is under way: a read, a change that waits to be written, a commit.
extension World {
    /// Clears pages while one of them is read from the store: one that memory does not have.
    func clearWhileReading(_ place: Place) {
        guard let paginator = place.paginator, let disk else { return }
        let mine = disk.identities.filter { $0.scope.hasPrefix("p\(place.number)/") }
        guard !mine.isEmpty else { return }
        let identity = mine[random.number(in: 0..<mine.count)]
        call { paginator.trim(toFraction: 0) }
        let policies: [FetchPolicy?] = [nil, .cacheOnly, .networkFirst(fallbackAfter: .zero), .staleWhileRevalidate]
        var request = PageRequest(key: identity.key, pageSize: identity.pageSize, scope: identity.scope)
        request.policy = policies[random.number(in: 0..<policies.count)]
        begin(place, request, isRefresh: false)
        let selection = selection(around: identity)
        // A read takes three turns of its threads, most of them a tenth of a millisecond.
        let later = timeline.nanoseconds + Int64(random.number(in: 0..<600)) * 1_000
        timeline.add(at: later, process: timeline.livingProcess) { [unowned self, unowned place] in
            clear(selection, place)
        }
    }

    /// Reads a page from the store that was handed to it a moment ago, or some time ago.
    func readBehind(_ place: Place, _ table: Int) {
        if random.chance(0.7) { putSomething(place, table) }
        guard let paginator = place.paginator, isStoreTrusted else { return }
        let cached = paginator.engine.cachedPages(in: .all).compactMap { identity in
            paginator.peek(key: identity.key, pageSize: identity.pageSize, scope: identity.scope)
                .flatMap { PageFactsRead($0.page) }.map { (identity: identity, made: $0.made) }
        }
        // The newest page is the one that was just put.
        let newest = cached.max { ($0.made, $0.identity.stableHash) < ($1.made, $1.identity.stableHash) }
        guard let newest, newest.made >= Place.last(place.recalls, newest.identity) ?? 0 else { return }
        guard !isClearedElsewhere(newest.identity, from: place) else { return }
        call { paginator.trim(toFraction: 0) }
        fetchSurvivor(place, newest.identity, newest.made)
    }

    /// A commit has written its changes and has not come back: now and then another thread flushes the store meanwhile.
    func commitRuns() {
        guard let store, let disk, !isHealed, random.chance(config.flushesDuringCommits) else { return }
        let commits = disk.commits
        let process = timeline.livingProcess
        openFlushes += 1
        store.flush { [unowned self] result in
            if process == timeline.livingProcess { openFlushes -= 1 }
            if case .success = result { checkDurable(commits) }
        }
    }
}
