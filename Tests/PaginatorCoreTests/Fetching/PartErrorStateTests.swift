import PaginatorTesting
import Testing

@testable import PaginatorCore

/// The last error of a page of which only a part was asked for.
@Suite struct PartErrorStateTests {
    private let rig: PartRig

    init() {
        rig = PartRig()
        rig.script.withLock { $0.hangs = true }
    }

    private var error: PaginatorError.Code? {
        let identity = PageIdentity(key: "0", pageSize: PartRig.pageSize)
        if case .error(let error, _)? = rig.paginator.state(of: identity) { return error.code }
        return nil
    }

    @Test func `a part that is enough ends the error of the attempt before`() {
        rig.fetch(.items(10))
        rig.fail()
        #expect(error == .sourceFailed)
        let again = rig.fetch(.items(10))
        rig.answer()
        #expect(again.count == 10 && again.isPartial == true)
        #expect(error == nil)
    }

    @Test func `a part that was asked for before a refresh does not hide that the refresh failed`() throws {
        let old = rig.fetch(.items(10))
        let listener = RecordingListener<SampleItem>()
        rig.paginator.refresh(PageRequest(key: "0", pageSize: PartRig.pageSize), listener: listener)
        rig.run()
        try #require(rig.source.pendingCalls.count == 2)
        rig.source.answer(rig.source.pendingCalls[1], with: .failure(.fatal(FetchRig.Outage())))
        rig.run()
        #expect(listener.error?.code == .sourceFailed && error == .sourceFailed)
        rig.answer()
        #expect(old.count == 10)
        #expect(error == .sourceFailed)
    }
}
