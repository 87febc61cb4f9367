import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Random interleavings of events, loads, edits and lost connections, held against the server's own table.
@Suite struct FollowingWorldTests {
    /// A feed, newest first, whose server keeps its last events; everything runs on the thread of the test.
    ///
    /// `@unchecked Sendable`: everything runs on the thread of the test.
    private final class World: @unchecked Sendable {
        typealias Change = RowChange
        let executor = SimulatedExecutor()
        let clock = ManualPaginatorClock()
        let script = PushScript<Change>()
        let paginator: CallbackPaginator<SampleItem>
        var list: PaginatorList<SampleItem, Int>
        var random: SeededRandom

        // The server: the version of each item, and what happened.
        var table: [Int: Int] = Dictionary(uniqueKeysWithValues: (0..<30).map { ($0, 1) })
        var events: [Change] = []
        var firstKept = 0
        var nextID = 30
        // What the newest connection tells next; `nil` until it has been accepted.
        var position: Int?
        var connectionsSeen = 0
        private let calls: Guarded<[@Sendable () -> Void]>
        var edits: [(item: Int, edit: PaginatorEdit<SampleItem>)] = []

        private final class Holder: @unchecked Sendable {
            weak var world: World?
        }

        init(seed: UInt64, keepsNewest: Bool) {
            random = SeededRandom(seed: seed)
            let calls = Guarded<[@Sendable () -> Void]>([])
            self.calls = calls
            let holder = Holder()
            let source = ClosureDataSource<SampleItem>(firstKey: "top") { request, completion in
                // Made when the server is asked, and later on its way.
                let page =
                    holder.world?.page(request.key, request.pageSize) ?? PaginatorPage(content: [], key: request.key)
                calls.withLock { $0.append { completion(.success(page)) } }
                return SourceCancellation {}
            }
            var config = DefaultPaginatorConfig()
            // Not with this clock, whose advance would leave nothing to interleave.
            config.simulate(on: executor, clock: ManualPaginatorClock(), seed: seed)
            config.clock = clock
            paginator = CallbackPaginator(dataSource: source, config: config)
            var listConfig = PaginatorListConfig()
            listConfig.pageSize = 4
            list = PaginatorList(paginator, id: \.id, config: listConfig)
            holder.world = self
            let edits = paginator.edits(id: \.id)
            paginator.follow(script.source) { change in
                switch change {
                case .updated(let item):
                    edits.update(item.id) { old in
                        keepsNewest && World.version(old) > World.version(item) ? old : item
                    }
                case .removed(let id): edits.remove(id)
                case .added(let item, let place): edits.insert(item, at: place)
                }
            }
        }

        static func version(_ item: SampleItem) -> Int { Int(item.text) ?? 0 }

        func item(_ id: Int) -> SampleItem { SampleItem(id: id, text: "\(table[id] ?? 0)") }

        func page(_ key: String, _ size: Int) -> PaginatorPage<SampleItem> {
            let limit = Int(key) ?? .max
            let ids = table.keys.filter { $0 < limit }.sorted(by: >)
            return PaginatorPage(
                content: ids.prefix(size).map(item), key: key, nextKey: ids.count > size ? "\(ids[size - 1])" : nil)
        }

        // MARK: Steps

        func changeSomething() {
            guard let id = table.keys.sorted().randomElement(using: &random) else { return }
            switch random.number(in: 0..<4) {
            case 0 where table.count > 8:
                table[id] = nil
                events.append(.removed(id))
            case 1:
                table[nextID] = 1
                events.append(.added(item(nextID), at: .head))
                nextID += 1
            default:
                update(id)
            }
        }

        private func update(_ id: Int) {
            table[id, default: 0] += 1
            events.append(.updated(item(id)))
        }

        func accept() {
            guard script.connections.count > connectionsSeen, let connection = script.connections.last else { return }
            connectionsSeen = script.connections.count
            if random.chance(0.2) { return connection.tell(.closed()) }
            guard let last = connection.lastEventID.flatMap(Int.init) else {
                position = events.count
                return connection.tell(.opened(id: "\(events.count - 1)"))
            }
            let added = events[(last + 1)...].filter { if case .added = $0 { true } else { false } }
            // A first page that was loaded meanwhile may not go back as far as so many rows.
            if last + 1 < firstKept || added.count > 3 {
                connection.tell(.missed)
                position = events.count
                // Else the device has nothing to go on from.
                connection.tell(.opened(id: "\(events.count - 1)"))
            } else {
                connection.tell(.opened())
                // It repeats some.
                position = max(firstKept, last + 1 - random.number(in: 0..<4))
            }
        }

        func tellOne() {
            guard let next = position, next < events.count, let connection = script.connections.last else { return }
            connection.tell(.change(events[next], id: "\(next)"))
            position = next + 1
        }

        func lose() {
            guard position != nil else { return }
            position = nil
            script.connections.last?.tell(.closed())
        }

        func answer() {
            let call = calls.withLock { $0.isEmpty ? nil : $0.remove(at: random.number(in: 0..<$0.count)) }
            call?()
        }

        func load() {
            switch random.number(in: 0..<6) {
            case 0: list.refresh(.firstPage)
            case 1: list.refresh(.keepingPlace)
            case 2: list.refresh(.all)
            default: list.loadNext()
            }
        }

        func edit() {
            if edits.isEmpty || random.chance(0.5) {
                guard let id = list.snapshot.map(\.id).randomElement(using: &random) else { return }
                edits.append((id, paginator.edits(id: \.id).begin(id) { $0 }))
            } else {
                let (id, edit) = edits.remove(at: random.number(in: 0..<edits.count))
                guard table[id] != nil, random.chance(0.7) else { return edit.rollBack() }
                update(id)
                edit.commit(with: item(id))
            }
        }

        func step() {
            switch random.number(in: 0..<20) {
            case 0..<4: changeSomething()
            case 4..<9: tellOne()
            case 9: lose()
            case 10: firstKept = random.chance(0.3) ? events.count : firstKept
            case 11, 12: load()
            case 13, 14: answer()
            case 15: edit()
            case 16: clock.advance(by: .seconds(random.number(in: 0..<5)))
            default: accept()
            }
            for _ in 0..<random.number(in: 0..<4) {
                _ = executor.runOne { [random] count in
                    var random = random
                    return random.number(in: 0..<count)
                }
            }
        }

        /// Until nothing is under way any more: the connection stays, all is told and answered.
        func settle() {
            for (_, edit) in edits { edit.rollBack() }
            for _ in 0..<400 {
                executor.runAll()
                accept()
                while let next = position, next < events.count { tellOne() }
                executor.runAll()
                answer()
                if calls.withLock({ $0.isEmpty }) { clock.advance(by: .seconds(5)) }
            }
            executor.runAll()
        }

        /// What somebody who knows the server's table would complain of.
        func complaints(of list: PaginatorList<SampleItem, Int>) -> [String] {
            let snapshot = list.snapshot
            let shown = snapshot.map { $0 }
            var complaints: [String] = []
            for item in shown where table[item.id] != World.version(item) {
                complaints.append("\(item.id) is shown as \(item.text), and is \(table[item.id] ?? 0)")
            }
            if list.status.newAbove > 0 || shown.first?.id != table.keys.max() {
                complaints.append("the newest is missing")
            }
            for (index, (upper, lower)) in zip(shown, shown.dropFirst()).enumerated() {
                if lower.id >= upper.id { complaints.append("\(lower.id) stands below \(upper.id)") }
                let missing = table.keys.filter { $0 < upper.id && $0 > lower.id }
                if !missing.isEmpty, !snapshot.gaps.contains(index + 1) {
                    complaints.append("\(missing) are missing below \(upper.id)")
                }
            }
            let violations = Guarded<[String]>([])
            list.checkInvariants { found in violations.withLock { $0 += found } }
            return complaints + violations.withLock { $0 }
        }
    }

    @Test(arguments: [true, false])
    func `in the end lists show what the server has, whatever was repeated, lost, late or changed here`(
        keepsNewest: Bool
    ) {
        for seed in 0..<(SimulationScale.seeds) {
            let world = World(seed: UInt64(seed), keepsNewest: keepsNewest)
            world.list.loadNext()
            for _ in 0..<200 { world.step() }
            world.settle()
            #expect(world.complaints(of: world.list) == [], "seed \(seed)")
            let other = PaginatorList(world.paginator, id: \.id)
            other.loadNext()
            world.settle()
            #expect(world.complaints(of: other) == [], "seed \(seed), another list")
        }
    }

    private enum SimulationScale {
        static let seeds = 150
    }

    @Test func `the machine keeps its promises, whatever comes in whatever order`() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            var machine = FollowMachine<Int>(from: random.chance(0.5) ? "0" : nil, seed: random.next())
            var now = PaginatorInstant.zero
            var connection: UInt64 = 0
            var isOpen = false
            var (applied, ends) = ([String](), 0)
            for _ in 0..<300 {
                now = now.advanced(by: .seconds(random.number(in: 0..<20)))
                let id = random.chance(0.8) ? "\(random.number(in: 0..<50))" : nil
                let number = random.chance(0.9) ? connection : connection &- 1
                let event: FollowMachine<Int>.Event =
                    switch random.number(in: 0..<30) {
                    case 0..<3: .hindered(true)
                    case 3..<8: .hindered(false)
                    case 8..<14: .timeCame
                    case 14..<17:
                        .told(.closed(random.chance(0.5) ? nil : .keyExpired(CancellationError())), by: number)
                    case 17..<20: .told(.opened(id: id), by: number)
                    case 20: .told(.missed, by: number)
                    case 21: random.chance(0.02) ? .told(.ended, by: number) : .timeCame
                    default: .told(.change(1, id: id), by: number)
                    }
                for action in machine.handle(event, at: now) {
                    switch action {
                    case .connect(let new, let lastEventID):
                        #expect(!isOpen && new > connection)
                        #expect(lastEventID?.isEmpty != true)
                        (connection, isOpen) = (new, true)
                    case .disconnect:
                        #expect(isOpen)
                        isOpen = false
                    case .apply(.missed): applied = []
                    case .apply(let event):
                        if let id = event.id { #expect(!applied.contains(id)) }
                        if let id = event.id { applied.append(id) }
                    case .wake(let due): #expect(due >= now)
                    case .report, .keep: break
                    case .end: ends += 1
                    }
                }
                #expect(machine.invariantViolations() == [])
                #expect(ends <= 1)
            }
        }
    }
}
