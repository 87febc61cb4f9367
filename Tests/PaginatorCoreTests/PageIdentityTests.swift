import Testing

@testable import PaginatorCore

@Suite struct PageIdentityTests {
    @Test func `canonically equivalent keys are different pages`() {
        let composed = PageIdentity(key: "caf\u{e9}", pageSize: 10)
        let decomposed = PageIdentity(key: "cafe\u{301}", pageSize: 10)
        #expect(composed.key == decomposed.key)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test func `scope key and size tell pages apart`() {
        let identities: Set<PageIdentity> = [
            PageIdentity(key: "a", pageSize: 1), PageIdentity(key: "a", pageSize: 2),
            PageIdentity(key: "b", pageSize: 1), PageIdentity(key: "a", pageSize: 1, scope: "s"),
            PageIdentity(key: "", pageSize: 1, scope: "a"), PageIdentity(key: "sa", pageSize: 1),
        ]
        #expect(identities.count == 6)
    }

    @Test func `what is shown of a page has its whole key, or says that something is left out`() {
        #expect("\(PageIdentity(key: "7", pageSize: 10))" == "7#10")
        #expect("\(PageIdentity(key: "7", pageSize: 10, scope: "likes"))" == "likes/7#10")
        for length in 1...60 {
            let key = String(repeating: "k", count: length)
            let text = PageIdentity(key: key, pageSize: 10).description
            #expect(text.contains(key) != text.contains("…"), "\(length)")
        }
    }

    @Test func `the hash is the same in every run`() {
        #expect(PageIdentity(key: "cursor-2", pageSize: 30, scope: "feed").stableHash == 1_379_418_743_829_825_523)
    }
}
