import PaginatorCore
import PaginatorStorage
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Two texts that look the same are two texts where their bytes differ: servers and files tell them apart.
@Suite("Texts of records that only look the same")
struct RecordTextTests {
    private let composed = "caf\u{e9}"
    private let decomposed = "cafe\u{301}"

    @Test func `Records and codecs are told apart by the bytes of their texts`() {
        func record(next: String, codec: String) -> PageRecord {
            PageRecord(
                identity: PageIdentity(key: "1", pageSize: 1), prevKey: nil, nextKey: next, expirationTime: nil,
                fetchedAt: Date(timeIntervalSince1970: 0), itemCount: 0, memoryBytes: 0,
                codec: PageCodecTag(name: codec, version: 1), content: [], isInvalidated: false, checksum: 7)
        }
        #expect(record(next: composed, codec: "c") != record(next: decomposed, codec: "c"))
        #expect(record(next: "n", codec: composed) != record(next: "n", codec: decomposed))
        #expect(PageCodecTag(name: composed, version: 1) != PageCodecTag(name: decomposed, version: 1))
    }

    @Test func `A record weighs its content, its texts, and 128 bytes for its row`() {
        func weight(_ prevKey: String?, _ nextKey: String?, _ revision: String?, _ tags: [String]) -> Int {
            PageRecord(
                identity: PageIdentity(key: "12", pageSize: 1, scope: "345"), prevKey: prevKey, nextKey: nextKey,
                expirationTime: nil, fetchedAt: Date(timeIntervalSince1970: 0), itemCount: 0, memoryBytes: 0,
                codec: PageCodecTag(name: "codec", version: 1), content: [1, 2, 3, 4], revision: revision, tags: tags,
                isInvalidated: false, checksum: 7
            ).diskBytes
        }
        let least = 128 + 4 + 2 + 3
        #expect(weight(nil, nil, nil, []) == least)
        #expect(weight("1", composed, nil, ["12", "3"]) == least + 1 + 5 + 3)
        #expect(weight(nil, nil, "123456", []) == least + 6)
    }
}
