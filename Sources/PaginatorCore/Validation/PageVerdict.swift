/// What a validator says of a page; later versions may add verdicts.
public struct PageVerdict: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
        case accept
        case useButRefresh
        case dropAndReload
        case fail(reason: ExactText)
    }

    let kind: Kind

    /// The page is good.
    public static let accept = PageVerdict(kind: .accept)

    /// The page may be used, and should be renewed: a cached page is answered while a load renews it; a fetched page
    /// is cached as stale.
    public static let useButRefresh = PageVerdict(kind: .useButRefresh)

    /// The page is removed from the caches and loaded again; a second such verdict in one load is a failure.
    public static let dropAndReload = PageVerdict(kind: .dropAndReload)

    /// The fetch ends with ``PaginatorError/Code/rejectedByValidation``, and the page is not cached.
    ///
    /// - Parameter reason: a sentence for people, part of the error's message.
    public static func fail(reason: String) -> PageVerdict { PageVerdict(kind: .fail(reason: ExactText(reason))) }

    /// The verdict's name, with the reason of a failure.
    public var description: String {
        if case .fail(let reason) = kind { "fail(reason: \(reason.text.debugDescription))" } else { "\(kind)" }
    }

    // From good to bad: accept, use but refresh, drop and reload, fail; the first of two that are equally bad.
    func orWorse(_ other: PageVerdict) -> PageVerdict { other.severity > severity ? other : self }

    var isWorst: Bool { severity == 3 }

    private var severity: Int {
        switch kind {
        case .accept: 0
        case .useButRefresh: 1
        case .dropAndReload: 2
        case .fail: 3
        }
    }
}
