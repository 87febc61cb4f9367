import PaginatorCore
import PaginatorLists
import PaginatorTesting

/// One user, one or two lists over one paginator, a server whose table changes meanwhile, and a device that has its own
/// troubles; beside them an oracle of arrays, which asks after each step what the user would ask.
///
/// The oracle knows what the server had and when, what the user did, and what is shown. It knows nothing of how a list
/// works: no pages, no loads, no ranks.
///
/// `@unchecked Sendable`: everything runs on the thread that calls ``run(_:_:_:)``.
package final class UserWorld: @unchecked Sendable {
    let setup: UserSetup
    let without: Set<UserPromise>
    let time: UserTime
    var random: SeededRandom
    var table: UserTable
    let connectivity = ScriptedConnectivity()
    let store: UserStore?
    var scheduler: PaginatorScheduler?
    var paginator: CallbackPaginator<UserItem>?
    var screens: [UserScreen] = []

    /// Counts what happens.
    var tick = 1
    var step = "the start"
    package private(set) var problems: [String] = []
    package private(set) var log: [String] = []

    // The server.
    var isDown = false
    var isHanging = false
    var isHolding = false
    var held: [@Sendable () -> Void] = []
    /// What the server has read and not answered, and when.
    var unanswered: [(key: [UInt8], read: Int)] = []
    var failures = 0
    /// What the server has answered with, and when by the device's clock, by when it read that.
    var served: [Int: [Int]] = [:]
    var readAt: [Int: Int64] = [:]
    /// What a mediator has saved on the device.
    var saved: [UserItem] = []
    /// Nothing goes wrong any more.
    var isHealed = false

    // What the oracle remembers of the table.
    /// When rows came or went without the device knowing; where keys count rows, what was loaded before such a time and
    /// what after need not join.
    var shifts: [Int] = []
    /// Keys that the server was asked for.
    var askedKeys: [String] = []
    /// Whether rows came or went that the device knew of, so that what was at an offset is at another one.
    var hasMovedOffsets = false
    /// Whether anybody but the user inserted or removed rows.
    var hasForeignChanges = false

    // What the oracle remembers of the user.
    var edits: [UserEdit] = []
    var lastEdit = 0
    var marks: [Int: UserMarks] = [:]
    /// Whether the server has rows of the user's own: where answers cross, a list has them in another order.
    var hasOwnRows = false
    /// Rows of the user's own that the server did not put where the user did.
    var elsewhere: Set<Int> = []
    /// The number that the server gave to a row that the device made.
    var serverIDs: [Int: Int] = [:]

    init(seed: UInt64, setup: UserSetup, without: Set<UserPromise>) {
        self.setup = setup
        self.without = without
        time = UserTime(seed: seed)
        random = SeededRandom(seed: seed &+ 1)
        table = UserTable(style: setup.style, count: setup.rows)
        store = setup.hasStore ? UserStore(time) : nil
        var scheduling = PaginatorSchedulerConfig()
        scheduling.waitsForConnectivity = setup.waitsOffline
        let scheduler = PaginatorScheduler(
            config: scheduling, connectivity: connectivity, clock: time, randomSeed: seed, executor: time)
        self.scheduler = scheduler
        var config = DefaultPaginatorConfig()
        config.executor = time
        config.callbackExecutor = time
        config.mainExecutor = time
        config.clock = time
        config.scheduler = scheduler
        config.randomSeed = seed
        config.inMemoryEvictionStrategy = .lru(maxPages: setup.memoryPages)
        let judges = setup.judges
        let validator = AnyPageValidator<UserItem>.closure { _, context in
            judges && context.origin != .source && context.age > .seconds(20) ? .useButRefresh : .accept
        }
        let server = UserSource(world: self, firstKey: table.key(at: 0, setup.pageSize))
        paginator =
            setup.mediates
            ? CallbackPaginator(dataSource: mediator(server), validator: validator, store: store, config: config)
            : CallbackPaginator(dataSource: server, validator: validator, store: store, config: config)
        for number in 0..<setup.lists { screens.append(makeScreen(number)) }
    }

    func makeScreen(_ number: Int) -> UserScreen {
        guard let paginator else { preconditionFailure("the world has ended") }
        var config = PaginatorListConfig()
        config.pageSize = setup.pageSize
        config.addressing = setup.style == .offset ? .offset : .opaque
        config.windowItems = setup.window
        config.prefetchDistance = setup.prefetchDistance
        config.policy = setup.policy
        let list = PaginatorList(paginator, id: \.id, config: config)
        if let step = setup.rankStep { list.setRankStep(step) }
        let screen = UserScreen(number, list, firstKey: Array(table.key(at: 0, setup.pageSize).utf8))
        screen.observation = list.observe { [unowned self, unowned screen] update in
            update.difference.apply(to: &screen.told)
            if screen.told != Array(update.snapshot) {
                fail(
                    .differences,
                    "the differences of list \(number) add up to \(screen.told.count) rows, not to what it shows")
            }
            screen.isNew = true
            screen.isEndTold = update.status.next == .endReached
            // Where a key has expired, what anybody wished for goes with the rest.
            if update.notices.contains(.restarted) { screen.forgetWishes() }
            if update.notices.contains(where: { if case .repeatedKey = $0 { true } else { false } }) {
                screen.hasRepeatedKeys = true
            }
        }
        return screen
    }

    func fail(_ promise: UserPromise, _ text: String) {
        guard !without.contains(promise) else { return }
        note("FAILED: \(text)")
        if problems.count < 3 { problems.append("\(promise): \(step): \(text)") }
    }

    func note(_ text: String) {
        log.append("\(time.awake / 1_000_000) ms, tick \(tick): \(text)")
    }

    /// Lets the device work, and looks after each piece of work.
    func pass(milliseconds: Int) {
        time.pass(Int64(milliseconds) * 1_000_000) { look() }
    }

    /// Looks at every list that has changed.
    func look() {
        for screen in screens where screen.isNew && problems.isEmpty {
            screen.isNew = false
            look(at: screen)
        }
    }

    func play(_ steps: [UserStep]) {
        for (number, step) in steps.enumerated() where problems.isEmpty {
            tick += 1
            self.step = "step \(number), \(step.act)"
            note("\(step)")
            perform(step.act, screens[step.list % screens.count])
            for screen in screens { screen.isNew = true }
            look()
            pass(milliseconds: 1 + step.pause)
            if step.pause >= 400 { rest() }
        }
        if problems.isEmpty { finish() }
        end()
    }

    /// Lets go of everything; a callback afterwards would find nobody.
    private func end() {
        for screen in screens { screen.observation?.cancel() }
        screens = []
        edits = []
        held = []
        paginator = nil
        scheduler = nil
        time.pass(1 << 40) {}
    }

    // MARK: - Runs

    /// Plays a history, by default the one of the seed; returns what did not hold, and what happened.
    package static func run(
        seed: UInt64, _ setup: UserSetup? = nil, _ steps: [UserStep]? = nil,
        without: Set<UserPromise> = []
    ) -> (problems: [String], log: [String]) {
        let setup = setup ?? UserSetup(seed: seed)
        let world = UserWorld(seed: seed, setup: setup, without: without)
        world.play(steps ?? UserStep.plan(seed, setup))
        return (world.problems, world.log)
    }

    /// What did not hold in the world of a seed, with the shortest history that shows it; empty when all did.
    ///
    /// - Parameter tellsAll: whether what happens in that history is told too.
    package static func report(
        seed: UInt64, without: Set<UserPromise> = [], tellsAll: Bool = false
    ) -> String {
        let setup = UserSetup(seed: seed)
        var steps = UserStep.plan(seed, setup)
        var (problems, log) = run(seed: seed, setup, steps, without: without)
        guard let first = problems.first else { return "" }
        for index in steps.indices.reversed() {
            var shorter = steps
            shorter.remove(at: index)
            let other = run(seed: seed, setup, shorter, without: without)
            if let problem = other.problems.first, promise(problem) == promise(first) {
                (steps, problems, log) = (shorter, other.problems, other.log)
            }
        }
        let history = steps.enumerated().map { "  \($0): \($1)\n" }.joined()
        return
            "seed \(seed): \(first)\n  \(setup)\nthe shortest history:\n\(history)  \(problems.joined(separator: "\n  "))"
            + (tellsAll ? "\n" + log.joined(separator: "\n") : "")
    }

    /// Worlds in which a promise is not kept yet, and which are not asked for; `simulate users --seed S` tells each one's
    /// history.
    package static let notServed: Set<UInt64> = []

    /// Which promise was not kept.
    package static func promise(_ problem: String) -> Substring { problem.prefix { $0 != ":" } }
}

/// What a user takes for granted of a list.
package enum UserPromise: String, Sendable, CaseIterable {
    /// A row is shown once.
    case once
    /// What was looked for before is not shown beside what is looked for now.
    case scope
    /// Rows without a gap between them are in the server's order, and none is missing.
    case order, complete
    /// What was pushed, or waits for the server, is shown.
    case pushed, local
    /// No value goes back; edits show, and do not show any more, when they should.
    case values, edits
    /// What joins a refreshed page is as new as the refresh, and lists follow renewals of their pages. A refresh that is
    /// asked for while the same page is on its way already does not make do with that.
    case fresh, renewals, anew
    /// The pages of jumps and of filled gaps are shown, and a refresh in place leaves the row that somebody looks at.
    case jump, filled, place
    /// Differences add up to what is shown.
    case differences
    /// Looking ahead goes on by itself, and never makes a list fail, but at an end where the source has failed; what nobody
    /// asked for is not loaded.
    case ahead, quiet
    /// A window bounds what is shown.
    case window
    /// Loads end, failures are told, and in the end everything is shown.
    case waits, told, end
    /// The list's machine finds nothing wrong with itself.
    case machine
}

/// An edit whose answer has not come.
struct UserEdit {
    enum Kind { case change(UInt64), removal, cover(UInt64), insertion(UserRowPlace) }
    enum UserRowPlace { case first, last, after(Int) }

    let kind: Kind
    let id: Int
    let edit: PaginatorEdit<UserItem>
}

/// What must be in the values of a row, and what must not.
struct UserMarks {
    var committed: UInt64 = 0
    var pending: UInt64 = 0
    var takenBack: UInt64 = 0
    var next = 0
    var pendingRemovals = 0
    var isRemoved = false
}
