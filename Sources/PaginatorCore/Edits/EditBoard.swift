import Synchronization

/// The edits of one paginator's items: in memory, in the store and in every list, in one order for all of them.
///
/// `@unchecked Sendable`: `state` belongs to whoever works on `letters`, and is handed on through their lock.
package final class EditBoard<T: Sendable>: @unchecked Sendable {
    enum Letter: Sendable {
        case attached
        case begin(UInt64, ItemReference<T>, ItemChange<T>, removes: Bool)
        case insert(UInt64?, T, ItemPlace<T>, scope: String)
        case settle(UInt64, PaginatorEdit<T>.Outcome)
    }

    /// A list that learns of edits.
    final class AttachedList: Sendable {
        let scope: String
        /// Taken by what tells the list of all that is pending.
        let introduction = OnceFlag()
        private let take: @Sendable (ListEdit<T>?) -> Bool

        /// - Parameter take: takes an edit, or nothing, and says whether the list is still there.
        init(scope: String, _ take: @escaping @Sendable (ListEdit<T>?) -> Bool) {
            self.scope = scope
            self.take = take
        }

        var isGone: Bool { !take(nil) }

        func tell(_ edit: ListEdit<T>) -> Bool { take(edit) }
    }

    private struct PendingInsert {
        let value: T
        let place: ItemPlace<T>
        let scope: String
        let time: PaginatorInstant
    }

    /// An insert that the source has, for lists made later: the pages that they find in the caches may be older.
    private struct CommittedInsert {
        let token: UInt64
        let insert: PendingInsert
        /// The row as edits that were committed since have made it.
        var value: T
        let time: PaginatorInstant
    }

    private struct State {
        var inserts: [UInt64: PendingInsert] = [:]
        /// The last ones, in the order of their commits.
        var committedInserts: [CommittedInsert] = []
        /// The edits committed while others were pending that may be of the same item, in order.
        var commits: [(item: ItemReference<T>, change: ItemChange<T>)] = []
    }

    private weak var engine: FetchEngine?
    private let pending = Guarded(PendingItemEdits<T>())
    private let lists = Guarded<[AttachedList]>([])
    private let letters = SerialMailbox<Letter>()
    private let lastToken = Atomic<UInt64>(0)
    private var state = State()

    init(_ engine: FetchEngine) {
        self.engine = engine
        engine.edits.setOverlay(self)
    }

    // MARK: - Calls

    /// Adds a list. From when this returns it is told of every commit; what is pending it learns soon, and before that.
    func attach(_ list: AttachedList) {
        lists.withLock { $0.append(list) }
        post(.attached)
    }

    /// - Parameter removes: whether the change is known to remove the item, whatever its value.
    func begin(_ item: ItemReference<T>, removes: Bool, _ change: @escaping ItemChange<T>) -> PaginatorEdit<T> {
        let token = makeToken()
        post(.begin(token, item, change, removes: removes))
        return handle(token)
    }

    func beginInsert(_ value: T, _ place: ItemPlace<T>, scope: String) -> PaginatorEdit<T> {
        let token = makeToken()
        post(.insert(token, value, place, scope: scope))
        return handle(token)
    }

    func insert(_ value: T, _ place: ItemPlace<T>, scope: String) {
        post(.insert(nil, value, place, scope: scope))
    }

    private func handle(_ token: UInt64) -> PaginatorEdit<T> {
        PaginatorEdit { [weak self] outcome in self?.post(.settle(token, outcome)) }
    }

    private func makeToken() -> UInt64 {
        lastToken.add(1, ordering: .relaxed).newValue
    }

    // MARK: - Work

    /// Adds a letter, and works on all there are unless somebody does already. No lock is held while user code runs.
    private func post(_ letter: Letter) {
        letters.post(letter) { work(on: $0) }
    }

    private func work(on letter: Letter) {
        switch letter {
        case .attached:
            forget(introducedLists().filter { $0.isGone })
        case .begin(let token, let item, let change, let removes):
            let lists = introducedLists()
            let edit = PendingItemEdit(
                token: token, item: item, change: change, removes: removes, startedAt: state.commits.count)
            // Announced before anybody can see it.
            if pending.withLock({ $0.isEmpty }) { engine?.edits.overlayChanged(isPending: true) }
            pending.withLock { $0.add(edit) }
            tell(.begin(token, item, change), to: lists)
            showPages(of: item)
        case .insert(let token, let value, let place, let scope):
            guard let now = engine?.makeTimeOfAsking() else { return }
            let lists = introducedLists()
            let insert = PendingInsert(value: value, place: place, scope: scope, time: now)
            if let token { state.inserts[token] = insert } else { note(insert, makeToken(), value, at: now) }
            tell(.insert(token, value, place, at: now), to: lists.filter { $0.scope.hasSameBytes(as: scope) })
        case .settle(let token, let outcome):
            settle(token, outcome)
        }
    }

    private func settle(_ token: UInt64, _ outcome: PaginatorEdit<T>.Outcome) {
        guard let engine else { return }
        // Before the edit gets its number: what the source is asked for later is newer, and what has it is.
        let now = engine.makeTimeOfAsking()
        if let insert = state.inserts[token] {
            // Before it is no longer pending, so that it is pending to a new list, too.
            let lists = introducedLists()
            state.inserts[token] = nil
            let told: ListEdit<T>.Outcome
            switch outcome {
            case .committed:
                told = .committed
                note(insert, token, insert.value, at: now)
            case .committedValue(let value):
                told = .committedValue(value)
                note(insert, token, value, at: now)
            case .rolledBack:
                told = .rolledBack
            }
            return tell(.settle(token, told, number: 0, removes: false, at: now), to: lists)
        }
        guard let edit = pending.withLock({ $0[token] }) else { return }
        let change: ItemChange<T>
        let told: ListEdit<T>.Outcome
        switch outcome {
        case .rolledBack:
            let lists = introducedLists()
            takePending(edit)
            tell(.settle(token, .rolledBack, number: 0, removes: false, at: now), to: lists)
            return showPages(of: edit.item)
        case .committed:
            change = edit.change
            told = .committed
        case .committedValue(let value):
            // The answer may be older than edits that were committed since this one began.
            var current: T? = value
            for later in state.commits.dropFirst(edit.startedAt) {
                current = current.flatMap { later.item.matches($0) ? later.change($0) : $0 }
            }
            let newest = current
            change = { _ in newest }
            told = newest.map { .committedValue($0) } ?? .committedChange(change)
        }
        let item = edit.item
        let isRemoved = OnceFlag()
        if edit.removes, case .committed = outcome { _ = isRemoved.take() }
        let pageEdit = PageEdit<T>.items(where: { item.matches($0) }) { value in
            let changed = change(value)
            if changed == nil { _ = isRemoved.take() }
            return changed
        }
        // No reader sees neither of the two, or both. The edit itself is released when this call returns.
        let number = engine.commit({ object in pageEdit(PaginatorPage<T>.from(object)) }) { takePending(edit) }
        noteCommit(item, edit.change)
        changeCommittedInserts(of: item, change)
        let lists = introducedLists(with: edit)
        tell(.settle(token, told, number: number, removes: isRemoved.isTaken, at: now), to: lists)
    }

    private func noteCommit(_ item: ItemReference<T>, _ change: @escaping ItemChange<T>) {
        let (isIdle, isWanted) = pending.withLock { ($0.isEmpty, $0.mayConcern(item)) }
        if isIdle {
            state.commits = []
        } else if isWanted {
            state.commits.append((item, change))
        }
    }

    private func note(_ insert: PendingInsert, _ token: UInt64, _ value: T, at now: PaginatorInstant) {
        state.committedInserts.append(CommittedInsert(token: token, insert: insert, value: value, time: now))
        if state.committedInserts.count > 128 { state.committedInserts.removeFirst() }
    }

    /// Changes the rows that inserts have brought, also by the identities that they had on the device alone.
    private func changeCommittedInserts(of item: ItemReference<T>, _ change: ItemChange<T>) {
        state.committedInserts = state.committedInserts.compactMap { committed in
            guard item.matches(committed.value) || item.matches(committed.insert.value) else { return committed }
            guard let value = change(committed.value) else { return nil }
            var committed = committed
            committed.value = value
            return committed
        }
    }

    private func takePending(_ edit: PendingItemEdit<T>) {
        let isEmpty = pending.withLock { pending in
            pending.remove(edit.token)
            return pending.isEmpty
        }
        if isEmpty { engine?.edits.overlayChanged(isPending: false) }
    }

    /// Tells those who observe a page with the item that they see it otherwise from now on.
    private func showPages(of item: ItemReference<T>) {
        engine?.pendingEditsChanged { page in
            PaginatorPage<T>.from(page).content.contains { item.matches($0) }
        }
    }

    /// The lists that are there, each of which knows what is pending.
    ///
    /// - Parameter edit: one that was just committed, which a new list has to know before it is told how that ended.
    private func introducedLists(with edit: PendingItemEdit<T>? = nil) -> [AttachedList] {
        let lists = lists.withLock { $0 }
        for list in lists where list.introduction.take() {
            var edits = pending.withLock { $0.all }.map { ($0.token, ListEdit.begin($0.token, $0.item, $0.change)) }
            if let edit { edits.append((edit.token, .begin(edit.token, edit.item, edit.change))) }
            for (token, insert) in state.inserts where insert.scope.hasSameBytes(as: list.scope) {
                edits.append((token, .insert(token, insert.value, insert.place, at: insert.time)))
            }
            // As the other lists have learned of it: a row gets the source's identity when all that concerns it is there.
            let committed = state.committedInserts.filter { $0.insert.scope.hasSameBytes(as: list.scope) }
            for row in committed {
                edits.append((row.token, .insert(row.token, row.insert.value, row.insert.place, at: row.insert.time)))
            }
            for (_, edit) in edits.sorted(by: { $0.0 < $1.0 }) { _ = list.tell(edit) }
            for row in committed {
                _ = list.tell(.settle(row.token, .committedValue(row.value), number: 0, removes: false, at: row.time))
            }
        }
        return lists
    }

    private func tell(_ edit: ListEdit<T>, to present: [AttachedList]) {
        forget(present.filter { !$0.tell(edit) })
    }

    private func forget(_ gone: [AttachedList]) {
        guard !gone.isEmpty else { return }
        lists.withLock { lists in lists.removeAll { list in gone.contains { $0 === list } } }
    }
}

extension EditBoard: EditOverlay {
    /// Folds the pending edits over a page.
    func pendingChange() -> EditLog.Change? {
        let pending = pending.withLock { $0 }
        guard !pending.isEmpty else { return nil }
        let edit = PageEdit<T>.items(
            where: { !pending.edits(of: $0).isEmpty },
            change: { item in pending.edits(of: item).reduce(item as T?) { item, edit in item.flatMap(edit.change) } })
        return { edit(PaginatorPage<T>.from($0)) }
    }
}
