import Browser
import Foundation
import Observation
import PaginatorTesting
import Server
import Testing

/// The screen, the server and the API together, over HTTP on loopback and with files on disk.
@MainActor @Suite(.timeLimit(.minutes(1))) struct EndToEndTests {
    private let table = Table("abc", perLetter: 40)
    private let folder = Folder()

    private func launch(
        _ address: String, connectivity: ScriptedConnectivity = ScriptedConnectivity(), place: SavedPlace? = nil
    ) throws -> RepositoryBrowser {
        let api = RepositoryAPI(address: address) { "secret" }
        return try RepositoryBrowser(api, folder: folder.path + "/app", connectivity: connectivity, place: place)
    }

    /// Waits until what the screen shows fulfils a condition.
    private func wait(until holds: @escaping @MainActor @Sendable () -> Bool) async {
        for await isFulfilled in Observations({ holds() }) where isFulfilled { return }
    }

    private func show(_ positions: Range<Int>, of browser: RepositoryBrowser) {
        browser.rowsDidAppear(positions.compactMap { browser.sections.place(of: $0) })
    }

    @Test func `the screen pages, searches and stars through the server`() async throws {
        let api = FakeAPI(table)
        try await api.serve { upstream in
            let server = try RepositoryServer(upstream: upstream, folder: folder.path + "/server", token: "secret")
            try await withServer({ try await server.run() }) {
                let browser = try launch(try await server.address)
                await wait { browser.repositories.count == 30 }
                #expect(browser.rowCount == 120)
                show(20..<28, of: browser)
                await wait { browser.repositories.count == 60 }
                browser.search = "b-1"
                await wait { browser.repositories.first?.name == "b-1" && browser.repositories.count == 11 }
                #expect(browser.status.next == .endReached)

                browser.toggleStar(browser.repositories[0].id)
                #expect(browser.refusal == nil)
                await wait { browser.repositories[0].isStarred && !browser.repositories.isPending(at: 0) }
                await browser.refresh()
                #expect(browser.repositories[0].stars == 1)
                #expect(api.requests.last == "GET /search/repositories?page=1&per_page=30&q=b-1")
            }
        }
    }

    @Test func `the API's refusal takes a star back and says why`() async throws {
        try await FakeAPI(table).serve { address in
            let browser = try launch(address)
            await wait { browser.repositories.count == 30 }
            browser.toggleStar(browser.repositories[0].id)
            await wait { browser.repositories[0].isStarred }
            await wait { browser.refusal == "You cannot star this." && !browser.repositories[0].isStarred }
            #expect(browser.repositories[0].stars == 0)
        }
    }

    @Test func `a relaunch without a connection comes back to the place in the search, from disk`() async throws {
        let saved = try await FakeAPI(table).serve { address in
            let browser = try launch(address)
            await wait { browser.repositories.count == 30 }
            browser.search = "b"
            await wait { browser.repositories.first?.name == "b-0" }
            show(20..<28, of: browser)
            await wait { browser.repositories.count == 40 }
            show(32..<40, of: browser)
            return try JSONEncoder().encode(await browser.didEnterBackground())
        }
        let browser = try launch(
            "http://127.0.0.1:9", connectivity: ScriptedConnectivity(.offline),
            place: try JSONDecoder().decode(SavedPlace.self, from: saved))
        await wait { browser.anchor != nil }
        let position = try #require(browser.anchor.flatMap { browser.sections.position(of: $0) })
        #expect(browser.repositories[position].name == "b-32")
        #expect(browser.banner() == "Offline, saved 0 minutes ago")
    }
}
