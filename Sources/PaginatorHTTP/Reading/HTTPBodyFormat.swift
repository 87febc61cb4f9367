import Foundation
import PaginatorCore

/// The format of a body, and whether its first items are shown before the rest arrives.
///
/// ```swift
/// var options = HTTPSourceOptions()
/// options.format = .jsonLines
/// let posts = HTTPDataSource<Post>(
///     "https://api.example.com/export", style: .offset(total: .untilEmpty), options: options)
/// ```
///
/// With all formats but ``json``, a fetch gets first items as a preview as soon as they arrive, and a list shows them
/// as rows; see ``/PaginatorCore/SourceRequest/preview(_:)``. If the rest does not arrive, the style
/// `.offset(total: .untilEmpty)` continues where it ended, unless its `limit` is `nil` or there are
/// ``HTTPSourceOptions/tags``. With other styles the page is loaded again from its start, because a server may leave
/// out items that its offsets count.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum HTTPBodyFormat: Sendable, Hashable {
    /// A JSON value, shown once all of it has arrived.
    case json
    /// A JSON value whose list of items is shown as it arrives. Names in the path of the list must have no escapes.
    case streamedJSON
    /// An item per line, as in NDJSON and JSON Lines; empty lines are skipped. Styles read their fields in the header
    /// or in items.
    case jsonLines
    /// Server-sent events, until the server ends the answer. Each event without a name, or with the name `message`, is
    /// an item, unless it is empty or `[DONE]`. Of other events the last of each name is a field for the style, as JSON
    /// or else as text: `.cursor("cursor", from: "page.next")` reads the member `next` of an event `page`.
    case serverSentEvents

    var isStreamed: Bool { self != .json }

    /// The media types to accept; `nil` for those of JSON.
    var accepts: String? {
        switch self {
        case .json, .streamedJSON: nil
        case .jsonLines: "application/x-ndjson, application/jsonl;q=0.9, application/json;q=0.5, */*;q=0.1"
        case .serverSentEvents: "text/event-stream"
        }
    }

    /// The path of the items in the JSON value that ``document(of:limits:)`` makes.
    func itemsPath(_ path: JSONPath) -> JSONPath {
        let inside = path.entersElements ? "[]" + path.memberNames.map { "." + $0 }.joined() : ""
        return switch self {
        case .json, .streamedJSON: path
        case .jsonLines: JSONPath(inside)
        case .serverSentEvents: JSONPath("items" + inside)
        }
    }

    /// Converts a whole body to one JSON value, so that styles and limits need no other form.
    func document(of response: TransferResponse, limits: HTTPLimits) throws(HTTPSourceError) -> JSONDocument {
        guard self == .jsonLines || self == .serverSentEvents else {
            return try PageReading.document(response, limits: limits)
        }
        var stream = ItemStream(self, items: .root, limits: limits, status: response.status)
        let whole = try stream.take(response.body)
        let rest = stream.end()
        let items = whole + rest
        // Lines that are no events are ignored, so other bodies would be empty pages.
        if self == .serverSentEvents, items.isEmpty, stream.fields.isEmpty {
            if response.isLabelledAsWebPage { throw .notJSON(response) }
            if response.mediaType?.hasSuffix("json") == true {
                if let error = BodyError.find(in: response) {
                    throw .refused("body", by: error, status: response.status)
                }
                throw .noEventStream
            }
        }
        guard !stream.isInsideLine, !Self.isCut(rest.last, limits) else {
            throw HTTPSourceError(
                .endedEarly, "The body ended after \(response.body.count) bytes, before its last item was whole.",
                field: "body", status: response.status)
        }
        var joined = response
        joined.body = Array("[".utf8) + items.joined(separator: ",".utf8) + Array("]".utf8)
        if self == .serverSentEvents {
            let fields = stream.fields.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
            joined.body = Array(#"{"items":"#.utf8) + joined.body
            for (name, data) in fields {
                let isJSON = try Self.isJSON(data, limits, status: response.status)
                let value = isJSON ? data : JSONValue.string(data).text
                joined.body += Array(",\(JSONValue.string(name.text).text):\(value)".utf8)
            }
            joined.body.append(UInt8(ascii: "}"))
        }
        // Lines are now in a list, and events in a list of an object.
        let document = try PageReading.document(joined, limits: limits, inside: self == .jsonLines ? 1 : 2)
        // A line is one value; two values would be two items.
        let path: [String] = self == .jsonLines ? [] : ["items"]
        guard let list = document.node(at: path[...], from: 0), document.elements(of: list).count == items.count else {
            throw .notJSON(response)
        }
        return document
    }

    /// Whether the end of the body cut an item that nothing else has ended.
    private static func isCut(_ item: [UInt8]?, _ limits: HTTPLimits) -> Bool {
        guard let item else { return false }
        do {
            _ = try JSONDocument(item, maxDepth: limits.jsonDepth)
            return false
        } catch {
            return error == .endedEarly
        }
    }

    /// Whether the data of an event is JSON.
    private static func isJSON(_ data: String, _ limits: HTTPLimits, status: Int) throws(HTTPSourceError) -> Bool {
        do {
            _ = try JSONDocument(Array(data.utf8), maxDepth: limits.jsonDepth)
            return true
        } catch {
            if case .tooDeep = error { throw .tooDeep(limits, status: status) }
            return false
        }
    }
}

/// Splits a body into its items as it arrives, in pieces of any size.
///
/// Pure: an item is the text between two boundaries of the format; decoding detects whether it is JSON.
struct ItemStream: Sendable {
    private enum Form: Sendable {
        case list(JSONStreamGuard)
        case lines
        case events(ServerSentEventParser)
    }

    private var form: Form
    private var item: [UInt8] = []
    private var isFirstLine = true
    private let limits: HTTPLimits
    private let status: Int
    /// The last data of events that are not items, by name.
    private(set) var fields: [ExactText: String] = [:]

    init(_ format: HTTPBodyFormat, items path: JSONPath, limits: HTTPLimits, status: Int) {
        self.limits = limits
        self.status = status
        form =
            switch format {
            case .json, .streamedJSON:
                .list(JSONStreamGuard(items: path, maxDepth: limits.jsonDepth, maxItems: limits.itemsPerPage))
            case .jsonLines: .lines
            case .serverSentEvents: .events(ServerSentEventParser(maxBytes: limits.bodyBytes))
            }
    }

    /// Whether the bytes so far end inside a line of an event.
    var isInsideLine: Bool {
        if case .events(let parser) = form { parser.isInsideLine } else { false }
    }

    /// Takes the next bytes, and returns the items that they complete, each as JSON.
    mutating func take(_ bytes: some Sequence<UInt8>) throws(HTTPSourceError) -> [[UInt8]] {
        switch form {
        case .list(var watch):
            // Moved out of the state while it changes, so that nothing is copied.
            form = .lines
            defer { form = .list(watch) }
            return takeList(bytes, &watch)
        case .lines:
            return takeLines(bytes)
        case .events(var parser):
            form = .lines
            defer { form = .events(parser) }
            return try takeEvents(bytes, &parser)
        }
    }

    /// The body has ended: the last line needs no line end, and the last event no empty line.
    mutating func end() -> [[UInt8]] {
        switch form {
        case .list: return []
        case .lines: return takeLines([UInt8(ascii: "\n")])
        case .events(var parser):
            defer { form = .events(parser) }
            guard let event = parser.end() else { return [] }
            return items(of: [event])
        }
    }

    private mutating func takeList(_ bytes: some Sequence<UInt8>, _ watch: inout JSONStreamGuard) -> [[UInt8]] {
        var items: [[UInt8]] = []
        for byte in bytes {
            let before = watch.depthInItems
            // The transfer checks, too, and ends with the error.
            guard watch.take(CollectionOfOne(byte)) == nil else { return items }
            let after = watch.depthInItems
            let isBetween = !watch.isInString && [0x2C, 0x20, 0x09, 0x0A, 0x0D].contains(byte)
            switch (before, after) {
            case (_, 1...): item.append(byte)
            // The end of a list or an object.
            case (1..., _):
                item.append(byte)
                fallthrough
            // The end of anything else, and of the list of items.
            case (0, -1),
                (0, 0) where isBetween:
                if !item.isEmpty { items.append(item) }
                item.removeAll(keepingCapacity: true)
            case (0, 0): item.append(byte)
            default: break
            }
        }
        return items
    }

    private mutating func takeLines(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var items: [[UInt8]] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                item.append(byte)
                continue
            }
            // A byte order mark may precede the lines.
            if isFirstLine, item.starts(with: [0xEF, 0xBB, 0xBF]) { item.removeFirst(3) }
            isFirstLine = false
            if !isBlank(item) { items.append(item) }
            item.removeAll(keepingCapacity: true)
        }
        return items
    }

    private func isBlank(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
    }

    private mutating func takeEvents(
        _ bytes: some Sequence<UInt8>, _ parser: inout ServerSentEventParser
    ) throws(HTTPSourceError) -> [[UInt8]] {
        do {
            return items(of: try parser.take(bytes))
        } catch {
            throw .limitExceeded(
                "bodyBytes", "An event has more than \(limits.bodyBytes) bytes", status: status)
        }
    }

    private mutating func items(of events: [ServerSentEvent]) -> [[UInt8]] {
        var items: [[UInt8]] = []
        for event in events {
            if event.name == "message" {
                // Some servers keep the connection open by empty messages, and some end it with a word.
                if !isBlank(event.data.utf8), event.data != "[DONE]" { items.append(Array(event.data.utf8)) }
            } else {
                fields[ExactText(event.name)] = event.data
            }
        }
        return items
    }
}
