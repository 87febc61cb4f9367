/// Checks a JSON body as it arrives, so that a transfer can be stopped early: if it is not JSON, is nested too deeply,
/// or has more items than allowed.
///
/// It is not a parser: what passes is parsed strictly afterwards. It does not recognize names with escapes or dots in
/// the items' path; their items are counted afterwards, too.
struct JSONStreamGuard: Sendable {
    /// Why the rest of a body is not needed.
    enum Refusal: Hashable, Sendable {
        case notJSON
        case tooDeep
        case tooManyItems
    }

    private struct Frame {
        let isArray: Bool
        /// The number of path names that lead here; `nil` outside the path.
        let matched: Int?
        /// The current member's name.
        var name: [UInt8] = []
        var isNameNext: Bool
        var hasValue = false
    }

    private let itemNames: [[UInt8]]
    private let maxDepth: Int
    private let maxItems: Int
    private let longestName: Int
    private var frames: [Frame] = []
    private var hasBegun = false
    private(set) var isInString = false
    private var isEscaped = false
    private var isReadingName = false
    private var passedMark = 0
    private var items = 0
    /// The index of the items' list among the frames, while it is open.
    private var listFrame: Int?

    /// The number of open lists and objects inside the items' list; -1 outside it.
    var depthInItems: Int { listFrame.map { frames.count - $0 - 1 } ?? -1 }

    /// Counts the items at a path.
    init(items path: JSONPath, maxDepth: Int, maxItems: Int) {
        itemNames = path.names.map { Array($0.utf8) }
        longestName = itemNames.map(\.count).max() ?? 0
        self.maxDepth = maxDepth
        self.maxItems = maxItems
    }

    /// Takes the next bytes; returns `nil` to continue.
    mutating func take(_ bytes: some Sequence<UInt8>) -> Refusal? {
        for byte in bytes {
            if let refusal = take(byte) { return refusal }
        }
        return nil
    }

    private mutating func take(_ byte: UInt8) -> Refusal? {
        if isInString {
            takeInString(byte)
            return nil
        }
        switch byte {
        case 0x20, 0x0A, 0x0D, 0x09:
            return nil
        case 0xEF, 0xBB, 0xBF:
            // Part of a byte order mark at the start.
            guard !hasBegun, byte == [0xEF, 0xBB, 0xBF][passedMark] else { return hasBegun ? nil : .notJSON }
            passedMark = min(passedMark + 1, 2)
            return nil
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return begin(isArray: byte == UInt8(ascii: "["))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            // The kind of bracket does not matter here: the parser is strict, this only stops early.
            if frames.popLast() == nil { return .notJSON }
            if frames.count == listFrame { listFrame = nil }
            return nil
        case UInt8(ascii: ","):
            // The next element or member begins.
            if let last = frames.indices.last {
                frames[last].hasValue = false
                frames[last].isNameNext = !frames[last].isArray
            }
            return nil
        case UInt8(ascii: ":"):
            return nil
        default:
            return begin(scalar: byte)
        }
    }

    private mutating func takeInString(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
            isReadingName = false
            return
        }
        // A longer name matches no part of the path and is not stored: names are only limited by the body.
        guard isReadingName, let last = frames.indices.last, frames[last].name.count <= longestName else { return }
        frames[last].name.append(byte)
    }

    private mutating func begin(isArray: Bool) -> Refusal? {
        // The parser's rule, so that both refuse the same bodies.
        guard frames.count < maxDepth else { return .tooDeep }
        // Before the value is counted in its list: both read the frame around it.
        let matched = matchOfNext
        if let refusal = count() { return refusal }
        hasBegun = true
        if isArray, matched == itemNames.count { listFrame = frames.count }
        frames.append(Frame(isArray: isArray, matched: matched, isNameNext: !isArray))
        return nil
    }

    private mutating func begin(scalar byte: UInt8) -> Refusal? {
        // A page is a list, an object, or `null` for an empty list, not a text, a number or `<html>`.
        guard let last = frames.indices.last else { return "null".utf8.contains(byte) ? nil : .notJSON }
        if byte == UInt8(ascii: "\"") {
            isInString = true
            if frames[last].isNameNext {
                frames[last].isNameNext = false
                frames[last].name = []
                isReadingName = true
                return nil
            }
        }
        return count()
    }

    /// The number of path names that lead to the value that begins now.
    private var matchOfNext: Int? {
        guard let frame = frames.last else { return 0 }
        guard !frame.isArray, let matched = frame.matched, matched < itemNames.count else { return nil }
        return frame.name == itemNames[matched] ? matched + 1 : nil
    }

    /// Counts the element that begins now, if it is in the items' list.
    private mutating func count() -> Refusal? {
        guard let last = frames.indices.last, frames[last].isArray, !frames[last].hasValue else { return nil }
        frames[last].hasValue = true
        // Elements of other lists are not items, however many there are.
        guard frames[last].matched == itemNames.count else { return nil }
        items += 1
        return items > maxItems ? .tooManyItems : nil
    }
}
