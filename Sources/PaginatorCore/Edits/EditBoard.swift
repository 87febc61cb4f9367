/// The edits of one paginator's items: in memory, in the store and in every list, in one order for all of them.
///
/// `@unchecked Sendable`: only the handler of `messages` uses `pending`, `inserts` and `committedInserts`. `engine` is
/// set once, and a weak reference may be read from any thread.
final class EditBoard<T: Sendable>: @unchecked Sendable {
    /// `@unchecked Sendable`: only the handler of the board's messages uses `scope`.
    final class AttachedList: @unchecked Sendable {
        fileprivate(set) var scope: String
        // Taken by the message that tells the list about all pending edits.
        let introduction = OnceFlag()
        // Passes an edit to the list, or nothing, and returns whether the list still exists.
        let take: @Sendable (ListEdit<T>?) -> Bool

        init(scope: String, _ take: @escaping @Sendable (ListEdit<T>?) -> Bool) {
            self.scope = scope
            self.take = take
        }
    }

    private struct Insert {
        let token: UInt64
        let value: T
        var place: ItemPlace<T>
        let scope: String
        let time: PaginatorInstant
        // The row with later committed edits; `nil` if one of them removed it.
        var current: T?
        // Edits committed since it began, which the source's answer may lack.
        var later: [(item: ItemReference<T>, change: ItemChange<T>)] = []
        // The time at which the source accepted it.
        var committedAt: PaginatorInstant?
        // Whether the pages that were requested before it have been made stale.
        var oldPagesAreStale = false

        mutating func note(_ change: @escaping ItemChange<T>, of other: ItemReference<T>) {
            later.append((other, change))
            // The others may concern the row under the identity that the source will give it, and may be many.
            guard later.count > 128, let oldest = later.firstIndex(where: { !$0.item.matches(value) }) else { return }
            later.remove(at: oldest)
        }
    }

    private(set) weak var engine: FetchEngine?
    private let messages: SerialMailbox<@Sendable () -> Void>
    private let lists = Guarded<[AttachedList]>([])
    // The mailboxes of groups whose changes become edits here.
    private let groups = Guarded<[@Sendable () -> SerialMailbox<@Sendable () -> Void>?]>([])
    private let lastToken = AtomicWord()
    private var pending = PendingItemEdits<T>()
    private var inserts: [UInt64: Insert] = [:]
    // The latest inserts that the source has accepted, in order, for lists created later: cached pages may be older.
    private var committedInserts: [Insert] = []
    // The last 128 removals. In a cached page requested before one, later offsets are one too great. `scopes`: those of
    // pages that had the item or were being loaded; empty if unknown, so that the removal counts in every scope.
    // `oldPagesAreStale`: as for inserts.
    private var committedRemovals:
        [(token: UInt64, scopes: Set<ExactText>, time: PaginatorInstant, oldPagesAreStale: Bool)] = []

    init(_ engine: FetchEngine) {
        self.engine = engine
        messages = SerialMailbox(on: engine.executor) { $0() }
    }

    // Adds a list. It is told every later commit, and before the first one all pending edits.
    func attach(_ list: AttachedList) {
        lists.withLock { $0.append(list) }
        post { $0.tell(nil, to: $0.listsToldOfPending()) }
    }

    // Records that a list shows another scope, and tells it the rows of this scope. It already knows the edits.
    func move(_ list: AttachedList, to scope: String) {
        post { board in
            list.scope = scope
            if list.introduction.isTaken { board.introduce([], to: list) }
        }
    }

    func begin(_ item: ItemReference<T>, scope: String?, _ change: @escaping ItemChange<T>) -> PaginatorEdit<T> {
        let token = lastToken.add(1)
        post { $0.begin(PendingItemEdit(token: token, item: item, scope: scope, change: change, removes: false)) }
        return handle(token)
    }

    // Commits an edit that was never pending.
    func commit(_ item: ItemReference<T>, removes: Bool, _ change: @escaping ItemChange<T>) {
        let edit = PendingItemEdit(token: lastToken.add(1), item: item, scope: nil, change: change, removes: removes)
        post { board in
            if let engine = board.engine { board.settle(edit, .committed, at: engine.makeRequestTime(), in: engine) }
        }
    }

    func insert(_ value: T, _ place: ItemPlace<T>, scope: String, isCommitted: Bool) -> PaginatorEdit<T> {
        let token = lastToken.add(1)
        post { $0.insert(value, place, scope: scope, token, isCommitted: isCommitted) }
        return handle(token)
    }

    // Ends all pending edits, or those of a scope, so that committing them later does nothing, and forgets the inserts.
    func clear(_ selection: PageSelection) {
        let isCleared: @Sendable (String?) -> Bool
        switch selection {
        case .all: isCleared = { _ in true }
        case .scope(let cleared): isCleared = { $0?.hasSameBytes(as: cleared) == true }
        case .identity, .key: return
        }
        post { board in
            board.committedInserts.removeAll { isCleared($0.scope) }
            let edits = board.pending.all.filter { isCleared($0.scope) }.map(\.token)
            let inserts = board.inserts.values.filter { isCleared($0.scope) }.map(\.token)
            for token in (edits + inserts).sorted() { board.settle(token, .rolledBack) }
        }
    }

    private func handle(_ token: UInt64) -> PaginatorEdit<T> {
        PaginatorEdit { [weak self] outcome in self?.post { $0.settle(token, outcome) } }
    }

    // Runs after the edits that were made before, which another thread may still apply.
    func afterEdits(_ work: @escaping @Sendable () -> Void) { messages.run(work) }

    // Also after the changes that were sent to groups before: the work goes through the mailbox of one after the other.
    func afterAllEdits(_ work: @escaping @Sendable () -> Void) {
        let last: @Sendable () -> Void = { self.afterEdits(work) }
        groups.withLock { $0 }.reduce(last) { work, group in
            { if let group = group(), !group.isIdle { group.post(work) } else { work() } }
        }()
    }

    func joined(_ group: SerialMailbox<@Sendable () -> Void>) {
        groups.withLock { groups in
            groups.removeAll { $0().map { $0 === group } ?? true }
            groups.append { [weak group] in group }
        }
    }

    private func post(_ message: @escaping @Sendable (EditBoard) -> Void) { messages.run { message(self) } }

    private func begin(_ edit: PendingItemEdit<T>) {
        // The paginator is released. A pending edit would be kept forever.
        guard let engine else { return }
        let lists = listsToldOfPending()
        pending.all.append(edit)
        engine.edits.setPending(pending.change)
        tell(.begin(edit.token, edit.item, edit.change), to: lists)
        showPages(of: edit.item)
    }

    private func insert(_ value: T, _ place: ItemPlace<T>, scope: String, _ token: UInt64, isCommitted: Bool) {
        guard let now = engine?.makeRequestTime() else { return }
        let lists = listsToldOfPending()
        let insert = Insert(token: token, value: value, place: place, scope: scope, time: now, current: value)
        if isCommitted { commit(insert, at: now) } else { inserts[token] = insert }
        let edit = ListEdit.insert(isCommitted ? nil : token, value, place, scope: scope, at: now)
        tell(edit, to: lists.filter { $0.scope.hasSameBytes(as: scope) })
    }

    private func commit(_ insert: Insert, at now: PaginatorInstant) {
        guard insert.current != nil else { return }
        var insert = insert
        (insert.committedAt, insert.later) = (now, [])
        committedInserts.append(insert)
        guard committedInserts.count > 128 else { return }
        let gone = committedInserts.removeFirst()
        guard !gone.oldPagesAreStale else { return }
        // A list created later would show an older page without the row, and no gap.
        engine?.feed(.invalidate(.selected(.scope(gone.scope))))
        for index in committedInserts.indices where committedInserts[index].scope.hasSameBytes(as: gone.scope) {
            committedInserts[index].oldPagesAreStale = true
        }
    }

    private func settle(_ token: UInt64, _ outcome: EditOutcome<T>) {
        guard let engine else { return }
        // Before the edit gets its number: pages requested later are newer, and those with the edit must be.
        let now = engine.makeRequestTime()
        if let edit = pending[token] { return settle(edit, outcome, at: now, in: engine) }
        guard var insert = inserts[token] else { return }
        // Before the insert stops pending, so that a new list also sees it as pending.
        let lists = listsToldOfPending()
        inserts[token] = nil
        var outcome = outcome
        if case .committedValue(let value) = outcome {
            // Edits may name the identity that the source chose: a page may bring the row before this answer.
            insert.current = insert.later.reduce(value) { value, later in
                value.flatMap { later.item.matches($0) || later.item.matches(insert.value) ? later.change($0) : $0 }
            }
            outcome = .committedValue(insert.current)
        }
        if case .rolledBack = outcome { insert.current = nil }
        commit(insert, at: now)
        if case .committedValue(let new?) = outcome {
            follow(new) { $0.matches(insert.value) }
            engine.edits.setPending(pending.change)
        } else if insert.current == nil {
            moveRows(where: { $0.matches(insert.value) }) { _ in insert.place }
        }
        tell(.settle(token, outcome, at: now), to: lists)
        if case .committedValue(let new?) = outcome { repeatEdits(of: new, to: lists) }
    }

    private func settle(
        _ edit: PendingItemEdit<T>, _ outcome: EditOutcome<T>, at now: PaginatorInstant, in engine: FetchEngine
    ) {
        let (token, item) = (edit.token, edit.item)
        if case .rolledBack = outcome {
            let lists = listsToldOfPending()
            pending.remove(token)
            engine.edits.setPending(pending.change)
            tell(.settle(token, outcome, at: now), to: lists)
            return showPages(of: item)
        }
        let (final, twin, result) = Self.finalChange(of: edit, outcome)
        // A page that reaches a list in between contains the edit, so the list must not apply it again. Only this code
        // commits, so the number is known in advance.
        let number = engine.edits.count + 1
        tell(.begin(token, item, edit.change, number: number), to: listsToldOfPending())
        pending.remove(token)
        pending.note(edit.change, of: item)
        if twin != nil, case .committedValue(let new?) = result { follow(new) { $0.isSame(as: item) } }
        let removals = Guarded([ItemReference<T>?]())
        let edited = Self.pageChange(of: item, final, twin?.matches, removals, firstKey: engine.operations.firstKey)
        let (changed, loading) = engine.commit(edited, of: item.target, pending: pending.change)
        // Includes lists created meanwhile, which have to know the edit before they are told how it ended.
        let lists = listsToldOfPending(with: (edit, number))
        changeInserts(of: item, final, edit.change)
        let places = removals.withLock { $0 }
        let isRemoved = edit.removes || !places.isEmpty
        tell(.settle(token, result, number: number, removes: isRemoved, at: now), to: lists)
        if twin != nil, case .committedValue(let new?) = result { repeatEdits(of: new, to: lists) }
        guard isRemoved else { return }
        // Pages of several scopes may disagree. One that begins with the item knows no place.
        let known = places.filter { $0?.isSame(as: item) != true }
        if Set(known.map { $0.map { AnyHashable($0.id) } }).count == 1 {
            moveRows(where: { $0.isSame(as: item) }) { _ in known[0].map { ItemPlace.after($0) } ?? .head }
        }
        // Known only if this commit removed the item from every page that it changed: another thread that was applying
        // edits may have removed it first, and a store may have pages of other scopes.
        let isKnown = !changed.isEmpty && places.count == changed.count && !engine.hasStore
        noteRemoval(token, in: isKnown ? Set((changed + loading).map { ExactText($0.scope) }) : [], at: now)
    }

    private func noteRemoval(_ token: UInt64, in scopes: Set<ExactText>, at now: PaginatorInstant) {
        committedRemovals.append((token, scopes, now, false))
        guard committedRemovals.count > 128 else { return }
        let gone = committedRemovals.removeFirst()
        guard !gone.oldPagesAreStale else { return }
        // A list created later would skip a row after an older page, and show no gap.
        let pages: [PageSelection] =
            gone.scopes.isEmpty ? [.all] : gone.scopes.map(\.text).sorted().map(PageSelection.scope)
        for selection in pages { engine?.feed(.invalidate(.selected(selection))) }
        for (index, other) in committedRemovals.enumerated()
        where gone.scopes.isEmpty || !other.scopes.isEmpty && other.scopes.isSubset(of: gone.scopes) {
            committedRemovals[index].oldPagesAreStale = true
        }
    }

    // Edits of an item, and rows after it, follow it to the identity that the source has given it.
    private func follow(_ new: T, where isOld: (ItemReference<T>) -> Bool) {
        for index in pending.all.indices { pending.all[index].follow(new, where: isOld) }
        moveRows(where: { isOld($0) && !$0.matches(new) }) { .after($0.reference(new)) }
    }

    // Tells lists again of the edits of an item that has got another identity, which they may not have had before.
    private func repeatEdits(of new: T, to lists: [AttachedList]) {
        for other in pending.all where other.item.matches(new) {
            tell(.begin(other.token, other.item, other.change), to: lists)
            showPages(of: other.item)
        }
    }

    // Gives the rows after an item another place, for lists created later.
    private func moveRows(where isGone: (ItemReference<T>) -> Bool, to place: (ItemReference<T>) -> ItemPlace<T>) {
        func moved(_ insert: Insert) -> Insert {
            var insert = insert
            if case .after(let anchor) = insert.place, isGone(anchor) { insert.place = place(anchor) }
            return insert
        }
        inserts = inserts.mapValues(moved)
        committedInserts = committedInserts.map(moved)
    }

    // Returns what a committed edit does to the item, the item with the identity that the source gave it, if that is
    // another one, and the outcome for lists.
    private static func finalChange(
        of edit: PendingItemEdit<T>, _ outcome: EditOutcome<T>
    ) -> (ItemChange<T>, twin: ItemReference<T>?, EditOutcome<T>) {
        guard case .committedValue(var value) = outcome else { return (edit.change, nil, outcome) }
        // The answer may be older than edits that were committed since this one began.
        for later in edit.later { value = value.flatMap { later.item.matches($0) ? later.change($0) : $0 } }
        let newest = value
        let twin = newest.flatMap { edit.item.matches($0) ? nil : edit.item.reference($0) }
        return ({ _ in newest }, twin, .committedValue(newest))
    }

    // Returns the change of pages that have an item. Notes the item before a removed one, or itself if that is unknown.
    private static func pageChange(
        of item: ItemReference<T>, _ change: @escaping ItemChange<T>, _ isTwin: (@Sendable (T) -> Bool)?,
        _ removals: Guarded<[ItemReference<T>?]>, firstKey: String
    ) -> EditLog.Change {
        let edit = PageEdit<T>.items(where: item.matches, change: change)
        return { object in
            let page = PaginatorPage<T>.from(object)
            guard item.isAmong(page.content) else { return nil }
            guard let isTwin, page.content.contains(where: isTwin) else {
                let edited = edit(page)
                guard (edited ?? page).content.count < page.content.count else { return edited }
                let before = page.content.prefix { !item.matches($0) }.last.map(item.reference)
                let isAtHead = page.prevKey == nil && page.key.hasSameBytes(as: firstKey)
                removals.withLock { $0.append(before ?? (isAtHead ? nil : item)) }
                return edited
            }
            // As in lists: the other one takes the value where it is, and the edited one goes.
            return PageEdit<T>.items(where: { item.matches($0) || isTwin($0) }) { isTwin($0) ? change($0) : nil }(page)
        }
    }

    // Applies a committed edit to inserted rows, also by their local identities. `change` is what the edit did before
    // the source returned a value for it.
    private func changeInserts(of item: ItemReference<T>, _ final: ItemChange<T>, _ change: @escaping ItemChange<T>) {
        if inserts.isEmpty, committedInserts.isEmpty { return }
        var gone: [(row: T, place: ItemPlace<T>)] = []
        func changed(_ insert: Insert) -> Insert {
            var insert = insert
            if insert.committedAt == nil { insert.note(change, of: item) }
            if let current = insert.current, item.matches(current) || item.matches(insert.value) {
                insert.current = final(current)
                if insert.current == nil { gone.append((current, insert.place)) }
            }
            return insert
        }
        inserts = inserts.mapValues(changed)
        committedInserts = committedInserts.map(changed).filter { $0.current != nil }
        for (row, place) in gone { moveRows(where: { $0.matches(row) }) { _ in place } }
    }

    private func showPages(of item: ItemReference<T>) {
        engine?.pendingEditsChanged { item.isAmong(PaginatorPage<T>.from($0).content) }
    }

    // Tells new lists all pending edits, and returns all lists. `last` is committed, but still pending for lists.
    private func listsToldOfPending(with last: (edit: PendingItemEdit<T>, number: UInt64)? = nil) -> [AttachedList] {
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

    // Tells a list about edits, and about all rows and removals of its scope.
    private func introduce(_ edits: [(UInt64, ListEdit<T>)], to list: AttachedList) {
        for (token, scopes, time, _) in committedRemovals
        where scopes.isEmpty || scopes.contains(ExactText(list.scope)) {
            _ = list.take(.settle(token, .committed, removes: true, at: time))
        }
        let rows = (inserts.values + committedInserts).filter { $0.scope.hasSameBytes(as: list.scope) }
        var edits = edits
        for row in rows {
            // A committed row is told as it began, with its local identity.
            guard let value = row.committedAt == nil ? row.current : row.value else { continue }
            edits.append((row.token, .insert(row.token, value, row.place, scope: row.scope, at: row.time)))
        }
        for (_, edit) in edits.sorted(by: { $0.0 < $1.0 }) { _ = list.take(edit) }
        // As other lists learned it: a row gets the source's identity after the edits that concern it.
        for row in rows {
            guard let time = row.committedAt else { continue }
            _ = list.take(.settle(row.token, .committedValue(row.current), at: time))
        }
    }

    // Tells lists about an edit, or checks whether they still exist, and removes those that do not.
    private func tell(_ edit: @autoclosure () -> ListEdit<T>?, to present: [AttachedList]) {
        if present.isEmpty { return }
        let edit = edit()
        let gone = present.filter { !$0.take(edit) }
        guard !gone.isEmpty else { return }
        lists.withLock { lists in lists.removeAll { list in gone.contains { $0 === list } } }
    }
}
