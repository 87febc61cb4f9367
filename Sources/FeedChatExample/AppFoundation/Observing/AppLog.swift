package import PaginatorCore

/// Where the app writes what it does: lines with a category, which whoever made it hands to the system's log. Lines hold no
/// text of users, no key and no address.
package struct AppLog: Sendable {
    /// What a line is about.
    package enum Category: String, Sendable, Hashable {
        /// Loads and the connection.
        case network
        /// What the user did, on its way to the server.
        case sync
        /// Which screens are shown.
        case ui
    }

    private let write: @Sendable (Category, PaginatorLogger.Level, String) -> Void

    /// Makes a log.
    ///
    /// - Parameter write: takes each line, on any thread.
    package init(_ write: @escaping @Sendable (Category, PaginatorLogger.Level, String) -> Void) {
        self.write = write
    }

    /// Writes a line.
    package func callAsFunction(_ category: Category, _ level: PaginatorLogger.Level = .info, _ text: String) {
        write(category, level, text)
    }

    /// Observes a paginator, whose lines begin with a name.
    package func observer(_ name: String) -> PaginatorLogger {
        PaginatorLogger { [write] level, text in write(.network, level, "\(name): \(text)") }
    }
}

extension OutboxStatistics {
    /// What was sent, what failed and what was given up, for a log.
    package var summary: String {
        "\(sent) sent, \(failed) failed, \(unreachable) unreached, \(cancelled) given up in \(attempts) attempts"
    }
}
