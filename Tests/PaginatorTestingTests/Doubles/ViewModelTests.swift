import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

/// A view model as an app has it: it knows no paginator but by the protocol.
@MainActor
private final class FeedModel {
    private let paginator: any Paginator<SampleItem>
    private let list: PaginatorList<SampleItem, Int>
    private(set) var rows: [String] = []
    private(set) var message: String?
    private(set) var offlineNote: String?
    private(set) var bannerText: String?

    init(_ paginator: some Paginator<SampleItem>) {
        self.paginator = paginator
        var config = PaginatorListConfig()
        config.pageSize = 2
        list = PaginatorList(paginator, config: config)
        list.observe(onMain: { [weak self] update in
            self?.rows = update.snapshot.map(\.text)
            self?.message = (update.status.refresh.error ?? update.status.next.error).map { _ in "No more posts." }
        })
        paginator.observe(key: "banner", pageSize: 1) { [weak self] state in
            // As an app whose callbacks come elsewhere.
            MainActor.assumeIsolated { self?.bannerText = state?.page?.content.first?.text }
        }
    }

    var cachedCount: Int { paginator.peek(key: "0", pageSize: 2)?.content.count ?? 0 }

    func showMore() { list.loadNext() }

    func pullToRefresh() { list.refresh() }

    func received(_ pushed: SampleItem) throws {
        try paginator.prime(PaginatorPage(content: [pushed], key: "banner"), pageSize: 1)
    }

    func reloadBanner() { paginator.refresh(PageRequest(key: "banner", pageSize: 1), listener: nil) }

    func posted() { paginator.invalidate(tags: ["feed"]) }

    func loadForTheTrain() {
        paginator.prefetch(PrefetchRequest(from: "0", pages: 3, pageSize: 2)) { [weak self] summary in
            MainActor.assumeIsolated {
                self?.offlineNote =
                    "\(summary.loaded.count + summary.fresh.count) pages, \(summary.failed.count) failed"
            }
        }
    }

    func logOut() { paginator.clearAll() }
}

@MainActor
@Suite struct ViewModelTests {
    private let executor = SimulatedExecutor()
    private let failures = FailureList()

    private struct Outage: Error {}

    private func page(_ key: Int, isLast: Bool = false) -> PaginatorPage<SampleItem> {
        PaginatorPage(
            content: (key..<key + 2).map { SampleItem(id: $0, text: "post \($0)") }, key: String(key),
            nextKey: isLast ? nil : String(key + 2), tags: ["feed"])
    }

    @Test func `with a scripted paginator it shows what comes, what fails, and what is pushed`() throws {
        let paginator = ScriptedPaginator<SampleItem>(executor: executor)
        paginator.script([.page(page(0)), .fail(.fatal(Outage())), .page(page(2)), .page(page(4, isLast: true))])
        let model = FeedModel(paginator)
        executor.immediately { model.showMore() }
        #expect(model.rows == ["post 0", "post 1"])
        executor.immediately { model.showMore() }
        #expect(model.rows.count == 2 && model.message == "No more posts.")
        executor.immediately { model.loadForTheTrain() }
        #expect(model.offlineNote == "3 pages, 0 failed")
        try executor.immediately { try model.received(SampleItem(id: 9, text: "sale")) }
        #expect(model.bannerText == "sale")
        executor.immediately { model.logOut() }
        #expect(model.bannerText == nil && model.cachedCount == 0)
    }

    @Test func `a recording paginator tells which calls it made, and what came of them`() throws {
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: ManualPaginatorClock())
        let banner = PageIdentity(key: "banner", pageSize: 1)
        let source = ScriptedDataSource<SampleItem>(executor: executor)
        source.script([.page(page(0)), .page(page(0))], forKey: "0")
        source.script([.page(PaginatorPage(content: [SampleItem(id: 1, text: "news")], key: "banner"))])
        let paginator = ScriptedPaginator(recording: CallbackPaginator(dataSource: source, config: config))
        let model = FeedModel(paginator)
        executor.immediately { model.showMore() }
        executor.immediately { model.reloadBanner() }
        #expect(model.bannerText == "news")
        executor.immediately { model.posted() }
        executor.immediately { model.pullToRefresh() }
        #expect(model.cachedCount == 2)
        #expect(source.keys == ["0", "banner", "0"])
        #expect(
            paginator.calls == [
                .base, .observe(banner), .refresh(PageRequest(key: "banner", pageSize: 1)), .invalidateTags(["feed"]),
                .peek(PageIdentity(key: "0", pageSize: 2)),
            ])
        guard case .page(let page?)? = paginator.outcomes[2] else { Issue.record("no page"); return }
        #expect(page.content.map(\.text) == ["news"])
    }

    @Test func `with a paginator that expects nothing but its start, each further call is a failure`() throws {
        let paginator = ScriptedPaginator<SampleItem>(executor: executor, unexpected: failures.report) { call in
            switch call {
            case .base, .observe: true
            default: false
            }
        }
        let model = FeedModel(paginator)
        executor.runAll()
        #expect(failures.all.isEmpty)
        executor.immediately { model.posted() }
        #expect(failures.all.count == 1 && failures.all[0].contains(#"Paginator.invalidate(tags: ["feed"])"#))
        executor.immediately { model.loadForTheTrain() }
        #expect(failures.all.count == 2 && failures.all[1].contains("Paginator.prefetch("))
        #expect(model.offlineNote == "0 pages, 1 failed")
    }
}
