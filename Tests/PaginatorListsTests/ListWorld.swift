import PaginatorTesting

@testable import PaginatorCore
@testable import PaginatorLists

/// A list machine in a simulated world: a server whose table shifts, answers late, failing or from a cache, and a user
/// who does everything at random. Beside it runs the plain list, which says what must be shown.
struct ListWorld {
    let seed: UInt64
    var random: SeededRandom
    var machine: ListMachine
    var items = MachineItems<PlainItem>()
    var plain = PlainList()
    /// What is shown until the first page of another scope comes.
    var kept: PlainList?
    /// What the server has, by scope; some items are in several, with other values.
    var tables: [String: [PlainItem]] = [:]
    var table: [PlainItem] {
        get { tables[machine.config.scope, default: []] }
        set { tables[machine.config.scope] = newValue }
    }
    var nextID = 1_000
    var nextToken: UInt64 = 1
    var now = PaginatorInstant.zero
    let isOffset: Bool
    /// Whether pages name only the pages after them.
    let isOneWay: Bool
    let pageSize: Int
    var fetches: [(load: UInt64, request: PageRequest)] = []
    /// Fetches that were cancelled, and are answered all the same.
    var late: [(load: UInt64, request: PageRequest)] = []
    /// What the server gave for a key before, for answers from a cache.
    var cache: [PageIdentity: ListPage] = [:]
    var openTokens: [UInt64] = []
    var told: PaginatorListSnapshot<PlainItem, Int>
    var bookmarks: [PaginatorListBookmark] = []
    var failures: [String] = []
    var step = 0
    /// What happened last.
    var note = ""
    var seen: Set<String> = []

    init(seed: UInt64) {
        self.seed = seed
        random = SeededRandom(seed: seed)
        isOffset = seed % 2 == 0
        plain.isOffset = isOffset
        isOneWay = seed % 4 == 2
        pageSize = random.number(in: 1..<6)
        let table = (0..<random.number(in: 0..<60)).map { PlainItem(id: $0, value: 0) }
        let other = table.filter { $0.id % 3 != 0 }.map { PlainItem(id: $0.id, value: 1_000_000) }
        tables = ["": table, "b": other + [PlainItem(id: 900, value: 1_000_000)], "c": []]
        var config = PaginatorListConfig()
        config.pageSize = pageSize
        config.addressing = isOffset ? .offset : .opaque
        config.windowItems = seed % 3 == 0 ? random.number(in: 1..<20) : nil
        config.prefetchDistance = random.number(in: 0..<8)
        if seed % 4 == 1 { (config.prefetchDistance, config.prefetchBounds) = (nil, 1...9) }
        config.initialLoadSize = seed % 7 == 0 ? 3 * pageSize : nil
        if random.chance(0.3) { config.initialKey = isOffset ? "\(table.count / 2)" : nil }
        machine = ListMachine(config: config, firstKey: isOffset ? "0" : "start")
        if seed % 5 == 0 { machine.rankStep = 2 + Int(seed % 3) }
        told = items.snapshot(of: machine)
    }

    mutating func act() {
        step += 1
        now = now.advanced(by: .milliseconds(1))
        switch random.number(in: 0..<100) {
        case 0..<30: answerSomething()
        case 30..<40: send("next") { $0.loadNext() }
        case 40..<48: send("previous") { $0.loadPrevious() }
        case 48..<56:
            let range = hint()
            let time = now
            send("hint \(range)") { $0.hint(range, at: time) }
        case 56..<59: changeTable()
        case 59..<64: refreshSomething()
        case 64..<67:
            let (key, placement) = (key(), [PaginatorListPlacement.automatic, .start, .end][random.number(in: 0..<3)])
            send("jump to \(key), \(placement)") { $0.jump(to: key, placement) }
        case 67..<71: fillSomething()
        case 71..<74: send("retry") { $0.retry() }
        case 74..<82: beginEdit()
        case 82..<88: settleSomething()
        case 88..<93: insertSomething()
        case 93:
            if random.chance(0.4) { return loadAll() }
            let isPaused = random.chance(0.3)
            send("paused: \(isPaused)") { $0.setPrefetchPaused(isPaused) }
        case 94:
            let distance = random.chance(0.5) ? nil : random.number(in: 0..<8)
            let adapts = seed % 4 == 1
            send("distance \(distance ?? -1), adapts: \(adapts)") { list in
                if let distance { list.setPrefetchDistance(adapts ? nil : distance) } else { list.woken() }
            }
        case 95:
            let time = now
            if random.chance(0.3) { reset { $0.reset(at: time) } }
        case 96: if random.chance(0.3) { send("cancel") { $0.cancelLoads() } } else { showSomething() }
        case 97: restoreSomething()
        default: if let bookmark = machine.bookmark() { bookmarks.append(bookmark) }
        }
        check()
    }

    func hint() -> Range<Int> {
        var random = random
        let count = snapshot.count
        let lower = random.number(in: -2..<count + 3)
        return lower..<lower + random.number(in: 0..<4)
    }

    private mutating func loadAll() {
        let (limit, token) = (random.number(in: 0..<40), nextToken)
        nextToken += 1
        send("load \(limit)") { $0.loadAll(limit, token: token) }
        if random.chance(0.2) { send("no longer load \(limit)") { $0.endGoal(token, with: nil) } }
        check()
    }

    mutating func key() -> String {
        guard !table.isEmpty else { return machine.firstKey }
        let index = random.number(in: 0..<table.count)
        return isOffset ? "\(index / pageSize * pageSize)" : index == 0 ? "start" : "after:\(table[index - 1].id)"
    }

    var snapshot: PaginatorListSnapshot<PlainItem, Int> { items.snapshot(of: machine) }

    /// Hands the machine an event, and follows what it drops.
    mutating func send(_ note: String, _ event: (inout ListMachine) -> Void) {
        self.note = note
        let before = places
        machine.handle(event)
        rename(since: before)
        follow()
    }

    /// The pages that the machine has, by the number of their arrival.
    var places: [UInt64: PageIdentity] {
        Dictionary(uniqueKeysWithValues: machine.seats.values.map { ($0.stamp.arrival, $0.identity) })
    }

    /// Follows pages that have got another key, and those that were taken out.
    ///
    /// - Parameter new: the page that has come meanwhile.
    mutating func rename(since before: [UInt64: PageIdentity], new: PageIdentity? = nil) {
        let after = places
        let arrivals = Dictionary(uniqueKeysWithValues: before.map { ($1, $0) })
        let latest = after.max { $0.key < $1.key }
        plain.seats = plain.seats.compactMap { seat in
            var seat = seat
            if seat.identity == new, let latest, before[latest.key] == nil {
                seat.identity = latest.value
            } else {
                guard let identity = arrivals[seat.identity].flatMap({ after[$0] }) else { return nil }
                seat.identity = identity
            }
            return seat
        }
        plain.forgetUnheld()
    }

    mutating func follow() {
        for action in machine.actions {
            switch action {
            case .fetch(let load, let request, _): fetches.append((load, request))
            case .cancel(let load):
                late = (late + fetches.filter { $0.load == load }).suffix(8)
                fetches.removeAll { $0.load == load }
            case .pin, .wake, .ended: break
            case .unpin(let identity):
                if !machine.seats.values.contains(where: { $0.identity == identity }) {
                    plain.removeSeat(identity)
                }
            }
        }
        machine.actions = []
    }

    mutating func reset(_ event: (inout ListMachine) -> Void) {
        send("reset", event)
        plain.reset()
        kept = nil
    }

    mutating func restoreSomething() {
        let bookmarks = bookmarks.filter { $0.scope == machine.config.scope }
        guard !bookmarks.isEmpty, random.chance(0.3) else { return }
        let bookmark = bookmarks[random.number(in: 0..<bookmarks.count)]
        send("restore") { $0.restore(bookmark) }
        kept = nil
    }

    mutating func showSomething() {
        let (scope, keeps) = (["", "b", "c"][random.number(in: 0..<3)], random.chance(0.7))
        let key = isOffset && random.chance(0.2) ? "\(pageSize)" : nil
        let (time, shown) = (now, machine.seats.isEmpty ? kept : plain)
        machine.handle { $0.show(scope, initialKey: key, keepsRows: keeps, at: time) }
        note = "show \(scope), keeps: \(keeps)"
        // What edits insert belongs to the scope that is left.
        plain = PlainList(edits: plain.edits.filter { $0.insert == nil }, isOffset: isOffset)
        kept = keeps ? shown : nil
        seen.insert("show")
        follow()
    }

    mutating func refreshSomething() {
        let kinds: [PaginatorListRefresh] = [.all, .firstPage, .stalePages, .keepingPlace, .page(key())]
        let (kind, time) = (kinds[random.number(in: 0..<kinds.count)], now)
        send("refresh \(kind)") { $0.refresh(kind, at: time) }
    }

    mutating func fillSomething() {
        let gaps = snapshot.gaps
        let position = gaps.isEmpty ? 3 : gaps[random.number(in: 0..<gaps.count)]
        let fromStart = random.chance(0.5)
        send("gap at \(position)") { $0.fillGap(at: position, fromStart: fromStart) }
    }

    // MARK: - Edits

    mutating func someID() -> Int {
        let rows = snapshot
        if rows.isEmpty || random.chance(0.15) { return random.number(in: 0..<70) }
        return rows.id(at: random.number(in: 0..<rows.count))
    }

    mutating func beginEdit() {
        let id = someID()
        let token = nextToken
        nextToken += 1
        let addend = random.number(in: 1..<100)
        let removes = random.chance(0.25)
        let change: ItemChange<PlainItem> = { item in
            removes ? nil : PlainItem(id: item.id, value: item.value * 3 + addend)
        }
        openTokens.append(token)
        plain.edit(token, id, change)
        kept?.edit(token, id, change)
        let (edited, boxed, time) = (items[id], items.change(change), now)
        send("edit of \(id)") { $0.edit(token, edited, boxed, at: time) }
    }

    mutating func insertSomething() {
        let isLive = random.chance(0.5)
        let id = random.chance(0.8) ? nextID : someID()
        nextID += 1
        let places: [PaginatorRowPlace<Int>] = [.head, .tail, .after(someID())]
        let place = places[random.number(in: 0..<3)]
        if case .after(id) = place { return }
        let token = isLive ? nil : nextToken
        nextToken += 1
        if let token { openTokens.append(token) }
        let item = PlainItem(id: id, value: step)
        let (row, boxed, time) = (items.row(id, item), items.place(place), now)
        func add(to list: inout PlainList) {
            if let token { list.beginInsert(item, place, token) } else { list.insert(item, as: id, place, at: time) }
        }
        add(to: &plain)
        if var old = kept, machine.kept.first?.config.scope == machine.config.scope {
            add(to: &old)
            kept = old
        }
        send("insert of \(id)") { $0.insert([row], boxed, token: token, at: time) }
    }

    mutating func settleSomething() {
        guard !openTokens.isEmpty else { return }
        let token = openTokens.remove(at: random.number(in: 0..<openTokens.count))
        let id = (machine.tokens[token] ?? machine.kept.first?.tokens[token])?.number ?? 0
        let outcome: EditOutcome<(id: Int, value: PlainItem)>
        switch random.number(in: 0..<4) {
        case 0: outcome = .rolledBack
        case 1: outcome = .committed
        case 2: outcome = .committedValue((id, PlainItem(id: id, value: step)))
        default:
            let isInsert = plain.isInsert(token) || kept?.isInsert(token) == true
            let serverID = isInsert || random.chance(0.3) ? random.chance(0.8) ? nextID : someID() : id
            nextID += 1
            outcome = .committedValue((serverID, PlainItem(id: serverID, value: step)))
        }
        plain.settle(token, outcome, at: now)
        kept?.settle(token, outcome, at: now)
        let (boxed, time) = (items.outcome(outcome), now)
        send("end of edit \(token)") { $0.settle(token, boxed, at: time) }
    }
}
