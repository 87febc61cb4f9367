import OrderedCollections
import PaginatorCore

/// The LRU cache that one writes in ten lines: an `OrderedDictionary` whose entries move to the end when they are used.
///
/// `@unchecked Sendable`: `values` is reached with `lock` held.
final class OrderedLRU: @unchecked Sendable {
    private let lock = Lock()
    private var values: OrderedDictionary<PageIdentity, Token> = [:]
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    func get(_ identity: PageIdentity) -> Token? {
        lock.withLock {
            guard let value = values.removeValue(forKey: identity) else { return nil }
            values[identity] = value
            return value
        }
    }

    func set(_ value: Token, for identity: PageIdentity) {
        lock.withLock {
            values[identity] = value
            if values.count > capacity { values.removeFirst() }
        }
    }
}
