/// Why a file cannot be opened as a recording.
public struct PaginatorRecordingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong. Later versions may add reasons: switch over it with a `default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Reason: String, Sendable {
        /// It is no recording.
        case foreign
        /// It ends too early.
        case truncated
        /// It contradicts itself.
        case damaged
        /// A later version wrote it.
        case newer
    }

    /// What is wrong.
    public let reason: Reason

    /// Where in the file that was noticed, in bytes from its start.
    public let place: Int

    init(_ reason: Reason, at place: Int) {
        self.reason = reason
        self.place = place
    }

    /// A sentence for people.
    public var description: String {
        switch reason {
        case .foreign: "This is no recording of a paginator."
        case .truncated: "The recording ends too early, after \(place) bytes."
        case .damaged: "The recording is damaged at byte \(place)."
        case .newer: "A later version of the inspector wrote this recording."
        }
    }
}
