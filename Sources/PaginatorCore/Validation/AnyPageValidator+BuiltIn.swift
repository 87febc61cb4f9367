extension AnyPageValidator {
    /// A validator that accepts every page: a paginator's default.
    public static var acceptAll: AnyPageValidator {
        AnyPageValidator({ _, _ in .accept }, acceptsAll: true)
    }

    /// Rejects pages whose key is not the requested one, compared by bytes.
    ///
    /// Such a page comes from a source that confuses its answers, and would be cached under the wrong key.
    public static var keyMatch: AnyPageValidator {
        AnyPageValidator({ page, context in
            if page.key.hasSameBytes(as: context.identity.key) { return .accept }
            return .fail(reason: "the source answered with the page of another key")
        })
    }

    /// Judges pages without items, for sources whose pages are never empty. Other pages are accepted.
    ///
    /// - Parameter verdict: the verdict for an empty page; by default it is rejected. A cached page that would be
    ///   rejected is loaded again: an edit may have removed its last item.
    public static func notEmpty(
        else verdict: PageVerdict = .fail(reason: "the page is empty")
    ) -> AnyPageValidator {
        AnyPageValidator({ page, context in
            guard page.content.isEmpty else { return .accept }
            return verdict.isWorst && context.origin != .source ? .dropAndReload : verdict
        })
    }

    /// Judges cached pages that are stale or too old. Fetched pages, and other cached ones, are accepted.
    ///
    /// A paginator loads an expired page again anyway, and keeps it as a fallback. This validator also rejects the
    /// fallback, or sets an age that the source does not state.
    ///
    /// - Parameters:
    ///   - maxAge: the age from which a cached page has expired, counted from when the source was asked for it; `nil`,
    ///     the default, only considers whether the page is stale. Negative values count as zero, which expires every
    ///     cached page.
    ///   - verdict: the verdict for an expired page. The default, ``PageVerdict/dropAndReload``, never shows it;
    ///     ``PageVerdict/useButRefresh`` shows one that is too old but not stale while a newer one is loaded. For stale
    ///     pages, ``FetchPolicy/cacheThenRenew`` does that.
    public static func expiry(
        maxAge: Duration? = nil, verdict: PageVerdict = .dropAndReload
    ) -> AnyPageValidator {
        let limit = maxAge.map { max(.zero, $0) }
        return AnyPageValidator({ _, context in
            guard context.origin != .source else { return .accept }
            let isTooOld = limit.map { context.age >= $0 } ?? false
            return context.isStale || isTooOld ? verdict : .accept
        })
    }

    /// Compares a checksum of a page's items with its ``PaginatorPage/revision``, for sources that send one. Parts,
    /// and pages without a revision, such as edited ones, are accepted.
    ///
    /// ```swift
    /// let validator = AnyPageValidator<Post>.checksum { posts in posts.map { "\($0.id)" }.joined(separator: "+") }
    /// ```
    ///
    /// - Parameters:
    ///   - verdict: the verdict for a page with another checksum. By default it is loaded again, then rejected.
    ///   - checksum: computes the checksum of items as the source does. For pages in memory it runs on the caller's
    ///     thread, so it should be fast.
    public static func checksum(
        else verdict: PageVerdict = .dropAndReload, _ checksum: @escaping @Sendable (_ items: [T]) -> String
    ) -> AnyPageValidator {
        AnyPageValidator({ page, _ in
            guard page.continuation == nil, let revision = page.revision else { return .accept }
            return checksum(page.content).hasSameBytes(as: revision) ? .accept : verdict
        })
    }

    /// Judges with a closure.
    ///
    /// - Parameter judge: judges fetched and cached pages. For pages in memory it runs on the caller's thread, so it
    ///   should be fast.
    public static func closure(
        _ judge: @escaping @Sendable (_ page: PaginatorPage<T>, _ context: ValidationContext) -> PageVerdict
    ) -> AnyPageValidator {
        AnyPageValidator(judge)
    }

    /// Judges with closures; the one for fetched pages may be asynchronous.
    ///
    /// - Parameters:
    ///   - cached: judges cached pages synchronously; accepts them by default.
    ///   - fetched: judges a fetched page and answers once, on any thread, within the attempt's timeout. Later answers
    ///     are ignored.
    public static func closure(
        cached: @escaping @Sendable (_ page: PaginatorPage<T>, _ context: ValidationContext) -> PageVerdict = {
            _, _ in .accept
        },
        fetched:
            @escaping @Sendable (
                _ page: PaginatorPage<T>, _ context: ValidationContext,
                _ completion: @escaping @Sendable (PageVerdict) -> Void
            ) -> Void
    ) -> AnyPageValidator {
        AnyPageValidator(cached, fetched: fetched)
    }
}
