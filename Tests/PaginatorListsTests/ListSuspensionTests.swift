import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The system suspends the app: time passes, timers are late, and loads run out of time.
@Suite struct ListSuspensionTests {
    private func wait(_ stage: ListStage, _ duration: Duration) {
        stage.clock.advance(by: duration)
        stage.settle()
    }

    @Test func `a failed look ahead is tried again when its late timer fires, whatever comes first`() {
        let stage = ListStage(pageSize: 10) { $0.prefetchDistance = 5 }
        let (table, clock) = (stage.table, stage.clock)
        stage.source.otherwise { request in
            let answer = table.pages.answer(to: request).map { page in
                PaginatorPage(
                    content: page.content, key: page.key, expirationTime: clock.wallTime + 86_400,
                    prevKey: page.prevKey, nextKey: page.nextKey)
            }
            return .result(answer).insideFetch
        }
        stage.after { $0.loadNext() }
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "10")
        stage.after { $0.hint(visible: 4..<10) }
        #expect(stage.ids == Array(0..<10))
        wait(stage, .seconds(1))
        clock.sleep(.seconds(60))
        // Before the timer fires, which is late.
        stage.after { $0.insertLive([SampleItem(id: 3, text: "newer")]) }
        #expect(stage.ids == Array(0..<10))
        wait(stage, .seconds(1))
        #expect(stage.ids == Array(0..<20))
    }

    @Test(arguments: [false, true])
    func `a load whose time has run out in the background is made up for in the foreground`(isToldFirst: Bool) {
        let connectivity = ScriptedConnectivity()
        let stage = ListStage(pageSize: 10, connectivity: connectivity)
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "10")
        stage.after { $0.loadNext() }
        connectivity.set(.background)
        stage.settle()
        if isToldFirst {
            connectivity.set([])
            stage.settle()
            #expect(stage.list.status.next.isLoading)
        }
        for _ in 0..<2 { wait(stage, .seconds(31)) }
        if !isToldFirst {
            #expect(stage.list.status.next.error?.code == .timedOut)
            connectivity.set([])
            stage.settle()
        }
        #expect(stage.ids == Array(0..<20) && stage.list.status.next == .idle)
        // What runs out of time in the foreground waits for the user.
        stage.source.script([.hang], forKey: "20")
        stage.after { $0.loadNext() }
        for _ in 0..<2 { wait(stage, .seconds(31)) }
        #expect(stage.list.status.next.error?.code == .timedOut && stage.ids == Array(0..<20))
    }
}
