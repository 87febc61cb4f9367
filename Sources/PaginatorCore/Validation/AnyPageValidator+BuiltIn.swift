extension AnyPageValidator {
    /// Accepts every page; what a paginator has unless it is given another validator.
    public static var acceptAll: AnyPageValidator {
        AnyPageValidator({ _, _ in .accept }, fetched: nil, acceptsAll: true)
    }

    /// Refuses pages that name another key than the one asked for, byte by byte.
    ///
    /// Such a page comes from a source that mixes up its answers; it would be cached under the wrong key.
    public static var keyMatch: AnyPageValidator {
        AnyPageValidator(
            { page, context in
                if page.key.hasSameBytes(as: context.identity.key) { return .accept }
                return .fail(reason: "the source answered with the page of another key")
            }, fetched: nil)
    }

    /// Judges pages without items, for sources whose every page must have some; all others are accepted.
    ///
    /// - Parameter verdict: what an empty page gets; by default it is refused.
    public static func notEmpty(
        else verdict: PageVerdict = .fail(reason: "the page is empty")
    ) -> AnyPageValidator {
        AnyPageValidator({ page, _ in page.content.isEmpty ? verdict : .accept }, fetched: nil)
    }

    /// Judges cached pages that are stale or too old; fetched pages, and all others, are accepted.
    ///
    /// A paginator asks the source anyway when a page is past its expiration time, and keeps the page for when that
    /// fails. With this validator even the fallback is refused, or an age is set that no source states.
    ///
    /// - Parameters:
    ///   - maxAge: from which age on a cached page has expired, by the time since the source gave it; `nil`, the default,
    ///     goes by the page's staleness only. Negative values count as zero, with which every cached page has expired.
    ///   - verdict: what an expired page gets. The default, ``PageVerdict/dropAndReload``, never shows it;
    ///     ``PageVerdict/useButRefresh`` shows it while a newer one is loaded.
    public static func expiry(
        maxAge: Duration? = nil, verdict: PageVerdict = .dropAndReload
    ) -> AnyPageValidator {
        let limit = maxAge.map { max(.zero, $0) }
        return AnyPageValidator(
            { _, context in
                guard context.origin != .source else { return .accept }
                let isTooOld = limit.map { context.age >= $0 } ?? false
                return context.isStale || isTooOld ? verdict : .accept
            }, fetched: nil)
    }

    /// Compares a checksum of a page's items with the page's ``PaginatorPage/revision``, for sources that send one along;
    /// pages without a revision, as those that an edit changed, are accepted.
    ///
    /// ```swift
    /// let validator = AnyPageValidator<Post>.checksum { posts in posts.map { "\($0.id)" }.joined(separator: "+") }
    /// ```
    ///
    /// - Parameters:
    ///   - verdict: what a page with another checksum gets; by default it is loaded again, and refused when that does not
    ///     help.
    ///   - checksum: computes the checksum of the items as the source writes it; it runs on the caller's thread for pages
    ///     in memory, so it should be fast.
    public static func checksum(
        else verdict: PageVerdict = .dropAndReload, _ checksum: @escaping @Sendable (_ items: [T]) -> String
    ) -> AnyPageValidator {
        AnyPageValidator(
            { page, _ in
                guard let revision = page.revision else { return .accept }
                return checksum(page.content).hasSameBytes(as: revision) ? .accept : verdict
            }, fetched: nil)
    }

    /// Judges with a closure.
    ///
    /// - Parameter judge: judges fetched and cached pages; it runs on the caller's thread for pages in memory, so it
    ///   should be fast.
    public static func closure(
        _ judge: @escaping @Sendable (_ page: PaginatorPage<T>, _ context: ValidationContext) -> PageVerdict
    ) -> AnyPageValidator {
        AnyPageValidator(judge, fetched: nil)
    }

    /// Judges with closures, of which the one for fetched pages may take its time.
    ///
    /// - Parameters:
    ///   - cached: judges cached pages, at once; the default accepts them.
    ///   - fetched: judges a fetched page and answers once, on any thread, within the attempt's time-out; later answers
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
