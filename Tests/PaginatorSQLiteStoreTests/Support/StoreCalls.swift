import Foundation
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import StorageTesting

@testable import PaginatorSQLiteStore

/// Calls of a store that wait for their answer.
extension PaginatorStore {
    func loadNow(_ identity: PageIdentity) -> Result<StoredPage<T>?, PaginatorError> {
        waitFor { load(identity, completion: $0) }
    }

    @discardableResult
    func applyNow(_ changes: [StoreChange<T>]) -> Result<Void, PaginatorError> {
        waitFor { apply(changes, accepted: $0) }
    }

    @discardableResult
    func flushNow() -> Result<Void, PaginatorError> {
        waitFor { flush(completion: $0) }
    }
}

extension Result where Failure == PaginatorError {
    var isSuccess: Bool { error == nil }

    var error: PaginatorError? {
        if case .failure(let error) = self { error } else { nil }
    }
}

/// Keeps what a store reports.
final class Reports: Sendable {
    let all = Handshake<[PaginatorError]>([])

    var kinds: [String] { all.read { $0.map { "\($0.storeKind)" } } }

    func environment(_ strategy: EvictionStrategy? = nil) -> StoreEnvironment {
        StoreEnvironment(evictionStrategy: strategy) { [all] event in
            if let error = event.error { all.update { $0.append(error) } }
        }
    }
}

extension StoredPage where T == SampleItem {
    /// A page whose items tell what it is: `count` items, and `version` in each text.
    static func sample(_ key: String, version: Int = 0, count: Int = 3, length: Int = 20) -> StoredPage {
        let text = String(repeating: "x", count: length)
        return StoredPage(
            page: PaginatorPage(
                content: (0..<count).map { SampleItem(id: $0, text: "\(key)|\(version)|\(text)") }, key: key,
                nextKey: key + "+"),
            fetchedAt: Date(timeIntervalSince1970: 1_767_225_600 + Double(version)))
    }

    /// Whether the page is one that ``sample(_:version:count:length:)`` makes for `key`, with nothing torn or mixed.
    func isSample(of key: String) -> Bool {
        guard page.key == key, page.nextKey == key + "+" else { return false }
        let versions = Set(page.content.map { $0.text.split(separator: "|", omittingEmptySubsequences: false)[1] })
        return versions.count <= 1 && page.content.allSatisfy { $0.text.hasPrefix(key + "|") }
            && page.content.map(\.id) == Array(page.content.indices)
    }

    var version: Int? { page.content.first.flatMap { Int($0.text.split(separator: "|")[1]) } }
}
