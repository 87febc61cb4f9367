package import PaginatorCore

/// The log of the app: lines with a category, which the creator passes to the system's log. Lines contain no user text,
/// no key and no address.
package struct AppLog: Sendable {
    /// The category of a line.
    package enum Category: String, Sendable, Hashable {
        /// Loads and the connection.
        case network
        /// User actions on their way to the server.
        case sync
        /// Screens that are shown.
        case ui
    }

    private let write: @Sendable (Category, PaginatorLogger.Level, String) -> Void

    /// Creates a log.
    ///
    /// - Parameter write: called with each line, on any thread.
    package init(_ write: @escaping @Sendable (Category, PaginatorLogger.Level, String) -> Void) {
        self.write = write
    }

    /// Writes a line.
    package func callAsFunction(_ category: Category, _ level: PaginatorLogger.Level = .info, _ text: String) {
        write(category, level, text)
    }

    /// Returns an observer of a paginator whose lines begin with a name.
    package func observer(_ name: String) -> PaginatorLogger {
        PaginatorLogger { [write] level, text in write(.network, level, "\(name): \(text)") }
    }
}

extension AppLog? {
    /// Takes a step whose failure is only logged, as a line.
    package func attempt(_ failure: String, _ step: () async throws -> Void) async {
        do {
            try await step()
        } catch {
            self?(.sync, .error, failure)
        }
    }
}

extension OutboxStatistics {
    /// The numbers of sent, failed and cancelled operations, for a log.
    package var summary: String {
        "\(sent) sent, \(failed) failed, \(unreachable) unreached, \(cancelled) given up in \(attempts) attempts"
    }
}
