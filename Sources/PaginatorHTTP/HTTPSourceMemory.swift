import PaginatorCore

/// What a source learns from its pages, shared by its copies.
final class HTTPSourceMemory: Sendable {
    private let walks: Guarded<WalkLinks>
    private let averageBytes = Guarded<Int?>(nil)

    /// The average bytes of an item in the last bodies; `nil` before the first.
    var itemBytes: Int? { averageBytes.withLock { $0 } }

    init(limits: HTTPLimits) {
        walks = Guarded(WalkLinks(maxPages: limits.pagesPerWalk))
    }

    func note(items: Int, bytes: Int) {
        guard items > 0 else { return }
        averageBytes.withLock { average in average = ((average ?? bytes / items) * 3 + bytes / items) / 4 }
    }

    func note(next: String?, of request: SourceRequest) throws(HTTPSourceError) {
        let id = WalkLinks.Key(scope: request.scope, pageSize: request.pageSize)
        try walks.withLock { walks throws(HTTPSourceError) in
            try walks.note(request.key, next: next, isFirst: request.isFirst, in: id)
        }
    }
}
