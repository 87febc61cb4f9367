import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Infers the item type as the initializer of a paginator does.
private func firstKey<T>(of source: some PaginatorDataSource<T>) -> String { source.firstKey }

@Suite struct ArrayDataSourceTests {
    private let source = ArrayDataSource(Array(0..<8))

    @Test func `pages by offset, and names the pages beside`() {
        var key: String? = source.firstKey
        var seen: [[Int]] = []
        while let next = key {
            let page = source.ask(next).answers.page
            seen.append(page?.content ?? [])
            #expect(page?.key == next)
            #expect(page?.nextKey == source.neighborKeys(of: next, pageSize: 3)?.next)
            #expect(page?.prevKey == source.neighborKeys(of: next, pageSize: 3)?.previous)
            key = page?.nextKey
        }
        #expect(seen == [[0, 1, 2], [3, 4, 5], [6, 7]])
        #expect(source.ask("2").answers.page?.prevKey == "0")
        #expect(source.ask("0").answers.page?.prevKey == nil)
    }

    @Test func `right behind the last item is an empty page, further is an expired key`() {
        #expect(source.ask("8").answers.page?.content == [])
        #expect(source.ask("8").answers.page?.prevKey == "5")
        #expect(source.ask("9").answers.error?.isKeyExpired == true)
        #expect(source.neighborKeys(of: "9", pageSize: 3) == nil)
        #expect(ArrayDataSource<Int>([]).ask("0").answers.page?.nextKey == nil)
    }

    @Test(arguments: ["", "-1", "+1", "01", "1.0", "x", " 1", "99999999999999999999", "١"])
    func `a key that is no offset is a fatal error that says so`(key: String) {
        let error = source.ask(key).answers.error
        #expect(error?.isRetryable == false && error?.isKeyExpired == false)
        #expect((error?.underlying as? PaginatorError)?.code == .invalidKey)
        #expect(source.neighborKeys(of: key, pageSize: 3) == nil)
    }

    @Test func `extreme page sizes do not trap`() {
        #expect(source.ask("4", pageSize: .max).answers.page?.content == [4, 5, 6, 7])
        #expect(source.ask("4", pageSize: .min).answers.page?.content == [4])
        #expect(source.neighborKeys(of: "4", pageSize: .max) == NeighborKeys(previous: "0", next: nil))
    }
}

@Suite struct ClosureDataSourceTests {
    private struct Oops: Error {}

    @Test func `hands the request over, and cancel back`() {
        let cancelled = Handshake(0)
        let source = ClosureDataSource<Int>(
            firstKey: "a", neighborKeys: { key, _ in NeighborKeys(previous: nil, next: key) }
        ) {
            request, completion in
            completion(.success(PaginatorPage(content: [request.pageSize], key: request.key)))
            return SourceCancellation { cancelled.update { $0 += 1 } }
        }
        let call = source.ask("k", pageSize: 7)
        #expect(call.answers.page?.content == [7] && call.answers.page?.key == "k")
        call.handle.cancel()
        #expect(cancelled.read { $0 } == 1)
        #expect(source.neighborKeys(of: "n", pageSize: 1)?.next == "n")
    }

    @Test func `thrown errors are passing failures unless they say otherwise`() {
        let source = ClosureDataSource<Int>(firstKey: "a") { request in
            switch request.key {
            case "fatal": throw SourceError.fatal(Oops())
            case "oops": throw Oops()
            default: PaginatorPage(content: [1], key: request.key)
            }
        }
        #expect(source.ask("x").answers.page?.content == [1])
        #expect(source.ask("fatal").answers.error?.isRetryable == false)
        #expect(source.ask("oops").answers.error?.isRetryable == true)
    }
}
