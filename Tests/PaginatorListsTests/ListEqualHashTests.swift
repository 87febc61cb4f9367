import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Identities whose hashes are equal, although they differ.
@Suite struct ListEqualHashTests {
    private struct Name: Hashable, Sendable {
        let text: String
        let group: Int

        func hash(into hasher: inout Hasher) { hasher.combine(group) }
    }

    @Test func `an identity that somebody holds stays the same when one with its hash is forgotten`() {
        let ids = ListItemIDs<Name>()
        let held = ids[Name(text: "held", group: 0)]
        weak let gone = ids[Name(text: "gone", group: 0)]
        for number in 1..<3_000 { _ = ids[Name(text: "other", group: number)] }
        #expect(gone == nil)
        #expect(ids[Name(text: "held", group: 0)] === held)
    }
}
