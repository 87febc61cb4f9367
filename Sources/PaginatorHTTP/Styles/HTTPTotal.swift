/// How a numbered API tells its last page. Later versions may add ways.
///
/// ```swift
/// .pageNumber(page: "page", size: "per_page", total: .items(.header("X-Total-Count")))
/// ```
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum HTTPTotal: Sendable, Hashable {
    /// The API does not tell it: a page with fewer items than requested is the last one.
    ///
    /// If a server silently limits the page size, its first page would seem to be the last: give the style its
    /// `maxSize`, or use ``untilEmpty``.
    case unknown

    /// The API does not tell it: only an empty page is the end. This takes one more request, and neighbors do not load
    /// in parallel.
    case untilEmpty

    /// A field has the number of all items, such as `.items("total")` or `.items(.header("X-Total-Count"))`. It may
    /// count items that the server leaves out of its pages, but not of the first one.
    case items(HTTPField)

    /// A field has the number of all pages, such as `.pages("last_page")` or `.pages(.header("X-WP-TotalPages"))`.
    case pages(HTTPField)

    /// A field says whether there are more pages.
    case hasMore(HTTPField)

    /// A field, such as `next`, is present and not `null` if there is a next page.
    case nextField(HTTPField)

    /// A header field has a range and, after a slash, the number of all items: `0-24/3573`; `*` is unknown.
    case contentRange(_ name: String = "Content-Range")

    /// The statements of a response.
    struct Reading: Equatable {
        var items: Int?
        var pages: Int?
        var hasNext: Bool?
    }

    /// The header field that tells it; `nil` if the body does, or nothing.
    var headerName: String? {
        switch self {
        case .unknown, .untilEmpty: nil
        case .items(let field), .pages(let field), .hasMore(let field), .nextField(let field): field.headerName
        case .contentRange(let name): name
        }
    }

    func read(_ response: HTTPPageResponse) throws(HTTPSourceError) -> Reading {
        switch self {
        case .unknown, .untilEmpty:
            return Reading()
        case .items(let field):
            guard let items = try response.count(of: field) else { throw Self.missing(field) }
            return Reading(items: items)
        case .pages(let field):
            guard let pages = try response.count(of: field) else { throw Self.missing(field) }
            return Reading(pages: pages)
        case .hasMore(let field):
            guard let flag = try response.flag(of: field) else { throw Self.missing(field) }
            return Reading(hasNext: flag)
        case .nextField(let field):
            let value = response.value(of: field)
            return Reading(hasNext: value != nil && value != .bool(false) && value != .string(""))
        case .contentRange(let name):
            guard let text = response.headers[name] else { throw Self.missing(.header(name)) }
            let size = text.split(separator: "/").last.map(String.init) ?? ""
            if size == "*" { return Reading() }
            guard text.contains("/"), let items = Int(size), items >= 0 else {
                throw HTTPSourceError.wrongType("header \(name)", "a range with a size")
            }
            return Reading(items: items)
        }
    }

    private static func missing(_ field: HTTPField) -> HTTPSourceError {
        HTTPSourceError.missing(field.description, "which should tell how much there is")
    }
}
