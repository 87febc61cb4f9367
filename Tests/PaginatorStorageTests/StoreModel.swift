import Oracles
import PaginatorCore
import PaginatorStorage

/// What a page of the model holds: a number that tells when it was saved, and the numbers of its edits.
struct StoreModelPage: Equatable {
    var born: Int
    var edits: [Int] = []
    var isStale = false
}

/// The item of such a page. Like an object of a user, it asks its store something when it goes.
final class StoreModelItem: Sendable {
    let born: Int
    let edits: [Int]
    /// What items do when they go; set and read on the thread of the history.
    nonisolated(unsafe) static var onRelease: (() -> Void)?
    nonisolated(unsafe) static var living = 0

    init(_ born: Int, _ edits: [Int]) {
        self.born = born
        self.edits = edits
        Self.living += 1
    }

    deinit {
        Self.living -= 1
        Self.onRelease?()
    }
}

/// Writes items as numbers between commas.
struct StoreModelCodec: PageCodec {
    let tag = PageCodecTag(name: "model", version: 1)

    func encode(_ items: [StoreModelItem]) -> [UInt8] {
        Array(([items[0].born] + items[0].edits).map(String.init).joined(separator: ",").utf8)
    }

    func decode(_ bytes: [UInt8]) -> [StoreModelItem] {
        let page = Self.page(bytes, isStale: false)
        return [StoreModelItem(page.born, page.edits)]
    }

    static func page(_ bytes: [UInt8], isStale: Bool) -> StoreModelPage {
        let numbers = String(decoding: bytes, as: UTF8.self).split(separator: ",").compactMap { Int($0) }
        return StoreModelPage(born: numbers[0], edits: Array(numbers.dropFirst()), isStale: isStale)
    }
}

/// What the contract of the store says of a history: a list of changes, folded again for every question.
///
/// `@unchecked Sendable`: everything runs on the thread of the history.
final class StoreModel: @unchecked Sendable {
    enum Change {
        case save(ModelPlace, born: Int)
        case remove((ModelPlace) -> Bool)
        case invalidate((ModelPlace) -> Bool)
        case edit((ModelPlace) -> Bool, number: Int)
        case editItem((StoreModelPage) -> Bool, number: Int)
    }

    typealias Pages = [ModelPlace: StoreModelPage]

    /// What was handed over, and when, in awake time; without what a death lost.
    var changes: [(change: Change, at: Int64)] = []
    /// How many of them must outlive a loss of power, and how many the death of the process.
    var durable = 0
    var committed = 0

    /// What a reader sees after so many changes.
    func pages(after count: Int) -> Pages {
        var pages: Pages = [:]
        for (change, _) in changes.prefix(count) {
            switch change {
            case .save(let place, let born): pages[place] = StoreModelPage(born: born)
            case .remove(let concerns): pages = pages.filter { !concerns($0.key) }
            case .invalidate(let concerns):
                for place in pages.keys where concerns(place) { pages[place]?.isStale = true }
            case .edit(let concerns, let number):
                for place in pages.keys where concerns(place) { pages[place]?.edits.append(number) }
            case .editItem(let concerns, let number):
                for (place, page) in pages where concerns(page) { pages[place]?.edits.append(number) }
            }
        }
        return pages
    }

    /// Whether a page may be read by somebody who asked after `count` changes: what they say, or what later ones say up to
    /// the first edit of it, which the reader makes himself. What was saved behind that may contain it, and is not there.
    func mayRead(_ page: StoreModelPage?, at place: ModelPlace, after count: Int) -> Bool {
        let edit = changes.indices.dropFirst(count).first { index in
            switch changes[index].change {
            case .edit(let concerns, _): concerns(place)
            // A page that is saved behind it may contain it, whatever the one before had.
            case .editItem: true
            case .save, .remove, .invalidate: false
            }
        }
        if page == nil, let edit, edit < changes.count - 1 {
            let isReplaced = changes[edit...].contains { change, _ in
                switch change {
                case .save(let saved, _): saved == place
                case .remove(let concerns): concerns(place)
                case .invalidate, .edit, .editItem: false
                }
            }
            if isReplaced { return true }
        }
        return (count...(edit ?? changes.count)).contains { pages(after: $0)[place] == page }
    }

    /// How many changes the file may hold, all before them included; `nil` when it holds something else. Several numbers may
    /// come to the same pages.
    func changesIn(_ pages: Pages, atLeast least: Int) -> ClosedRange<Int>? {
        let numbers = (least...changes.count).filter { self.pages(after: $0) == pages }
        return numbers.first.flatMap { first in numbers.last.map { first...$0 } }
    }
}

/// A disk: what it holds now, and what a loss of power would leave.
///
/// `@unchecked Sendable`: everything runs on the thread of the history.
final class ModelDisk: @unchecked Sendable {
    var rows: [PageRecord] = []
    var durableRows: [PageRecord] = []
    /// What calls fail with.
    var failure: StoreFailure.Kind?
    /// When a commit failed the last time, in awake time, and how many have in a row.
    var failedAt: Int64 = 0
    var failedCommits = 0
    /// Reads that failed and that no load was told of yet; whether a commit has succeeded since.
    var failedReads: [(place: ModelPlace, at: Int64, isOver: Bool)] = []
    var commits = 0

    var pages: StoreModel.Pages {
        var pages: StoreModel.Pages = [:]
        for row in rows {
            pages[ModelPlace(row.identity)] = StoreModelCodec.page(row.content, isStale: row.isInvalidated)
        }
        return pages
    }

    /// A load has failed; says whether a read of its page did.
    func tellFailedRead(of place: ModelPlace) -> Bool {
        guard let index = failedReads.firstIndex(where: { $0.place == place }) else { return false }
        failedReads.remove(at: index)
        return true
    }

    /// Nothing is under way any more: the failed reads that no load was told of were those of edits, so that their commits
    /// failed.
    func settleFailedReads() {
        for read in failedReads where !read.isOver {
            failedAt = max(failedAt, read.at)
            failedCommits += 1
        }
        failedReads = []
    }

    func apply(_ change: RecordChange) {
        switch change {
        case .save(let record, _):
            rows.removeAll { ModelPlace($0.identity) == ModelPlace(record.identity) }
            rows.append(record)
        case .rewrite(let record, let sum):
            for index in rows.indices where ModelPlace(rows[index].identity) == ModelPlace(record.identity) {
                guard rows[index].checksum == sum || rows[index].checksum == ~sum else {
                    rows[index] = rows[index].invalidated()
                    continue
                }
                rows[index] = rows[index].isInvalidated ? record.invalidated() : record
            }
        case .remove(let selection): rows.removeAll { ModelPlace.matches(selection, $0.identity) }
        case .invalidate(let selection):
            for index in rows.indices where ModelPlace.matches(selection, rows[index].identity) {
                rows[index] = rows[index].invalidated()
            }
        case .invalidateTags(let tags):
            for index in rows.indices where rows[index].hasTag(in: tags) { rows[index] = rows[index].invalidated() }
        case .use: break
        }
    }
}

/// The file as one process has it open; when the process is dead, nothing of it reaches the disk any more.
///
/// `@unchecked Sendable`: everything runs on the thread of the history.
final class ModelFile: PageFile, @unchecked Sendable {
    unowned let world: StoreWorld
    var isDead = false

    init(_ world: StoreWorld) { self.world = world }

    private func goOn() throws(PaginatorError) {
        if isDead { throw PaginatorError(.storeFailed, "the process is dead") }
        guard let kind = world.disk.failure else { return }
        throw PaginatorError(store: StoreFailure(kind, operation: "model", message: "told to fail"), "told to fail")
    }

    /// Goes on with what a commit needs, or notes that it failed.
    private func goOnOrNote() throws(PaginatorError) {
        do throws(PaginatorError) {
            try goOn()
        } catch {
            world.disk.failedAt = world.clock.awake
            world.disk.failedCommits += 1
            throw error
        }
    }

    func read(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? {
        world.willRead(identity)
        world.moment += 1
        if world.disk.failure != nil, !isDead {
            world.disk.failedReads.append((ModelPlace(identity), world.clock.awake, false))
        }
        try goOn()
        return world.disk.rows.first { ModelPlace($0.identity) == ModelPlace(identity) }
    }

    func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError) {
        world.moment += 1
        let fails = world.disk.failure != nil
        world.note("commit of \(changes.count)\(durably ? ", durable" : "")\(fails ? ", fails" : "")")
        let isEarly = world.dice.one(in: 2)
        if isEarly { world.block(.commit) }
        try goOnOrNote()
        for change in changes { world.disk.apply(change) }
        if durably { world.disk.durableRows = world.disk.rows }
        world.disk.commits += 1
        world.disk.failedCommits = 0
        for index in world.disk.failedReads.indices { world.disk.failedReads[index].isOver = true }
        if !isEarly { world.block(.commit) }
        if isDead { throw PaginatorError(.storeFailed, "the process is dead") }
    }

    func recover() throws(PaginatorError) -> [RecordFacts] {
        world.block(.recover)
        try goOnOrNote()
        return world.disk.rows.map {
            RecordFacts(
                identity: $0.identity, bytes: $0.diskBytes, items: 1, uses: 0, savedAt: $0.fetchedAt, saveOrder: 1,
                useOrder: 0)
        }
    }
}
