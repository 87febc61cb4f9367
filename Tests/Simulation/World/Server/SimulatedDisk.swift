package import PaginatorCore
package import PaginatorStorage
import PaginatorTesting
import StorageTesting

/// A disk with pages: it fails, is full or busy, damages and loses records, and goes back to the last flush when power
/// is lost.
///
/// `@unchecked Sendable`: everything runs on the thread of the world.
package final class SimulatedDisk: PageFile, @unchecked Sendable {
    private let file = ScriptedPageFile()
    private unowned let world: World
    private let limit: Int
    private var isReplaced = false
    private var failingUntil: Int64 = 0
    private var failure = StoreFailure.Kind.full

    /// How often records were damaged or lost behind the store's back.
    private(set) var losses = 0
    /// The number of commits, and how many of them outlive a loss of power.
    private(set) var commits = 0
    private(set) var durableCommits = 0
    /// How often a read failed.
    private(set) var failedReads = 0

    init(world: World, limit: Int) {
        self.world = world
        self.limit = limit
    }

    /// Lets every call fail for a while.
    func fail(_ kind: StoreFailure.Kind, for duration: Duration) {
        failure = kind
        failingUntil = world.timeline.nanoseconds + duration.wholeNanoseconds
    }

    /// Ends every trouble.
    func heal() { failingUntil = 0 }

    /// Loses every record; the next call says so.
    func loseFile() {
        losses += 1
        isReplaced = true
    }

    /// Damages a record.
    func damage(using random: inout SeededRandom) {
        let facts = recoverFacts()
        guard !facts.isEmpty else { return }
        losses += 1
        let identity = facts[random.number(in: 0..<facts.count)].identity
        let bits = random.next()
        file.corrupt(identity) { record in
            var content = record.content
            if content.isEmpty {
                content = [7]
            } else {
                content[Int(bits % UInt64(content.count))] ^= 1 << (bits >> 60)
            }
            return PageRecord(
                identity: record.identity, prevKey: record.prevKey, nextKey: record.nextKey,
                expirationTime: record.expirationTime, fetchedAt: record.fetchedAt, itemCount: record.itemCount,
                memoryBytes: record.memoryBytes, codec: record.codec, content: content,
                isInvalidated: record.isInvalidated, checksum: record.checksum)
        }
    }

    /// Goes back to the last durable commit.
    func losePower() {
        file.losePower()
        durableCommits = commits
    }

    /// The record of a page, whatever the disk's trouble.
    func look(_ identity: PageIdentity) -> PageRecord? {
        do throws(PaginatorError) { return try file.read(identity) } catch { return nil }
    }

    /// The record of a page that a loss of power would leave.
    func lookDurable(_ identity: PageIdentity) -> PageRecord? { file.durableRecord(identity) }

    /// The identities of all records, in the order of their saving.
    var identities: [PageIdentity] { recoverFacts().map(\.identity) }

    /// Every record.
    func records() -> [PageRecord] { recoverFacts().compactMap { look($0.identity) } }

    private func recoverFacts() -> [RecordFacts] {
        do throws(PaginatorError) {
            return try file.recover().sorted { $0.saveOrder < $1.saveOrder }
        } catch {
            return []
        }
    }

    private func failIfTold() throws(PaginatorError) {
        if isReplaced {
            isReplaced = false
            try file.commit([.remove(.all)], durably: true)
            throw PaginatorError(store: StoreFailure(.replaced, operation: "simulated", message: "gone"), "gone")
        }
        guard world.timeline.nanoseconds < failingUntil else { return }
        throw PaginatorError(store: StoreFailure(failure, operation: "simulated", message: "trouble"), "trouble")
    }

    package func read(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? {
        do throws(PaginatorError) {
            try failIfTold()
        } catch {
            failedReads += 1
            throw error
        }
        return try file.read(identity)
    }

    package func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError) {
        try failIfTold()
        try file.commit(changes, durably: durably)
        commits += 1
        if durably { durableCommits = commits }
        world.commitRuns()
        world.trace.note(4, UInt64(changes.count), durably ? 1 : 0)
        if file.count > limit { world.fail("\(file.count) pages on disk after a commit") }
        for case .save(let record, _) in changes { world.checkSaved(record) }
    }

    package func recover() throws(PaginatorError) -> [RecordFacts] {
        try failIfTold()
        return try file.recover()
    }
}
