import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Two texts that look the same are two texts where their bytes differ: servers and files tell them apart.
@Suite("Texts that only look the same")
struct ExactTextTests {
    private let composed = "caf\u{e9}"
    private let decomposed = "cafe\u{301}"

    @Test func `Requests, calls and keys beside a page are told apart by the bytes of their texts`() {
        #expect(PageRequest(key: composed, pageSize: 1) != PageRequest(key: decomposed, pageSize: 1))
        let scoped = [composed, decomposed].map { PageRequest(key: "1", pageSize: 1, scope: $0) }
        #expect(Set(scoped).count == 2)
        #expect(Set([composed, decomposed].map { NeighborKeys(previous: nil, next: $0) }).count == 2)
        #expect(Set([composed, decomposed].map { DebounceKey($0) }).count == 2)
    }
}
