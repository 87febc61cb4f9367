/// The error of a file that cannot be opened as a recording.
public struct PaginatorRecordingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason. Later versions may add reasons: switch over it with a `default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Reason: String, Sendable {
        /// It is not a recording.
        case foreign
        /// It ends too early.
        case truncated
        /// Its content is inconsistent.
        case damaged
        /// A later version wrote it.
        case newer
    }

    /// The reason.
    public let reason: Reason

    /// The offset in the file at which the error was found, in bytes.
    public let place: Int

    init(_ reason: Reason, at place: Int) {
        self.reason = reason
        self.place = place
    }

    /// The error as a sentence.
    public var description: String {
        switch reason {
        case .foreign: "This is no recording of a paginator."
        case .truncated: "The recording ends too early, after \(place) bytes."
        case .damaged: "The recording is damaged at byte \(place)."
        case .newer: "A later version of the inspector wrote this recording."
        }
    }
}
