import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite("Rule 8: validation")
struct Rule08ValidationTests {
    /// Gives verdicts by the version and origin of pages.
    private func rig(
        _ configure: (inout PaginatorConfig) -> Void = { _ in },
        _ verdict: @escaping @Sendable (Int?, PageOrigin) -> PageVerdict
    ) -> FetchRig {
        FetchRig(hasStore: true, validator: .closure { verdict($0.version, $1.origin) }, configure)
    }

    private func expectNothingCached(_ rig: FetchRig) {
        #expect(rig.cached("1") == nil)
        #expect(rig.store?.pages.isEmpty == true)
        #expect(rig.store?.calls.contains(.save(rig.identity("1"))) == false)
    }

    @Test func `a fetched page that fails is an error with its reason and not cached`() {
        let rig = rig { _, _ in .fail(reason: "the signature is wrong") }
        let caller = rig.fetch("1")
        #expect(caller.code == .rejectedByValidation)
        #expect(caller.listener.error?.message.contains("the signature is wrong") == true)
        #expect(caller.listener.error?.attempts == 1)
        #expect(rig.source.calls.count == 1)
        expectNothingCached(rig)
    }

    @Test func `a fetched page to be reloaded is loaded once more`() {
        let rig = rig { version, _ in version == 1 ? .dropAndReload : .accept }
        #expect(rig.fetch("1").version == 2)
        #expect(rig.source.calls.map(\.request.attempt) == [1, 2])
        #expect(rig.cached("1") == 2)
        #expect(rig.store?.pages[rig.identity("1")]?.page.version == 2)
    }

    @Test func `a second reload in one load is a failure`() {
        let rig = rig { _, _ in .dropAndReload }
        let caller = rig.fetch("1")
        #expect(caller.code == .rejectedByValidation)
        #expect(rig.source.calls.count == 2)
        expectNothingCached(rig)
        #expect(rig.observer?.events(of: .verdict).map(\.detail) == ["dropAndReload", "dropAndReload"])
    }

    @Test func `a reload after a dropped cached page is the second one`() {
        let rig = rig { version, origin in version == 1 && origin == .source ? .accept : .dropAndReload }
        rig.fetch("1")
        let caller = rig.fetch("1")
        #expect(caller.code == .rejectedByValidation)
        #expect(rig.source.calls.count == 2)
        #expect(rig.cached("1") == nil)
    }

    @Test func `a fetched page to be refreshed is answered and cached as stale`() {
        let rig = rig { version, origin in version == 1 && origin == .source ? .useButRefresh : .accept }
        let caller = rig.fetch("1")
        #expect(caller.version == 1)
        #expect(caller.isStale == true)
        #expect(rig.store?.pages[rig.identity("1")]?.isInvalidated == true)
        #expect(rig.paginator.peek(key: "1", pageSize: 10)?.isStale == true)
        #expect(rig.fetch("1").version == 2)
    }

    @Test func `a cached page to be refreshed is answered while a load renews it`() {
        let rig = rig { version, origin in version == 1 && origin == .memory ? .useButRefresh : .accept }
        rig.fetch("1")
        rig.hangSource()
        #expect(rig.fetch("1").version == 1)
        #expect(rig.fetch("1").version == 1)
        #expect(rig.source.pendingCalls.count == 1, "one load renews it, however many ask")
        rig.answer("1")
        #expect(rig.cached("1") == 2)
        #expect(rig.fetch("1").version == 2)
    }

    @Test func `a stored page to be refreshed is answered while a load renews it`() {
        let rig = rig { version, _ in version == 70 ? .useButRefresh : .accept }
        rig.store?.seed(rig.page("1", version: 70), for: rig.identity("1"), fetchedAt: rig.clock.wallTime)
        let caller = rig.fetch("1")
        #expect(caller.version == 70)
        #expect(caller.origin == .store)
        #expect(rig.cached("1") == 1)
    }

    @Test(arguments: [false, true])
    func `cache only never calls the source, not even to renew a page`(isOnDisk: Bool) {
        let rig = FetchRig(hasStore: true, validator: .expiry(maxAge: .hours(1), verdict: .useButRefresh))
        rig.fetch("1")
        rig.advance(.hours(2))
        if isOnDisk { rig.paginator.trim(toFraction: 0) }
        let caller = rig.fetch("1", policy: .cacheOnly)
        #expect(caller.version == 1 && caller.isStale == false && caller.endedOnce)
        #expect(caller.origin == (isOnDisk ? .store : .memory))
        #expect(rig.source.calls.count == 1)
        #expect(rig.fetch("1").version == 1)
        #expect(rig.source.calls.count == 2, "under another policy it is renewed")
    }

    @Test func `a cached page to be dropped is removed and loaded again`() {
        let rig = rig { version, origin in version == 1 && origin == .memory ? .dropAndReload : .accept }
        rig.fetch("1")
        rig.hangSource()
        let caller = rig.fetch("1")
        #expect(rig.cached("1") == nil)
        #expect(rig.store?.pages.isEmpty == true)
        #expect(rig.observer?.events(of: .evicted).map(\.evictionCause) == [.rejected])
        rig.fail("1")
        #expect(caller.code == .sourceFailed, "a dropped page is no fallback")
    }

    @Test func `a cached page that fails is an error without a load`() {
        let rig = rig { _, origin in origin == .memory ? .fail(reason: "withdrawn") : .accept }
        rig.fetch("1")
        let caller = rig.fetch("1")
        #expect(caller.code == .rejectedByValidation)
        #expect(rig.source.calls.count == 1)
    }

    @Test(arguments: [false, true])
    func `a stale cached page that fails is loaded again, and is no fallback`(isOnDisk: Bool) {
        let rig = rig { version, origin in version == 1 && origin != .source ? .fail(reason: "withdrawn") : .accept }
        rig.fetch("1")
        rig.paginator.invalidate(.all)
        rig.run()
        if isOnDisk { rig.paginator.trim(toFraction: 0) }
        rig.failSource(.fatal(FetchRig.Outage()))
        #expect(rig.fetch("1").code == .sourceFailed)
        #expect(rig.fetch("1", policy: .cacheOnly).code == .rejectedByValidation, "it stays for when it passes again")
        rig.failSource(nil)
        #expect(rig.fetch("1").version == 2)
    }

    @Test func `a cached page that fails is loaded again for who needs a page that is newer`() {
        let rig = rig { version, origin in version == 1 && origin == .memory ? .fail(reason: "withdrawn") : .accept }
        rig.fetch("1")
        var request = PageRequest(key: "1", pageSize: 10)
        request.notBefore = rig.paginator.engine.makeRequestTime()
        let listener = RecordingListener<SampleItem>()
        rig.paginator.fetch(request, listener: listener)
        rig.run()
        #expect(listener.page?.version == 2)
        #expect(rig.source.calls.count == 2)
    }

    @Test func `a page whose last item was removed by an edit is loaded again, where no page may be empty`() {
        let rig = FetchRig(validator: .notEmpty())
        rig.fetch("1")
        rig.paginator.edits(id: \.id).remove(1)
        rig.run()
        #expect(rig.paginator.peek(key: "1", pageSize: 10)?.page.content.isEmpty == true)
        #expect(rig.fetch("1").version == 2)
    }

    @Test(arguments: [false, true])
    func `observers hear of a verdict on a cached page, where the page was and how long it took`(isOnDisk: Bool) {
        let clock = Guarded<ManualPaginatorClock?>(nil)
        let rig = rig { version, origin in
            guard version == 1, origin != .source else { return .accept }
            clock.withLock { $0 }?.advance(by: .milliseconds(5))
            return .useButRefresh
        }
        clock.withLock { $0 = rig.clock }
        rig.fetch("1")
        if isOnDisk { rig.paginator.trim(toFraction: 0) }
        #expect(rig.fetch("1").version == 1)
        let origin: PageOrigin = isOnDisk ? .store : .memory
        #expect(rig.observer?.events(of: .verdict).map(\.origin) == [origin])
        #expect(rig.observer?.events(of: .verdict).map(\.detail) == ["useButRefresh"])
        #expect(rig.observer?.events(of: .verdict).map(\.duration) == [.milliseconds(5)])
    }

    @Test func `put asks the validator`() {
        let rig = rig { version, _ in
            switch version {
            case 1: .fail(reason: "unsigned")
            case 2: .dropAndReload
            case 3: .useButRefresh
            default: .accept
            }
        }
        for version in 1...2 {
            let error = #expect(throws: PaginatorError.self) {
                try rig.paginator.prime(rig.page("1", version: version), pageSize: 10)
            }
            #expect(error?.code == .rejectedByValidation)
        }
        rig.run()
        expectNothingCached(rig)
        #expect(throws: Never.self) { try rig.paginator.prime(rig.page("1", version: 3), pageSize: 10) }
        #expect(rig.paginator.peek(key: "1", pageSize: 10)?.isStale == true)
        #expect(throws: Never.self) { try rig.paginator.prime(rig.page("1", version: 4), pageSize: 10) }
        #expect(rig.paginator.peek(key: "1", pageSize: 10)?.isStale == false)
    }
}

@Suite("Rule 8: validation that takes its time")
struct Rule08SlowValidationTests {
    private typealias Verdict = @Sendable (PageVerdict) -> Void

    private final class Court: Sendable {
        private let cases = Guarded<[Verdict]>([])
        var count: Int { cases.withLock { $0.count } }

        func open(_ completion: @escaping Verdict) { cases.withLock { $0.append(completion) } }
        func close(_ number: Int, _ verdict: PageVerdict) { cases.withLock { $0[number] }(verdict) }
    }

    private func rig(_ court: Court, _ configure: (inout PaginatorConfig) -> Void = { _ in }) -> FetchRig {
        FetchRig(
            validator: .closure(fetched: { _, _, completion in court.open(completion) }),
            configure)
    }

    @Test func `nothing is cached or delivered before the verdict`() {
        let court = Court()
        let rig = rig(court)
        let caller = rig.fetch("1")
        #expect(caller.ends == 0)
        #expect(rig.cached("1") == nil)
        #expect(rig.paginator.engine.scheduler.statistics.running == 0, "judging holds no slot")
        court.close(0, .accept)
        #expect(caller.ends == 0, "no callback inside the verdict")
        rig.run()
        #expect(caller.version == 1)
        #expect(rig.cached("1") == 1)
    }

    @Test func `the verdict must come within the attempts time out`() {
        let court = Court()
        let rig = rig(court) {
            $0.attemptTimeout = .seconds(10)
            $0.scheduling.backoffBase = .zero
        }
        rig.hangSource()
        let caller = rig.fetch("1")
        rig.advance(.seconds(6))
        rig.answer("1")
        rig.advance(.seconds(3))
        #expect(court.count == 1)
        #expect(rig.source.calls.count == 1)
        rig.advance(.seconds(1))
        #expect(rig.source.calls.count == 2, "the attempt is over, judgement included")
        court.close(0, .accept)
        rig.run()
        #expect(caller.ends == 0, "a late verdict is ignored")
        #expect(rig.cached("1") == nil)
        rig.answer("1")
        court.close(1, .accept)
        rig.run()
        #expect(caller.version == 2)
    }

    @Test func `a second verdict is ignored`() {
        let court = Court()
        let rig = rig(court)
        let caller = rig.fetch("1")
        court.close(0, .fail(reason: "no"))
        court.close(0, .accept)
        rig.run()
        #expect(caller.endedOnce)
        #expect(caller.code == .rejectedByValidation)
        #expect(rig.cached("1") == nil)
    }

    @Test func `a verdict after everybody left is ignored`() {
        let court = Court()
        let rig = rig(court)
        rig.fetch("1").execution.cancel()
        rig.run()
        court.close(0, .accept)
        rig.run()
        #expect(rig.cached("1") == nil)
        #expect(rig.state == FetchRig.quiet)
    }

    @Test(arguments: [PageVerdict.dropAndReload, .fail(reason: "it was recalled")], [false, true])
    func `a page that is refused by now is no fallback, though a load that waits took it when it was good`(
        verdict: PageVerdict, isOutOfMemory: Bool
    ) {
        let isRecalled = Guarded(false)
        let rig = FetchRig(
            validator: .closure { _, context in
                context.origin == .memory && isRecalled.withLock { $0 } ? verdict : .accept
            })
        rig.fetch("1")
        rig.paginator.invalidate(.all)
        rig.hangSource()
        let early = rig.start("1", policy: .networkFirst)
        rig.run()
        rig.advance(.seconds(1))
        if isOutOfMemory { rig.paginator.trim(toFraction: 0) }
        isRecalled.withLock { $0 = true }
        let late = rig.start("1", policy: .networkFirst)
        rig.advance(.hours(1))
        #expect(early.endedOnce && late.endedOnce)
        #expect(late.version == nil)
        #expect(late.code != nil)
    }
}
