#if canImport(os)
    import os
    public import PaginatorCore

    extension PaginatorLogger {
        /// Creates a logger that writes to the system's log. Pages are named by a hash, and keys stay private.
        ///
        /// - Parameters:
        ///   - subsystem: the subsystem of the log, such as the app's bundle identifier.
        ///   - category: the category of the log; "paginator" by default.
        ///   - minimumLevel: the lowest level to write.
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
#endif
