import Testing

@testable import PaginatorCore

@Suite struct RemoteBoundaryTests {
    private var boundary = RemoteBoundary()

    @Test mutating func `the first who comes starts the load, the others wait for it`() {
        #expect(boundary.join(1, for: .append, since: 0, unknown: "a") == .start(load: 1, key: "a"))
        #expect(boundary.join(2, for: .append, since: 0, unknown: "a") == .wait)
        #expect(boundary.fetched(1, nextKey: "b") == .save)
        #expect(boundary.join(3, for: .append, since: 0, unknown: "a") == .wait)
        #expect(boundary.saved(1) == [1, 2, 3])
        #expect(boundary.knowsNext && boundary.version == 1)
        #expect(boundary.join(4, for: .append, since: 1, unknown: "a") == .start(load: 2, key: "b"))
    }

    @Test mutating func `who read before a save reads again`() {
        _ = boundary.join(1, for: .append, since: 0, unknown: "a")
        _ = boundary.fetched(1, nextKey: nil)
        _ = boundary.saved(1)
        #expect(boundary.join(2, for: .append, since: 0, unknown: "a") == .readAgain)
        #expect(boundary.join(2, for: .append, since: 1, unknown: "a") == .endReached)
    }

    @Test mutating func `a next key that repeats the page's own is the end, and only byte by byte`() {
        _ = boundary.join(1, for: .append, since: 0, unknown: "caf\u{e9}")
        _ = boundary.fetched(1, nextKey: "cafe\u{301}")
        _ = boundary.saved(1)
        #expect(!boundary.isAtEnd)
        _ = boundary.join(2, for: .append, since: 1, unknown: "")
        _ = boundary.fetched(2, nextKey: "cafe\u{301}")
        _ = boundary.saved(2)
        #expect(boundary.isAtEnd)
    }

    @Test mutating func `second and late answers find no load`() {
        _ = boundary.join(1, for: .append, since: 0, unknown: "a")
        #expect(boundary.saved(1) == nil)
        #expect(boundary.fetched(1, nextKey: "b") == .save)
        #expect(boundary.fetched(1, nextKey: "c") == .ignore)
        #expect(boundary.failed(1, isSaving: false) == nil)
        #expect(boundary.saved(1) == [1])
        #expect(boundary.saved(1) == nil && boundary.failed(1, isSaving: true) == nil)
        #expect(boundary.fetched(1, nextKey: "b") == .ignore)
    }

    @Test mutating func `a failure leaves the next key, and lets the next one try`() {
        _ = boundary.join(1, for: .append, since: 0, unknown: "a")
        #expect(boundary.failed(1, isSaving: false) == [1])
        #expect(boundary.version == 0 && !boundary.knowsNext)
        #expect(boundary.join(1, for: .append, since: 0, unknown: "a") == .start(load: 2, key: "a"))
        _ = boundary.fetched(2, nextKey: "b")
        #expect(boundary.failed(2, isSaving: true) == [1])
        #expect(boundary.version == 1 && !boundary.knowsNext)
    }

    @Test mutating func `the last who leaves stops the load, unless its page is being saved`() {
        _ = boundary.join(1, for: .append, since: 0, unknown: "a")
        _ = boundary.join(2, for: .append, since: 0, unknown: "a")
        #expect(boundary.leave(1) == nil && boundary.leave(1) == nil)
        #expect(boundary.leave(2) == 1)
        #expect(boundary.join(3, for: .append, since: 0, unknown: "a") == .start(load: 2, key: "a"))
        _ = boundary.fetched(2, nextKey: "b")
        #expect(boundary.leave(3) == nil)
        #expect(boundary.saved(2) == [])
        #expect(boundary.knowsNext)
    }

    @Test mutating func `a restart drops the page that is on its way, and forgets the end`() {
        _ = boundary.join(1, for: .append, since: 0, unknown: "a")
        boundary.restart()
        #expect(boundary.fetched(1, nextKey: nil) == .drop(waiters: [1]))
        _ = boundary.join(2, for: .append, since: boundary.version, unknown: "a")
        _ = boundary.fetched(2, nextKey: nil)
        boundary.restart()
        #expect(boundary.saved(2) == [2])
        #expect(!boundary.isAtEnd && !boundary.knowsNext)
    }

    @Test mutating func `a refresh begins at the first key and replaces what was known`() {
        _ = boundary.join(1, for: .append, since: 0, unknown: "a")
        #expect(boundary.join(2, for: .refresh, since: 0, unknown: "a") == .wait)
        _ = boundary.fetched(1, nextKey: nil)
        _ = boundary.saved(1)
        #expect(boundary.join(2, for: .refresh, since: 0, unknown: "a") == .start(load: 2, key: "a"))
        #expect(boundary.join(3, for: .append, since: 1, unknown: "a") == .wait)
        _ = boundary.fetched(2, nextKey: "b")
        #expect(boundary.saved(2) == [2, 3])
        #expect(!boundary.isAtEnd)
    }
}
