public import PaginatorCore

/// A paging style of this module: `.pageNumber()`, `.offset()`, `.cursor(_:from:)`, `.nextURL(_:)`, `.linkHeader`,
/// `.lastItem(_:)`, `.keyset(_:)` or `.relayConnection(_:)`.
public struct HTTPStyle: HTTPPagingStyle {
    let base: any BuiltInStyle

    /// The key of the first page.
    public var firstKey: String { base.firstKey }

    /// Statuses by which the API says that a page lies after the last one.
    public var endStatuses: Set<Int> { base.endStatuses }

    /// Adds the page's key and size to its request.
    ///
    /// - Throws: ``HTTPSourceError/Code/badKey`` when the key is not one of this style.
    public func prepare(_ request: inout HTTPPageRequest) throws(HTTPSourceError) { try base.prepare(&request) }

    /// Reads the keys of the pages before and after the page of a response.
    ///
    /// - Throws: an ``HTTPSourceError`` when a field that names a key is not there, or is no key.
    public func keys(in response: HTTPPageResponse) throws(HTTPSourceError) -> HTTPPageKeys {
        try base.keys(in: response)
    }

    /// Returns the keys before and after a page where they can be computed; `nil` otherwise.
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        base.neighborKeys(of: key, pageSize: pageSize)
    }
}

/// What the styles of this module know beside what every style says.
protocol BuiltInStyle: HTTPPagingStyle {
    /// Where the items are when the data source is not told; the body's root by default.
    var defaultItems: JSONPath { get }

    /// The field of an item that no two items of a page share; `nil`, the default, where that is not known.
    var itemID: JSONPath? { get }

    /// Where the response tells the number of all items; `nil`, the default, where it does not, or not in one field.
    var totalField: HTTPField? { get }

    /// Whether a page of any size begins at a key and goes forward from there, and its next key leads to the item behind it: so
    /// that the page can be had in parts. False by default.
    func givesParts(of key: String) -> Bool

    /// Returns the key that leads past so many items of a page, where it can be computed; `nil` by default.
    func key(behind items: Int, of key: String) -> String?

    /// Returns the key of the page before one whose answer has no body, as past the last page.
    func previousKey(of key: String, pageSize: Int) -> String?

    /// Whether a response without the list of items tells that there is nothing left, so that it is an empty page; by
    /// default whether the number of all items is zero.
    func tellsNothingIsLeft(in response: HTTPPageResponse) throws(HTTPSourceError) -> Bool
}

extension BuiltInStyle {
    var defaultItems: JSONPath { .root }

    var itemID: JSONPath? { nil }

    var totalField: HTTPField? { nil }

    func givesParts(of key: String) -> Bool { false }

    func key(behind items: Int, of key: String) -> String? { nil }

    func previousKey(of key: String, pageSize: Int) -> String? {
        neighborKeys(of: key, pageSize: pageSize)?.previous
    }

    func tellsNothingIsLeft(in response: HTTPPageResponse) throws(HTTPSourceError) -> Bool {
        try response.count(ifAny: totalField) == 0
    }
}

/// A style of the user's own.
struct OwnStyle: BuiltInStyle {
    let base: any HTTPPagingStyle

    var firstKey: String { base.firstKey }

    var endStatuses: Set<Int> { base.endStatuses }

    func prepare(_ request: inout HTTPPageRequest) throws(HTTPSourceError) { try base.prepare(&request) }

    func keys(in response: HTTPPageResponse) throws(HTTPSourceError) -> HTTPPageKeys { try base.keys(in: response) }

    func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        base.neighborKeys(of: key, pageSize: pageSize)
    }
}
