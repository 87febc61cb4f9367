import Foundation
import PaginatorCore

/// Pages addressed by addresses in the response's body or its `Link` header.
///
/// An address with the endpoint's own origin is kept as path and query. What the authentication adds to a request's
/// address, and ``HTTPSourceOptions/secretParameters`` of the endpoint's address, are not part of a key, even if the
/// server repeats them.
struct AddressStyle: BuiltInStyle {
    enum Place: Sendable, Hashable {
        case fields(next: HTTPField, previous: HTTPField?)
        case linkHeader(next: String, previous: String)
    }

    let place: Place
    let size: HTTPParameter?
    let totalField: HTTPField?

    /// A constant text: the first page is the endpoint itself.
    var firstKey: String { CursorKey.firstKey }

    /// Proxies add links of their own to every answer, such as `preload`.
    func headerTellsKeys(in response: HTTPPageResponse) -> Bool {
        switch place {
        case .fields(let next, _): return response.hasHeader(next.headerName)
        case .linkHeader(let next, let previous):
            let paging: Set<String> = [next, previous, "first", "last"]
            return links(in: response).contains { !paging.isDisjoint(with: $0.relations) }
        }
    }

    /// Sets the page size of the first page; later addresses contain theirs.
    func prepare(_ request: inout HTTPPageRequest) throws(HTTPSourceError) {
        guard !request.key.hasSameBytes(as: firstKey) else { return request.setPageSize(size) }
        request.asksForSize = size != nil
        request.url = try AddressKey.address(of: request.key, for: request)
    }

    /// Reads the addresses.
    func keys(in response: HTTPPageResponse) throws(HTTPSourceError) -> HTTPPageKeys {
        var keys = HTTPPageKeys(total: try response.count(ifAny: totalField))
        switch place {
        case .fields(let next, let previous):
            keys.next = try address(of: next, in: response)
            keys.previous =
                try previous.map { field throws(HTTPSourceError) in try address(of: field, in: response) }
                ?? nil
        case .linkHeader(let next, let previous):
            let links = links(in: response)
            keys.next = try address(of: next, in: links, response)
            keys.previous = try address(of: previous, in: links, response)
        }
        // New rows come by a refresh of the first page, which would leave out those before a page in front of it. An
        // endpoint of the first page's own may be in the middle.
        if response.request.key.hasSameBytes(as: firstKey), !response.request.hasOwnEndpoint { keys.previous = nil }
        return keys
    }

    private func links(in response: HTTPPageResponse) -> [WebLink] {
        LinkHeader.parse(response.headers["Link"] ?? "").filter { link in
            link.anchor.map { URL(written: $0, relativeTo: response.url)?.absoluteURL == response.url } ?? true
        }
    }

    private func address(of field: HTTPField, in response: HTTPPageResponse) throws(HTTPSourceError) -> String? {
        let text: String?
        let value = response.value(of: field)
        switch value {
        case nil, .bool(false): text = nil
        case .string(let string): text = string.isEmpty ? nil : string
        // JSON:API also writes a link as an object with an `href`, and HAL always does.
        case .object?:
            guard case .string(let string)? = value?["href"] else {
                throw HTTPSourceError.wrongType(field.description, "an address")
            }
            text = string
        default: throw HTTPSourceError.wrongType(field.description, "an address")
        }
        return try text.map { text throws(HTTPSourceError) in
            try AddressKey.key(of: text, field: field.description, in: response)
        }
    }

    private func address(
        of relation: String, in links: [WebLink], _ response: HTTPPageResponse
    ) throws(HTTPSourceError) -> String? {
        // Sentry names a page on both sides of every page, and says in `results` whether it has items.
        guard let link = links.first(where: { $0.relations.contains(relation) }), link.parameters["results"] != "false"
        else { return nil }
        return try AddressKey.key(of: link.target, field: "header Link rel=\(relation)", in: response)
    }
}

extension HTTPPagingStyle where Self == HTTPStyle {
    /// The body has the address of the next page: `"next": "https://api.example.com/items?page=2"`.
    ///
    /// - Parameters:
    ///   - next: the field of the address, such as `next`, `links.next` or `@odata.nextLink`. A relative address is
    ///     resolved against the address that answered.
    ///   - previous: the field of the previous page's address; `nil`, the default, if the API does not go back. It is
    ///     not read from the first page, before which new rows come by a refresh, unless the source has an endpoint of
    ///     its own for that page, such as one around a message.
    ///   - size: the first request's parameter for the page size; `nil`, the default, if it cannot be chosen.
    ///   - total: the response's field for the number of all items; `nil`, the default, if there is none.
    public static func nextURL(
        _ next: HTTPField = "next", previous: HTTPField? = nil, size: HTTPParameter? = nil, total: HTTPField? = nil
    ) -> HTTPStyle {
        HTTPStyle(base: AddressStyle(place: .fields(next: next, previous: previous), size: size, totalField: total))
    }

    /// The `Link` header has the address of the next page (RFC 8288):
    /// `Link: <https://api.example.com/items?page=2>; rel="next"`.
    ///
    /// - Parameters:
    ///   - size: the first request's parameter for the page size; the query parameter `per_page` by default, `nil` if
    ///     it cannot be chosen.
    ///   - next: the relation of the next page; `next` by default.
    ///   - previous: the relation of the previous page; `prev` by default. It is not read from the first page, before
    ///     which new rows come by a refresh, unless the source has an endpoint of its own for that page, such as one
    ///     around a message.
    ///   - total: the response's field for the number of all items; `nil`, the default, if there is none.
    public static func linkHeader(
        size: HTTPParameter? = "per_page", next: String = "next", previous: String = "prev", total: HTTPField? = nil
    ) -> HTTPStyle {
        HTTPStyle(
            base: AddressStyle(
                place: .linkHeader(next: next.lowercased(), previous: previous.lowercased()), size: size,
                totalField: total))
    }

    /// The `Link` header, with the page size in the query parameter `per_page` of the first request.
    public static var linkHeader: HTTPStyle { linkHeader() }
}
