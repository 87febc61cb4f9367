import FlyingSocks
import PaginatorCore
import PaginatorInspector

/// A paginator over a thousand numbers, and a server that shows it.
struct Inspected {
    let paginator: CallbackPaginator<Int>
    let inspector: PaginatorInspector
    let server: PaginatorInspectorServer
    private let attachment: PaginatorAttachment

    init(
        access: PaginatorInspectorAccess = .thisDevice, _ change: (inout PaginatorInspectorConfig) -> Void = { _ in }
    ) async throws {
        var config = PaginatorInspectorConfig()
        config.isEnabled = true
        config.allowsKeys = true
        change(&config)
        inspector = PaginatorInspector(config: config)
        let faults = PaginatorInspectorFaults()
        paginator = CallbackPaginator(dataSource: faults.around(ArrayDataSource(Array(0..<1_000))))
        attachment = inspector.attach(paginator, name: "Numbers", faults: faults)
        server = try await inspector.serve(access: access)
    }

    /// Fetches a page; returns when it was delivered, in which way ever.
    func fetch(_ key: String, scope: String = "") async {
        await withCheckedContinuation { done in
            paginator.fetch(key: key, pageSize: 10, scope: scope) { _ in done.resume() }
        }
    }

    /// Opens the page's connection, and reads until it has shown that a page was fetched.
    func browser(_ headers: [String: String?] = [:]) async throws -> Browser {
        let browser = try await Browser(server.url)
        _ = try await browser.openLive("/live", headers)
        return browser
    }
}

extension Browser {
    /// The chunks up to one that names a text, such as the key of a page.
    func chunks(untilText text: String) async throws -> [Chunk] {
        try await chunks { $0.type == "N" && $0.text.contains(text) }
    }
}
