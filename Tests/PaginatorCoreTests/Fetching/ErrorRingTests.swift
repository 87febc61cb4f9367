import Testing

@testable import PaginatorCore

@Suite struct ErrorRingTests {
    private func identity(_ number: Int, scope: String = "") -> PageIdentity {
        PageIdentity(key: "\(number)", pageSize: 10, scope: scope)
    }

    private func error(_ number: Int) -> PaginatorError { PaginatorError(.sourceFailed, "\(number)") }

    @Test func `the oldest is forgotten first`() {
        var ring = ErrorRing(capacity: 3)
        for number in 0..<3 { ring.record(error(number), for: identity(number)) }
        ring.record(error(3), for: identity(3))
        #expect(ring.all.count == 3)
        #expect(ring[identity(0)] == nil)
        #expect(ring.all.map(\.error.message) == ["1", "2", "3"])
    }

    @Test func `a new error of a page takes the old ones place and becomes the newest`() {
        var ring = ErrorRing(capacity: 2)
        ring.record(error(0), for: identity(0))
        ring.record(error(1), for: identity(1))
        ring.record(error(10), for: identity(0))
        #expect(ring[identity(0)]?.message == "10")
        ring.record(error(2), for: identity(2))
        #expect(ring.all.map(\.error.message) == ["10", "2"])
    }

    @Test func `pages are forgotten by name`() {
        var ring = ErrorRing(capacity: 10)
        for scope in ["a", "b"] {
            for number in 0..<2 { ring.record(error(number), for: identity(number, scope: scope)) }
        }
        ring.forget(.identity(identity(0, scope: "a")))
        ring.forget(.identity(identity(0, scope: "a")))
        #expect(ring.all.count == 3)
        ring.forget(.key("1"))
        #expect(ring.all.count == 1)
        ring.forget(.all)
        #expect(ring.all.count == 0)
    }

    @Test(arguments: [0, -1, Int.min]) func `a ring without room remembers nothing`(capacity: Int) {
        var ring = ErrorRing(capacity: capacity)
        ring.record(error(0), for: identity(0))
        #expect(ring.all.count == 0)
    }

    @Test func `it stays bounded and agrees with a model`() {
        var ring = ErrorRing(capacity: 8)
        var model: [(page: Int, message: String)] = []
        var random = SplitMix64(seed: 7)
        for step in 0..<5_000 {
            let page = Int.random(in: 0..<20, using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                ring.forget(.identity(identity(page)))
                model.removeAll { $0.page == page }
            } else {
                ring.record(error(step), for: identity(page))
                model.removeAll { $0.page == page }
                model.append((page, "\(step)"))
                if model.count > 8 { model.removeFirst() }
            }
            #expect(ring.all.map(\.error.message) == model.map(\.message), "step \(step)")
        }
    }
}
