import Testing

@testable import PaginatorCore

@Suite struct RemoteBoundaryTests {
    private var boundary = RemoteBoundary<String>()

    /// What somebody who stands at the boundary has to do, in a word, the load that is started, and the waiter's number.
    private mutating func join(
        _ waiter: String, for purpose: RemoteLoad.Purpose = .append, since version: Int? = nil,
        unknown key: String = "a"
    ) -> (todo: String, load: RemoteLoad?, number: Int) {
        switch boundary.join(waiter, for: purpose, since: version ?? boundary.version, unknown: key) {
        case .endReached: ("end", nil, 0)
        case .refused: ("refused", nil, 0)
        case .readAgain: ("read again", nil, 0)
        case .start(let load, let number): ("start " + load.key, load, number)
        case .wait(let number): ("wait", nil, number)
        }
    }

    private mutating func start(
        _ waiter: String, for purpose: RemoteLoad.Purpose = .append, unknown key: String = "a"
    )
        throws -> RemoteLoad
    {
        try #require(join(waiter, for: purpose, unknown: key).load)
    }

    /// Gives the remote page of a load, and says whether it is to be saved.
    private mutating func fetched(_ load: RemoteLoad, nextKey: String?) -> Bool {
        if case .save = boundary.fetched(load, nextKey: nextKey) { true } else { false }
    }

    @Test mutating func `the first who comes starts the load, the others wait for it`() throws {
        let load = try start("1")
        #expect(load.key == "a")
        #expect(join("2").todo == "wait")
        #expect(fetched(load, nextKey: "b"))
        #expect(join("3").todo == "wait")
        #expect(boundary.ended(load, isSaved: true) == ["1", "2", "3"])
        #expect(boundary.knowsNext && boundary.version == 1 && boundary.isIdle)
        #expect(join("4").todo == "start b")
    }

    @Test mutating func `who read before a save reads again`() throws {
        let load = try start("1")
        _ = fetched(load, nextKey: nil)
        _ = boundary.ended(load, isSaved: true)
        #expect(join("2", since: 0).todo == "read again")
        #expect(join("2", since: 1).todo == "end")
    }

    @Test mutating func `a next key that repeats the page's own is the end, and only byte by byte`() throws {
        let first = try start("1", unknown: "caf\u{e9}")
        _ = fetched(first, nextKey: "cafe\u{301}")
        _ = boundary.ended(first, isSaved: true)
        #expect(!boundary.isAtEnd)
        let second = try start("2", unknown: "")
        _ = fetched(second, nextKey: "cafe\u{301}")
        _ = boundary.ended(second, isSaved: true)
        #expect(boundary.isAtEnd)
    }

    @Test mutating func `second and late answers find no load`() throws {
        let load = try start("1")
        #expect(boundary.ended(load, isSaved: true) == [])
        #expect(fetched(load, nextKey: "b"))
        #expect(!fetched(load, nextKey: "c"))
        #expect(boundary.ended(load, isSaved: true) == ["1"])
        #expect(boundary.ended(load, isSaved: true) == [] && boundary.ended(load, isSaved: false) == [])
        #expect(!fetched(load, nextKey: "b"))
        #expect(join("2").todo == "start b")
        #expect(boundary.ended(load, isSaved: false) == [] && !boundary.isIdle)
    }

    @Test mutating func `a failure leaves the next key, and lets the next one try`() throws {
        let first = try start("1")
        #expect(boundary.ended(first, isSaved: false) == ["1"])
        #expect(boundary.version == 0 && !boundary.knowsNext)
        let second = try start("1")
        #expect(second.key == "a")
        _ = fetched(second, nextKey: "b")
        #expect(boundary.ended(second, isSaved: false) == ["1"])
        #expect(boundary.version == 1 && !boundary.knowsNext)
    }

    @Test mutating func `the last who leaves stops the load, unless its page is being saved`() throws {
        let (_, first, one) = join("1")
        let two = join("2").number
        #expect(boundary.leave(one).abandoned == nil && boundary.leave(one).waiter == nil)
        let left = boundary.leave(two)
        #expect(left.waiter == "2" && left.abandoned?.call === first?.call)
        let (todo, second, three) = join("3")
        #expect(todo == "start a")
        let load = try #require(second)
        _ = fetched(load, nextKey: "b")
        #expect(boundary.leave(three).abandoned == nil)
        #expect(boundary.ended(load, isSaved: true) == [])
        #expect(boundary.knowsNext)
    }

    @Test mutating func `a restart drops the page that is on its way, and forgets the end`() throws {
        let first = try start("1")
        boundary.restart()
        if case .drop(let waiters) = boundary.fetched(first, nextKey: nil) {
            #expect(waiters == ["1"])
        } else {
            Issue.record("the page is not dropped")
        }
        let second = try start("2")
        _ = fetched(second, nextKey: nil)
        boundary.restart()
        #expect(boundary.ended(second, isSaved: true) == ["2"])
        #expect(!boundary.isAtEnd && !boundary.knowsNext)
    }

    @Test mutating func `after an expired key loads begin at the first one, and after a restart anywhere`() throws {
        let first = try start("1", unknown: "old")
        #expect(boundary.expired(first, first: "a") == ["1"])
        #expect(boundary.expired(first, first: "b") == [])
        let second = try start("2", unknown: "old")
        #expect(second.key == "a")
        boundary.restart()
        #expect(boundary.expired(second, first: "a") == ["2"])
        #expect(!boundary.knowsNext && boundary.isIdle)
    }

    @Test mutating func `a refresh begins at the first key and replaces what was known`() throws {
        let first = try start("1")
        #expect(join("2", for: .refresh).todo == "wait")
        _ = fetched(first, nextKey: nil)
        _ = boundary.ended(first, isSaved: true)
        let second = try start("2", for: .refresh)
        #expect(second.key == "a")
        #expect(join("3").todo == "wait")
        _ = fetched(second, nextKey: "b")
        #expect(boundary.ended(second, isSaved: true) == ["2", "3"])
        #expect(!boundary.isAtEnd)
    }

    @Test mutating func `a read waits for a refresh until that is saved, and for no append`() throws {
        #expect(boundary.awaitRefresh("1") == nil)
        let append = try start("2")
        #expect(boundary.awaitRefresh("3") == nil)
        #expect(boundary.ended(append, isSaved: false) == ["2"])
        let refresh = try start("4", for: .refresh)
        #expect(boundary.awaitRefresh("5") != nil)
        _ = fetched(refresh, nextKey: "b")
        #expect(boundary.awaitRefresh("6") != nil)
        #expect(boundary.ended(refresh, isSaved: true) == ["4", "5", "6"])
        #expect(boundary.awaitRefresh("7") == nil)
    }

    @Test mutating func `a refresh that nobody wants any more is abandoned, and reads wait no longer`() throws {
        let (_, refresh, number) = join("1", for: .refresh)
        let waiting = boundary.awaitRefresh("2")
        let reader = try #require(waiting)
        #expect(boundary.awaitRefresh("3") != nil)
        let first = boundary.leave(reader)
        #expect(first.waiter == "2" && first.abandoned == nil && first.readers == [])
        let last = boundary.leave(number)
        #expect(last.waiter == "1" && last.abandoned?.call === refresh?.call && last.readers == ["3"])
        #expect(boundary.isIdle && boundary.version == 0)
    }
}
