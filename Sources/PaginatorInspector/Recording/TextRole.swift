/// What a text of a recording is, by which it is known what of it is the library's own.
enum TextRole: Sendable, Hashable {
    /// Anything, also what looks like the others.
    case detail
    case page
    case error
}
