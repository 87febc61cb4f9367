import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// What an architecture that compares its states and actions needs: two of them are equal when a screen would show the
/// same.
@Suite struct ListEqualityTests {
    /// A feature's state and action, as The Composable Architecture wants them.
    private struct State: Equatable {
        var rows = PaginatorListSnapshot<SampleItem, Int>()
        var status: PaginatorListStatus?
    }

    private enum Action: Equatable {
        case listChanged(PaginatorListUpdate<SampleItem, Int>)
    }

    @Test func `a state of a list equals itself and nothing that shows something else`() throws {
        let stage = ListStage()
        let empty = State(rows: stage.list.snapshot, status: stage.list.status)
        #expect(empty == State(status: stage.list.status))
        stage.after { $0.loadNext() }
        let first = State(rows: stage.list.snapshot, status: stage.list.status)
        #expect(first != empty)
        #expect(first == State(rows: stage.list.snapshot, status: stage.list.status))
        stage.after { $0.loadNext() }
        #expect(stage.list.snapshot != first.rows && stage.list.snapshot.hashValue != first.rows.hashValue)
        let update = try #require(stage.updates.last)
        #expect(Action.listChanged(update) == .listChanged(update))
        #expect(Action.listChanged(update) != .listChanged(stage.updates[0]))
    }

    @Test func `two lists that show the same are equal whatever pages they have it from`() {
        let stage = ListStage()
        for _ in 0..<4 { stage.after { $0.loadNext() } }
        let others = [1, 2, 4, 8].map { size in
            let other = stage.makeOtherList { $0.pageSize = size }
            while other.snapshot.count < 8 {
                other.loadNext()
                stage.settle()
            }
            return other.snapshot
        }
        for other in others {
            #expect(other == stage.list.snapshot && other.hashValue == stage.list.snapshot.hashValue)
        }
    }

    @Test func `a refresh that changes nothing leaves the snapshot equal, and one row more, less or other does not`() {
        let stage = ListStage()
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        let before = stage.list.snapshot
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.list.snapshot == before)
        stage.source.script(
            [.page(stage.page("2", [2, 3], next: "4", previous: "0", text: "new")).insideFetch], forKey: "2")
        stage.after { $0.refresh(.page("2")) }
        let renewed = stage.list.snapshot
        #expect(renewed.map(\.id) == before.map(\.id) && renewed != before)
        stage.after { $0.insertLive([SampleItem(id: 50, text: "")]) }
        #expect(stage.list.snapshot != renewed)
    }

    @Test func `a pending edit and a gap count, though the items are the same`() throws {
        let stage = ListStage(style: .cursor)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        let before = stage.list.snapshot
        let edit = stage.list.edits.begin(1) { $0 }
        stage.settle()
        #expect(stage.list.snapshot.elementsEqual(before) && stage.list.snapshot != before)
        edit.rollBack()
        stage.settle()
        #expect(stage.list.snapshot == before)
        // The first page comes again as it was, and names another one behind it.
        let items = Array(stage.table.pages.items.prefix(2))
        stage.source.script(
            [.page(PaginatorPage(content: items, key: "start", nextKey: "after:7")).insideFetch], forKey: "start")
        stage.after { $0.refresh(.firstPage) }
        #expect(stage.list.snapshot.gaps == [2])
        #expect(stage.list.snapshot.elementsEqual(before) && stage.list.snapshot != before)
    }

    @Test func `load states read well and carry their error`() {
        let failed = PaginatorLoadState.failed(PaginatorError(.offline, "No network."))
        #expect(failed == .failed(PaginatorError(.offline, "No network.")))
        #expect(failed != .failed(PaginatorError(.timedOut, "No network.")) && failed != .idle)
        #expect(Set([failed, failed, .idle, .loading, .endReached]).count == 4)
        let stage = ListStage(count: 3)
        stage.after { $0.loadNext() }
        #expect(stage.list.status.next == .idle)
        stage.after { $0.loadNext() }
        #expect(stage.list.status.next == .endReached)
    }
}

/// Errors, pages and answers as values.
@Suite struct ValueEqualityTests {
    private struct Trouble: Error, CustomStringConvertible {
        var description: String
    }

    private struct Other: Error, CustomStringConvertible {
        var description: String
    }

    private func error(
        _ code: PaginatorError.Code = .sourceFailed, _ message: String = "m", _ underlying: (any Error)? = nil,
        attempts: Int = 1
    ) -> PaginatorError {
        PaginatorError(code, message, underlying: underlying, attempts: attempts)
    }

    /// Counts how often it is asked for a description.
    private struct Described: Error, CustomStringConvertible {
        let count: Guarded<Int>

        var description: String {
            count.withLock { $0 += 1 }
            return "described"
        }
    }

    @Test func `errors are equal by code, message, attempts, and the type of the error behind them`() {
        #expect(error() == error() && error().hashValue == error().hashValue)
        #expect(error() != error(.offline))
        #expect(error() != error(.sourceFailed, "n"))
        #expect(error() != error(attempts: 2))
        let (one, other) = (
            error(.offline, "m", Trouble(description: "a")), error(.offline, "m", Trouble(description: "b"))
        )
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(one != error(.offline, "m", Other(description: "a")))
        #expect(one != error(.offline, "m"))
    }

    @Test func `comparing errors calls none of the user's code`() {
        let count = Guarded(0)
        let errors = (0..<2).map { _ in error(.sourceFailed, "m", Described(count: count)) }
        let isEqual = errors[0] == errors[1]
        let isOne = Set(errors).count == 1
        #expect(isEqual && isOne)
        #expect(count.withLock { $0 } == 0)
    }

    @Test func `pages and answers are equal by what they hold`() {
        func page(_ key: String, _ items: [Int] = [1, 2], next: String? = nil) -> PaginatorPage<Int> {
            PaginatorPage(content: items, key: key, nextKey: next, byteCount: 9)
        }
        #expect(page("a") == page("a"))
        #expect(page("a") != page("b") && page("a") != page("a", [1]) && page("a") != page("a", next: "b"))
        #expect(page("\u{e9}") != page("e\u{301}"), "keys are compared by their bytes")
        #expect(page("a", next: "\u{e9}") != page("a", next: "e\u{301}"))
        #expect(FetchedPage(page: page("a"), origin: .store) == FetchedPage(page: page("a"), origin: .store))
        #expect(FetchedPage(page: page("a"), origin: .store) != FetchedPage(page: page("a"), origin: .memory))
        #expect(PaginatorPageResult.success(page("a")) == .success(page("a")))
        #expect(PaginatorPageResult.success(page("a")) != .loading(previous: page("a")))
        #expect(PaginatorPageResult.error(error(), previous: page("a")) == .error(error(), previous: page("a")))
    }
}
