package import PaginatorCore

/// Judges whether a body comes fast enough: in each interval at least so many bytes.
///
/// A pure machine, so that a server that sends one byte now and then cannot hold a slot for as long as it likes.
package struct TransferPace: Sendable {
    private let interval: Duration
    private let leastBytes: Int
    private var bytes = 0

    /// When the pace is judged next; `nil` before the header has come.
    package private(set) var deadline: PaginatorInstant?

    package init(interval: Duration, leastBytes: Int) {
        self.interval = interval
        self.leastBytes = leastBytes
    }

    /// The header has come, and the body begins.
    package mutating func begin(at now: PaginatorInstant) {
        bytes = 0
        deadline = now.advanced(by: interval)
    }

    /// Bytes of the body have come.
    package mutating func received(_ count: Int) {
        let (sum, overflow) = bytes.addingReportingOverflow(count)
        bytes = overflow ? .max : sum
    }

    /// The deadline may be reached.
    ///
    /// - Returns: whether the body is too slow.
    package mutating func isTooSlow(at now: PaginatorInstant) -> Bool {
        guard let due = deadline, due <= now else { return false }
        if bytes < leastBytes { return true }
        begin(at: now)
        return false
    }
}
