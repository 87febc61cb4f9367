import PaginatorCore

/// The part of a page that one request asks for, from an item of the page on, with the key that leads there.
///
/// If a style's pages can have any size, a part of a page, or the rest of one, is requested as a page of its own.
struct HTTPPortion: Sendable {
    /// The number of the page's items before it, with those that the server has left out.
    let before: Int
    /// The request for the part, with what the style needs of the call.
    let source: SourceRequest

    /// The assumed bytes of an item, before the first has arrived.
    private static let usualItemBytes = 500

    /// Returns the part to request for a call; `nil` for the whole page, or all that the style can return.
    ///
    /// - Throws: ``HTTPSourceError/Code/badKey`` for an invalid continuation.
    static func wanted(
        _ call: SourceRequest, of style: any BuiltInStyle, itemBytes: Int?
    ) throws(HTTPSourceError) -> HTTPPortion? {
        guard style.givesParts(of: call.key) else { return nil }
        var (before, key) = (0, call.key)
        if let continuation = call.continuation {
            let words = continuation.split(separator: " ", maxSplits: 1)
            guard words.count == 2, let count = Int(words[0]), count > 0 else {
                throw HTTPSourceError(.badKey, "The page does not go on like that.", field: "continuation")
            }
            (before, key) = (count, String(words[1]))
        }
        let left = max(1, call.pageSize - before)
        let size: Int
        switch call.part {
        case .items(let items): size = max(1, items) - before
        case .bytes(let bytes): size = max(1, bytes) / max(1, itemBytes ?? usualItemBytes) - before
        default: size = left
        }
        guard before > 0 || size < left else { return nil }
        var source = call
        source.identity = PageIdentity(key: key, pageSize: min(left, max(1, size)), scope: call.scope)
        return HTTPPortion(before: before, source: source)
    }

    /// The continuation of a page after a number of its items.
    static func continuation(behind items: Int, at key: String) -> String { "\(items) \(key)" }
}
