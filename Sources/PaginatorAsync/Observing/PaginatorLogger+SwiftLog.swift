#if SwiftLog
    public import Logging
    public import PaginatorCore

    extension PaginatorLogger {
        /// Makes a logger that writes to a logger of swift-log; only with the package trait `SwiftLog`.
        ///
        /// The message is the line; the metadata hold the event's kind and label, which are free of user data.
        ///
        /// - Parameters:
        ///   - logger: takes the lines; its own level holds beside `minimumLevel`.
        ///   - minimumLevel: the least level that is written, ``Level/info`` by default.
        ///   - showsUserData: whether lines hold keys, details and the texts of errors; false by default.
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
