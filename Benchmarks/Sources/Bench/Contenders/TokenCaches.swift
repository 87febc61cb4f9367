import Foundation
import PaginatorCore

/// A cache of tokens by number: what contenders of the memory rows have in common.
///
/// Class-bound and not generic: each contender pays for the same indirect call.
protocol TokenCache: AnyObject, Sendable {
    func get(_ number: Int) -> Token?
    func set(_ number: Int)
    func remove(_ number: Int)
}

/// Identities and tokens that several caches share, so that they are not counted for any.
final class TokenSet: Sendable {
    let identities: [PageIdentity]
    let tokens: [Token]

    init(_ count: Int) {
        identities = Workloads.identities(count)
        tokens = (0..<count).map(Token.init)
    }
}

final class DictionaryTokens: TokenCache {
    private let stock: TokenSet
    private let cache = LockedDictionary()
    init(_ stock: TokenSet) { self.stock = stock }
    func get(_ number: Int) -> Token? { cache.get(stock.identities[number]) }
    func set(_ number: Int) { cache.set(stock.tokens[number], for: stock.identities[number]) }
    func remove(_ number: Int) { cache.remove(stock.identities[number]) }
}

final class LibraryTokens: TokenCache {
    private let stock: TokenSet
    let cache: PaginatorInMemoryCache<Token>

    init(
        _ stock: TokenSet, _ strategy: EvictionStrategy,
        clock: any PaginatorClock = SystemPaginatorClock()
    ) {
        self.stock = stock
        cache = PaginatorInMemoryCache(strategy: strategy, clock: clock)
    }

    func get(_ number: Int) -> Token? { cache.get(stock.identities[number]) }
    func set(_ number: Int) { cache.set(stock.tokens[number], for: stock.identities[number]) }
    func remove(_ number: Int) { cache.remove(stock.identities[number]) }
}

final class OrderedTokens: TokenCache {
    private let stock: TokenSet
    private let cache: OrderedLRU

    init(_ stock: TokenSet, capacity: Int) {
        self.stock = stock
        cache = OrderedLRU(capacity: capacity)
    }

    func get(_ number: Int) -> Token? { cache.get(stock.identities[number]) }
    func set(_ number: Int) { cache.set(stock.tokens[number], for: stock.identities[number]) }
    func remove(_ number: Int) {}
}

/// `@unchecked Sendable`: `NSCache` is safe to call from any thread, and `names` never changes.
final class FoundationTokens: TokenCache, @unchecked Sendable {
    private let stock: TokenSet
    private let names: [NSString]
    private let cache = NSCache<NSString, Token>()

    init(_ stock: TokenSet, capacity: Int) {
        self.stock = stock
        names = stock.identities.map { NSString(string: $0.key) }
        cache.countLimit = capacity
    }

    func get(_ number: Int) -> Token? { cache.object(forKey: names[number]) }
    func set(_ number: Int) { cache.setObject(stock.tokens[number], forKey: names[number]) }
    func remove(_ number: Int) { cache.removeObject(forKey: names[number]) }
}

/// Time that moves when it is told to.
final class SteppedClock: PaginatorClock {
    private let time = Guarded(PaginatorInstant.zero)

    var now: PaginatorInstant { time.withLock { $0 } }
    var wallTime: Date { Date(timeIntervalSinceReferenceDate: 800_000_000) }

    func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer {
        SystemPaginatorClock().makeTimer(handler)
    }

    func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}
