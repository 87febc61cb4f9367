import PaginatorTesting
import Testing

@testable import PaginatorCore

/// `maxAttempts` says: "Attempts that failed without a connection do not count."
@Suite struct OfflineAttemptsTests {
    @Test func `an attempt that found no connection leaves a load all of its attempts, and no more`() {
        let rig = FetchRig(
            {
                $0.maxAttempts = 3
                $0.scheduling.waitsForConnectivity = true
                $0.scheduling.backoffBase = .zero
            },
            over: { remote in
                MediatorDataSource(local: ArrayDataSource<SampleItem>([]), remote: remote) { _, _, _, completion in
                    completion(.success(()))
                }
            })
        rig.connectivity.set(.offline)
        rig.failSource(.retry(FetchRig.Outage()))
        let caller = rig.fetch("0")
        #expect(caller.ends == 0 && rig.source.calls.isEmpty, "the remote page waits for the connection")
        rig.connectivity.set([])
        rig.run()
        #expect(caller.endedOnce && caller.code == .sourceFailed)
        #expect(rig.source.calls.count == 3)
    }
}
