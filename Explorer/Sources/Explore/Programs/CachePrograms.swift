import CExplorer

@testable import PaginatorCore

/// A table of two pages at most, of which the first that came goes.
struct CacheModel: SequentialModel {
    enum Call: Sendable {
        case read(Int), admit(Int), remove(Int), trim, usage
    }

    private var pages: [Int] = []

    /// The outcome: the pages that were found, removed or counted.
    mutating func accepts(_ call: Call, _ outcome: [Int]) -> Bool {
        var removed: [Int] = []
        switch call {
        case .read(let page): return outcome == (pages.contains(page) ? [page] : [])
        case .usage: return outcome == [pages.count]
        case .admit(let page):
            if pages.contains(page) { removed.append(page) }
            pages.removeAll { $0 == page }
            pages.append(page)
            while pages.count > 2 { removed.append(pages.removeFirst()) }
        case .remove(let page):
            if pages.contains(page) { removed.append(page) }
            pages.removeAll { $0 == page }
        case .trim:
            while pages.count > 1 { removed.append(pages.removeFirst()) }
        }
        return outcome == removed
    }
}

private final class CacheRig: Sendable {
    let history = History<CacheModel.Call, [Int]>()
    let complaints = Complaints()
    let cache: PageCache
    /// Every page that was admitted is here or was returned once.
    let admitted = Guarded<[Int]>([])
    let returned = Guarded<[Int]>([])

    init(_ strategy: EvictionStrategy) {
        cache = PageCache(strategy: strategy)
    }

    func run(_ call: CacheModel.Call) {
        history.record(call) { outcome(of: call) }
    }

    /// Without the history, for strategies that learn of reads later.
    func perform(_ call: CacheModel.Call, at now: PaginatorInstant = .zero) {
        let outcome = outcome(of: call, at: now)
        if case .admit(let page) = call { admitted.withLock { $0.append(page) } }
        switch call {
        case .admit, .remove, .trim: returned.withLock { $0 += outcome }
        case .read, .usage: break
        }
        complaints.add("over the limit: \(cache.usage)", unless: cache.usage.pages <= 2)
    }

    private func outcome(of call: CacheModel.Call, at now: PaginatorInstant = .zero) -> [Int] {
        switch call {
        case .read(let page):
            return cache.read(.numbered(page), at: now, touching: true).flatMap(\.number).map { [$0] } ?? []
        case .admit(let page):
            return cache.admit(.numbered(page), .numbered(page), at: now).removed.compactMap(\.page.number)
        case .remove(let page):
            return cache.remove(.identity(.numbered(page)), because: .cleared).compactMap(\.page.number)
        case .trim: return cache.trim(toFraction: 0.5).compactMap(\.page.number)
        case .usage: return [cache.usage.pages]
        }
    }

    var complaint: String? {
        if let complaint = complaints.first { return complaint }
        let here = (cache.identities(in: .all).compactMap { Int($0.key) })
        guard here.count == cache.usage.pages else { return "\(here) are here, and the usage is \(cache.usage)" }
        let left = (returned.withLock { $0 } + here + cache.expire(at: .zero).compactMap(\.page.number)).sorted()
        let all = admitted.withLock { $0.sorted() }
        return left == all ? nil : "\(all) were admitted, and \(left) left or are here"
    }
}

let cachePrograms = [
    Program("cache", "admit, read | admit, remove | read, admit; two pages, first in, first out") {
        let rig = CacheRig(.fifo(maxPages: 2))
        rig.run(.admit(1))
        return Run(threads: [
            {
                rig.run(.admit(2))
                rig.run(.read(1))
            },
            {
                rig.run(.admit(3))
                rig.run(.remove(1))
            },
            {
                rig.run(.read(1))
                rig.run(.admit(4))
            },
        ]) {
            rig.run(.usage)
            for page in 1...4 { rig.run(.read(page)) }
            return CacheModel().complaint(about: rig.history)
        }
    },
    Program("cache-trim", "trim, read | admit, usage | admit the page that is there") {
        let rig = CacheRig(.fifo(maxPages: 2))
        for page in 1...2 { rig.run(.admit(page)) }
        return Run(threads: [
            {
                rig.run(.trim)
                rig.run(.read(2))
            },
            {
                rig.run(.admit(3))
                rig.run(.usage)
            }, { rig.run(.admit(2)) },
        ]) {
            rig.run(.usage)
            for page in 1...3 { rig.run(.read(page)) }
            return CacheModel().complaint(about: rig.history)
        }
    },
    Program("cache-notes", "reads, with full notes | admit | remove, admit; least recently used") {
        let rig = CacheRig(.lru(maxPages: 2))
        for page in 1...2 { rig.perform(.admit(page)) }
        return Run(threads: [
            {
                explorer_quiet(1)
                for _ in 0..<ReaderStripes.Stripe.noteCapacity - 1 { rig.perform(.read(1)) }
                explorer_quiet(0)
                for page in [1, 2, 1] { _ = rig.cache.read(.numbered(page), at: .zero, touching: true) }
            },
            { rig.perform(.admit(3)) },
            {
                rig.perform(.remove(2))
                rig.perform(.admit(4))
            },
        ]) { rig.complaint }
    },
    Program("cache-notes-two", "reads, with full notes | the same on another stripe | admit; least recently used") {
        let rig = CacheRig(.lru(maxPages: 2))
        for page in 1...2 { rig.perform(.admit(page)) }
        @Sendable func read(_ page: Int) {
            explorer_quiet(1)
            for _ in 0..<ReaderStripes.Stripe.noteCapacity { rig.perform(.read(page)) }
            explorer_quiet(0)
            _ = rig.cache.read(.numbered(3 - page), at: .zero, touching: true)
        }
        return Run(threads: [{ read(1) }, { read(2) }, { rig.perform(.admit(3)) }]) { rig.complaint }
    },
    Program("cache-lifetime", "read a page that is too old, admit | read it, too | expire; each page leaves once") {
        let rig = CacheRig(.fifo(maxPages: 2).and(.timeToLive(.seconds(1))))
        rig.perform(.admit(1))
        let later = PaginatorInstant.zero.advanced(by: .seconds(2))
        return Run(threads: [
            {
                rig.complaints.add(
                    "an old page", unless: rig.cache.read(.numbered(1), at: later, touching: true) == nil)
                rig.perform(.admit(2), at: later)
            },
            {
                rig.complaints.add(
                    "an old page", unless: rig.cache.read(.numbered(1), at: later, touching: true) == nil)
            },
            {
                let expired = rig.cache.expire(at: later).compactMap(\.page.number)
                rig.returned.withLock { $0 += expired }
            },
        ]) { rig.complaint }
    },
    Program("cache-pins", "pin, unpin | admit, admit | remove; a pin keeps its page, and the limit holds afterwards") {
        let rig = CacheRig(.fifo(maxPages: 2))
        for page in 1...2 { rig.perform(.admit(page)) }
        return Run(threads: [
            {
                guard rig.cache.pin(.numbered(1)) else { return }
                let isHere = rig.cache.read(.numbered(1), at: .zero, touching: true) != nil
                rig.complaints.add("a pinned page is gone", unless: isHere)
                let removed = rig.cache.unpin(.numbered(1)).compactMap(\.page.number)
                rig.returned.withLock { $0 += removed }
            },
            {
                rig.perform(.admit(3))
                rig.perform(.admit(4))
            }, { rig.perform(.remove(2)) },
        ]) { rig.complaint }
    },
]
