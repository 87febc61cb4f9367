import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Sources that need no connection are called without one, and the remote part of a source is not.
@Suite struct LocalSourceTests {
    private typealias Source = any PaginatorDataSource<SampleItem>

    /// Pages of the device from version 100 on, the first of which is "1". The rig's own source is the remote one.
    private final class Device: Sendable {
        let count = Guarded(2)

        var source: ClosureDataSource<SampleItem> {
            ClosureDataSource(firstKey: "1", needsConnection: false) { [count] request in
                let (number, count) = (Int(request.key) ?? 0, count.withLock { $0 })
                guard number <= count else { throw SourceError.fatal(FetchRig.Outage()) }
                return PaginatorPage(
                    content: [SampleItem(id: 100 + number, text: "local")], key: request.key,
                    nextKey: number < count ? "\(number + 1)" : nil)
            }
        }

        /// One more page of the device for each remote page.
        func mediator(_ remote: Source, refreshes: Bool = false, servesLocal: Bool = false) -> Source {
            func make(_ remote: some PaginatorDataSource<SampleItem>) -> Source {
                MediatorDataSource(
                    local: source, remote: remote, refreshesFirstPage: refreshes, servesLocalOnFailure: servesLocal
                ) { [count] _, _, _, completion in
                    count.withLock { $0 += 1 }
                    completion(.success(()))
                }
            }
            return make(remote)
        }
    }

    private let device = Device()

    private func offlineRig(
        waits: Bool = false, _ configure: (inout PaginatorConfig) -> Void = { _ in },
        over source: (ScriptedDataSource<SampleItem>) -> Source
    ) -> FetchRig {
        let rig = FetchRig(
            {
                $0.scheduling.waitsForConnectivity = waits
                configure(&$0)
            }, over: source)
        rig.connectivity.set(.offline)
        return rig
    }

    @Test func `a source on the device is read without a connection, and a remote one is not called`() {
        let array = offlineRig { _ in ArrayDataSource((0..<30).map { SampleItem(id: $0, text: "") }) }
        #expect(array.fetch("10").version == 10)
        #expect(array.fetchAround("10", depth: 1).distances == [0, 1, -1])
        let local = offlineRig { [device] _ in device.source }
        #expect(local.fetch("1").version == 101)
        let remote = offlineRig { $0 }
        #expect(remote.fetch("1").code == .offline)
        #expect(remote.source.calls.isEmpty)
    }

    @Test func `a mediator serves its local pages without a connection, and loads remote ones when it is back`() {
        let rig = offlineRig { [device] in device.mediator($0) }
        #expect(rig.fetch("1").version == 101)
        let end = rig.fetch("2")
        #expect(end.endedOnce && end.code == .offline, "a remote page has to follow")
        #expect(rig.source.calls.isEmpty)
        #expect(end.listener.error?.attempts == 1)
        rig.connectivity.set([])
        #expect(rig.fetch("2").version == 102)
        #expect(rig.source.keys == ["0"])
        #expect(rig.fetch("3").version == 103)
    }

    @Test func `a call of a mediator that needs a remote page waits for the connection, if so configured`() {
        let rig = offlineRig(waits: true) { [device] in device.mediator($0) }
        #expect(rig.fetch("1").version == 101)
        let end = rig.fetch("2")
        rig.advance(.seconds(30))
        #expect(end.ends == 0 && rig.source.calls.isEmpty)
        #expect(rig.fetch("1", policy: .networkOnly).version == 101, "other pages are not held up")
        rig.connectivity.set([])
        rig.run()
        #expect(end.endedOnce && end.version == 102)
        #expect(rig.source.keys == ["0"])
    }

    @Test func `local pages of a mediator are read however often its remote source has failed`() {
        let rig = FetchRig({ $0.maxAttempts = 1 }, over: { [device] in device.mediator($0) })
        rig.failSource(.retry(FetchRig.Outage()))
        for _ in 0..<60 { rig.fetch("2") }
        for scope in 0..<20 { #expect(rig.fetch("1", scope: "\(scope)").version == 101) }
    }

    @Test func `a prefetch that needs a remote page waits for the connection`() {
        let rig = offlineRig { [device] in device.mediator($0) }
        rig.paginator.prefetch(keys: ["1", "2"], pageSize: 10)
        rig.advance(.minutes(10))
        #expect(rig.cached("1") == 101 && rig.cached("2") == nil)
        #expect(rig.source.calls.isEmpty)
        rig.connectivity.set([])
        rig.run()
        #expect(rig.cached("2") == 102)
    }

    @Test func `a mediator that serves local pages on failure does so without a connection, and says why`() {
        let rig = offlineRig { [device] in device.mediator($0, refreshes: true, servesLocal: true) }
        for key in ["1", "2"] {
            let caller = rig.fetch(key)
            #expect(caller.version == 100 + (Int(key) ?? 0) && caller.isStale == true)
            #expect(caller.refreshError == .offline)
        }
        #expect(rig.source.calls.isEmpty)
        rig.connectivity.set([])
        #expect(rig.fetch("1").refreshError == nil)
        #expect(rig.source.keys == ["0"])
    }

    @Test func `a fallback on the device answers without a connection, and the first source when it is back`() {
        let rig = offlineRig { [device] in wrap($0, device.source) }
        #expect(rig.fetch("1").version == 101)
        #expect(rig.fetch("7").code == .offline, "the device has no such page")
        #expect(rig.source.calls.isEmpty)
        rig.connectivity.set([])
        #expect(rig.fetch("7").version == 1)
        let second = offlineRig { [device] in wrap(device.source, $0) }
        #expect(second.fetch("1").version == 101)
        #expect(second.fetch("7").code == .offline)
        #expect(second.source.calls.isEmpty)
        let neither = offlineRig { wrap($0, $0) }
        #expect(neither.fetch("1").code == .offline)
        #expect(neither.source.calls.isEmpty)
    }

    @Test func `a page of a fallback on the device is stale and says why, and a mirror's page is as good as any`() {
        let offline = offlineRig { [device] in wrap($0, device.source) }
        let first = offline.fetch("1")
        #expect(first.version == 101 && first.isStale == true && first.refreshError == .offline)
        offline.connectivity.set([])
        let again = offline.fetch("1")
        #expect(again.version == 1 && again.isStale == false)

        let mirror = ScriptedDataSource<SampleItem>(
            otherwise: { .page(PaginatorPage(content: [SampleItem(id: 7, text: "")], key: $0.key)).insideFetch })
        let rig = FetchRig(over: { [device] in wrap($0, wrap(mirror, device.source)) })
        rig.failSource(.fatal(FetchRig.Outage()))
        let mirrored = rig.fetch("1")
        #expect(mirrored.version == 7 && mirrored.isStale == false)
        mirror.script([.fail(.fatal(FetchRig.Outage())).insideFetch])
        let last = rig.fetch("2")
        #expect(last.version == 102 && last.isStale == true && last.refreshError == .sourceFailed)
    }

    private var missing: ClosureDataSource<SampleItem> {
        ClosureDataSource(firstKey: "1", needsConnection: false) { _ in throw SourceError.fatal(FetchRig.Outage()) }
    }

    @Test func `a fallback that has changed is shown in place of what it returned before`() {
        let version = Guarded(100)
        let local = ClosureDataSource<SampleItem>(firstKey: "1", needsConnection: false) { request in
            let number = version.withLock { version in
                version += 1
                return version
            }
            return PaginatorPage(content: [SampleItem(id: number, text: "local")], key: request.key)
        }
        let rig = offlineRig { wrap($0, local) }
        for number in 101...103 { #expect(rig.fetch("1").version == number) }
    }

    @Test func `a page of the device is stale and says why wherever the chain has the source with a connection`() {
        let (device, missing) = (device.source, missing)
        let chains: [(ScriptedDataSource<SampleItem>) -> Source] = [
            { wrap(wrap($0, missing), device) }, { wrap($0, wrap(device, missing)) },
            { wrap($0, wrap(missing, device)) }, { wrap(wrap(missing, $0), device) },
        ]
        for chain in chains {
            let rig = offlineRig(over: chain)
            for _ in 0..<2 {
                let caller = rig.fetch("1")
                #expect(caller.version == 101 && caller.isStale == true && caller.refreshError == .offline)
            }
            rig.connectivity.set([])
            let again = rig.fetch("1")
            #expect(again.version == 1 && again.isStale == false)
        }
    }

    @Test func `a page in place of one that a mediator could not load is stale, and the next call asks the mediator`() {
        let seed = ArrayDataSource((0..<9).map { SampleItem(id: 900 + $0, text: "seed") })
        let rig = offlineRig { [device] remote in
            let mediator = device.mediator(remote)
            return wrap(mediator, seed)
        }
        let first = rig.fetch("2")
        #expect(first.version == 902 && first.isStale == true && first.refreshError == .offline)
        rig.connectivity.set([])
        let again = rig.fetch("2")
        #expect(again.version == 102 && again.isStale == false)
        let nested = offlineRig { [device, missing] remote in
            let mediator = device.mediator(remote)
            return wrap(wrap(missing, mediator), seed)
        }
        #expect(nested.fetch("3").isStale == true)
    }

    @Test func `a substitute is stale also if a double or a mediator is around what uses the connection`() {
        let seed = ArrayDataSource((0..<9).map { SampleItem(id: 900 + $0, text: "seed") })
        let (device, missing) = (device, missing)
        let chains: [(ScriptedDataSource<SampleItem>) -> Source] = [
            { ScriptedDataSource(recording: device.mediator($0)) }, { faulty(device.mediator($0)) },
            { ScriptedDataSource(recording: wrap($0, missing)) }, { faulty(wrap($0, missing)) },
            { device.mediator(wrap($0, missing)) },
        ]
        for chain in chains {
            let rig = offlineRig { wrap(chain($0), seed) }
            let caller = rig.fetch("2")
            #expect(caller.version == 902 && caller.isStale == true && caller.refreshError != nil)
        }
        // A double of a source on the device is no more remote than that.
        let local = offlineRig { _ in wrap(faulty(ScriptedDataSource(recording: missing)), seed) }
        #expect(local.fetch("2").isStale == false)
    }

    @Test func `a source on the device that fails is tried again without a connection`() {
        let failures = Guarded(2)
        let rig = offlineRig { [device] _ in
            ClosureDataSource(firstKey: "1", needsConnection: false) { request, completion in
                let fails = failures.withLock { failures in
                    failures -= 1
                    return failures >= 0
                }
                guard fails else { return device.source.fetch(request, completion: completion) }
                completion(.failure(.retry(FetchRig.Outage())))
                return .none
            }
        }
        let caller = rig.start("1")
        rig.advance(.seconds(1))
        rig.advance(.seconds(2))
        #expect(caller.endedOnce && caller.version == 101)
    }

    @Test func `a paginator on the device is not held up by another one that waits in the same scheduler`() {
        let (executor, clock) = (SimulatedExecutor(), ManualPaginatorClock())
        let connectivity = ScriptedConnectivity(.offline)
        var scheduling = PaginatorSchedulerConfig()
        (scheduling.maxParallelCalls, scheduling.waitsForConnectivity) = (1, true)
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        config.scheduler = PaginatorScheduler(
            config: scheduling, connectivity: connectivity, clock: clock, randomSeed: 1, executor: executor)
        let remote = ScriptedDataSource<SampleItem>(
            firstKey: "1", otherwise: { .page(PaginatorPage(content: [], key: $0.key)).insideFetch })
        let waiting = CallbackPaginator(dataSource: remote, config: config)
        let local = CallbackPaginator(dataSource: device.source, config: config)
        let (first, second) = (RecordingListener<SampleItem>(), RecordingListener<SampleItem>())
        executor.immediately {
            waiting.fetch(key: "1", pageSize: 10, listener: first)
            local.fetch(key: "1", pageSize: 10, listener: second)
        }
        #expect(second.page?.version == 101 && first.ends.isEmpty && remote.calls.isEmpty)
        executor.immediately { connectivity.set([]) }
        #expect(first.page != nil)
    }

    @Test func `a background prefetch from the device is not held back without a connection`() {
        let request = PrefetchRequest(keys: ["1"], pageSize: 10)
        let rig = offlineRig { [device] _ in device.source }
        #expect(!rig.paginator.engine.holdsBack(request))
        #expect(offlineRig { $0 }.paginator.engine.holdsBack(request))
        rig.connectivity.set(.lowPower)
        #expect(rig.paginator.engine.holdsBack(request))
    }

    @Test func `a source around another one needs a connection if that one does`() {
        let (local, remote) = (device.source, ScriptedDataSource<SampleItem>())
        func needs(_ source: some PaginatorDataSource<SampleItem>) -> [Bool] {
            [
                source.needsConnection, ScriptedDataSource(recording: source).needsConnection,
                source.faulty(FaultPlan(), clock: ManualPaginatorClock()).needsConnection,
                PausableSource(source).needsConnection, source.fallback(to: remote).needsConnection,
            ]
        }
        #expect(needs(remote) == [true, true, true, true, true])
        #expect(needs(local) == [false, false, false, false, false])
        #expect(!remote.fallback(to: local).needsConnection)
        #expect(!device.mediator(remote).needsConnection)
        #expect(ClosureDataSource<Int>(firstKey: "0") { PaginatorPage(content: [], key: $0.key) }.needsConnection)
    }
}

/// A fallback, its type erased.
private func wrap(
    _ first: some PaginatorDataSource<SampleItem>, _ second: some PaginatorDataSource<SampleItem>
) -> any PaginatorDataSource<SampleItem> { first.fallback(to: second) }

/// The same source as a double without faults, its type erased.
private func faulty(_ source: some PaginatorDataSource<SampleItem>) -> any PaginatorDataSource<SampleItem> {
    source.faulty(FaultPlan(), clock: ManualPaginatorClock())
}
