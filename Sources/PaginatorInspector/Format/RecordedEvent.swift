/// An event of a recording in 40 bytes; texts are stored by number.
struct RecordedEvent: Sendable {
    static let size = 40

    /// Nanoseconds since the recording began.
    var time: Double
    /// Nanoseconds; NaN if the event has no duration.
    var duration = Double.nan
    /// The numbers of texts; zero for none.
    var page: UInt32 = 0
    var error: UInt32 = 0
    var detail: UInt32 = 0
    /// -1 for none.
    var count: Int32 = -1
    var subject: UInt16
    /// The index of its kind among the recording's names.
    var kind: UInt8
    /// One more than the index among the names; zero for none.
    var origin: UInt8 = 0
    var cause: UInt8 = 0
    /// Zero for none.
    var attempt: UInt16 = 0

    init(time: Double, subject: UInt16, kind: UInt8) {
        self.time = time
        self.subject = subject
        self.kind = kind
    }

    init(reading bytes: inout ByteReader) throws(PaginatorRecordingError) {
        time = Double(bitPattern: try bytes.integer())
        duration = Double(bitPattern: try bytes.integer())
        page = try bytes.integer()
        error = try bytes.integer()
        detail = try bytes.integer()
        count = Int32(bitPattern: try bytes.integer())
        subject = try bytes.integer()
        kind = try bytes.integer()
        origin = try bytes.integer()
        cause = try bytes.integer()
        let _: UInt8 = try bytes.integer()
        attempt = try bytes.integer()
    }

    func write(to bytes: inout [UInt8]) {
        bytes.append(integer: time.bitPattern)
        bytes.append(integer: duration.bitPattern)
        bytes.append(integer: page)
        bytes.append(integer: error)
        bytes.append(integer: detail)
        bytes.append(integer: UInt32(bitPattern: count))
        bytes.append(integer: subject)
        // The last byte is unused.
        bytes += [kind, origin, cause, 0]
        bytes.append(integer: attempt)
    }
}

extension [UInt8] {
    /// Appends a number, the least significant byte first.
    mutating func append<Number: FixedWidthInteger & UnsignedInteger>(integer number: Number) {
        var rest = number
        for _ in 0..<Number.bitWidth / 8 {
            append(UInt8(truncatingIfNeeded: rest))
            rest = Number(truncatingIfNeeded: UInt64(truncatingIfNeeded: rest) >> 8)
        }
    }
}
