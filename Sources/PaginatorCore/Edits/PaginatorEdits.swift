import Synchronization

/// Changes items by their identity, wherever a paginator has them: in memory, in the store and in every list.
///
/// ```swift
/// let edits = paginator.edits(id: { (post: Post) in post.id })
/// let like = edits.begin(post.id) { $0.liked() }
/// api.like(post.id) { result in
///     switch result {
///     case .success(let post): like.commit(with: post)
///     case .failure: like.rollBack()
///     }
/// }
/// ```
///
/// Nothing is loaded again. A pending edit lies over every page when it is read; a committed one is part of it, and an
/// older answer of the source never undoes it. Every call may come from any thread, also from a callback; all lists
/// learn of edits in the same order.
///
/// `@unchecked Sendable`: `state` belongs to whoever works on `letters`, and is handed on through their lock.
public final class PaginatorEdits<T: Sendable, ID: Hashable & Sendable>: @unchecked Sendable {
    struct Pending: Sendable {
        let token: UInt64
        let change: ItemChange<T>
        /// How many edits of the item were committed when it began.
        let startedAt: Int
    }

    enum Letter: Sendable {
        case attach(WeakList)
        case begin(UInt64, ID, ItemChange<T>)
        case insert(UInt64?, T, PaginatorRowPlace<ID>, scope: String)
        case settle(UInt64, Outcome)
    }

    enum Outcome: Sendable {
        case committed
        case committedValue(T)
        case rolledBack
    }

    /// `@unchecked Sendable`: `list` is set once; a weak reference may be read from any thread.
    final class WeakList: @unchecked Sendable {
        weak var list: ListEngine<T, ID>?
        init(_ list: ListEngine<T, ID>) { self.list = list }
    }

    private struct State {
        var lists: [WeakList] = []
        var items: [UInt64: ID] = [:]
        var inserted: Set<UInt64> = []
        /// The edits committed on items that have pending ones, in order.
        var commits: [ID: [ItemChange<T>]] = [:]
    }

    private weak var engine: FetchEngine?
    private let id: @Sendable (T) -> ID
    private let pending = Guarded<[ID: [Pending]]>([:])
    private let letters = SerialLetters<Letter>()
    private let lastToken = Atomic<UInt64>(0)
    private var state = State()

    init(_ engine: FetchEngine, id: @escaping @Sendable (T) -> ID) {
        self.engine = engine
        self.id = id
        engine.edits.addOverlay(self)
    }

    // MARK: - Calls

    /// Changes an item at once and for good.
    ///
    /// - Parameters:
    ///   - id: the item.
    ///   - change: returns the item's new value, or `nil` to remove it; pure, and called on any thread, several times.
    public func update(_ id: ID, _ change: @escaping @Sendable (T) -> T?) {
        begin(id, change).commit()
    }

    /// Removes an item at once and for good.
    public func remove(_ id: ID) { update(id) { _ in nil } }

    /// Shows a new item in the lists of a scope; pages are not changed, and the one that brings it takes its place.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - place: where it goes.
    ///   - scope: the scope of the lists that show it.
    public func insert(_ item: T, at place: PaginatorRowPlace<ID> = .head, scope: String = "") {
        post(.insert(nil, item, place, scope: scope))
    }

    /// Changes an item until the edit is committed or rolled back.
    ///
    /// - Parameters:
    ///   - id: the item.
    ///   - change: returns the item's new value, or `nil` to hide it; pure, and called on any thread, several times.
    /// - Returns: the edit, which stays pending if it is dropped.
    public func begin(_ id: ID, _ change: @escaping @Sendable (T) -> T?) -> PaginatorEdit<T> {
        let token = makeToken()
        post(.begin(token, id, change))
        return PaginatorEdit { [weak self] outcome in self?.settle(token, outcome) }
    }

    /// Shows a new item until the edit is committed, perhaps under the identity that the source chose, or rolled back.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - place: where it goes.
    ///   - scope: the scope of the lists that show it.
    /// - Returns: the edit, which stays pending if it is dropped.
    public func beginInsert(
        _ item: T, at place: PaginatorRowPlace<ID> = .head, scope: String = ""
    ) -> PaginatorEdit<T> {
        let token = makeToken()
        post(.insert(token, item, place, scope: scope))
        return PaginatorEdit { [weak self] outcome in self?.settle(token, outcome) }
    }

    private func settle(_ token: UInt64, _ outcome: PaginatorEdit<T>.Outcome) {
        switch outcome {
        case .committed: post(.settle(token, .committed))
        case .committedValue(let value): post(.settle(token, .committedValue(value)))
        case .rolledBack: post(.settle(token, .rolledBack))
        }
    }

    func attach(_ list: ListEngine<T, ID>) { post(.attach(WeakList(list))) }

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
        case .attach(let list):
            state.lists.removeAll { $0.list == nil }
            state.lists.append(list)
            let waiting = pending.withLock { $0 }
            for (id, edits) in waiting {
                for edit in edits { list.list?.feed(.edit(token: edit.token, id, edit.change)) }
            }
        case .begin(let token, let id, let change):
            state.items[token] = id
            let edit = Pending(token: token, change: change, startedAt: state.commits[id]?.count ?? 0)
            // Announced before anybody can see it.
            if pending.withLock({ $0.isEmpty }) { engine?.edits.overlayChanged(isPending: true) }
            pending.withLock { $0[id, default: []].append(edit) }
            tell { _ in .edit(token: token, id, change) }
        case .insert(let token, let item, let place, let scope):
            let id = id(item)
            if let token {
                state.items[token] = id
                state.inserted.insert(token)
            }
            guard let now = engine?.clock.now else { return }
            tell { list in
                guard list.scope.hasSameBytes(as: scope) else { return nil }
                return .insert(id: id, value: item, place, token: token, at: now)
            }
        case .settle(let token, let outcome):
            settleNow(token, outcome)
        }
    }

    private func settleNow(_ token: UInt64, _ outcome: Outcome) {
        guard let engine, let id = state.items.removeValue(forKey: token) else { return }
        if state.inserted.remove(token) != nil { return settleInsert(token, id, outcome) }
        let waiting = pending.withLock { $0[id] ?? [] }
        guard let edit = waiting.first(where: { $0.token == token }) else { return }
        let isLast = waiting.count == 1
        let commits = state.commits[id] ?? []
        if isLast { state.commits[id] = nil }
        let change: ItemChange<T>
        let told: EditOutcome<T, ID>
        switch outcome {
        case .rolledBack:
            takePending(token, id)
            return tell { _ in .settle(token: token, .rolledBack, at: engine.clock.now) }
        case .committed:
            change = edit.change
            told = .committed
        case .committedValue(let value):
            // The answer may be older than edits that were committed since this one began.
            var current: T? = value
            for later in commits.dropFirst(edit.startedAt) { current = current.flatMap(later) }
            let newest = current
            change = { _ in newest }
            told = newest.map { .committedValue(id, $0) } ?? .committedChange(change)
        }
        if !isLast { state.commits[id, default: []].append(edit.change) }
        let itemID = self.id
        let pageEdit = PageEdit<T>.items(where: { itemID($0) == id }, change: change)
        // No reader sees neither of the two, or both. The edit itself is released when this call returns.
        let number = engine.commit({ object in pageEdit(PaginatorPage<T>.from(object)) }) { takePending(token, id) }
        withExtendedLifetime(waiting) {}
        let now = engine.clock.now
        tell { _ in .settle(token: token, told, number: number, at: now) }
    }

    private func takePending(_ token: UInt64, _ id: ID) {
        let wasLast = pending.withLock { pending in
            let before = pending.count
            pending[id]?.removeAll { $0.token == token }
            if pending[id]?.isEmpty ?? false { pending[id] = nil }
            return before > 0 && pending.isEmpty
        }
        if wasLast { engine?.edits.overlayChanged(isPending: false) }
    }

    private func settleInsert(_ token: UInt64, _ id: ID, _ outcome: Outcome) {
        guard let now = engine?.clock.now else { return }
        let told: EditOutcome<T, ID>
        switch outcome {
        case .committed: told = .committed
        case .committedValue(let value): told = .committedValue(self.id(value), value)
        case .rolledBack: told = .rolledBack
        }
        tell { _ in .settle(token: token, told, at: now) }
    }

    private func tell(_ event: (ListEngine<T, ID>) -> ListEvent<T, ID>?) {
        for list in state.lists.compactMap(\.list) {
            if let event = event(list) { list.feed(event) }
        }
    }
}

extension PaginatorEdits: EditOverlay {
    /// Folds the pending edits over a page.
    package func pendingChange() -> EditLog.Change? {
        let pending = pending.withLock { $0 }
        guard !pending.isEmpty else { return nil }
        let edit = PageEdit<T>.items(
            where: { [id] in pending[id($0)] != nil },
            change: { [id] item in
                pending[id(item)]?.reduce(item as T?) { item, edit in item.flatMap(edit.change) } ?? nil
            })
        return { edit(PaginatorPage<T>.from($0)) }
    }
}

/// An optimistic edit: it lies over its item until it is committed or rolled back, once; later calls do nothing.
public final class PaginatorEdit<T: Sendable>: Sendable {
    enum Outcome: Sendable {
        case committed
        case committedValue(T)
        case rolledBack
    }

    private let hasEnded = OnceFlag()
    private let end: @Sendable (Outcome) -> Void

    init(end: @escaping @Sendable (Outcome) -> Void) {
        self.end = end
    }

    /// Makes the edit's own change the truth.
    public func commit() { finish(.committed) }

    /// Makes the source's value the truth; edits of the same item that were committed since this one began are applied
    /// to it again.
    ///
    /// - Parameter value: the item as the source has it now.
    public func commit(with value: T) { finish(.committedValue(value)) }

    /// Takes the edit back; what else is pending on the item stays.
    public func rollBack() { finish(.rolledBack) }

    private func finish(_ outcome: Outcome) {
        if hasEnded.take() { end(outcome) }
    }
}

/// The edits of one paginator, by the type of the identities.
package final class EditRegistry: Sendable {
    private let edits = Guarded<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    package init() {}

    func edits<T, ID>(_ engine: FetchEngine, id: @escaping @Sendable (T) -> ID) -> PaginatorEdits<T, ID> {
        let key = ObjectIdentifier(PaginatorEdits<T, ID>.self)
        if let found = edits.withLock({ $0[key] }) as? PaginatorEdits<T, ID> { return found }
        let made = PaginatorEdits<T, ID>(engine, id: id)
        return edits.withLock { edits in
            if let found = edits[key] as? PaginatorEdits<T, ID> { return found }
            edits[key] = made
            return made
        }
    }
}

extension CallbackPaginator {
    /// Returns the paginator's edits, which all its lists and callers share for one type of identities.
    ///
    /// - Parameter id: tells one item from another; pure, and called on any thread. The first one given is used.
    public func edits<ID: Hashable & Sendable>(id: @escaping @Sendable (T) -> ID) -> PaginatorEdits<T, ID> {
        editRegistry.edits(engine, id: id)
    }
}

extension PaginatorList {
    /// The edits of the list's paginator, by which items change in all its lists.
    public var edits: PaginatorEdits<T, ID> { engine.paginator.edits(id: engine.id) }
}
