import PaginatorCore

/// What a source learns from its pages, shared by its copies.
final class HTTPSourceMemory: Sendable {
    private struct Content: Sendable {
        var totals: [ExactText: Int] = [:]
        var walks: WalkLinks
    }

    private let content: Guarded<Content>

    init(limits: HTTPLimits) {
        content = Guarded(Content(walks: WalkLinks(maxPages: limits.pagesPerWalk)))
    }

    func total(scope: String) -> Int? {
        content.withLock { $0.totals[ExactText(scope)] }
    }

    /// Keeps a total. Totals of a thousand scopes are kept.
    func setTotal(_ total: Int, scope: String) {
        let scope = ExactText(scope)
        content.withLock { content in
            if content.totals.count >= 1_000, content.totals[scope] == nil { content.totals = [:] }
            content.totals[scope] = total
        }
    }

    func note(next: String?, of request: SourceRequest) throws(HTTPSourceError) {
        let id = WalkLinks.Key(scope: request.scope, pageSize: request.pageSize)
        try content.withLock { content throws(HTTPSourceError) in
            try content.walks.note(request.key, next: next, isFirst: request.isFirst, in: id)
        }
    }
}
