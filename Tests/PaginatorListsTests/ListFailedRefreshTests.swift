import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Refreshes of everything that fail, in lists that do not begin with the source's first page: once what is shown has
/// been loaded anew, the failure is over.
@Suite struct ListFailedRefreshTests {
    private func failRefresh(of key: String, in stage: ListStage) {
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: key)
        stage.after { $0.refresh() }
        #expect(stage.list.status.refresh.error?.code == .sourceFailed)
        _ = stage.newKeys()
    }

    private func expectNothingToRetry(_ stage: ListStage) {
        #expect(stage.list.status.refresh == .idle)
        stage.after { $0.retry() }
        #expect(stage.newKeys() == [])
    }

    @Test func `the connection repeats it in place where the window has dropped the first page, and then it is over`() {
        let connectivity = ScriptedConnectivity()
        let stage = ListStage(pageSize: 10, connectivity: connectivity) { $0.windowItems = 30 }
        for _ in 0..<5 { stage.after { $0.loadNext() } }
        stage.after { $0.hint(visible: 5..<10) }
        failRefresh(of: "0", in: stage)
        for conditions in [.offline, []] as [PaginatorConditions] {
            connectivity.set(conditions)
            stage.settle()
        }
        #expect(stage.newKeys().sorted() == ["20", "30", "40"])
        #expect(stage.ids == Array(20..<50) && stage.list.snapshot.gaps == [])
        #expect(stage.updates.last?.anchor.map { stage.ids[$0] } == 25)
        expectNothingToRetry(stage)
    }

    @Test(arguments: ["0", "50"])
    func `it is over when the page that the list begins with has been refreshed alone`(_ key: String) {
        let stage = ListStage(pageSize: 10) { $0.initialKey = key }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        failRefresh(of: key, in: stage)
        stage.after { $0.refresh(.page(key)) }
        #expect(stage.newKeys() == [key])
        expectNothingToRetry(stage)
    }
}
