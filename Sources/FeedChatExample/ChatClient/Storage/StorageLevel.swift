/// How much space the device has, as far as the chat cares.
package enum StorageLevel: Int, Sendable, Hashable, Comparable {
    /// Nothing is different.
    case enough
    /// The user is told, and nothing is loaded ahead.
    case low
    /// What can be loaded again is removed, and no file is taken for sending. Texts are sent and come as ever.
    case critical

    package static func < (left: StorageLevel, right: StorageLevel) -> Bool { left.rawValue < right.rawValue }
}

/// Decides from measurements of the free space how scarce it is, and when to measure again.
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

    /// Takes a measurement. A level is left upwards a tenth above its limit only, so that one file more or less changes
    /// nothing to and fro; what cannot be measured changes nothing.
    package mutating func measured(_ freeBytes: Int64?) {
        guard let freeBytes else { return }
        let margin: (Int64) -> Int64 = { $0 + $0 / 10 }
        let isCritical = freeBytes < (level == .critical ? margin(critical) : critical)
        let isLow = freeBytes < (level > .enough ? margin(low) : low)
        level = isCritical ? .critical : isLow ? .low : .enough
    }

    /// How long to wait until the next measurement: a minute, and ten seconds while space is scarce.
    package var interval: Duration { level == .enough ? .seconds(60) : .seconds(10) }
}
