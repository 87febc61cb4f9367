@testable import PaginatorCore
@testable import PaginatorHTTP

/// Requests, identities, hashes and keys of cursors: any two texts that differ in a byte are two keys.
@Sendable
func fuzzKeys(_ bytes: [UInt8]) {
    var input = FuzzInput(bytes)
    let size = input.int()
    let depth = input.int()
    let scope = input.text()
    let other = input.text()
    let key = String(decoding: input.rest(), as: UTF8.self)

    checkRequest(key: key, scope: scope, size: size, depth: depth)
    checkIdentities(key, other, scope: scope, size: size)
    checkCursorKeys(key)
    checkCursorKeys(other)
    checkOffset(key)
}

private func checkRequest(key: String, scope: String, size: Int, depth: Int) {
    let config = DefaultPaginatorConfig()
    let check = RequestCheck(config: config, sourceRule: nil)
    let request = AroundRequest(page: PageRequest(key: key, pageSize: size, scope: scope), depthLevel: depth)
    let isGood =
        !key.isEmpty && key.utf8.count <= config.maxKeyBytes && !key.utf8.contains(0)
        && scope.utf8.count <= config.maxKeyBytes && !scope.utf8.contains(0) && (1...config.maxPageSize).contains(size)
    require((check.refusal(of: request.page) == nil) == isGood, "good requests pass, all others are refused")
    let isGoodAround = isGood && (0...config.maxDepthLevel).contains(depth)
    require((check.refusal(of: request) == nil) == isGoodAround, "a depth outside its limits is refused")
}

private func checkIdentities(_ key: String, _ other: String, scope: String, size: Int) {
    let one = PageIdentity(key: key, pageSize: size, scope: scope)
    let two = PageIdentity(key: other, pageSize: size, scope: scope)
    let isSame = key.allBytes == other.allBytes
    require((one == two) == isSame, "identities are equal when their bytes are")
    require(key.hasSameBytes(as: other) == isSame, "texts have the same bytes when they have")
    require(!isSame || one.stableHash == two.stableHash, "equal identities have equal hashes")
    require(Set([one, two]).count == (isSame ? 1 : 2), "a set tells identities apart")
    let swapped = PageIdentity(key: scope, pageSize: size, scope: key)
    require((one == swapped) == (key.allBytes == scope.allBytes), "key and scope are not mixed up")
    require(one != PageIdentity(key: key, pageSize: size ^ 1, scope: scope), "another size is another page")
    require(StableHash.value(of: key) == StableHash.value(of: String(key.reversed().reversed())), "hashes are stable")
    require(!one.description.isEmpty, "an identity has a description")
}

private func checkCursorKeys(_ text: String) {
    let cursors: [CursorKey] = [.next(.string(text)), .previous(.string(text))]
    for cursor in cursors {
        guard let read = CursorKey(cursor.key) else { return require(false, "a cursor's key can be read") }
        require(read.key.allBytes == cursor.key.allBytes, "a cursor's key keeps its bytes")
        require(read.textBytes == text.allBytes, "a cursor comes back byte by byte: \(text.debugDescription)")
    }
    if let read = CursorKey(text) {
        require(CursorKey(read.key)?.key.allBytes == read.key.allBytes, "a key that was read is read again")
    }
}

private func checkOffset(_ key: String) {
    let isOffset = KeyRule.offset.refusal(of: key) == nil
    let digits = key.allBytes
    let isNumber = !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
    let isCanonical = isNumber && (digits.count == 1 || digits[0] != 0x30)
    require(!isOffset || isCanonical, "an offset is digits without leading zeros")
    require(isOffset || !isCanonical || Int(key) == nil, "every such number is an offset")
}

extension CursorKey {
    fileprivate var textBytes: [UInt8]? {
        switch self {
        case .next(.string(let text)), .previous(.string(let text)): text.allBytes
        case .first: Self.firstKey.allBytes
        default: nil
        }
    }
}
