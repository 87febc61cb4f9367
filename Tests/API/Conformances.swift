// A type for each public protocol, with what the documentation says that it needs and no more. `scripts/api` compiles this
// against the products' public interfaces, as a user's package sees them.
import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorHTTP
import PaginatorLists
import PaginatorStorage

// MARK: PaginatorCore

final class MyPaginator: Paginator {
    typealias T = String
    let base = CallbackPaginator(dataSource: MySource())

    func fetch(_ request: PageRequest, listener: PaginatorFetchListener<String>) -> PaginatorExecution {
        base.fetch(request, listener: listener)
    }

    func fetchAround(
        _ request: AroundRequest, listener: PaginatorFetchAroundListener<String>
    ) -> PaginatorExecution {
        base.fetchAround(request, listener: listener)
    }

    func refresh(_ request: PageRequest, listener: PaginatorFetchListener<String>?) -> PaginatorExecution {
        base.refresh(request, listener: listener)
    }
}

struct MySource: PaginatorDataSource {
    let firstKey = "0"

    func fetch(
        _ request: SourceRequest, completion: @escaping @Sendable (Result<PaginatorPage<String>, SourceError>) -> Void
    ) -> SourceCancellation {
        completion(.success(PaginatorPage(content: ["a"], key: request.key)))
        return .none
    }
}

struct MyValidator: PageValidator {
    func judge(_ page: PaginatorPage<String>, in context: ValidationContext) -> PageVerdict { .accept }
}

final class MyStore: PaginatorStore {
    typealias T = String

    func load(
        _ identity: PageIdentity, completion: @escaping @Sendable (Result<StoredPage<String>?, PaginatorError>) -> Void
    ) {
        completion(.success(nil))
    }

    func apply(
        _ changes: [StoreChange<String>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        accepted(.success(()))
    }

    func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) { completion(.success(())) }
}

struct MyStrategy: PaginatorEvictionStrategy {
    private var pages: [PageHandle] = []

    mutating func inserted(_ page: PageHandle, _ facts: PageFacts) { pages.append(page) }
    mutating func used(_ page: PageHandle) {}
    mutating func removed(_ page: PageHandle) { pages.removeAll { $0 == page } }
    mutating func victim(in usage: PageUsage) -> PageHandle? { usage.pages > 10 ? pages.first : nil }
}

struct MyObserver: PaginatorObserver {
    func paginatorDidReport(_ event: PaginatorEvent) {}
}

struct MyConnectivity: PaginatorConnectivity {
    final class Observation: Sendable {}

    var conditions: PaginatorConditions { PaginatorConditions() }

    func observe(_ handler: @escaping @Sendable (PaginatorConditions) -> Void) -> any AnyObject & Sendable {
        Observation()
    }
}

struct MyClock: PaginatorClock {
    var now: PaginatorInstant { .zero }
    var wallTime: Date { Date() }

    func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer { MyTimer() }
}

final class MyTimer: PaginatorTimer {
    func arm(at deadline: PaginatorInstant) {}
    func disarm() {}
}

// MARK: PaginatorAsync

struct MyAsyncStore: AsyncPageStore {
    func load(_ identity: PageIdentity) async throws -> StoredPage<String>? { nil }
    func apply(_ changes: [StoreChange<String>]) async throws {}
    func flush() async throws {}
}

@MainActor
final class MyModel: PaginatorListPresenting {
    let list: PaginatorList<String, Int>
    var items: PaginatorListSnapshot<String, Int>
    var status: PaginatorListStatus
    var anchor: Int?

    init(_ list: PaginatorList<String, Int>, _ update: PaginatorListUpdate<String, Int>) {
        self.list = list
        items = update.snapshot
        status = update.status
        anchor = update.anchor
    }
}

// MARK: PaginatorHTTP

struct MyStyle: HTTPPagingStyle {
    let firstKey = "1"

    func prepare(_ request: inout HTTPPageRequest) throws(HTTPSourceError) {
        request.set("page", to: request.key)
    }

    func keys(in response: HTTPPageResponse) throws(HTTPSourceError) -> HTTPPageKeys { HTTPPageKeys(next: "2") }
}

// MARK: PaginatorStorage

class MyFile: PageFile, @unchecked Sendable {
    func read(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? { nil }
    func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError) {}
    func recover() throws(PaginatorError) -> [RecordFacts] { [] }
}

final class MySharedFile: MyFile, SharedPageFile, @unchecked Sendable {
    func commit(
        _ changes: [RecordChange], durably: Bool,
        victims: (_ usage: PageUsage, _ newcomers: [RecordFacts]) -> [PageIdentity]
    ) throws(PaginatorError) {}
    func changesOfOthers() throws(PaginatorError) -> [RecordFacts] { [] }
}

struct MyCodec: PageCodec {
    var tag: PageCodecTag { PageCodecTag(name: "mine", version: 1) }
    func encode(_ items: [String]) throws -> [UInt8] { Array(items.joined(separator: "\n").utf8) }
    func decode(_ bytes: [UInt8]) throws -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

struct MyRaw: RawDecodable {
    init(rawBytes: [UInt8]) throws {}
}

struct MyItem: BinaryPageItem {
    let number: Int

    init(number: Int) { self.number = number }
    init(from reader: inout PageByteReader) throws { number = try reader.readInt() }
    func write(to writer: inout PageByteWriter) { writer.write(number) }
}
