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
}
