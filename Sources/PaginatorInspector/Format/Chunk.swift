/// The chunks of a recording, in a file and in messages to the browser's page: a byte for the type, four for the
/// length, and the content.
enum ChunkType: UInt8, Sendable {
    /// A text: its number, and UTF-8.
    case text = 0x4E
    /// A subject, such as a paginator.
    case subject = 0x41
    case events = 0x45
    /// A subject's state at one time.
    case state = 0x53
    /// Everything before is void.
    case restart = 0x52
    case info = 0x49
    case command = 0x43
    case answer = 0x4B
}

extension [UInt8] {
    /// The first bytes of a file.
    static let recordingStart = Array("PAGREC01".utf8)

    mutating func append(chunk type: ChunkType, _ write: (inout [UInt8]) -> Void) {
        append(type.rawValue)
        let place = count
        append(integer: UInt32(0))
        write(&self)
        let length = UInt32(clamping: count - place - 4)
        for index in 0..<4 { self[place + index] = UInt8(truncatingIfNeeded: length >> UInt32(8 * index)) }
    }

    mutating func append(chunk type: ChunkType, json: JSONValue) {
        append(chunk: type) { json.write(to: &$0) }
    }

    mutating func append(text: String, number: UInt32) {
        append(chunk: .text) { bytes in
            bytes.append(integer: number)
            bytes += text.utf8
        }
    }

    mutating func append(events: some Collection<RecordedEvent>) {
        guard !events.isEmpty else { return }
        append(chunk: .events) { bytes in
            bytes.append(integer: UInt32(clamping: events.count))
            bytes.reserveCapacity(bytes.count + RecordedEvent.size * events.count)
            for event in events { event.write(to: &bytes) }
        }
    }
}
