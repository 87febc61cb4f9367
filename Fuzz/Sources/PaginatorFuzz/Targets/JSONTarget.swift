import Foundation

@testable import PaginatorCore
@testable import PaginatorHTTP

/// JSON bodies: read strictly or refused, and what the guard on the way stops, the parser refuses too.
@Sendable
func fuzzJSON(_ bytes: [UInt8]) {
    var input = FuzzInput(bytes)
    let path = JSONPath(input.element(of: ["", "a", "a.b", "a.0.b", "items[].node", "a..b", "x.[]", "@o.next"]))
    let depth = Int(input.byte() & 31) + 1
    let most = Int(input.byte() & 15)
    let body = input.rest()

    let document = accepted { () throws(JSONParser.Failure) in try JSONDocument(body, maxDepth: depth) }
    checkGuard(body, document, path: path, depth: depth, most: most)
    guard let document else { return }
    checkNodes(document, depth: depth)
    let text = document.value(at: .root)?.text ?? ""
    let again = accepted { () throws(JSONParser.Failure) in try JSONDocument(Array(text.utf8), maxDepth: depth) }
    require(again?.value(at: .root)?.text.allBytes == text.allBytes, "a value's text is read as that value: \(text)")
    if let node = document.node(at: path.names[...], from: 0) {
        require(document.nodes.indices.contains(node), "a path leads to a node")
        _ = document.value(of: node)
        _ = document.listNames(of: node)
    }
    _ = BodyError.find(in: document)
    // Two parsers that nobody made to agree. Foundation's has a limit of depth and of numbers of its own, and refuses half
    // a surrogate pair, which this one replaces.
    let isContainer = [.array, .object].contains(document.nodes.first?.kind)
    let isPlain = !body.starts(with: [0xEF, 0xBB, 0xBF]) && !body.contains(0) && !hasSurrogate(body)
    let hasNumber = document.nodes.contains { $0.kind == .number }
    if isContainer, isPlain, !hasNumber {
        let other = accepted { try JSONSerialization.jsonObject(with: Data(body), options: []) }
        require(other != nil, "Foundation reads what the parser reads")
    }
}

private func hasSurrogate(_ body: [UInt8]) -> Bool {
    body.indices.dropLast(2).contains { body[$0] == 0x5C && body[$0 + 1] == 0x75 && body[$0 + 2] | 0x20 == 0x64 }
}

/// Every node lies inside its parent, and no deeper than allowed.
private func checkNodes(_ document: JSONDocument, depth: Int) {
    var ends: [Int] = []
    var deepest = 0
    for (index, node) in document.nodes.enumerated() {
        while let end = ends.last, end <= index { ends.removeLast() }
        require(node.start < node.end && node.end <= document.bytes.count, "a node is some bytes of the body")
        require(node.next > index && node.next <= (ends.last ?? document.nodes.count), "a node lies in its parent")
        if node.kind == .array || node.kind == .object { ends.append(node.next) }
        deepest = max(deepest, ends.count)
    }
    require(deepest <= depth, "no value lies deeper than allowed")
}

private func checkGuard(_ body: [UInt8], _ document: JSONDocument?, path: JSONPath, depth: Int, most: Int) {
    var whole = JSONStreamGuard(items: path, maxDepth: depth, maxItems: most)
    let refusal = whole.take(body)
    var pieces = JSONStreamGuard(items: path, maxDepth: depth, maxItems: most)
    var inPieces: JSONStreamGuard.Refusal?
    for start in stride(from: 0, to: body.count, by: 3) where inPieces == nil {
        inPieces = pieces.take(body[start..<min(start + 3, body.count)])
    }
    require(refusal == inPieces, "where a body is cut on the way makes no difference")
    guard let document, let refusal else { return }
    switch refusal {
    case .notJSON:
        require(![.array, .object, .null].contains(document.nodes.first?.kind), "no page is stopped as none")
    case .tooDeep:
        require(false, "what is stopped as too deep is refused as that")
    case .tooManyItems:
        // A path that names a member twice has the first one's items only.
        let list = document.node(at: path.names[...], from: 0).map { document.elements(of: $0).count } ?? 0
        let hasTwins = document.hasRepeatedNames
        require(list > most || hasTwins, "what is stopped as too long is too long: \(list) items, \(most) allowed")
    }
}

extension JSONDocument {
    /// Whether an object has two members of one name.
    fileprivate var hasRepeatedNames: Bool {
        nodes.indices.contains { index in
            guard nodes[index].kind == .object else { return false }
            var names: Set<[UInt8]> = []
            var child = index + 1
            while child < nodes[index].next {
                if !names.insert(Array(bytes[nodes[child].start..<nodes[child].end])).inserted { return true }
                child = nodes[child + 1].next
            }
            return false
        }
    }
}
