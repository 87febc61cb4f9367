/// An observer that turns events into lines for a log.
///
/// Unless it is told to show user data, lines hold no keys, cursors or texts of errors, and name a page by a hash, which is
/// the same in every line and every run.
///
/// ```swift
/// config.observer = PaginatorLogger(minimumLevel: .warning) { level, text in print("\(level): \(text)") }
/// ```
public struct PaginatorLogger: PaginatorObserver {
    /// How much a line matters.
    public enum Level: Int, Sendable, Comparable {
        /// What happens all the time: hits, callbacks, evictions.
        case debug
        /// What costs something: loads, attempts, retries.
        case info
        /// What went wrong once, or what a source or an observer should not do.
        case warning
        /// What a user of the app noticed, or data that was lost.
        case error

        /// Whether `left` matters less than `right`.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    private let minimumLevel: Level
    private let showsUserData: Bool
    private let write: @Sendable (Level, String, PaginatorEvent) -> Void

    /// Makes a logger.
    ///
    /// - Parameters:
    ///   - minimumLevel: the least level that is written, ``Level/info`` by default.
    ///   - showsUserData: whether lines hold keys, details and the texts of errors; false by default.
    ///   - write: takes each line with its level, one at a time, on the queue of the events.
    public init(
        minimumLevel: Level = .info, showsUserData: Bool = false,
        write: @escaping @Sendable (_ level: Level, _ text: String) -> Void
    ) {
        self.init(
            minimumLevel: minimumLevel, showsUserData: showsUserData,
            writeEvent: { level, text, _ in write(level, text) })
    }

    // For a log that names more of the event than the line does.
    package init(
        minimumLevel: Level, showsUserData: Bool,
        writeEvent write: @escaping @Sendable (Level, String, PaginatorEvent) -> Void
    ) {
        self.minimumLevel = minimumLevel
        self.showsUserData = showsUserData
        self.write = write
    }

    /// Writes a line, if the event matters enough.
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
        case .attemptEnded, .loadEnded: error.map { $0.isByCaller ? .info : .warning } ?? .info
        case .storeFailed: .error
        case .retryRefused, .throttled, .sourcePaused, .lateAnswer, .duplicateAnswer, .repeatedKey, .verdict,
            .eventsLost:
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
    /// The same text with line breaks shown as spaces, so that a key cannot forge a line of the log.
    fileprivate var onOneLine: String {
        contains(where: \.isNewline) ? String(map { $0.isNewline ? " " : $0 }) : self
    }
}
