import Foundation

@testable import PaginatorCore
@testable import PaginatorStorage

/// Rows of a page file: a record is intact when nothing of it was changed, and only such a one is read.
@Sendable
func fuzzRows(_ bytes: [UInt8]) {
    var input = FuzzInput(bytes)
    let change = input.byte()
    let row = Row(&input)
    let record = row.record(checksum: nil)
    require(record.isIntact, "a new record is intact")
    require(record.invalidated().isIntact, "a record marked stale is intact")
    require(
        record.invalidated().invalidated().checksum == record.invalidated().checksum, "marking twice is marking once")
    require(record.diskBytes >= 0, "a record weighs something")

    var other = row
    other.change(change, &input)
    let sum = record.checksum
    let changed = other.record(checksum: other.isInvalidated == row.isInvalidated ? sum : ~sum)
    require(changed.isIntact == other.isSame(as: row), "a change of a column is noticed: \(row) and \(other)")
    read(record)
    read(changed)
    read(other.record(checksum: nil))
}

/// Reads a record with codecs that must not trap; only an intact record of the codec's own becomes a page.
private func read(_ record: PageRecord) {
    switch PageRecordCoder(codec: CompactPageCodec<[String: Int]>()).decode(record, of: record.identity) {
    case .page(let stored):
        require(
            record.isIntact && record.codec == PageCodecTag(name: "compact", version: 1), "only good rows are pages")
        require(stored.page.content.count == record.itemCount, "a page has as many items as its row says")
        require(stored.page.byteCount >= 0, "a page's weight is not negative")
        require(stored.page.key.hasSameBytes(as: record.identity.key), "a page has its row's key")
    case .otherCodec:
        require(record.codec != PageCodecTag(name: "compact", version: 1), "another codec's row is another codec's")
    case .damaged(let error):
        require(!error.description.isEmpty, "damage has a description")
    }
    _ = PageRecordCoder(codec: RawPageCodec<RawText>()).decode(record, of: record.identity)
    _ = PageRecordCoder(codec: BinaryPageCodec<HotItem>()).decode(record, of: record.identity)
}

private struct Row {
    var key: String
    var scope: String
    var size: Int
    var previous: String?
    var next: String?
    var expiration: Double?
    var fetchedAt: Double
    var itemCount: Int
    var memoryBytes: Int
    var codec: PageCodecTag
    var isInvalidated: Bool
    var content: [UInt8]

    init(_ input: inout FuzzInput) {
        key = input.text()
        scope = input.text()
        size = input.int()
        previous = input.optionalText()
        next = input.optionalText()
        expiration = input.bool() ? input.double() : nil
        fetchedAt = input.double()
        itemCount = input.int()
        memoryBytes = input.int()
        codec = PageCodecTag(name: input.element(of: ["compact", "raw", "binary", "json", ""]), version: input.int())
        isInvalidated = input.bool()
        content = input.rest()
    }

    mutating func change(_ what: UInt8, _ input: inout FuzzInput) {
        switch what % 14 {
        case 0: key += "\u{301}"
        case 1: (key, scope) = (scope, key)
        case 2: size ^= 1
        case 3: (previous, next) = (next, previous)
        case 4: previous = previous == nil ? "" : nil
        case 5: expiration = expiration == nil ? 0 : nil
        case 6: fetchedAt = -fetchedAt
        case 7: (itemCount, memoryBytes) = (memoryBytes, itemCount)
        case 8: codec = PageCodecTag(name: codec.name + "\0", version: codec.version)
        case 9: codec = PageCodecTag(name: codec.name, version: codec.version ^ 1 << 40)
        case 10: isInvalidated.toggle()
        case 11: content.append(0)
        case 12: if !content.isEmpty { content[Int(what / 14) % content.count] ^= 1 << (what & 7) }
        default: if !content.isEmpty { content.removeLast() }
        }
    }

    func isSame(as other: Row) -> Bool {
        key.allBytes == other.key.allBytes && scope.allBytes == other.scope.allBytes && size == other.size
            && previous?.allBytes == other.previous?.allBytes && next?.allBytes == other.next?.allBytes
            && expiration?.bitPattern == other.expiration?.bitPattern
            && fetchedAt.bitPattern == other.fetchedAt.bitPattern && itemCount == other.itemCount
            && memoryBytes == other.memoryBytes && codec == other.codec && content == other.content
    }

    func record(checksum: UInt64?) -> PageRecord {
        let identity = PageIdentity(key: key, pageSize: size, scope: scope)
        let expirationTime = expiration.map(Date.init(timeIntervalSinceReferenceDate:))
        let time = Date(timeIntervalSinceReferenceDate: fetchedAt)
        guard let checksum else {
            return PageRecord(
                identity: identity, prevKey: previous, nextKey: next, expirationTime: expirationTime, fetchedAt: time,
                itemCount: itemCount, memoryBytes: memoryBytes, codec: codec, content: content,
                isInvalidated: isInvalidated)
        }
        return PageRecord(
            identity: identity, prevKey: previous, nextKey: next, expirationTime: expirationTime, fetchedAt: time,
            itemCount: itemCount, memoryBytes: memoryBytes, codec: codec, content: content,
            isInvalidated: isInvalidated, checksum: checksum)
    }
}
