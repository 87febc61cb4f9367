import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Random histories against a list that is searched from end to end.
@Suite struct EvictionModelTests {
    @Test(arguments: [ModelOrder.lru, .fifo, .lifo, .lfu])
    func `the classic orders match the model`(order: ModelOrder) {
        for seed in 0..<60 {
            var random = SeededRandom(seed: UInt64(seed))
            let limits = ModelLimits(random: &random)
            var history = ModelHistory(order: order, limits: limits, random: random)
            for step in 0..<300 {
                guard history.takeStep() else {
                    Issue.record("\(order), seed \(seed), step \(step): \(history.report)")
                    return
                }
            }
        }
    }

    @Test func `the adaptive order holds the limits too`() {
        for seed in 0..<60 {
            var random = SeededRandom(seed: UInt64(seed))
            let limits = ModelLimits(random: &random)
            var history = ModelHistory(order: .adaptive, limits: limits, random: random)
            for step in 0..<500 {
                guard history.takeStep() else {
                    Issue.record("seed \(seed), step \(step): \(history.report)")
                    return
                }
            }
        }
    }
}

enum ModelOrder: String, Sendable {
    case lru, fifo, lifo, lfu, adaptive
}

struct ModelLimits {
    let pages: Int?
    let items: Int?
    let bytes: Int?
    let minimumPages: Int
    let minimumItems: Int

    init(random: inout SeededRandom) {
        pages = random.chance(0.6) ? random.number(in: 1..<12) : nil
        items = random.chance(0.4) ? random.number(in: 1..<60) : nil
        bytes = random.chance(0.4) ? random.number(in: 1..<200) : nil
        minimumPages = random.chance(0.2) ? random.number(in: 1..<6) : 0
        minimumItems = random.chance(0.4) ? random.number(in: 1..<40) : 0
    }

    func strategy(_ order: ModelOrder) -> EvictionStrategy {
        let ordered: EvictionStrategy =
            switch order {
            case .lru: .lru(maxPages: pages, maxItems: items, maxBytes: bytes)
            case .fifo: .fifo(maxPages: pages, maxItems: items, maxBytes: bytes)
            case .lifo: .lifo(maxPages: pages, maxItems: items, maxBytes: bytes)
            case .lfu: .lfu(maxPages: pages, maxItems: items, maxBytes: bytes)
            case .adaptive: .adaptive(maxPages: pages, maxItems: items, maxBytes: bytes)
            }
        return ordered.keepingAtLeast(pages: minimumPages, items: minimumItems)
    }

    func areExceeded(by usage: PageUsage) -> Bool {
        usage.pages > pages ?? .max || usage.items > items ?? .max || usage.bytes > bytes ?? .max
    }

    func admit(items: Int, bytes: Int) -> Bool {
        (pages ?? 1) > 0 && items <= self.items ?? .max && bytes <= self.bytes ?? .max
    }
}

struct ModelPage {
    let name: Int
    let items: Int
    let bytes: Int
    var arrived: Int
    var read: Int
    var uses = 0
    var isPinned = false
}

struct ModelHistory {
    let order: ModelOrder
    let limits: ModelLimits
    var random: SeededRandom
    var cache: NamedEvictor
    var model: [ModelPage] = []
    /// The page that came last, while it may be spared; and for LFU, while nobody read it.
    var admitted: Int?
    var unread: Int?
    /// The page of which a new version came last, while no other page has come. LIFO spares it.
    var renewed: Int?
    var clock = 0
    var report = ""

    init(order: ModelOrder, limits: ModelLimits, random: SeededRandom) {
        self.order = order
        self.limits = limits
        self.random = random
        cache = NamedEvictor(limits.strategy(order))
    }

    var usage: PageUsage {
        model.reduce(into: PageUsage()) { sum, page in
            sum.pages += 1
            sum.items += page.items
            sum.bytes += page.bytes
        }
    }

    /// Makes one random call on both; false when they differ or a limit is passed.
    mutating func takeStep() -> Bool {
        clock += 1
        let name = random.number(in: 0..<24)
        let position = model.firstIndex { $0.name == name }
        var expected: [Int] = []
        var actual: [Int] = []
        switch random.number(in: 0..<20) {
        case 0..<8 where position == nil:
            let (items, bytes) = (random.number(in: 0..<20), random.number(in: 0..<50))
            report = "insert \(name) items \(items) bytes \(bytes)"
            let outcome = cache.insert(name, items: items, bytes: bytes)
            guard (outcome != nil) == limits.admit(items: items, bytes: bytes) else { return false }
            guard let outcome else { return true }
            actual = outcome
            model.append(ModelPage(name: name, items: items, bytes: bytes, arrived: clock, read: clock))
            (admitted, unread, renewed) = (name, name, nil)
            expected = order == .adaptive ? follow(actual) : evict()
        case 0..<3:
            guard let position else { return false }
            let (items, bytes) = (random.number(in: 0..<20), random.number(in: 0..<50))
            report = "renew \(name) items \(items) bytes \(bytes)"
            let old = model.remove(at: position)
            leave(name)
            let outcome = cache.insert(name, items: items, bytes: bytes, isPinned: old.isPinned)
            guard (outcome != nil) == (old.isPinned || limits.admit(items: items, bytes: bytes)) else { return false }
            guard let outcome else { return true }
            actual = outcome
            model.append(
                ModelPage(
                    name: name, items: items, bytes: bytes, arrived: order == .lifo ? old.arrived : clock, read: clock,
                    uses: old.uses, isPinned: old.isPinned))
            admitted = old.isPinned ? nil : name
            if !old.isPinned { (unread, renewed) = (name, name) }
            expected = order == .adaptive ? follow(actual) : evict()
        case 0..<13:
            report = "use \(name)"
            cache.use(name)
            if let position {
                model[position].uses += 1
                if !model[position].isPinned {
                    model[position].read = clock
                    if unread == name { unread = nil }
                }
            }
        case 13..<15:
            report = "remove \(name)"
            cache.remove(name)
            model.removeAll { $0.name == name }
            leave(name)
        case 15..<17:
            report = "pin \(name)"
            cache.pin(name)
            if let position {
                model[position].isPinned = true
                leave(name)
            }
        case 17..<19:
            report = "unpin \(name)"
            actual = cache.unpin(name)
            if let position, model[position].isPinned {
                model[position].isPinned = false
                (model[position].arrived, model[position].read) = (clock, clock)
                (unread, renewed) = (name, nil)
            }
            expected = order == .adaptive ? follow(actual) : evict()
        default:
            let target = PageUsage(pages: random.number(in: 0..<8), items: .max, bytes: .max)
            report = "trim to \(target.pages)"
            actual = cache.trim(to: target)
            expected = order == .adaptive ? follow(actual) : evict(above: target)
        }
        let violations = cache.evictor.invariantViolations()
        if actual == expected, cache.pages == model.map(\.name).sorted(), cache.evictor.usage == usage, isWithinBounds,
            violations.isEmpty
        {
            return true
        }
        if !violations.isEmpty { report += " broke \(violations)" }
        report += " gave \(actual), not \(expected), with \(cache.pages), model \(model), limits \(limits)"
        return false
    }

    /// A page that is gone, or pinned, is none that came last.
    private mutating func leave(_ name: Int) {
        if admitted == name { admitted = nil }
        if unread == name { unread = nil }
        if renewed == name { renewed = nil }
    }

    /// For an order that has no model: any page that may go.
    private mutating func follow(_ gone: [Int]) -> [Int] {
        for name in gone {
            guard let page = model.first(where: { $0.name == name }), !page.isPinned, canSpare(page) else { return [] }
            model.removeAll { $0.name == name }
        }
        return gone
    }

    private func canSpare(_ page: ModelPage) -> Bool {
        usage.pages - 1 >= limits.minimumPages && usage.items - page.items >= limits.minimumItems
    }

    private mutating func evict(above target: PageUsage? = nil) -> [Int] {
        var gone: [Int] = []
        while target.map({ usage.pages > $0.pages }) ?? limits.areExceeded(by: usage) {
            let free = model.filter { !$0.isPinned }.sorted { precedes($0, $1) }
            guard let victim = free.first(where: canSpare) else { break }
            if target == nil, free.count == 1, victim.name == admitted { break }
            model.removeAll { $0.name == victim.name }
            leave(victim.name)
            gone.append(victim.name)
        }
        return gone
    }

    private func precedes(_ left: ModelPage, _ right: ModelPage) -> Bool {
        switch order {
        case .lru: return left.read < right.read
        case .fifo, .adaptive: return left.arrived < right.arrived
        case .lifo:
            let newest = renewed ?? model.filter { !$0.isPinned }.max { $0.arrived < $1.arrived }?.name
            if left.name == newest { return false }
            return right.name == newest || left.arrived > right.arrived
        case .lfu:
            if left.name == unread { return false }
            return right.name == unread || (left.uses, left.read) < (right.uses, right.read)
        }
    }

    /// Usage is at most the limit, or what pins, the minimum and the page just admitted add up to. The minimum holds
    /// whole pages, so what it holds may exceed it by less than its largest page.
    private var isWithinBounds: Bool {
        guard limits.areExceeded(by: usage) else { return true }
        let free = model.filter { !$0.isPinned && $0.name != admitted }
        return !free.contains(where: canSpare)
    }
}
