/// The error of a built-in codec that could not read bytes or write a value.
public struct PageCodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence without the items' values.
    public let description: String

    /// Creates an error, also for your own codecs.
    ///
    /// - Parameter description: a sentence without the items' values.
    public init(_ description: String) {
        self.description = description
    }

    static let truncated = PageCodingError("The bytes end too early.")
    static let notText = PageCodingError("The bytes are not UTF-8.")
    static let tooDeep = PageCodingError("The value is nested more than \(CompactFormat.maxDepth) deep.")
    static let malformed = PageCodingError("The bytes are not in this format.")
    static let tooLarge = PageCodingError("The value takes more than 4 GB.")
    static let writtenTwice = PageCodingError("A field is written twice.")
    static let trailing = PageCodingError("There are bytes left over.")
}
