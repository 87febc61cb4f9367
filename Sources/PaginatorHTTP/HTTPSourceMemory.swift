import PaginatorCore

/// What a source learns from its pages, shared by its copies.
final class HTTPSourceMemory: Sendable {
    private let walks: Guarded<WalkLinks>

    init(limits: HTTPLimits) {
        walks = Guarded(WalkLinks(maxPages: limits.pagesPerWalk))
    }

    func note(next: String?, of request: SourceRequest) throws(HTTPSourceError) {
        let id = WalkLinks.Key(scope: request.scope, pageSize: request.pageSize)
        try walks.withLock { walks throws(HTTPSourceError) in
            try walks.note(request.key, next: next, isFirst: request.isFirst, in: id)
        }
    }
}
