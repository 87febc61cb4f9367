import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorInspector

/// What the state of a list tells of a page that could not be loaded anew.
@Suite struct FailedPageStateTests {
    private struct Trouble: Error {}

    @Test(arguments: [false, true])
    func `a page that could not be loaded anew is failed, whether it stays or an older one stands in`(
        standsIn: Bool
    ) throws {
        let rig = InspectorRig()
        let source = ScriptedDataSource<SampleItem>(
            recording: SampleServer(SamplePages(count: 100)), clock: rig.clock, executor: rig.executor)
        var config = PaginatorConfig()
        config.simulate(on: rig.executor, clock: rig.clock)
        config.maxAttempts = 1
        let paginator = CallbackPaginator(dataSource: source, config: config)
        var listing = PaginatorListConfig()
        (listing.pageSize, listing.prefetchDistance) = (10, 0)
        let list = PaginatorList(paginator, id: \.id, config: listing)
        let attachment = rig.inspector.attach(list, name: "Rows")
        func state() -> String? { rig.state(of: .list)?["slots"]?.list.first?["state"]?.text }
        if standsIn {
            paginator.fetch(key: "0", pageSize: 10) { _ in }
            rig.executor.runAll()
            paginator.invalidate(.all)
            source.script([.fail(.retry(Trouble())).insideFetch], forKey: "0")
            list.loadNext()
        } else {
            list.loadNext()
            rig.executor.runAll()
            #expect(state() == "fresh")
            source.script([.fail(.fatal(Trouble())).insideFetch], forKey: "0")
            list.refresh(.page("0"))
        }
        rig.executor.runAll()
        #expect(list.snapshot.count == 10 && state() == "failed")
        list.retry()
        rig.executor.runAll()
        #expect(state() == "fresh")
        attachment.detach()
    }
}
