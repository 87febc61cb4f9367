/// The subjects of a recording, and their numbers: one is given anew only when all have been given.
struct SubjectTable: Sendable {
    private static let smallest = 2_048

    /// In the order in which they were attached.
    var all: [RecordedSubject] = []
    private var lastNumber: UInt16 = 0
    /// Numbers to be given anew, the smallest last.
    private var free: [UInt16] = []
    /// With so many, those that nothing needs are looked for.
    private var bound = Self.smallest

    /// Whether it is time to ``forget(_:)``.
    var isFull: Bool { all.count >= bound || lastNumber == .max && free.isEmpty }

    mutating func takeNumber() -> UInt16? {
        guard lastNumber == .max else {
            lastNumber += 1
            return lastNumber
        }
        return free.popLast()
    }

    /// Drops those that have ended and are unneeded; returns whether numbers are given anew from now on.
    mutating func forget(_ isUnneeded: (RecordedSubject) -> Bool) -> Bool {
        all.removeAll { $0.isDetached && isUnneeded($0) }
        bound = max(Self.smallest, 2 * all.count)
        guard lastNumber == .max else { return false }
        let used = Set(all.map(\.number))
        free = (1...UInt16.max).reversed().filter { !used.contains($0) }
        return true
    }
}
