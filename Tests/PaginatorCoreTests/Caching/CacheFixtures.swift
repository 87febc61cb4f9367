@testable import PaginatorCore

/// A cached object with a number.
final class Numbered: Sendable {
    let number: Int
    private let onDeinit: (@Sendable () -> Void)?

    init(_ number: Int, onDeinit: (@Sendable () -> Void)? = nil) {
        self.number = number
        self.onDeinit = onDeinit
    }

    deinit { onDeinit?() }
}

extension PageIdentity {
    static func page(_ number: Int, scope: String = "") -> PageIdentity {
        PageIdentity(key: "page-\(number)", pageSize: 10, scope: scope)
    }
}

extension PaginatorInstant {
    static func seconds(_ count: Int64) -> PaginatorInstant { PaginatorInstant(nanoseconds: count * 1_000_000_000) }
}

extension LoadedPage {
    static func of(
        _ object: any AnyObject & Sendable, _ facts: PageFacts, fetchedAt: PaginatorInstant = .zero
    ) -> LoadedPage {
        LoadedPage(object: object, details: .init(facts: facts), origin: .source, fetchedAt: fetchedAt)
    }
}

extension PageCache {
    /// Admits a numbered object with these costs.
    @discardableResult
    func admit(
        _ number: Int, items: Int = 1, bytes: Int = 1, scope: String = "", at now: PaginatorInstant = .zero,
        fetchedAt: PaginatorInstant? = nil
    ) -> (isAdmitted: Bool, removed: RemovedPages) {
        let identity = PageIdentity.page(number, scope: scope)
        let facts = PageFacts(bytes: bytes, items: items, keyHash: identity.stableHash)
        return admit(
            identity, .of(Numbered(number), facts, fetchedAt: fetchedAt ?? now), at: now)
    }

    func number(at identity: PageIdentity, now: PaginatorInstant = .zero, touching: Bool = true) -> Int? {
        (read(identity, at: now, touching: touching)?.object as? Numbered)?.number
    }

    /// The numbers of the pages here, in ascending order.
    var numbers: [Int] {
        identities(in: .all).compactMap { number(at: $0, now: .zero, touching: false) }.sorted()
    }
}

extension RemovedPages {
    var numbers: [Int] { compactMap { ($0.page.object as? Numbered)?.number } }
    var causes: [EvictionCause] { map(\.cause) }
}
