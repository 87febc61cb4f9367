#if canImport(os)
    import os

    extension PaginatorLogger {
        /// Makes a logger that writes to the system's log; pages are named by a hash there, and keys stay private.
        ///
        /// - Parameters:
        ///   - subsystem: the subsystem of the log, such as the app's bundle identifier.
        ///   - category: the category of the log, "paginator" by default.
        ///   - minimumLevel: the least level that is written.
        public static func os(
            subsystem: String, category: String = "paginator", minimumLevel: Level = .info
        ) -> PaginatorLogger {
            let logger = Logger(subsystem: subsystem, category: category)
            return PaginatorLogger(
                minimumLevel: minimumLevel, showsUserData: false,
                writeEvent: { level, text, event in
                    let key = event.identity?.key ?? ""
                    logger.log(level: level.systemType, "\(text, privacy: .public) \(key, privacy: .private)")
                })
        }
    }

    extension PaginatorLogger.Level {
        fileprivate var systemType: OSLogType {
            switch self {
            case .debug: .debug
            case .info: .info
            case .warning: .default
            case .error: .error
            }
        }
    }

    /// An observer that marks events as signposts, to be seen in Instruments.
    ///
    /// Each signpost stands where the event was reported and names the event's duration in its text.
    public struct SignpostObserver: PaginatorObserver {
        private let signposter: OSSignposter

        /// Makes an observer.
        ///
        /// - Parameters:
        ///   - subsystem: the subsystem of the signposts, such as the app's bundle identifier.
        ///   - category: the category of the signposts, "paginator" by default.
        public init(subsystem: String, category: String = "paginator") {
            signposter = OSSignposter(subsystem: subsystem, category: category)
        }

        /// Marks the event.
        public func paginatorDidReport(_ event: PaginatorEvent) {
            let text = event.text(showsUserData: false)
            signposter.emitEvent("paginator", id: .exclusive, "\(text, privacy: .public)")
        }
    }
#endif
