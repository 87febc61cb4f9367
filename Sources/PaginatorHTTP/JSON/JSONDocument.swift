import Foundation
import PaginatorCore

/// A parsed JSON body, read by paths.
///
/// Values are made on demand; items remain the server's bytes until they are decoded.
struct JSONDocument: Sendable {
    let bytes: [UInt8]
    let nodes: [JSONNode]

    /// Parses a body.
    ///
    /// - Parameters:
    ///   - bytes: the body, JSON in UTF-8.
    ///   - maxDepth: the greatest nesting depth of lists and objects.
    init(_ bytes: [UInt8], maxDepth: Int) throws(JSONParser.Failure) {
        self.bytes = bytes
        nodes = try JSONParser.parse(bytes, maxDepth: maxDepth)
    }

    /// Returns the value at a path; `nil` if there is none. Complexity: O(members on the way + the value's size).
    ///
    /// - Parameter path: the path, from the body's root.
    func value(at path: JSONPath) -> JSONValue? {
        node(at: path.names[...], from: 0).map(value)
    }

    /// Returns the node at `names`, from the node `start` on.
    func node(at names: ArraySlice<String>, from start: Int) -> Int? {
        // An empty body has no root.
        guard start < nodes.count else { return nil }
        guard let first = names.first else { return start }
        switch nodes[start].kind {
        case .object:
            // A member whose own name has dots takes precedence over a nested one.
            for count in stride(from: names.count, through: 1, by: -1) {
                let name = names.prefix(count).joined(separator: ".")
                if let member = member(name, of: start),
                    let found = node(at: names.dropFirst(count), from: member)
                {
                    return found
                }
            }
            return nil
        case .array:
            // A list is entered by an index; a name does not match in a list.
            guard let index = Int(first) else { return nil }
            let elements = elements(of: start)
            guard elements.indices.contains(index) else { return nil }
            return node(at: names.dropFirst(), from: elements[index])
        default:
            return nil
        }
    }

    /// Returns the first member with a name.
    private func member(_ name: String, of object: Int) -> Int? {
        var index = object + 1
        while index < nodes[object].next {
            // A member is two consecutive nodes, name and value; the value's `next` is the next member's name.
            let valueIndex = index + 1
            if hasName(name, at: index) { return valueIndex }
            index = nodes[valueIndex].next
        }
        return nil
    }

    private func hasName(_ name: String, at index: Int) -> Bool {
        let node = nodes[index]
        // Most names have no escapes, and are compared in place.
        if node.hasEscapes { return string(of: node).hasSameBytes(as: name) }
        return bytes[(node.start + 1)..<(node.end - 1)].elementsEqual(name.utf8)
    }

    /// Returns the nodes of a list's elements. Complexity: O(elements).
    func elements(of array: Int) -> [Int] {
        var found: [Int] = []
        var index = array + 1
        while index < nodes[array].next {
            found.append(index)
            index = nodes[index].next
        }
        return found
    }

    /// Returns the names of an object's members that are lists, for error messages.
    func listNames(of object: Int) -> [String] {
        guard nodes[object].kind == .object else { return [] }
        var names: [String] = []
        var index = object + 1
        while index < nodes[object].next {
            if nodes[index + 1].kind == .array { names.append(string(of: nodes[index])) }
            index = nodes[index + 1].next
        }
        return names
    }

    /// The bytes of a node.
    func data(of index: Int) -> Data {
        Data(bytes[nodes[index].start..<nodes[index].end])
    }

    /// Makes the value of a node. Recursion is bounded by the parser's depth.
    func value(of index: Int) -> JSONValue {
        let node = nodes[index]
        switch node.kind {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .number: return .number(String(decoding: bytes[node.start..<node.end], as: UTF8.self))
        case .string, .name: return .string(string(of: node))
        case .array: return .array(elements(of: index).map(value))
        case .object:
            var members: [(name: String, value: JSONValue)] = []
            var child = index + 1
            while child < node.next {
                members.append((string(of: nodes[child]), value(of: child + 1)))
                child = nodes[child + 1].next
            }
            return .object(members)
        }
    }

    private func string(of node: JSONNode) -> String {
        let inner = bytes[(node.start + 1)..<(node.end - 1)]
        guard node.hasEscapes else { return String(decoding: inner, as: UTF8.self) }
        return Self.unescaped(inner)
    }

    /// Unescapes a string that the parser accepted; an unpaired surrogate becomes U+FFFD.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> String {
        var units: [UInt16] = []
        var result = ""
        var plain: [UInt8] = []
        func flushUnits() {
            result += String(decoding: units, as: UTF16.self)
            units = []
        }
        func flushPlain() {
            result += String(decoding: plain, as: UTF8.self)
            plain = []
        }
        var index = text.startIndex
        while index < text.endIndex {
            guard text[index] == UInt8(ascii: "\\") else {
                if !units.isEmpty { flushUnits() }
                // Bytes, because a character of several bytes is complete when they are flushed.
                plain.append(text[index])
                index += 1
                continue
            }
            let escaped = text[index + 1]
            index += 2
            if escaped == UInt8(ascii: "u") {
                if !plain.isEmpty { flushPlain() }
                let digits = text[index..<(index + 4)]
                // Collected, because a character outside the basic plane is two escapes, a surrogate pair.
                units.append(UInt16(digits.reduce(0) { $0 << 4 | (JSONParser.hexDigit($1) ?? 0) }))
                index += 4
                continue
            }
            if !units.isEmpty { flushUnits() }
            plain.append(plainByte(ofEscape: escaped))
        }
        flushUnits()
        flushPlain()
        return result
    }

    private static func plainByte(ofEscape byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: byte
        }
    }
}
