import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct EvictionLifetimeTests {
    @Test func `pages go in the order of their deadlines`() {
        var cache = NamedEvictor(.timeToLive(.seconds(100)))
        cache.insert(1, at: .seconds(50))
        cache.insert(2, at: .seconds(50), age: .seconds(40))
        cache.insert(3, at: .seconds(51), age: .seconds(90))
        cache.insert(4, at: .seconds(52), age: .seconds(-5))
        #expect(cache.evictor.nextDeadline == .seconds(61))
        #expect(cache.expire(at: PaginatorInstant(nanoseconds: 60_999_999_999)) == [])
        #expect(cache.expire(at: .seconds(61)) == [3])
        #expect(cache.evictor.nextDeadline == .seconds(110))
        #expect(cache.expire(at: .seconds(151)) == [2, 1])
        cache.remove(4)
        #expect(cache.evictor.nextDeadline == nil)
    }

    @Test func `instants and lifetimes at the ends of time do not trap`() {
        var cache = NamedEvictor(.timeToLive(.seconds(Int64.max)))
        cache.insert(1, at: .distantFuture, age: .seconds(Int64.max))
        cache.insert(2, at: PaginatorInstant(nanoseconds: .min), age: .seconds(Int64.max))
        cache.insert(3, at: .zero)
        #expect(cache.expire(at: .seconds(1_000)).contains(2) || cache.pages.contains(2))
        var short = NamedEvictor(.timeToLive(.seconds(Int64.min)))
        short.insert(1, at: .zero)
        #expect(short.expire(at: .zero) == [1])
    }

    @Test func `as many pages as are to be kept outlive their lifetime, until there are others`() {
        var cache = NamedEvictor(EvictionStrategy.timeToLive(.seconds(10)).keepingAtLeast(pages: 2))
        cache.insert(1, at: .seconds(0))
        cache.insert(2, at: .seconds(5))
        #expect(cache.expire(at: .seconds(20)) == [])
        cache.insert(3, at: .seconds(20))
        #expect(cache.expire(at: .seconds(20)) == [1])
        #expect(cache.pages == [2, 3])
    }

    @Test func `random histories leave nothing overdue`() {
        for seed in 0..<100 {
            var random = SeededRandom(seed: UInt64(seed))
            let minimum = random.chance(0.5) ? random.number(in: 0..<30) : 0
            var cache = NamedEvictor(EvictionStrategy.timeToLive(.seconds(10)).keepingAtLeast(items: minimum))
            var model: [Int: (deadline: PaginatorInstant, items: Int, isPinned: Bool)] = [:]
            var now: Int64 = 0
            for step in 0..<200 {
                let page = random.number(in: 0..<15)
                switch random.number(in: 0..<6) {
                case 0, 1:
                    guard model[page] == nil else { break }
                    let (age, items) = (Int64(random.number(in: 0..<12)), random.number(in: 0..<9))
                    cache.insert(page, items: items, at: .seconds(now), age: .seconds(age))
                    model[page] = (.seconds(now - age + 10), items, false)
                case 2:
                    cache.remove(page)
                    model[page] = nil
                case 3:
                    cache.pin(page)
                    model[page]?.isPinned = true
                case 4:
                    cache.unpin(page)
                    model[page]?.isPinned = false
                default:
                    now += Int64(random.number(in: 0..<5))
                }
                for gone in cache.expire(at: .seconds(now)) {
                    let left = model.removeValue(forKey: gone)
                    let items = model.values.reduce(0) { $0 + $1.items }
                    #expect(
                        left.map { $0.deadline <= .seconds(now) && !$0.isPinned } == true, "seed \(seed) step \(step)")
                    #expect(items >= minimum, "seed \(seed) step \(step)")
                }
                let items = model.values.reduce(0) { $0 + $1.items }
                let overdue = model.values.filter { $0.deadline <= .seconds(now) && !$0.isPinned }
                #expect(overdue.allSatisfy { items - $0.items < minimum }, "seed \(seed) step \(step)")
                #expect(cache.pages == model.keys.sorted(), "seed \(seed) step \(step)")
                if let next = cache.evictor.nextDeadline { #expect(next > .seconds(now), "seed \(seed) step \(step)") }
            }
        }
    }
}
