/// The edits of one paginator's items: in memory, in the store and in every list, in one order for all of them.
///
/// `@unchecked Sendable`: `pending`, `inserts` and `committedInserts` belong to whoever handles a message, and are handed on
/// through the lock of `messages`; `engine` is set once, and a weak reference may be read from any thread.
final class EditBoard<T: Sendable>: @unchecked Sendable {
    /// `@unchecked Sendable`: `scope` belongs to whoever handles a message of the board.
    final class AttachedList: @unchecked Sendable {
        fileprivate(set) var scope: String
        // Taken by what tells the list of all that is pending.
        let introduction = OnceFlag()
        // Takes an edit, or nothing, and says whether the list is still there.
        let take: @Sendable (ListEdit<T>?) -> Bool

        init(scope: String, _ take: @escaping @Sendable (ListEdit<T>?) -> Bool) {
            self.scope = scope
            self.take = take
        }
    }

    private struct Insert {
        let token: UInt64
        let value: T
        let place: ItemPlace<T>
        let scope: String
        let time: PaginatorInstant
        // The row with the edits committed since; `nil` when one of them removed it.
        var current: T?
        // What was committed since it began, for the source's answer, which may be older.
        var later: [(item: ItemReference<T>, change: ItemChange<T>)] = []
        // When the source took it.
        var committedAt: PaginatorInstant?

        mutating func note(_ change: @escaping ItemChange<T>, of other: ItemReference<T>) {
            later.append((other, change))
            // Others may be edits of the row by the identity that the source will give it, and there may be any number.
            guard later.count > 128, let oldest = later.firstIndex(where: { !$0.item.matches(value) }) else { return }
            later.remove(at: oldest)
        }
    }

    private(set) weak var engine: FetchEngine?
    private let messages = SerialMailbox<@Sendable () -> Void>()
    private let lists = Guarded<[AttachedList]>([])
    private let lastToken = AtomicWord()
    private var pending = PendingItemEdits<T>()
    private var inserts: [UInt64: Insert] = [:]
    // The last ones that the source has, in the order of their commits, for lists made later: the pages that they find in
    // the caches may be older.
    private var committedInserts: [Insert] = []
    // The last removals: offsets of pages that the caches have of before them are too great by so many. Where memory had the
    // item that is known of its scopes alone, else of any; and of any where a store may have pages of others.
    private var committedRemovals: [(token: UInt64, scopes: Set<ExactText>, time: PaginatorInstant)] = []

    init(_ engine: FetchEngine) {
        self.engine = engine
    }

    // MARK: - Calls

    // Adds a list. From when this returns it is told of every commit; what is pending it learns soon, and before that.
    func attach(_ list: AttachedList) {
        lists.withLock { $0.append(list) }
        post { $0.tell(nil, to: $0.introducedLists()) }
    }

    // The list shows another scope from now on, and soon its rows; of the edits it knows already.
    func move(_ list: AttachedList, to scope: String) {
        post { board in
            list.scope = scope
            if list.introduction.isTaken { board.introduce([], to: list) }
        }
    }

    func begin(_ item: ItemReference<T>, _ change: @escaping ItemChange<T>) -> PaginatorEdit<T> {
        let token = lastToken.add(1)
        post { $0.begin(PendingItemEdit(token: token, item: item, change: change, removes: false)) }
        return handle(token)
    }

    // Commits an edit that nobody sees pending.
    func commit(_ item: ItemReference<T>, removes: Bool, _ change: @escaping ItemChange<T>) {
        let edit = PendingItemEdit(token: lastToken.add(1), item: item, change: change, removes: removes)
        post { board in
            guard let engine = board.engine else { return }
            board.settle(edit, .committed, at: engine.makeTimeOfAsking(), in: engine)
        }
    }

    func beginInsert(_ value: T, _ place: ItemPlace<T>, scope: String) -> PaginatorEdit<T> {
        let token = lastToken.add(1)
        post { $0.insert(value, place, scope: scope, token, isCommitted: false) }
        return handle(token)
    }

    func insert(_ value: T, _ place: ItemPlace<T>, scope: String) {
        let token = lastToken.add(1)
        post { $0.insert(value, place, scope: scope, token, isCommitted: true) }
    }

    private func handle(_ token: UInt64) -> PaginatorEdit<T> {
        PaginatorEdit { [weak self] outcome in self?.post { $0.settle(token, outcome) } }
    }

    private func post(_ message: @escaping @Sendable (EditBoard) -> Void) { messages.run { message(self) } }

    // MARK: - Work

    private func begin(_ edit: PendingItemEdit<T>) {
        // Nobody is left to see it, and it would be kept for ever.
        guard let engine else { return }
        let lists = introducedLists()
        pending.add(edit)
        engine.edits.setPending(pending.change)
        tell(.begin(edit.token, edit.item, edit.change), to: lists)
        showPages(of: edit.item)
    }

    private func insert(_ value: T, _ place: ItemPlace<T>, scope: String, _ token: UInt64, isCommitted: Bool) {
        guard let now = engine?.makeTimeOfAsking() else { return }
        let lists = introducedLists()
        let insert = Insert(token: token, value: value, place: place, scope: scope, time: now, current: value)
        if isCommitted { commit(insert, at: now) } else { inserts[token] = insert }
        tell(
            .insert(isCommitted ? nil : token, value, place, scope: scope, at: now),
            to: lists.filter { $0.scope.hasSameBytes(as: scope) })
    }

    private func commit(_ insert: Insert, at now: PaginatorInstant) {
        guard insert.current != nil else { return }
        var insert = insert
        insert.committedAt = now
        insert.later = []
        committedInserts.append(insert)
        if committedInserts.count > 128 { committedInserts.removeFirst() }
    }

    private func settle(_ token: UInt64, _ outcome: EditOutcome<T>) {
        guard let engine else { return }
        // Before the edit gets its number: what the source is asked for later is newer, and what has it is.
        let now = engine.makeTimeOfAsking()
        if let edit = pending[token] { return settle(edit, outcome, at: now, in: engine) }
        guard var insert = inserts[token] else { return }
        // Before it is no longer pending, so that it is pending to a new list, too.
        let lists = introducedLists()
        inserts[token] = nil
        var outcome = outcome
        if case .committedValue(let value) = outcome {
            // Also under the identity that the source chose: the row may have come with a page before this answer.
            insert.current = insert.later.reduce(value) { value, later in
                value.flatMap { later.item.matches($0) || later.item.matches(insert.value) ? later.change($0) : $0 }
            }
            outcome = .committedValue(insert.current)
        }
        if case .rolledBack = outcome {} else { commit(insert, at: now) }
        tell(.settle(token, outcome, at: now), to: lists)
    }

    private func settle(
        _ edit: PendingItemEdit<T>, _ outcome: EditOutcome<T>, at now: PaginatorInstant, in engine: FetchEngine
    ) {
        let (token, item) = (edit.token, edit.item)
        var (outcome, change) = (outcome, edit.change)
        let isRemoved = OnceFlag()
        switch outcome {
        case .rolledBack:
            let lists = introducedLists()
            pending.remove(token)
            engine.edits.setPending(pending.change)
            tell(.settle(token, outcome, at: now), to: lists)
            return showPages(of: item)
        case .committed:
            if edit.removes { _ = isRemoved.take() }
        case .committedValue(var value):
            // The answer may be older than edits that were committed since this one began.
            for later in edit.later {
                value = value.flatMap { later.item.matches($0) ? later.change($0) : $0 }
            }
            let newest = value
            (outcome, change) = (.committedValue(newest), { _ in newest })
        }
        // A page that comes to a list in between contains the edit, which must not lie over it once more. Nobody else
        // commits, so that the number is known ahead.
        let number = engine.edits.count + 1
        tell(.begin(token, item, edit.change, number: number), to: introducedLists())
        pending.remove(token)
        pending.note(edit.change, of: item)
        let final = change
        let pageEdit = PageEdit<T>.items(where: item.matches) { value in
            let changed = final(value)
            if changed == nil { _ = isRemoved.take() }
            return changed
        }
        let scopes = engine.commit(
            { object in
                let page = PaginatorPage<T>.from(object)
                return item.isAmong(page.content) ? pageEdit(page) : nil
            }, of: item.target, pending: pending.change)
        // Also to lists made meanwhile, which have to know it before they are told how it ended.
        let lists = introducedLists(with: (edit, number))
        changeInserts(of: item, final, edit.change)
        tell(.settle(token, outcome, number: number, removes: isRemoved.isTaken, at: now), to: lists)
        guard isRemoved.isTaken else { return }
        committedRemovals.append((token, engine.hasStore ? [] : Set(scopes), now))
        if committedRemovals.count > 128 { committedRemovals.removeFirst() }
    }

    // Also by the identities that they had on the device alone. `change` is what the edit did before the source gave a
    // value for it.
    private func changeInserts(of item: ItemReference<T>, _ final: ItemChange<T>, _ change: @escaping ItemChange<T>) {
        if inserts.isEmpty, committedInserts.isEmpty { return }
        func changed(_ insert: Insert) -> Insert {
            var insert = insert
            if insert.committedAt == nil { insert.note(change, of: item) }
            if let current = insert.current, item.matches(current) || item.matches(insert.value) {
                insert.current = final(current)
            }
            return insert
        }
        inserts = inserts.mapValues(changed)
        committedInserts = committedInserts.map(changed).filter { $0.current != nil }
    }

    private func showPages(of item: ItemReference<T>) {
        engine?.pendingEditsChanged { item.isAmong(PaginatorPage<T>.from($0).content) }
    }

    // Each of them knows what is pending. `last` was just committed, and is pending to a list until it is told how that ended.
    private func introducedLists(with last: (edit: PendingItemEdit<T>, number: UInt64)? = nil) -> [AttachedList] {
        let lists = lists.withLock { $0 }
        for list in lists where list.introduction.take() {
            var edits = pending.all.map { ($0.token, ListEdit.begin($0.token, $0.item, $0.change)) }
            if let (edit, number) = last {
                edits.append((edit.token, .begin(edit.token, edit.item, edit.change, number: number)))
            }
            introduce(edits, to: list)
        }
        return lists
    }

    // Tells a list of edits, and of all rows and removals of its scope.
    private func introduce(_ edits: [(UInt64, ListEdit<T>)], to list: AttachedList) {
        for (token, scopes, time) in committedRemovals
        where scopes.isEmpty || scopes.contains(ExactText(list.scope)) {
            _ = list.take(.settle(token, .committed, removes: true, at: time))
        }
        let rows = (inserts.values + committedInserts).filter { $0.scope.hasSameBytes(as: list.scope) }
        var edits = edits
        for row in rows {
            // A committed one comes as it began, and with the identity that it began with.
            guard let value = row.committedAt == nil ? row.current : row.value else { continue }
            edits.append((row.token, .insert(row.token, value, row.place, scope: row.scope, at: row.time)))
        }
        for (_, edit) in edits.sorted(by: { $0.0 < $1.0 }) { _ = list.take(edit) }
        // As the other lists have learned of it: a row gets the source's identity when all that concerns it is there.
        for row in rows {
            guard let time = row.committedAt else { continue }
            _ = list.take(.settle(row.token, .committedValue(row.current), at: time))
        }
    }

    // Tells lists of an edit, or asks them whether they are there, and forgets those that are not.
    private func tell(_ edit: @autoclosure () -> ListEdit<T>?, to present: [AttachedList]) {
        if present.isEmpty { return }
        let edit = edit()
        let gone = present.filter { !$0.take(edit) }
        guard !gone.isEmpty else { return }
        lists.withLock { lists in lists.removeAll { list in gone.contains { $0 === list } } }
    }
}
