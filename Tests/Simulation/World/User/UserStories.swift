import PaginatorCore
import PaginatorLists

/// Histories that random ones reach seldom, each told as what a user does.
package struct UserStory: Sendable, CustomStringConvertible {
    package let description: String
    let setup: UserSetup
    let steps: [UserStep]

    /// Acts with a second between them, or at once.
    private init(_ name: String, _ setup: UserSetup, pause: Int = 1_000, _ acts: [UserAct]) {
        self.init(name, setup, steps: acts.map { UserStep($0, pause: pause) })
    }

    private init(_ name: String, _ setup: UserSetup, steps: [UserStep]) {
        description = name
        self.setup = setup
        self.steps = steps
    }

    /// What did not hold; empty when all did.
    ///
    /// - Parameter seed: in which order things happen that happen at once.
    package func run(
        seed: UInt64, without: Set<UserPromise> = []
    ) -> (problems: [String], log: [String]) {
        UserWorld.run(seed: seed, setup, steps, without: without)
    }

    /// Whether the library serves the user in it; a window does not bound live rows yet.
    package var isServed: Bool { description != "live rows do not outgrow the window" }

    /// All of them.
    package static var all: [UserStory] {
        jumps + [.offset, .number, .cursor].flatMap(refreshes) + refreshes + keys + edits + gaps + conditions
    }

    private static func setup(
        _ style: UserTable.Style = .offset, rows: Int = 100, _ change: (inout UserSetup) -> Void = { _ in }
    ) -> UserSetup {
        var setup = UserSetup()
        setup.style = style
        setup.rows = rows
        setup.pageSize = 10
        change(&setup)
        return setup
    }

    private static func windowed(_ style: UserTable.Style = .offset) -> UserSetup { setup(style) { $0.window = 20 } }

    private static var jumps: [UserStory] {
        [
            UserStory("a jump in a full window", windowed(), [.next, .next, .hint(at: 1_000), .jump(row: 70), .next]),
            UserStory(
                "a jump in a full window that nobody looked at", windowed(), [.next, .next, .jump(row: 70), .next]),
            UserStory("a jump by cursor in a full window", windowed(.cursor), [.next, .next, .jump(row: 70), .next]),
            UserStory(
                "a jump back to the first page, which was dropped", windowed(.cursor),
                [.next, .next, .next, .hint(at: 1_000), .next, .hint(at: 1_000), .jump(row: 0)]),
            UserStory("two jumps in an empty list", setup(), pause: 0, [.jump(row: 50), .jump(row: 80)]),
            UserStory("a jump while the first page loads", setup(), pause: 0, [.next, .jump(row: 50)]),
            UserStory(
                "two jumps at once to keys that look the same", setup(.number),
                steps: [UserStep(.next, pause: 1_000), UserStep(.jump(row: 60)), UserStep(.jump(row: 70))]),
            UserStory(
                "two jumps at once to keys that look the same, the other way round", setup(.number),
                steps: [UserStep(.next, pause: 1_000), UserStep(.jump(row: 70)), UserStep(.jump(row: 60))]),
        ]
    }

    private static func refreshes(_ style: UserTable.Style) -> [UserStory] {
        [
            UserStory(
                "more pages after a refresh, by \(style)", setup(style),
                [.next, .next, .next, .serverInserts(at: 0, count: 5), .refresh(.all), .next, .next]),
            UserStory(
                "more pages after rows were removed and the first page came anew, by \(style)", setup(style),
                [.next, .next, .next, .serverRemoves(at: 3, count: 4), .refresh(.firstPage), .next]),
            UserStory(
                "a refresh that keeps the place in a window after rows were removed, by \(style)", windowed(style),
                [
                    .next, .next, .next, .hint(at: 1_000), .next, .serverRemoves(at: 3, count: 4),
                    .refresh(.keepingPlace), .hint(at: 0), .previous, .previous, .next,
                ]),
            UserStory(
                "one page is refreshed, by \(style)", setup(style),
                [.next, .next, .next, .serverRemoves(at: 13, count: 4), .refreshPage(ofRow: 12), .next]),
        ]
    }

    private static var refreshes: [UserStory] {
        [
            UserStory(
                "a live row comes while a refresh is on its way", setup(),
                [.next, .holdAnswers(true), .refresh(.all), .push, .holdAnswers(false), .wait(seconds: 5)]),
            UserStory(
                "a new row is accepted while a refresh is on its way", setup(.cursor),
                [
                    .next, .insertFirst, .holdAnswers(true), .refresh(.all), .settle(edit: 0, .acceptedWithValue),
                    .holdAnswers(false), .wait(seconds: 5),
                ]),
            UserStory(
                "a refresh of an emptied list", setup(), [.next, .serverChanges(row: 1), .reset, .refresh(.all)]),
            UserStory(
                "a refresh while the first page loads", setup(), pause: 0, [.next, .refresh(.all), .wait(seconds: 5)]),
            UserStory("a refresh of a page that the list does not have", setup(), [.refresh(.page("70"))]),
            UserStory(
                "what was marked stale is refreshed", setup(), [.next, .next, .invalidateAll, .refresh(.stalePages)]),
            UserStory(
                "the first page is refreshed far below", windowed(.cursor),
                [
                    .next, .next, .hint(at: 1_000), .next, .hint(at: 1_000), .next, .hint(at: 1_000),
                    .refresh(.firstPage), .wait(seconds: 5),
                ]),
            UserStory(
                "a page is renewed by another list", setup { $0.lists = 2 },
                steps: [
                    UserStep(.next, list: 0, pause: 1_000), UserStep(.next, list: 1, pause: 1_000),
                    UserStep(.serverChanges(row: 3)), UserStep(.refresh(.keepingPlace), list: 1, pause: 1_000),
                ]),
            UserStory(
                "a page is used and judged worth a refresh", setup { $0.judges = true },
                [.next, .wait(seconds: 30), .serverChanges(row: 3), .reset, .next, .wait(seconds: 10)]),
            UserStory(
                "a page comes from the cache because the server is slow",
                setup { $0.policy = .networkFirst(fallbackAfter: .milliseconds(100)) },
                [
                    .next, .serverChanges(row: 3), .reset, .holdAnswers(true), .next, .holdAnswers(false),
                    .wait(seconds: 10),
                ]),
        ]
    }

    private static var keys: [UserStory] {
        [
            UserStory(
                "the key behind a page expires twice", setup(.brittleCursor),
                [
                    .next, .serverRemoves(at: 9, count: 1), .next, .wait(seconds: 1), .next,
                    .serverRemoves(at: 19, count: 1), .next, .wait(seconds: 1),
                ]),
            UserStory("the key behind the last page is empty", setup(rows: 15) { $0.endsWithEmptyKey = true }, [.next]),
            UserStory(
                "two refreshes at once of pages whose keys look the same", setup(.number),
                steps: [
                    UserStep(.next, pause: 1_000), UserStep(.next, pause: 1_000),
                    UserStep(.refreshPage(ofRow: 0)), UserStep(.refreshPage(ofRow: 10), pause: 1_000),
                ]),
        ]
    }

    private static var edits: [UserStory] {
        [
            UserStory(
                "the first page is refreshed after a row was added above", setup(),
                [
                    .next, .insertFirst, .settle(edit: 0, .acceptedWithValue), .serverInserts(at: 0, count: 1),
                    .refresh(.firstPage), .wait(seconds: 5),
                ]),
            UserStory(
                "all is refreshed in its place after a live row came", setup(),
                [.next, .push, .serverInserts(at: 0, count: 1), .refresh(.keepingPlace), .wait(seconds: 5)]),
            UserStory(
                "a row is removed whose page was dropped", windowed(),
                [
                    .next, .remove(row: 0), .next, .hint(at: 1_000), .next, .hint(at: 1_000),
                    .settle(edit: 0, .accepted), .next, .next,
                ]),
            UserStory(
                "a row is removed while the next page is on its way", setup(),
                [
                    .next, .remove(row: 0), .holdAnswers(true), .next, .settle(edit: 0, .accepted),
                    .holdAnswers(false), .next, .next,
                ]),
            UserStory(
                "a row behind another new one, which is pushed before its answer", setup(),
                [.next, .insertFirst, .insert(after: 0), .settle(edit: 0, .pushedAndAccepted), .wait(seconds: 1)]),
            UserStory(
                "a row that is there is added again, and that is refused", setup(),
                [.next, .cover(row: 3), .settle(edit: 0, .refused)]),
            UserStory("a row that waits shows in a list made later", setup(), [.next, .insertFirst, .newList, .next]),
            UserStory(
                "live rows do not outgrow the window", windowed(),
                [.next, .next] + [UserAct](repeating: .push, count: 60) + [.hint(at: 1_000), .wait(seconds: 1)]),
        ]
    }

    private static var gaps: [UserStory] {
        let still = setup(rows: 60) { $0.isShifting = false }
        return [
            UserStory(
                "a gap is filled from both sides at once", still,
                [
                    .next, .jump(row: 50), .holdAnswers(true), .fill(gap: 0, fromStart: true),
                    .fill(gap: 0, fromStart: false), .holdAnswers(false), .wait(seconds: 2),
                ]),
            UserStory(
                "a gap is filled from its end while a jump lands in it", still,
                [
                    .next, .jump(row: 50), .holdAnswers(true), .fill(gap: 0, fromStart: false), .jump(row: 30),
                    .holdAnswers(false), .wait(seconds: 2),
                ]),
            UserStory(
                "a gap is filled from its start while a jump lands in it", still,
                [
                    .next, .jump(row: 50), .holdAnswers(true), .fill(gap: 0, fromStart: true), .jump(row: 30),
                    .holdAnswers(false), .wait(seconds: 2),
                ]),
            UserStory("a jump to an offset between two pages", still, [.next, .jumpTo("23"), .wait(seconds: 2)]),
            UserStory(
                "a jump to a cursor between two pages", setup(.cursor, rows: 60) { $0.isShifting = false },
                [.next, .jumpTo("after:23"), .wait(seconds: 2)]),
            UserStory(
                "a gap cannot be filled because the server is down", still,
                [.next, .jump(row: 50), .down(true), .fill(gap: 0, fromStart: true), .wait(seconds: 70), .mustTell]),
        ]
    }

    private static var conditions: [UserStory] {
        var stories: [UserStory] = []
        for conditions in [PaginatorConditions.lowPower, .background, .weakLink, .offline] {
            for waits in [false, true] {
                stories.append(
                    UserStory(
                        "a hint under condition \(conditions.rawValue), \(waits ? "with" : "without") waiting",
                        ahead(waits: waits),
                        [
                            .next, .conditions(conditions), .hint(at: 1_000), .wait(seconds: 200), .conditions([]),
                            .wait(seconds: 70),
                        ]))
            }
        }
        return stories + [
            UserStory(
                "a load ahead fails while the server is down", ahead(waits: false),
                [
                    .next, .down(true), .hint(at: 1_000), .wait(seconds: 200), .down(false), .hint(at: 1_000),
                    .wait(seconds: 70),
                ]),
            UserStory(
                "the device sleeps while pages load", ahead(waits: true),
                [
                    .next, .holdAnswers(true), .next, .sleep(seconds: 4_000), .wait(seconds: 200), .holdAnswers(false),
                    .next,
                ]),
            UserStory(
                "the store never answers", setup { $0.hasStore = true },
                [.storeIsSilent(true), .next, .wait(seconds: 200), .mustHaveLoaded]),
            UserStory(
                "the remote source of a mediator was down", setup(rows: 60) { $0.mediates = true },
                [.next, .next, .down(true), .next, .wait(seconds: 70), .next, .wait(seconds: 70)]),
        ]
    }

    private static func ahead(waits: Bool) -> UserSetup {
        setup {
            $0.prefetchDistance = 15
            $0.waitsOffline = waits
        }
    }
}
