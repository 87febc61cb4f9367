/// A type-erased page validator, with the built-in ones and their combinations.
///
/// ```swift
/// CallbackPaginator(dataSource: posts, validator: .expiry(maxAge: .minutes(5)).and(.notEmpty()))
/// ```
public struct AnyPageValidator<T: Sendable>: PageValidator {
    typealias Judgement = @Sendable (PaginatorPage<T>, ValidationContext) -> PageVerdict
    typealias FetchedJudgement =
        @Sendable (PaginatorPage<T>, ValidationContext, @escaping @Sendable (PageVerdict) -> Void) -> Void

    let judgement: Judgement
    /// `nil` if fetched pages are judged synchronously.
    let fetchedJudgement: FetchedJudgement?
    let acceptsAll: Bool

    init(_ judgement: @escaping Judgement, fetched: FetchedJudgement? = nil, acceptsAll: Bool = false) {
        self.judgement = judgement
        fetchedJudgement = fetched
        self.acceptsAll = acceptsAll
    }

    /// Wraps a validator.
    public init(_ validator: some PageValidator<T>) {
        if let any = validator as? AnyPageValidator<T> {
            self = any
        } else {
            self.init(
                { validator.judge($0, in: $1) },
                fetched: { validator.judgeFetched($0, in: $1, completion: $2) })
        }
    }

    /// Whether fetched pages are judged synchronously.
    var isSynchronous: Bool { fetchedJudgement == nil }

    /// Judges a page synchronously.
    public func judge(_ page: PaginatorPage<T>, in context: ValidationContext) -> PageVerdict {
        judgement(page, context)
    }

    /// Judges a fetched page and answers once, even if a wrapped validator answers several times.
    public func judgeFetched(
        _ page: PaginatorPage<T>, in context: ValidationContext, completion: @escaping @Sendable (PageVerdict) -> Void
    ) {
        guard let fetchedJudgement else {
            completion(judgement(page, context))
            return
        }
        let answered = OnceFlag()
        fetchedJudgement(page, context) { verdict in
            if answered.take() { completion(verdict) }
        }
    }
}
