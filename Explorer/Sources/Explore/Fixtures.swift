import CExplorer

@testable import PaginatorCore

/// Runs work on the program's threads that ``serve()`` it.
///
/// `@unchecked Sendable`: `count` is touched by the explorer, while just one thread works.
final class ScheduledExecutor: WorkExecutor, @unchecked Sendable {
    private let work = Guarded<[@Sendable () -> Void]>([])
    private let count = UnsafeMutablePointer<Int64>.allocate(capacity: 1)

    init() {
        count.initialize(to: 0)
    }

    deinit {
        count.deallocate()
    }

    func run(_ work: @escaping @Sendable () -> Void) {
        self.work.withLock { $0.append(work) }
        explorer_add(count, 1)
    }

    /// Runs what there is and what comes, until all other threads have ended.
    func serve() {
        while explorer_wait(count) != 0 {
            explorer_add(count, -1)
            let next = work.withLock { $0.removeFirst() }
            next()
        }
    }
}

/// Takes complaints from any thread, as those of a user's code that is called with a lock held.
///
/// `@unchecked Sendable`: each worker has a place of its own, which is read when all have ended.
final class Complaints: @unchecked Sendable {
    private final class Place: @unchecked Sendable {
        var text: String?
    }

    private let places = (0...EXPLORER_THREADS).map { _ in Place() }

    var first: String? { places.compactMap(\.text).first }

    func add(_ text: @autoclosure () -> String, unless isRight: Bool) {
        guard !isRight else { return }
        places[explorer_worker() < 0 ? places.count - 1 : Int(explorer_worker())].text = text()
    }

    /// Called by what stands for the user's code.
    func expectNoLock(_ place: String) {
        add("the user's code in \(place) runs with a lock held", unless: explorer_held_locks() == 0)
    }
}

/// A value that the part under test orders itself; ThreadSanitizer tells where it does not.
///
/// `@unchecked Sendable`: that is what is tested.
final class Unguarded<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}

final class Numbered: Sendable {
    let number: Int

    init(_ number: Int) {
        self.number = number
    }
}

extension LoadedPage {
    static func numbered(_ number: Int) -> LoadedPage {
        let facts = PageFacts(bytes: 1, items: 1, keyHash: PageIdentity.numbered(number).stableHash)
        return LoadedPage(object: Numbered(number), details: .init(facts: facts), origin: .source, fetchedAt: .zero)
    }

    var number: Int? { (object as? Numbered)?.number }
}

extension PageIdentity {
    static func numbered(_ number: Int) -> PageIdentity { PageIdentity(key: "\(number)", pageSize: 10, scope: "") }
}
