import Foundation
package import GRDB
import PaginatorCore

/// The backend's database, and its ids: 64 bits that grow with time, so that the order of ids is the order of making.
package final class BackendDatabase: Sendable {
    /// Milliseconds since 2024-01-01 in the upper 42 bits, a count in the lower 22.
    private static let epoch: Int64 = 1_704_067_200_000

    package let queue: DatabaseQueue
    private let lastID = Guarded<Int64>(0)

    /// Opens or makes a database; without a path it lives in memory.
    ///
    /// - Parameter survivesPowerCuts: whether a commit is on the disk when it returns; if not, it survives the end of the
    ///   process, and no more.
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

    /// Makes every later id larger than one of an earlier run, whose clock may have been ahead.
    func raiseID(to id: Int64) { lastID.withLock { $0 = max($0, id) } }

    /// The smallest id that can be made at a time.
    static func firstID(at time: Date) -> Int64 {
        (Int64(time.timeIntervalSince1970 * 1_000) - epoch) << 22
    }

    /// Makes an id larger than every one before, also after a restart, as long as the clock does not go back.
    package func makeID() -> Int64 {
        let now = Self.firstID(at: Date())
        return lastID.withLock { last in
            last = max(last + 1, now)
            return last
        }
    }
}
