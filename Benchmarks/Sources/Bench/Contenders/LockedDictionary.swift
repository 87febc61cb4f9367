import PaginatorCore

/// A dictionary behind a lock, without limit or order: the least that a cache for many threads can be.
///
/// `@unchecked Sendable`: `values` is reached with `lock` held.
final class LockedDictionary: @unchecked Sendable {
    private let lock = Lock()
    private var values: [PageIdentity: Token] = [:]

    func get(_ identity: PageIdentity) -> Token? {
        lock.withLock { values[identity] }
    }

    func set(_ value: Token, for identity: PageIdentity) {
        let old = lock.withLock { values.updateValue(value, forKey: identity) }
        withExtendedLifetime(old) {}
    }

    func remove(_ identity: PageIdentity) {
        let old = lock.withLock { values.removeValue(forKey: identity) }
        withExtendedLifetime(old) {}
    }
}
