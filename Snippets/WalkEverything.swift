// A batch job: it visits all pages of a source, survives failures, and goes on where the last run has stopped.
import Foundation
import PaginatorAsync
import PaginatorCore

nonisolated struct Product: Sendable {
    let id: Int
}

let catalog = ArrayDataSource((1...2_345).map { Product(id: $0) })

var config = PaginatorConfig()
// Each page is used once.
config.inMemoryEvictionStrategy = .maxPages(2)
let pages = CallbackPaginator(dataSource: catalog, config: config)

@Sendable func export(_ products: [Product]) async throws { print("exported", products.count) }

/// Exports all products from a key on. `save` keeps the key at which the next run begins; `nil` at the end.
func exportAll(from first: String, save: @Sendable (String?) throws -> Void) async throws {
    var (key, failures): (String?, Int) = (first, 0)
    // A sequence ends with its first failure, so the loop begins another one.
    while let start = key {
        do {
            let walk = pages.pages(from: start, pageSize: 500, policy: .networkOnly, timeout: .hours(2))
            for try await page in walk {
                try await export(page.content)
                // After the work: a run that is interrupted does a page twice, and leaves none out.
                key = page.nextKey
                try save(key)
            }
        } catch let error as PaginatorError where failures < 10 {
            failures += 1
            // The cursor is no longer valid: start over.
            if error.code == .expiredKey { key = catalog.firstKey }
            try await Task.sleep(for: .seconds(60))
        }
    }
}

let saved = UserDefaults.standard.string(forKey: "export.key")
try await exportAll(from: saved ?? catalog.firstKey) { UserDefaults.standard.set($0, forKey: "export.key") }
