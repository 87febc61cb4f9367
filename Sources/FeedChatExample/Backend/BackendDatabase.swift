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
    package init(path: String?) throws {
        queue = try path.map { try DatabaseQueue(path: $0) } ?? DatabaseQueue()
    }

    /// Makes an id larger than every one before, also after a restart, as long as the clock does not go back.
    package func makeID() -> Int64 {
        let now = (Int64(Date().timeIntervalSince1970 * 1_000) - Self.epoch) << 22
        return lastID.withLock { last in
            last = max(last + 1, now)
            return last
        }
    }
}
