/// Parses a whole JSON text (RFC 8259) into a flat list of nodes: strict, not recursive, and bounded in depth.
struct JSONParser {
    /// Why a text is not JSON.
    enum Failure: Error, Hashable {
        /// The text ends before the value does.
        case endedEarly
        /// A byte is invalid at its place.
        case unexpected(offset: Int)
        /// Lists and objects are nested too deeply.
        case tooDeep(limit: Int)
    }

    private enum Expecting {
        case value, valueOrEnd, nameOrEnd, name, colon, commaOrEnd, nothing
    }

    private let bytes: [UInt8]
    private let maxDepth: Int
    private var offset = 0
    private var nodes: [JSONNode] = []
    // An explicit stack, because a hostile body must not overflow the thread's stack.
    private var openNodes: [Int] = []

    /// Parses `bytes`; a leading byte order mark is skipped.
    static func parse(_ bytes: [UInt8], maxDepth: Int) throws(Failure) -> [JSONNode] {
        var parser = JSONParser(bytes: bytes, maxDepth: maxDepth)
        let nodes = try parser.parse()
        // Section 8.1: JSON is UTF-8. Invalid bytes must not be repaired silently: a repaired cursor is another cursor.
        guard String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes) else { throw .unexpected(offset: 0) }
        return nodes
    }

    private init(bytes: [UInt8], maxDepth: Int) {
        self.bytes = bytes
        self.maxDepth = maxDepth
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    private mutating func parse() throws(Failure) -> [JSONNode] {
        var expecting = Expecting.value
        while true {
            skipSpace()
            // A whole value with nothing after it; anything else that ends here was truncated.
            guard offset < bytes.count else {
                guard case .nothing = expecting else { throw .endedEarly }
                return nodes
            }
            expecting = try step(expecting, bytes[offset])
        }
    }

    private mutating func step(_ expecting: Expecting, _ byte: UInt8) throws(Failure) -> Expecting {
        switch (expecting, byte) {
        case (.value, _),
            (.valueOrEnd, _) where byte != UInt8(ascii: "]"):
            return try value(byte)
        case (.name, UInt8(ascii: "\"")), (.nameOrEnd, UInt8(ascii: "\"")):
            try string(as: .name)
            return .colon
        case (.colon, UInt8(ascii: ":")):
            offset += 1
            return .value
        case (.commaOrEnd, UInt8(ascii: ",")):
            offset += 1
            return isInObject ? .name : .value
        case (.commaOrEnd, UInt8(ascii: "}")) where isInObject, (.nameOrEnd, UInt8(ascii: "}")),
            (.commaOrEnd, UInt8(ascii: "]")) where !isInObject, (.valueOrEnd, UInt8(ascii: "]")):
            return close()
        default:
            throw .unexpected(offset: offset)
        }
    }

    private var isInObject: Bool { openNodes.last.map { nodes[$0].kind == .object } ?? false }

    private mutating func value(_ byte: UInt8) throws(Failure) -> Expecting {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            // Checked before the node is made, so that a body of brackets costs no memory beyond the limit.
            guard openNodes.count < maxDepth else { throw .tooDeep(limit: maxDepth) }
            let isObject = byte == UInt8(ascii: "{")
            openNodes.append(nodes.count)
            nodes.append(JSONNode(kind: isObject ? .object : .array, start: offset))
            offset += 1
            return isObject ? .nameOrEnd : .valueOrEnd
        case UInt8(ascii: "\""): try string(as: .string)
        case UInt8(ascii: "t"): try word("true", as: .true)
        case UInt8(ascii: "f"): try word("false", as: .false)
        case UInt8(ascii: "n"): try word("null", as: .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        default: throw .unexpected(offset: offset)
        }
        return afterValue
    }

    private var afterValue: Expecting { openNodes.isEmpty ? .nothing : .commaOrEnd }

    private mutating func close() -> Expecting {
        offset += 1
        if let index = openNodes.popLast() {
            // Only now are end and successor known; readers skip a subtree by `next`.
            nodes[index].end = offset
            nodes[index].next = nodes.count
        }
        return afterValue
    }

    private mutating func add(_ kind: JSONNode.Kind, from start: Int, hasEscapes: Bool = false) {
        nodes.append(JSONNode(kind: kind, start: start, end: offset, next: nodes.count + 1, hasEscapes: hasEscapes))
    }

    // Section 2 allows only these four; other Unicode white space is refused.
    private mutating func skipSpace() {
        while offset < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[offset]) { offset += 1 }
    }

    private mutating func word(_ word: StaticString, as kind: JSONNode.Kind) throws(Failure) {
        let start = offset
        for index in 0..<word.utf8CodeUnitCount {
            guard offset < bytes.count else { throw .endedEarly }
            // Byte by byte, so that a truncated word counts as ended early and can be retried.
            guard bytes[offset] == word.utf8Start[index] else { throw .unexpected(offset: offset) }
            offset += 1
        }
        add(kind, from: start)
    }

    private mutating func string(as kind: JSONNode.Kind) throws(Failure) {
        let start = offset
        var hasEscapes = false
        offset += 1
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                offset += 1
                return add(kind, from: start, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try escape()
            // RFC 8259, section 7: control characters must be escaped.
            case ..<0x20:
                throw .unexpected(offset: offset)
            default:
                offset += 1
            }
        }
        throw .endedEarly
    }

    private mutating func escape() throws(Failure) {
        offset += 1
        guard offset < bytes.count else { throw .endedEarly }
        let escaped = bytes[offset]
        guard #""\/bfnrtu"#.utf8.contains(escaped) else { throw .unexpected(offset: offset) }
        offset += 1
        guard escaped == UInt8(ascii: "u") else { return }
        for _ in 0..<4 {
            guard offset < bytes.count else { throw .endedEarly }
            guard Self.hexDigit(bytes[offset]) != nil else { throw .unexpected(offset: offset) }
            offset += 1
        }
    }

    private mutating func number() throws(Failure) {
        let start = offset
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        // No leading zeros, section 6: in `01` the `1` is rejected as text after the number.
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "0") { offset += 1 } else { try digits() }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            try digits()
        }
        // `| 0x20` maps `E` to `e`.
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < bytes.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[offset]) { offset += 1 }
            try digits()
        }
        add(.number, from: start)
    }

    private mutating func digits() throws(Failure) {
        guard offset < bytes.count else { throw .endedEarly }
        let first = offset
        while offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) { offset += 1 }
        if offset == first { throw .unexpected(offset: offset) }
    }

    static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

/// A value or a member's name in a parsed JSON text.
struct JSONNode: Sendable, Hashable {
    enum Kind: UInt8, Sendable {
        case null, `true`, `false`, number, string, array, object, name
    }

    var kind: Kind
    /// Where its text starts.
    var start: Int
    /// Where its text ends, quotes included.
    var end = 0
    /// The node after it and everything in it.
    var next = 0
    /// Whether its text must be unescaped.
    var hasEscapes = false
}
