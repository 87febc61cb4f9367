/// An observer that writes events to a log.
///
/// By default lines contain no keys, cursors or error texts, and name a page by a hash, the same in every run.
///
/// ```swift
/// config.observer = PaginatorLogger(minimumLevel: .warning) { level, text in print("\(level): \(text)") }
/// ```
public struct PaginatorLogger: PaginatorObserver {
    /// The level of a line.
    public enum Level: Int, Sendable, Comparable {
        /// Frequent events: hits, callbacks, evictions.
        case debug
        /// Events with a cost: loads, attempts, retries.
        case info
        /// Single failures, and faulty behaviour of a source or an observer.
        case warning
        /// Failures that the app's user noticed, and lost data.
        case error

        /// Whether `left` is lower than `right`.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    private let minimumLevel: Level
    private let showsUserData: Bool
    private let write: @Sendable (Level, String, PaginatorEvent) -> Void

    /// Creates a logger.
    ///
    /// - Parameters:
    ///   - minimumLevel: the lowest level to write; ``Level/info`` by default.
    ///   - showsUserData: whether lines contain keys, details and error texts; false by default.
    ///   - write: called with each line and its level, one at a time, on the event queue.
    public init(
        minimumLevel: Level = .info, showsUserData: Bool = false,
        write: @escaping @Sendable (_ level: Level, _ text: String) -> Void
    ) {
        self.init(
            minimumLevel: minimumLevel, showsUserData: showsUserData,
            writeEvent: { level, text, _ in write(level, text) })
    }

    // For a log that shows more of the event than the line does.
    package init(
        minimumLevel: Level, showsUserData: Bool,
        writeEvent write: @escaping @Sendable (Level, String, PaginatorEvent) -> Void
    ) {
        self.minimumLevel = minimumLevel
        self.showsUserData = showsUserData
        self.write = write
    }

    /// Writes a line if the event's level is high enough.
    public func paginatorDidReport(_ event: PaginatorEvent) {
        let level = event.level
        guard level >= minimumLevel else { return }
        write(level, event.text(showsUserData: showsUserData).onOneLine, event)
    }
}

extension PaginatorEvent {
    var level: PaginatorLogger.Level {
        switch kind {
        case .fetchEnded: error.map { $0.isByCaller ? .debug : .error } ?? .debug
        case .attemptEnded, .loadEnded, .followingLost: error.map { $0.isByCaller ? .info : .warning } ?? .info
        case .storeFailed: .error
        case .retryRefused, .throttled, .sourcePaused, .lateAnswer, .duplicateAnswer, .repeatedKey, .refusedKey,
            .verdict, .eventsLost:
            .warning
        case .loadStarted, .attemptStarted, .retryScheduled: .info
        default: .debug
        }
    }
}

extension PaginatorError {
    var isByCaller: Bool { code == .cancelled || code == .superseded }
}

extension String {
    /// The text with line breaks replaced by spaces, so that a key cannot forge a line of the log.
    fileprivate var onOneLine: String {
        contains(where: \.isNewline) ? String(map { $0.isNewline ? " " : $0 }) : self
    }
}
