#if SwiftLog
    public import Logging
    public import PaginatorCore

    extension PaginatorLogger {
        /// Creates a logger that writes to a logger of swift-log; only with the package trait `SwiftLog`.
        ///
        /// The message is the line. The metadata are the event's kind and label, which contain no user data.
        ///
        /// - Parameters:
        ///   - logger: writes the lines, if its own level allows it.
        ///   - minimumLevel: the lowest level to write; ``Level/info`` by default.
        ///   - showsUserData: whether lines contain keys, details and error texts; false by default.
        public static func swiftLog(
            _ logger: Logger, minimumLevel: Level = .info, showsUserData: Bool = false
        ) -> PaginatorLogger {
            PaginatorLogger(
                minimumLevel: minimumLevel, showsUserData: showsUserData,
                writeEvent: { level, text, event in
                    logger.log(
                        level: level.swiftLogLevel, "\(text)",
                        metadata: ["kind": "\(event.kind.rawValue)", "label": "\(event.metricsLabel)"])
                })
        }
    }

    extension PaginatorLogger.Level {
        fileprivate var swiftLogLevel: Logger.Level {
            switch self {
            case .debug: .debug
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
        }
    }
#endif
