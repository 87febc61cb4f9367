/// Why bytes could not be read, or a value not be written, by one of the built-in codecs.
public struct PageCodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for people, free of the items' values.
    public let description: String

    /// Makes an error, also for codecs written by hand.
    ///
    /// - Parameter description: a sentence for people.
    public init(_ description: String) {
        self.description = description
    }

    static let truncated = PageCodingError("The bytes end too early.")
    static let notText = PageCodingError("The bytes are not UTF-8.")
    static let tooDeep = PageCodingError("The value is nested more than \(CompactFormat.maxDepth) deep.")
    static let malformed = PageCodingError("The bytes are not in this format.")
    static let tooLarge = PageCodingError("The value takes more than 4 GB.")
    static let trailing = PageCodingError("There are bytes left over.")
}
