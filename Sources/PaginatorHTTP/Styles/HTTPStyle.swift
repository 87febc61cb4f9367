public import PaginatorCore

/// A paging style of this module: `.pageNumber()`, `.offset()`, `.cursor(_:from:)`, `.nextURL(_:)`, `.linkHeader`,
/// `.lastItem(_:)`, `.keyset(_:)` or `.relayConnection(_:)`.
public struct HTTPStyle: HTTPPagingStyle {
    let base: any BuiltInStyle

    /// The key of the first page.
    public var firstKey: String { base.firstKey }

    /// Statuses by which the API reports a page past the last one.
    public var endStatuses: Set<Int> { base.endStatuses }

    /// Adds the page's key and size to its request.
    ///
    /// - Throws: ``HTTPSourceError/Code/badKey`` if the key does not belong to this style.
    public func prepare(_ request: inout HTTPPageRequest) throws(HTTPSourceError) { try base.prepare(&request) }

    /// Reads the keys of the pages before and after the page of a response.
    ///
    /// - Throws: an ``HTTPSourceError`` if a field with a key is missing, or has no valid key.
    public func keys(in response: HTTPPageResponse) throws(HTTPSourceError) -> HTTPPageKeys {
        try base.keys(in: response)
    }

    /// Returns the keys before and after a page if they can be computed, else `nil`.
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        base.neighborKeys(of: key, pageSize: pageSize)
    }
}

/// What the styles of this module know beyond the protocol.
protocol BuiltInStyle: HTTPPagingStyle {
    /// The path of the items if the data source has none; the body's root by default.
    var defaultItems: JSONPath { get }

    /// The path of the items in a body without anything at ``defaultItems``; `nil`, the default, if there is no other.
    var otherItems: JSONPath? { get }

    /// Which keys its pages can have; `nil`, the default, if the server knows.
    var keyRule: KeyRule? { get }

    /// The field that is unique among a page's items; `nil`, the default, if unknown.
    var itemID: JSONPath? { get }

    /// The response's field for the number of all items; `nil`, the default, if there is none, or several.
    var totalField: HTTPField? { get }

    /// Whether the header of an answer without a body, that the page has not changed, tells the page's keys. False by
    /// default.
    func headerTellsKeys(in response: HTTPPageResponse) -> Bool

    /// Whether a page of any size begins at a key and goes forward, with a next key for the item after it, so that the
    /// page can be loaded in parts. False by default.
    func givesParts(of key: String) -> Bool

    /// Returns the key after a number of a page's items, if it can be computed; `nil` by default.
    func key(behind items: Int, of key: String) -> String?

    /// Whether the server gives all of the items that its keys count, so that a page that was cut continues behind
    /// those that came. False by default.
    var givesAllItems: Bool { get }

    /// Returns the key before a page whose answer has no body, as past the last page.
    func previousKey(of key: String, pageSize: Int) -> String?

    /// Whether a response without the list of items says that nothing is left, so that it is an empty page. By default
    /// whether the number of all items is zero.
    func tellsNothingIsLeft(in response: HTTPPageResponse) throws(HTTPSourceError) -> Bool
}

extension BuiltInStyle {
    var defaultItems: JSONPath { .root }

    var otherItems: JSONPath? { nil }

    var keyRule: KeyRule? { nil }

    var itemID: JSONPath? { nil }

    var totalField: HTTPField? { nil }

    func headerTellsKeys(in response: HTTPPageResponse) -> Bool { false }

    func givesParts(of key: String) -> Bool { false }

    func key(behind items: Int, of key: String) -> String? { nil }

    var givesAllItems: Bool { false }

    func previousKey(of key: String, pageSize: Int) -> String? {
        neighborKeys(of: key, pageSize: pageSize)?.previous
    }

    func tellsNothingIsLeft(in response: HTTPPageResponse) throws(HTTPSourceError) -> Bool {
        try response.count(ifAny: totalField) == 0
    }
}

/// A style of the app's own.
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
