/// An observer that turns events into lines for a log.
///
/// Lines hold no keys, cursors or texts of errors unless ``showsUserData`` says so; a page is then named by a hash, which
/// is the same in every line and every run.
///
/// ```swift
/// config.observer = PaginatorLogger(minimumLevel: .warning) { line in
///     print("\(line.level): \(line.text)")
/// }
/// ```
public struct PaginatorLogger: PaginatorObserver {
    /// How much a line matters.
    public struct Level: Sendable, Hashable, Comparable, CustomStringConvertible {
        private enum Kind: Int, Sendable { case debug, info, warning, error }

        private let kind: Kind

        /// What happens all the time: hits, callbacks, evictions.
        public static let debug = Level(kind: .debug)
        /// What costs something: loads, attempts, retries.
        public static let info = Level(kind: .info)
        /// What went wrong once, or what a source or an observer should not do.
        public static let warning = Level(kind: .warning)
        /// What a user of the app noticed, or data that was lost.
        public static let error = Level(kind: .error)

        /// Whether `left` matters less than `right`.
        public static func < (left: Level, right: Level) -> Bool { left.kind.rawValue < right.kind.rawValue }

        /// The level's name, the same as the static member's.
        public var description: String { "\(kind)" }
    }

    /// One line.
    public struct Line: Sendable {
        /// How much it matters.
        public let level: Level
        /// The text, on one line.
        public let text: String
        /// The event that it tells of, with everything that the text leaves out.
        public let event: PaginatorEvent
    }

    /// The least level that is written.
    public let minimumLevel: Level

    /// Whether lines hold keys, details and the texts of errors.
    public let showsUserData: Bool

    private let write: @Sendable (Line) -> Void

    /// Makes a logger.
    ///
    /// - Parameters:
    ///   - minimumLevel: the least level that is written, ``Level/info`` by default.
    ///   - showsUserData: whether lines hold keys, details and the texts of errors; false by default.
    ///   - write: takes each line, one at a time, on the queue of the events.
    public init(
        minimumLevel: Level = .info, showsUserData: Bool = false, write: @escaping @Sendable (Line) -> Void
    ) {
        self.minimumLevel = minimumLevel
        self.showsUserData = showsUserData
        self.write = write
    }

    /// Writes a line, if the event matters enough.
    public func paginatorDidReport(_ event: PaginatorEvent) {
        let level = event.level
        guard level >= minimumLevel else { return }
        let text = showsUserData ? event.description : event.publicDescription
        write(Line(level: level, text: text.onOneLine, event: event))
    }
}

extension PaginatorEvent {
    /// How much the event matters in a log.
    public var level: PaginatorLogger.Level {
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

    /// One line for logs that holds no user data: pages are named by a hash, errors by their label.
    public var publicDescription: String {
        var parts = [kind.description]
        if let identity { parts.append("page=\(String(identity.stableHash, radix: 16))#\(identity.pageSize)") }
        if let attempt { parts.append("attempt=\(attempt)") }
        if let origin { parts.append("origin=\(origin.rawValue)") }
        if let evictionCause { parts.append("cause=\(evictionCause)") }
        if let duration { parts.append("ms=\(duration.inMilliseconds)") }
        if let count { parts.append("count=\(count)") }
        if let error { parts.append("error=\(error.metricsLabel)") }
        return parts.joined(separator: " ")
    }
}

extension PaginatorError {
    /// Whether it is no failure but what the caller wanted.
    var isByCaller: Bool { code == .cancelled || code == .superseded }
}

extension String {
    /// The same text with line breaks shown as spaces, so that a key cannot forge a line of the log.
    fileprivate var onOneLine: String {
        contains(where: \.isNewline) ? String(map { $0.isNewline ? " " : $0 }) : self
    }
}
