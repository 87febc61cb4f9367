// Long because the facts for eviction are private, and what changes them must agree.

import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Commits batches to a file, and keeps the facts for eviction.
///
/// The write-behind machine starts one recovery, preparation or commit at a time. Each calls user code (the clock, the
/// codec, edits and the file), so it holds no lock, but sets `isWorking`.
///
/// `@unchecked Sendable`: `isWorking` and `attached` are guarded by `lock`. The thread that has set `isWorking` owns
/// everything else; while it is false, the holder of `lock` does.
final class BatchWriter<T: Sendable>: @unchecked Sendable {
    typealias Batch = WriteBehind<T>.Machine.Batch
    private typealias Time = (now: PaginatorInstant, wall: Date)

    private let file: any PageFile
    private let coder: PageRecordCoder<T>
    private var evictor = PaginatorEvictor(strategy: .adaptive(maxPages: 0))
    private var strategy: EvictionStrategy
    private let clock: any PaginatorClock
    private let maxBatchChanges: Int
    private let lock = Lock()
    private var isWorking = false
    private var attached: EvictionStrategy
    /// The page of each handle, and the time at which it was saved, as the file has it.
    private var saved: [(identity: PageIdentity, savedAt: Date)?] = []
    private var handles: [PageIdentity: PageHandle] = [:]
    /// An index of the pages in the file by their items, for edits.
    private var items = ItemIndexes()
    /// Pages removed from the evictor that may still be in the file, because the commit that removes them failed.
    private var carried: [PageIdentity] = []
    /// Pages that others saved, seen while carried ones were removed. The next commit adds them before its changes.
    private var seen: [PageIdentity: RecordFacts] = [:]
    /// The prepared records of the next commit.
    private var prepared: RecordBatch<T>?
    /// The uses of a failed batch, which the evictor has counted.
    private var usesKept: [PageIdentity: Int] = [:]
    private var evictions = 0

    /// The content of the file and the number of evicted pages. Not to be read while it is working.
    var facts: (usage: PageUsage, evictions: Int) { lock.withLock { (evictor.usage, evictions) } }

    /// The limits and the first pages, for display; `nil` while it is working.
    var state: [(name: String, value: StateValue)]? {
        lock.lock()
        defer { lock.unlock() }
        guard !isWorking else { return nil }
        let evictor = evictor
        let entries = saved.enumerated().lazy.compactMap { place, page in
            page.map { evictor.state(of: PageHandle(index: place), ["page": .page($0.identity)]) }
        }
        let shown = Array(entries.prefix(StateValue.mostShown))
        return [
            ("limits", evictor.limitsState), ("entries", .list(shown)),
            ("entriesLeftOut", .count(handles.count - shown.count)),
        ]
    }

    init(
        file: any PageFile, coder: PageRecordCoder<T>, strategy: EvictionStrategy,
        clock: any PaginatorClock, maxBatchChanges: Int
    ) {
        self.file = file
        self.coder = coder
        self.strategy = strategy
        attached = strategy
        self.clock = clock
        self.maxBatchChanges = maxBatchChanges
    }

    /// Sets the paginator's strategy. Called before the first recovery.
    func attach(strategy: EvictionStrategy) {
        let former = lock.withLock {
            defer { attached = strategy }
            return attached
        }
        // It may be a strategy of the user, so it is released outside the lock.
        withExtendedLifetime(former) {}
    }

    private var time: Time { (clock.now, clock.wallTime) }

    private func beginWork() {
        strategy = lock.withLock {
            isWorking = true
            return attached
        }
    }

    private func endWork() {
        lock.withLock { isWorking = false }
    }

    /// Reads the facts of the file.
    ///
    /// - Returns: whether pages must be evicted at once.
    func recover() throws(PaginatorError) -> Bool {
        beginWork()
        defer { endWork() }
        let stored = try file.recover()
        evictor = PaginatorEvictor(strategy: strategy)
        saved = []
        handles = [:]
        handles.reserveCapacity(stored.count)
        items = ItemIndexes()
        // They belong to an earlier file, or are found over the limit again.
        carried = []
        seen = [:]
        usesKept = [:]
        prepared = nil
        insert(stored, at: time)
        while let victim = evictor.nextVictim() { carry(victim.page) }
        return !carried.isEmpty
    }

    /// Creates the records of a batch. This reads the pages that it may edit: every page for the first edit through an
    /// object, later only those that have the item.
    ///
    /// - Returns: the pages that the batch edits.
    func prepare(_ batch: Batch) throws(PaginatorError) -> Set<PageIdentity> {
        beginWork()
        defer { endWork() }
        let made = try records(of: batch)
        prepared = made
        return made.edited
    }

    private func records(of batch: Batch) throws(PaginatorError) -> RecordBatch<T> {
        // Edits select among the known pages.
        if !seen.isEmpty { insert(seen.values.filter { handles[$0.identity] == nil }, at: time) }
        seen = [:]
        for use in batch.uses {
            guard let handle = handles[use.identity] else { continue }
            // Bounded: more uses tell a strategy little, and each is a call.
            for _ in 0..<max(0, min(use.times - usesKept[use.identity, default: 0], 16)) { evictor.use(handle) }
            usesKept[use.identity] = use.times
        }
        var records = RecordBatch(coder: coder, file: file, savedAt: clock.wallTime) { [unowned self] identity, page in
            guard let place = handles[identity]?.index else { return }
            items.index(place, page)
        }
        records.changes = batch.uses.map { .use($0.identity, times: $0.times) }
        var index = 0
        while index < batch.changes.count {
            // Edits of the same pages are combined, so that each page is read, decoded and encoded once.
            let (selection, edits) = Self.edits(in: batch.changes, from: index)
            if let selection {
                try records.add(edits, to: selection, in: pages(in: selection, for: edits))
                index += edits.count
            } else {
                records.add(batch.changes[index])
                index += 1
            }
        }
        return records
    }

    /// Commits a batch.
    ///
    /// - Returns: errors of single pages.
    func write(_ batch: Batch) throws(PaginatorError) -> [PaginatorError] {
        beginWork()
        defer { endWork() }
        // Used once, because a failed batch is prepared again.
        let prepared = self.prepared.take()
        let records = if let prepared { prepared } else { try self.records(of: batch) }
        let clearedPages = batch.changes.flatMap { cleared(by: $0) }
        do throws(PaginatorError) {
            try commit(records, isDurable: batch.isDurable)
        } catch {
            // A transaction needs space for what it removes, so the pages that go are removed in steps before it.
            guard error.storeKind == .full, !(clearedPages.isEmpty && carried.isEmpty) else { throw error }
            // From here on they count as removed, or each failure would add them again.
            for page in clearedPages { remove(page) }
            carried += clearedPages
            try commit(records, isDurable: batch.isDurable)
        }
        usesKept = [:]
        for (identity, written) in records.written {
            if let place = handles[identity]?.index { items.index(place, written.page.page) }
        }
        return records.errors
    }

    private func commit(_ records: RecordBatch<T>, isDurable: Bool) throws(PaginatorError) {
        // First, because a save of this batch may add the same page again.
        try removeCarried(leaving: 0)
        // Before the commit, because a shared file asks for victims with its lock held.
        let time = self.time
        let shared = file as? any SharedPageFile
        if let shared {
            // Others may have saved again what seems to have expired, of which a copy tells.
            var copy = evictor
            if copy.nextExpired(at: time.now) != nil { try takeChangesOfOthers(in: shared) }
        }
        var changes = records.changes
        for index in changes.indices { admit(&changes[index], at: time.now) }
        // Expired pages first, which make room without the strategy.
        while let expired = evictor.nextExpired(at: time.now) { carry(expired) }
        if carried.count > maxBatchChanges {
            // Those that this batch writes must be removed after it.
            try removeCarried(leaving: carried.partition { records.written[$0] == nil })
        }
        changes += carried.map { .remove(.identity($0)) }
        if let shared {
            guard !changes.isEmpty || isDurable else { return }
            try shared.commit(changes, durably: isDurable) { usage, newcomers in
                victims(in: usage, newcomers, before: changes, at: time)
            }
        } else {
            let before = carried.count
            while let victim = evictor.nextVictim() { carry(victim.page) }
            changes += carried.dropFirst(before).map { .remove(.identity($0)) }
            guard !changes.isEmpty || isDurable else { return }
            try file.commit(changes, durably: isDurable)
        }
        // Only now, because after a failed commit these pages are still in the file.
        carried = []
    }

    /// Removes evicted pages from the file until so many of the first ones are left. In commits of limited size,
    /// because a transaction needs space for what it removes.
    private func removeCarried(leaving count: Int) throws(PaginatorError) {
        var (most, hasRemoved) = (maxBatchChanges, false)
        while carried.count > count {
            let step = min(most, carried.count - count)
            do throws(PaginatorError) {
                try removeSome(most: step)
                hasRemoved = true
            } catch {
                guard error.storeKind == .full, hasRemoved || step > 1 else { throw error }
                // Once again if something was removed before, which may have made room; then in smaller steps.
                if !hasRemoved { most = step / 2 }
                hasRemoved = false
            }
        }
    }

    private func removeSome(most: Int) throws(PaginatorError) {
        let removals = carried.suffix(most).map { RecordChange.remove(.identity($0)) }
        guard let shared = file as? any SharedPageFile else {
            try file.commit(removals, durably: false)
            return carried.removeLast(most)
        }
        var others: [RecordFacts] = []
        try shared.commit(removals, durably: false) { _, newcomers in
            others += newcomers
            return []
        }
        carried.removeLast(most)
        guard !others.isEmpty else { return }
        let rest = Set(carried)
        for facts in others where !rest.contains(facts.identity) { seen[facts.identity] = facts }
    }

    /// The known pages in the file that a change removes, unless it names one.
    private func cleared(by change: StoreChange<T>) -> [PageIdentity] {
        switch change {
        case .remove(.identity), .save, .invalidate, .invalidateTags, .edit: []
        case .remove(let selection): known(in: selection)
        }
    }

    /// The consecutive edits of the same pages from `index` on.
    private static func edits(
        in changes: [StoreChange<T>],
        from index: Int
    ) -> (PageSelection?, [PageEdit<T>]) {
        guard case .edit(let selection, _) = changes[index] else { return (nil, []) }
        var edits: [PageEdit<T>] = []
        for change in changes[index...] {
            guard case .edit(selection, let edit) = change else { break }
            edits.append(edit)
        }
        return (selection, edits)
    }

    private func victims(
        in usage: PageUsage, _ newcomers: [RecordFacts], before changes: [RecordChange], at time: Time
    ) -> [PageIdentity] {
        let before = carried.count
        // Pages that other processes saved. For its own pages, this process also knows uses that the file lacks.
        for facts in newcomers { seen[facts.identity] = facts }
        let others = seen.values.filter { handles[$0.identity] == nil }
        seen = [:]
        insert(others, at: time)
        // The file's own totals, because this process may not know all pages. They are reduced below.
        var usage = usage
        func reduce(items: Int, bytes: Int) {
            usage.pages -= 1
            // Damaged rows may be larger than the total.
            usage.items = max(0, usage.items - items)
            usage.bytes = max(0, usage.bytes - bytes)
        }
        // Those that the evictor refused go first: they need not make others go.
        let refused = Set(carried[before...])
        for facts in others where refused.contains(facts.identity) { reduce(items: facts.items, bytes: facts.bytes) }
        // The batch's own pages are newer than theirs, except where LIFO keeps places. One that is refused only now is in the file already.
        var late: [PageIdentity: PageRecord] = [:]
        for change in others.isEmpty ? [] : changes {
            var admitted = change
            admit(&admitted, at: time.now)
            switch (change, admitted) {
            case (.save(let record, _), .remove), (.rewrite(let record, _), .remove): late[record.identity] = record
            default: break
            }
        }
        for (identity, record) in late where handles[identity] == nil {
            reduce(items: record.itemCount, bytes: record.diskBytes)
            carried.append(identity)
        }
        while let victim = evictor.nextVictim(in: usage) {
            reduce(items: victim.facts.items, bytes: victim.facts.bytes)
            carry(victim.page)
        }
        return Array(carried.dropFirst(before))
    }

    /// Updates the evictor for one change of the file.
    private func admit(_ change: inout RecordChange, at now: PaginatorInstant) {
        switch change {
        case .save(let record, let savedAt):
            let earlier = handles[record.identity]
            if let handle = evictor.insert(costs(of: record), at: now, replacing: earlier) {
                put(record.identity, handle, savedAt)
            } else {
                // If it is too large or not admitted, an older version of the page must not remain.
                remove(record.identity)
                change = .remove(.identity(record.identity))
            }
        case .rewrite(let record, _):
            // An edited page also keeps its order, its time and the rest of its lifetime.
            guard let handle = handles[record.identity] else { return }
            if evictor.replace(handle, costs(of: record)) {
                items.changed(handle.index, hasPage: true)
            } else {
                remove(record.identity)
                // If this commit fails, the next one does not edit the page, which is not known any more.
                carried.append(record.identity)
                change = .remove(.identity(record.identity))
            }
        case .remove(.identity(let identity)): remove(identity)
        case .remove(let selection):
            for identity in known(in: selection) { remove(identity) }
        case .invalidate, .invalidateTags, .use: break
        }
    }

    private func costs(of record: PageRecord) -> PageFacts {
        PageFacts(bytes: record.diskBytes, items: record.itemCount, keyHash: record.identity.stableHash)
    }

    private func insert(_ stored: [RecordFacts], at time: Time) {
        let (lifetime, keepsPlaces) = (strategy.lifetime, strategy.keepsPlaces)
        // Replays each page's save and last use, in order.
        var events: [(order: Int, index: Int, isUse: Bool)] = []
        events.reserveCapacity(stored.count * 2)
        for (index, facts) in stored.enumerated() {
            events.append((keepsPlaces ? facts.firstSaveOrder : facts.saveOrder, index, false))
            if facts.useOrder > 0 { events.append((max(facts.useOrder, facts.saveOrder), index, true)) }
        }
        events.sort { ($0.order, $0.isUse ? 1 : 0) < ($1.order, $1.isUse ? 1 : 0) }
        for event in events {
            let facts = stored[event.index]
            if event.isUse {
                if let handle = handles[facts.identity] { evictor.use(handle) }
                continue
            }
            var age = Self.age(of: facts, at: time.wall)
            // The wall clock may have been set forward since: a page that looks too old starts its lifetime again, and
            // is delivered as stale.
            if let lifetime, age >= lifetime { age = .zero }
            // The last use is a separate event.
            let uses = facts.useOrder > 0 ? max(0, facts.uses - 1) : facts.uses
            let page = PageFacts(
                bytes: facts.bytes, items: facts.items, keyHash: facts.identity.stableHash, restoredUses: uses)
            if let handle = evictor.insert(page, at: time.now, age: age) {
                put(facts.identity, handle, facts.savedAt)
            } else {
                carried.append(facts.identity)
            }
        }
    }

    /// Takes what others on the file have written since the last call, or since the recovery.
    private func takeChangesOfOthers(in shared: any SharedPageFile) throws(PaginatorError) {
        let changed = try shared.changesOfOthers()
        let time = self.time
        for facts in changed {
            guard let handle = handles[facts.identity] else { continue }
            // Not by its age, because the wall clock may have been set back.
            if let lifetime = strategy.lifetime, facts.savedAt != saved[handle.index]?.savedAt,
                Self.age(of: facts, at: time.wall) < lifetime
            {
                // Saved again, so its lifetime has begun again. An edited page keeps its own.
                remove(facts.identity)
            } else {
                items.changed(handle.index, hasPage: true)
            }
        }
        insert(changed.filter { handles[$0.identity] == nil }, at: time)
    }

    private static func age(of facts: RecordFacts, at wallTime: Date) -> Duration {
        .seconds(max(0, min(1e9, wallTime.timeIntervalSince(facts.savedAt))))
    }

    private func put(_ identity: PageIdentity, _ handle: PageHandle, _ savedAt: Date) {
        // Handles are small, reused numbers, so an array maps them back.
        while saved.count <= handle.index { saved.append(nil) }
        saved[handle.index] = (identity, savedAt)
        handles[identity] = handle
        items.changed(handle.index, hasPage: true)
    }

    private func remove(_ identity: PageIdentity) {
        guard let handle = handles.removeValue(forKey: identity) else { return }
        evictor.remove(handle)
        items.changed(handle.index, hasPage: false)
        saved[handle.index] = nil
    }

    /// Adds an evicted page to those that must be removed from the file.
    private func carry(_ handle: PageHandle) {
        guard let identity = saved[handle.index]?.identity else { return }
        saved[handle.index] = nil
        handles[identity] = nil
        items.changed(handle.index, hasPage: false)
        carried.append(identity)
        evictions += 1
    }

    /// Returns the pages that edits may concern.
    private func pages(
        in selection: PageSelection, for edits: [PageEdit<T>]
    ) throws(PaginatorError) -> [PageIdentity] {
        let targets = edits.compactMap(\.target)
        guard case .all = selection, targets.count == edits.count else { return known(in: selection) }
        if let shared = file as? any SharedPageFile { try takeChangesOfOthers(in: shared) }
        var places: Set<Int> = []
        for target in targets {
            places.formUnion(items.find(target) { Set(handles.values.map(\.index)) }.places)
        }
        return places.compactMap { saved[$0]?.identity }
    }

    private func known(in selection: PageSelection) -> [PageIdentity] {
        if case .identity(let identity) = selection { return handles[identity] == nil ? [] : [identity] }
        return handles.keys.filter { selection.contains($0) }
    }
}
