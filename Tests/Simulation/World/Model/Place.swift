import PaginatorCore
import PaginatorLists
import PaginatorTesting

/// One paginator, the tables of rows that it pages, its lists, and what the model knows of them.
///
/// `@unchecked Sendable`: everything runs on the thread of the world.
final class Place: @unchecked Sendable {
    let number: Int
    let style: ServerTable.Style
    var tables: [ServerTable]
    var paginator: CallbackPaginator<SimulatedItem>?
    /// Counts the paginators that were made here.
    var generation = 0
    var edits: PaginatorEdits<SimulatedItem, Int>?
    var lists: [WorldList] = []

    /// When pages were last cleared, as the world counts; by the call's own words.
    var clears: [PageSelection: Int] = [:]
    var invalidations: [PageSelection: Int] = [:]
    var puts: [PageSelection: Int] = [:]
    /// When the validator began to refuse pages that are older: counted, and in time that the device was awake.
    var recalls: [PageSelection: Int] = [:]
    var recallTimes: [PageSelection: Int64] = [:]
    /// When an epoch of pages last began, in time that the device was awake.
    private var epochs: [PageSelection: Int64] = [:]
    /// When the source was asked for the newest page of a scope that came, in time that the device was awake.
    private var newest: [ExactText: Int64] = [:]

    // Used for each row that is checked; nothing else runs while one of them is.
    @exclusivity(unchecked) var items: [Int: ItemModel] = [:]
    var openEdits: [OpenEdit] = []
    /// The scopes of the rows that are pending.
    @exclusivity(unchecked) var openInserts: [Int: String] = [:]
    var lastInsert = 0

    /// What the last flush that succeeded covers.
    var flushed = FlushMark()
    /// Pages that are on disk for good: when they were made.
    var survivors: [(identity: PageIdentity, made: Int)] = []

    init(_ number: Int, _ config: WorldConfig, _ seed: UInt64) {
        self.number = number
        let style = ServerTable.Style(rawValue: (number + Int(seed % 4)) % 4) ?? .offset
        self.style = style
        tables = (0..<config.scopes).map { scope in
            ServerTable(
                style: style, scope: "p\(number)/\(scope)", base: (number * config.scopes + scope + 1) << 24,
                rows: config.rows)
        }
    }

    func table(of scope: String) -> ServerTable? { tables.first { $0.scope.hasSameBytes(as: scope) } }

    func lastEpoch(of identity: PageIdentity) -> Int64 {
        Self.last(epochs, identity) ?? -(1 << 60)
    }

    func beginEpoch(_ selection: PageSelection, at time: Int64) { epochs[selection] = time }

    func newestPage(in scope: String) -> Int64 { newest[ExactText(scope)] ?? .min }

    func pageCame(in scope: String, requestedAt time: Int64) {
        newest[ExactText(scope)] = max(newestPage(in: scope), time)
    }

    /// The greatest number under any selection that has the page.
    static func last<Number: Comparable>(_ marks: [PageSelection: Number], _ identity: PageIdentity) -> Number? {
        guard !marks.isEmpty else { return nil }
        return [marks[.identity(identity)], marks[.key(identity.key)], marks[.scope(identity.scope)], marks[.all]]
            .compactMap { $0 }.max()
    }
}

/// What the model knows of the edits of an item, a bit for each.
struct ItemModel {
    var committed: UInt64 = 0
    var pending: UInt64 = 0
    var rolledBack: UInt64 = 0
    var next = 0
    var isRemoved = false
    var pendingRemovals = 0

    /// Nothing is expected of the item any more; bits that were used stay so.
    mutating func forgetExpectations() {
        committed = 0
        pending = 0
        isRemoved = false
        pendingRemovals = 0
    }
}

/// An edit that is pending.
struct OpenEdit {
    let edit: PaginatorEdit<SimulatedItem>
    let id: Int
    let bit: UInt64
    let generation: Int
    let number: Int
    /// Whether the server has it, so that its pages show it, whatever becomes of the edit here.
    var isOnServer = false
}

/// What was decided before a flush was asked for.
struct FlushMark {
    var count = 0
    var items: [Int: ItemModel] = [:]
}

/// A list, and what somebody saw of it.
///
/// `@unchecked Sendable`: everything runs on the thread of the world.
final class WorldList: @unchecked Sendable {
    let list: PaginatorList<SimulatedItem, Int>
    let observation: PaginatorExecution
    let table: Int
    let number: Int
    let generation: Int
    let hasWindow: Bool
    /// What the differences add up to.
    var shown: [SimulatedItem] = []
    var position = 0
    var isPaused = false
    /// Whether somebody asked for the first page, and has not taken that back.
    var wantsFirst = false
    var bookmark: PaginatorListBookmark?

    init(
        _ list: PaginatorList<SimulatedItem, Int>, _ observation: PaginatorExecution, table: Int, number: Int,
        generation: Int, hasWindow: Bool
    ) {
        self.hasWindow = hasWindow
        self.list = list
        self.observation = observation
        self.table = table
        self.number = number
        self.generation = generation
    }
}

/// A fetch that the world made itself, not through a list.
struct DirectFetch {
    let place: Int
    let generation: Int
    let request: PageRequest
    let startedAt: Int
    let isRefresh: Bool
    /// For how long the device had been awake, and asleep, when it began.
    let awake: Int64
    let asleep: Int64
    var execution: PaginatorExecution?
    /// When the page was cleared last while the fetch had no answer yet.
    var clearedAt = 0
    var previews = 0
    var ends = 0
    var isCancelled = false
    /// The store has a page at least as new as this: it outlived a restart, or waits to be written.
    var survivor: Int?
    /// How often a read of the disk had failed when the fetch began.
    var failedReads = 0
}

/// A fetch around a page.
struct AroundFetch {
    let place: Int
    let generation: Int
    let request: AroundRequest
    var execution: PaginatorExecution?
    var distances: [Int] = []
    var keys: [String] = []
    var ends = 0
    var isCancelled = false
}

/// A prefetch, and what is known of it.
struct DirectPrefetch {
    let place: Int
    let generation: Int
    /// The pages that were asked for; of a walk the first.
    let asked: Set<PageIdentity>
    /// How many pages it may tell of.
    let pages: Int
    let isWalk: Bool
    /// Whether nothing but a cancel, a clear or the end of its paginator ends it early.
    let isUnlimited: Bool
    let startedAt: Int
    var execution: PaginatorExecution?
    var isCancelled = false
    var ends = 0
}
