import PaginatorCore

/// One event of a stream, as the server sent it.
package struct ServerSentEvent: Sendable, Hashable {
    /// The last id of the stream up to this event; empty before there is one.
    var lastID = ""
    /// Whether the event itself has an id.
    var hasOwnID = false
    /// The event's name; `message` if the server gives none.
    package var name = "message"
    /// The lines of the data, separated by line feeds.
    package var data: String
}

/// Parses a stream of server-sent events in pieces of any size (WHATWG HTML standard, section "Server-sent events").
///
/// Pure and bounded: it keeps the current line and the current event's data.
package struct ServerSentEventParser: Sendable {
    /// An event, or one of its lines, has more bytes than allowed.
    package struct TooLong: Error {
        /// The events that were complete before it.
        package let before: [ServerSentEvent]
    }

    private let maxBytes: Int
    private var line: [UInt8] = []
    private var isFirstLine = true
    /// Whether a line feed now belongs to the last line end.
    private var hasCarriageReturn = false
    private var data: [UInt8] = []
    private var name = ""
    private var comingID: String
    private var hasOwnID = false

    /// The id for the next request of the stream, in the field `Last-Event-ID`; empty for none.
    private(set) var lastID: String
    /// The delay before the next request, if the server has stated one.
    private(set) var retryDelay: Duration?

    /// Whether the bytes so far end inside a line of an event, and not of a comment or a byte order mark.
    var isInsideLine: Bool {
        let mark: [UInt8] = isFirstLine && line.starts(with: Self.byteOrderMark) ? Self.byteOrderMark : []
        let text = line.dropFirst(mark.count)
        return !text.isEmpty && text.first != UInt8(ascii: ":")
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// - Parameters:
    ///   - lastID: the last id of the stream that this one continues.
    ///   - maxBytes: the greatest number of bytes of an event.
    package init(lastID: String = "", maxBytes: Int) {
        self.maxBytes = maxBytes
        self.lastID = lastID
        comingID = lastID
    }

    /// Takes the next bytes, and returns the events that they complete. An incomplete one waits for the rest.
    package mutating func take(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            switch byte {
            // A line ends with CR, LF or both, which may arrive in two pieces.
            case UInt8(ascii: "\n") where hasCarriageReturn:
                hasCarriageReturn = false
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                hasCarriageReturn = byte == UInt8(ascii: "\r")
                if let event = endLine() { events.append(event) }
            default:
                hasCarriageReturn = false
                guard line.count + data.count < maxBytes else { throw TooLong(before: events) }
                line.append(byte)
            }
        }
        return events
    }

    /// Returns the last event of a body if it lacks only its empty line. A stream that is followed does not end so: its
    /// next connection repeats the event.
    mutating func end() -> ServerSentEvent? { isInsideLine ? nil : endEvent() }

    private mutating func endLine() -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        // A byte order mark may precede the stream.
        if isFirstLine, line.starts(with: Self.byteOrderMark) { line.removeFirst(3) }
        isFirstLine = false
        guard !line.isEmpty else { return endEvent() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        // Without a name the line is a comment, which keeps the connection open.
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "data": data += value + [UInt8(ascii: "\n")]
        case "event": name = String(decoding: value, as: UTF8.self)
        case "id":
            guard !value.contains(0) else { break }
            (comingID, hasOwnID) = (String(decoding: value, as: UTF8.self), true)
        case "retry": readDelay(value)
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> ServerSentEvent? {
        defer {
            data.removeAll(keepingCapacity: true)
            (name, hasOwnID) = ("", false)
        }
        // Also for an event without data, which is not delivered.
        lastID = comingID
        guard !data.isEmpty else { return nil }
        let text = String(decoding: data.dropLast(), as: UTF8.self)
        return ServerSentEvent(
            lastID: lastID, hasOwnID: hasOwnID, name: name.isEmpty ? "message" : name, data: text)
    }

    private mutating func readDelay(_ digits: ArraySlice<UInt8>) {
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let milliseconds = Int64(String(decoding: digits, as: UTF8.self))
        else { return }
        retryDelay = .milliseconds(milliseconds)
    }
}
