extension ListMachine {
    /// What the list is doing.
    package var status: PaginatorListStatus {
        var status = PaginatorListStatus()
        let (isStartLoaded, isEndLoaded) = (isStartLoaded, isEndLoaded)
        status.next = phase(.next, isAtEnd: isEndLoaded)
        status.previous = phase(.previous, isAtEnd: isStartLoaded)
        status.refresh = refreshPhase
        status.hasLoaded = !slots.isEmpty
        status.newAbove = isStartLoaded ? 0 : headRows.count
        status.newBelow = isEndLoaded ? 0 : tailRows.count
        return status
    }

    func phase(_ purpose: Purpose, isAtEnd: Bool) -> PaginatorListPhase {
        if !running.isEmpty, running[purpose] != nil { return .loading }
        if !failures.isEmpty, let failure = failures.first(where: { $0.load.purpose == purpose }) {
            return .failed(failure.error)
        }
        return isAtEnd ? .endReached : .idle
    }

    private var refreshPhase: PaginatorListPhase {
        func isRefresh(_ purpose: Purpose) -> Bool {
            switch purpose {
            case .first, .jump, .page: true
            case .next, .previous, .gap: false
            }
        }
        if !running.isEmpty, running.keys.contains(where: isRefresh) { return .loading }
        return failures.isEmpty
            ? .idle : failures.first { isRefresh($0.load.purpose) }.map { .failed($0.error) } ?? .idle
    }
}
