/// Reads a recording from untrusted bytes.
enum RecordingReader {
    static func recording(from bytes: [UInt8]) throws(PaginatorRecordingError) -> PaginatorRecording {
        guard bytes.starts(with: [UInt8].recordingStart) else {
            let isBeginning = bytes.count < 8 && [UInt8].recordingStart.starts(with: bytes)
            throw PaginatorRecordingError(isBeginning ? .truncated : .foreign, at: bytes.count)
        }
        var reader = ByteReader(bytes)
        _ = try reader.part([UInt8].recordingStart.count)
        var recording: PaginatorRecording?
        while !reader.isAtEnd { try readChunk(&reader, into: &recording) }
        guard var recording else { throw PaginatorRecordingError(.truncated, at: bytes.count) }
        recording.findRoles()
        return recording
    }

    private static func readChunk(
        _ reader: inout ByteReader, into recording: inout PaginatorRecording?
    ) throws(PaginatorRecordingError) {
        let place = reader.place
        let damaged = PaginatorRecordingError(.damaged, at: place)
        guard let type = ChunkType(rawValue: try reader.integer()) else { throw damaged }
        let length: UInt32 = try reader.integer()
        var part = try reader.part(Int(clamping: length))
        switch type {
        case .info:
            let info = try json(part, at: place)
            // Later facts for a browser have no version.
            if let lost = info["lost"]?.whole, info["version"] == nil, recording != nil {
                recording?.info.lost = max(0, lost)
            } else {
                recording = PaginatorRecording(info: try RecordingInfo(info, at: place))
            }
        case .restart:
            recording = nil
        case .text:
            guard let count = recording?.texts.count, part.left >= 4, try part.integer() == UInt32(clamping: count + 1)
            else { throw damaged }
            recording?.texts.append(String(decoding: part.rest(), as: UTF8.self))
        case .subject:
            let subject = try RecordedSubject(try json(part, at: place), at: place)
            guard recording != nil else { throw damaged }
            // A later subject with the same number replaces the earlier one.
            if let index = recording?.subjects.firstIndex(where: { $0.number == subject.number }) {
                recording?.subjects[index] = subject
            } else {
                recording?.subjects.append(subject)
            }
        case .events:
            guard part.left >= 4 else { throw damaged }
            let count: UInt32 = try part.integer()
            guard var read = recording, part.left == Int(clamping: count).multiplied(by: RecordedEvent.size)
            else { throw damaged }
            // Moved out, so that it is not copied when it is changed.
            recording = nil
            while !part.isAtEnd {
                let event = try RecordedEvent(reading: &part)
                guard read.has(event) else { throw damaged }
                read.events.append(event)
            }
            recording = read
        case .state:
            let state = try json(part, at: place)
            guard recording != nil, let time = state["time"]?.number,
                let subject = state["subject"]?.whole.flatMap(UInt16.init(exactly:))
            else { throw damaged }
            recording?.states.append(RecordedState(time: time, subject: subject, bytes: Array(part.rest())))
        case .command, .answer:
            // Part of a conversation with the browser's page; a file has none.
            throw damaged
        }
    }

    private static func json(_ reader: ByteReader, at place: Int) throws(PaginatorRecordingError) -> JSONValue {
        var reader = reader
        guard let json = JSONValue(reading: reader.rest()) else { throw PaginatorRecordingError(.damaged, at: place) }
        return json
    }
}

extension PaginatorRecording {
    /// Derives the roles of texts from events. A text that is also a detail may be anything.
    fileprivate mutating func findRoles() {
        roles = [TextRole](repeating: .detail, count: texts.count)
        for event in events {
            if event.page > 0 { roles[Int(event.page) - 1] = .page }
            if event.error > 0 { roles[Int(event.error) - 1] = .error }
        }
        for event in events where event.detail > 0 { roles[Int(event.detail) - 1] = .detail }
    }

    /// Whether everything that an event refers to exists.
    fileprivate func has(_ event: RecordedEvent) -> Bool {
        let texts = UInt32(clamping: texts.count)
        return event.time.isFinite && event.page <= texts && event.error <= texts && event.detail <= texts
            && Int(event.kind) < info.kinds.count && Int(event.origin) <= info.origins.count
            && Int(event.cause) <= info.causes.count
    }
}

extension Int {
    // Saturating, because the factor comes from a file, and an `Int` may have 32 bits.
    fileprivate func multiplied(by factor: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}
