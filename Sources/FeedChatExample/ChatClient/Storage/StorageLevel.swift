/// The level of free space on the device.
package enum StorageLevel: Int, Sendable, Hashable, Comparable {
    /// No restrictions.
    case enough
    /// The user is warned, and nothing is prefetched.
    case low
    /// Data that can be loaded again is removed, and no file is accepted for sending. Texts are sent and received as
    /// usual.
    case critical

    package static func < (left: StorageLevel, right: StorageLevel) -> Bool { left.rawValue < right.rawValue }
}

/// Decides the level from measurements of the free space, and when to measure again.
package struct StorageMachine: Sendable, Hashable {
    package private(set) var level = StorageLevel.enough
    private let low: Int64
    private let critical: Int64

    /// - Parameters:
    ///   - low: free bytes below which space is low, 200 MB by default.
    ///   - critical: free bytes below which it is critical, 50 MB by default.
    package init(low: Int64 = 200_000_000, critical: Int64 = 50_000_000) {
        self.low = low
        self.critical = min(critical, low)
    }

    /// Handles a measurement. A level ends only at a tenth above its limit, so that small changes do not toggle it; a
    /// failed measurement changes nothing.
    package mutating func measured(_ freeBytes: Int64?) {
        guard let freeBytes else { return }
        let margin: (Int64) -> Int64 = { $0 + $0 / 10 }
        let isCritical = freeBytes < (level == .critical ? margin(critical) : critical)
        let isLow = freeBytes < (level > .enough ? margin(low) : low)
        level = isCritical ? .critical : isLow ? .low : .enough
    }

    /// The time until the next measurement: a minute, or ten seconds while space is scarce.
    package var interval: Duration { level == .enough ? .seconds(60) : .seconds(10) }
}
