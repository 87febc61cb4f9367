/// A place in a JSON body: names and indices separated by dots.
///
/// `"paging.next"` is the member `next` of the member `paging`; `"results.0.id"` enters a list; `""` is the whole body.
/// A member whose own name has dots is found, as in `"@odata.nextLink"`: a name that matches more of the path takes
/// precedence. `[]` takes items inside the elements of a list: `"hits.hits[]._source"`,
/// `"data.viewer.repositories.edges[].node"`.
struct JSONPath: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The names, before `[]` if there is one.
    let names: [String]
    /// The names inside each element, after `[]`.
    let memberNames: [String]
    /// Whether the path is written with `[]`.
    let entersElements: Bool

    /// The whole body.
    static let root = JSONPath("")

    /// Creates a path from its text.
    init(_ text: String) {
        description = text
        if let range = Self.brackets(in: text) {
            names = Self.split(text[..<range.lowerBound])
            memberNames = Self.split(text[range.upperBound...])
            entersElements = true
        } else {
            names = Self.split(text[...])
            memberNames = []
            entersElements = false
        }
    }

    init(stringLiteral value: String) { self.init(value) }

    /// The path as it was written.
    let description: String

    /// The path with further names appended.
    func appending(_ more: String) -> JSONPath {
        JSONPath(description.isEmpty || more.isEmpty ? description + more : description + "." + more)
    }

    /// The path of a list element, for error messages.
    func element(_ index: Int) -> String { "\(names.joined(separator: "."))[\(index)]" }

    private static func brackets(in text: String) -> Range<String.Index>? {
        guard let open = text.firstIndex(of: "[") else { return nil }
        let close = text.index(after: open)
        guard close < text.endIndex, text[close] == "]" else { return nil }
        return open..<text.index(after: close)
    }

    private static func split(_ text: Substring) -> [String] {
        text.split(separator: ".").map(String.init)
    }
}
