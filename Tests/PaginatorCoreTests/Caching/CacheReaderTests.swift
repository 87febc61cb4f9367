import Dispatch
import Foundation
import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Pages that `withPage` shows its reader must outlive their removal.
@Suite struct CacheReaderTests {
    /// What a test may do to a page while it is read.
    enum Loss: CaseIterable {
        case cleared, evicted, replacedByPut, trimmed, edited
    }

    /// Says when it is released.
    private final class Item: Sendable {
        let number: Int
        private let gone: Tally

        init(_ number: Int, _ gone: Tally) {
            self.number = number
            self.gone = gone
        }

        deinit { gone.add() }
    }

    @Test(arguments: Loss.allCases)
    func `a page lives until its reader is done`(loss: Loss) throws {
        let gone = Tally()
        let paginator = Self.paginator(maxPages: 1)
        try paginator.prime(PaginatorPage(content: [Item(1, gone)], key: "1"), pageSize: 10)
        let number = try paginator.withPage(key: "1", pageSize: 10) { page -> Int in
            switch loss {
            case .cleared: paginator.clear(key: "1")
            case .evicted: try paginator.prime(PaginatorPage(content: [], key: "2"), pageSize: 10)
            case .replacedByPut: try paginator.prime(PaginatorPage(content: [], key: "1"), pageSize: 10)
            case .trimmed: paginator.trim(toFraction: 0)
            case .edited:
                paginator.edits(id: \.number).remove(1)
            }
            #expect(gone.count == 0)
            return page.content[0].number
        }
        #expect(number == 1)
        if loss == .edited { paginator.clear(key: "1") }
        #expect(gone.count == 1)
    }

    @Test func `a page that stays is not released by its readers`() throws {
        let gone = Tally()
        let paginator = Self.paginator(maxPages: 10)
        try paginator.prime(PaginatorPage(content: [Item(1, gone)], key: "1"), pageSize: 10)
        for _ in 0..<100 { paginator.withPage(key: "1", pageSize: 10) { #expect($0.content[0].number == 1) } }
        #expect(gone.count == 0)
        paginator.clear(key: "1")
        #expect(gone.count == 1)
    }

    @Test func `reads within reads go as deep as one likes`() throws {
        let gone = Tally()
        let paginator = Self.paginator(maxPages: 20)
        for number in 0..<20 {
            try paginator.prime(PaginatorPage(content: [Item(number, gone)], key: "\(number)"), pageSize: 10)
        }
        func read(_ number: Int) {
            guard number < 20 else { return paginator.clear(scope: "") }
            paginator.withPage(key: "\(number)", pageSize: 10) { page in
                read(number + 1)
                #expect(page.content[0].number == number)
            }
        }
        read(0)
        #expect(gone.count == 20)
    }

    @Test func `one page is read many times at once`() throws {
        let gone = Tally()
        let paginator = Self.paginator(maxPages: 1)
        try paginator.prime(PaginatorPage(content: [Item(1, gone)], key: "1"), pageSize: 10)
        paginator.withPage(key: "1", pageSize: 10) { outer in
            paginator.withPage(key: "1", pageSize: 10) { inner in
                paginator.clear(key: "1")
                #expect(inner.content[0].number == 1)
            }
            #expect(gone.count == 0)
            #expect(outer.content[0].number == 1)
        }
        #expect(gone.count == 1)
    }

    @Test func `a page is released when its reader throws`() throws {
        struct Refusal: Error {}
        let gone = Tally()
        let paginator = Self.paginator(maxPages: 1)
        try paginator.prime(PaginatorPage(content: [Item(1, gone)], key: "1"), pageSize: 10)
        #expect(throws: Refusal.self) {
            try paginator.withPage(key: "1", pageSize: 10) { _ throws(Refusal) in
                paginator.clear(key: "1")
                throw Refusal()
            }
        }
        #expect(gone.count == 1)
    }

    @Test func `a reader may release the paginator`() throws {
        let gone = Tally()
        var paginator: CallbackPaginator<Item>? = Self.paginator(maxPages: 1)
        try paginator?.prime(PaginatorPage(content: [Item(1, gone)], key: "1"), pageSize: 10)
        paginator?.withPage(key: "1", pageSize: 10) { page in
            paginator = nil
            #expect(page.content[0].number == 1)
        }
        #expect(gone.count == 1)
    }

    @Test func `threads read pages that others take away`() {
        let (gone, made, faults) = (Tally(), Tally(), Tally())
        let paginator = Self.paginator(maxPages: 4)
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            var random = SeededRandom(seed: UInt64(worker))
            for _ in 0..<5_000 {
                let number = random.number(in: 0..<6)
                switch random.number(in: 0..<8) {
                case 0:
                    made.add()
                    let page = PaginatorPage(content: [Item(number, gone)], key: "\(number)")
                    do { try paginator.prime(page, pageSize: 10) } catch { faults.add() }
                case 1: paginator.clear(key: "\(number)")
                default:
                    paginator.withPage(key: "\(number)", pageSize: 10) { page in
                        if page.content[0].number != number { faults.add() }
                        let other = (number + 1) % 6
                        paginator.withPage(key: "\(other)", pageSize: 10) { inner in
                            if inner.content[0].number != other { faults.add() }
                        }
                        if page.key != "\(number)" { faults.add() }
                    }
                }
            }
        }
        paginator.clear(scope: "")
        #expect(faults.count == 0)
        #expect(gone.count == made.count)
    }

    private static func paginator(maxPages: Int) -> CallbackPaginator<Item> {
        var config = DefaultPaginatorConfig()
        config.inMemoryEvictionStrategy = .lru(maxPages: maxPages)
        return CallbackPaginator(
            dataSource: ClosureDataSource<Item>(firstKey: "1") { _, completion in
                completion(.failure(.retry(CancellationError())))
                return .none
            }, config: config)
    }
}
