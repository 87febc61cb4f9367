/// Watches a JSON body as its bytes arrive, so that a transfer can be stopped before all of it has come: when it is no
/// JSON at all, nests too deep, or lists more items than allowed.
///
/// It is no parser: what passes here is read strictly afterwards. Names with escapes or dots are not recognized on the
/// way to the items, which are then counted afterwards too.
struct JSONStreamGuard: Sendable {
    /// Why the rest of a body is not worth waiting for.
    enum Refusal: Hashable, Sendable {
        case notJSON
        case tooDeep
        case tooManyItems
    }

    private struct Frame {
        let isArray: Bool
        /// How many names of the items' path lead here; `nil` beside the path.
        let matched: Int?
        /// The member that is being read.
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
    /// Where the list of the items is among the frames, while it is open.
    private var listFrame: Int?

    /// How many lists and objects are open inside the list of the items; -1 outside of it.
    var depthInItems: Int { listFrame.map { frames.count - $0 - 1 } ?? -1 }

    /// Watches for items at a path.
    init(items path: JSONPath, maxDepth: Int, maxItems: Int) {
        itemNames = path.names.map { Array($0.utf8) }
        longestName = itemNames.map(\.count).max() ?? 0
        self.maxDepth = maxDepth
        self.maxItems = maxItems
    }

    /// Takes the next bytes; `nil` to go on.
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
            // The byte order mark, if whole and first.
            guard !hasBegun, byte == [0xEF, 0xBB, 0xBF][passedMark] else { return hasBegun ? nil : .notJSON }
            passedMark = min(passedMark + 1, 2)
            return nil
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return begin(isArray: byte == UInt8(ascii: "["))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            // Which bracket it is does not matter here: the parser is strict, this one only stops early.
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
        // Longer names match no part of the path, and need not be kept: a name has no limit but the body's.
        guard isReadingName, let last = frames.indices.last, frames[last].name.count <= longestName else { return }
        frames[last].name.append(byte)
    }

    private mutating func begin(isArray: Bool) -> Refusal? {
        // The same rule as the parser's, so that both refuse the same bodies.
        guard frames.count < maxDepth else { return .tooDeep }
        // Before the value counts as its list's: both look at the frame around it.
        let matched = matchOfNext
        if let refusal = count() { return refusal }
        hasBegun = true
        if isArray, matched == itemNames.count { listFrame = frames.count }
        frames.append(Frame(isArray: isArray, matched: matched, isNameNext: !isArray))
        return nil
    }

    private mutating func begin(scalar byte: UInt8) -> Refusal? {
        // A page is a list or an object; a text, a number or `<html>` is none.
        guard let last = frames.indices.last else { return .notJSON }
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

    /// How many names of the path lead to the value that begins now.
    private var matchOfNext: Int? {
        guard let frame = frames.last else { return 0 }
        guard !frame.isArray, let matched = frame.matched, matched < itemNames.count else { return nil }
        return frame.name == itemNames[matched] ? matched + 1 : nil
    }

    /// Counts the element that begins now, if the list is that of the items.
    private mutating func count() -> Refusal? {
        guard let last = frames.indices.last, frames[last].isArray, !frames[last].hasValue else { return nil }
        frames[last].hasValue = true
        // Elements of other lists are not items, however many there are.
        guard frames[last].matched == itemNames.count else { return nil }
        items += 1
        return items > maxItems ? .tooManyItems : nil
    }
}
