/// The role of a text in a recording, which tells which parts are the library's own.
enum TextRole: Sendable, Hashable {
    /// Any text, also one that looks like the others.
    case detail
    case page
    case error
}
