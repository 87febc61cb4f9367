/// The subjects of a recording and their numbers. A number is only reused after all have been used.
struct SubjectTable: Sendable {
    private static let smallest = 2_048

    /// In the order of attachment.
    var all: [RecordedSubject] = []
    private var lastNumber: UInt16 = 0
    /// Numbers to reuse, the smallest last.
    private var free: [UInt16] = []
    /// The number of subjects from which unneeded ones are dropped.
    private var bound = Self.smallest

    /// Whether to call ``forget(_:)``.
    var isFull: Bool { all.count >= bound || lastNumber == .max && free.isEmpty }

    mutating func takeNumber() -> UInt16? {
        guard lastNumber == .max else {
            lastNumber += 1
            return lastNumber
        }
        return free.popLast()
    }

    /// Drops ended subjects that are unneeded; returns whether numbers are reused from now on.
    mutating func forget(_ isUnneeded: (RecordedSubject) -> Bool) -> Bool {
        all.removeAll { $0.isDetached && isUnneeded($0) }
        bound = max(Self.smallest, 2 * all.count)
        guard lastNumber == .max else { return false }
        let used = Set(all.map(\.number))
        free = (1...UInt16.max).reversed().filter { !used.contains($0) }
        return true
    }
}
