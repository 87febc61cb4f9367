import Foundation
package import GRDB
import PaginatorCore

/// The backend's database and its ids: 64 bits that grow with time, so that ids are ordered by creation.
package final class BackendDatabase: Sendable {
    /// Milliseconds since 2024-01-01 in the upper 42 bits, a count in the lower 22.
    private static let epoch: Int64 = 1_704_067_200_000

    package let queue: DatabaseQueue
    private let lastID = Guarded<Int64>(0)

    /// Opens or creates a database; without a path it is in memory.
    ///
    /// - Parameter survivesPowerCuts: whether a commit is on disk when it returns; if not, it survives only the end of
    ///   the process.
    package init(path: String?, survivesPowerCuts: Bool = true) throws {
        var configuration = Configuration()
        if path != nil {
            configuration.prepareDatabase { db in
                try db.execute(sql: "PRAGMA journal_mode = WAL")
                try db.execute(sql: "PRAGMA synchronous = \(survivesPowerCuts ? "FULL" : "NORMAL")")
            }
        }
        queue =
            try path.map { try DatabaseQueue(path: $0, configuration: configuration) }
            ?? DatabaseQueue(configuration: configuration)
    }

    /// Makes every later id larger than those of an earlier run, whose clock may have been ahead.
    func raiseID(to id: Int64) { lastID.withLock { $0 = max($0, id) } }

    /// Returns the smallest id that can be created at a time.
    static func firstID(at time: Date) -> Int64 {
        (Int64(time.timeIntervalSince1970 * 1_000) - epoch) << 22
    }

    /// Returns an id larger than all earlier ones, even after a restart, as long as the clock does not go back.
    package func makeID() -> Int64 {
        let now = Self.firstID(at: Date())
        return lastID.withLock { last in
            last = max(last + 1, now)
            return last
        }
    }
}
