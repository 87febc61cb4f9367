import PaginatorCore

/// The part of a page that one request asks for: from an item of the page on, by the key that leads there.
///
/// Where a style's pages can be of any size, the rest of a page is a page of its own, and so is a part of it.
struct HTTPPortion: Sendable {
    /// How many items of the page lie before it.
    let before: Int
    /// The page that is asked for instead, with what of the call the style may need.
    let source: SourceRequest

    /// The items that an average page has in a budget of bytes, before the first has come.
    private static let usualItemBytes = 500

    /// Returns the part that a call asks for; `nil` where that is the whole page, or all that the style can give.
    ///
    /// - Throws: ``HTTPSourceError/Code/badKey`` for a continuation that is none of ours.
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

    /// Where the page goes on behind so many items of it.
    static func continuation(behind items: Int, at key: String) -> String { "\(items) \(key)" }
}
