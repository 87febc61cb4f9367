import PaginatorCore
import PaginatorTesting
import Testing

/// Each unimplemented double reports every use, and lets nothing hang.
@Suite struct UnimplementedTests {
    private let failures = FailureList()
    private let identity = PageIdentity(key: "k", pageSize: 1)

    @Test func `a source`() {
        let source = UnimplementedDataSource<Int>(firstKey: "f", report: failures.report)
        #expect(source.firstKey == "f")
        #expect(failures.all.isEmpty)
        let answers = Guarded(0)
        _ = source.fetch(SourceRequest(identity: identity)) { result in
            if case .failure(let error) = result, error.underlying is UnimplementedCall {
                answers.withLock { $0 += 1 }
            }
        }
        #expect(source.neighborKeys(of: "k", pageSize: 1) == nil)
        #expect(answers.withLock { $0 } == 1)
        #expect(failures.all.count == 2)
    }

    @Test func `a store`() {
        let store = UnimplementedStore<Int>(report: failures.report)
        store.attach(to: StoreEnvironment())
        #expect(failures.all.isEmpty)
        let answers = Guarded(0)
        store.load(identity) { if case .failure = $0 { answers.withLock { $0 += 1 } } }
        store.apply([.remove(.all)]) { if case .failure = $0 { answers.withLock { $0 += 1 } } }
        store.flush { if case .failure = $0 { answers.withLock { $0 += 1 } } }
        #expect(answers.withLock { $0 } == 3)
        #expect(failures.all.count == 3)
        #expect(failures.all[1].contains("PaginatorStore.apply"))
    }

    @Test func `a validator, a strategy, an observer, a connectivity`() {
        let validator = UnimplementedValidator<Int>(report: failures.report)
        let context = ValidationContext(
            identity: identity, origin: .memory, age: .zero, isStale: false, wallTime: .distantPast)
        #expect(validator.judge(PaginatorPage(content: [], key: "k"), in: context) != .accept)
        #expect(failures.all.count == 1)
        var strategy = UnimplementedEvictionStrategy(report: failures.report)
        #expect(strategy.lifetime == nil)
        let facts = PageFacts(bytes: 1, items: 1, keyHash: 1)
        strategy.inserted(PageHandle(index: 0), facts)
        strategy.used(PageHandle(index: 0))
        strategy.removed(PageHandle(index: 0))
        #expect(strategy.victim(in: .demanding) == nil)
        #expect(!strategy.admits(facts))
        #expect(failures.all.count == 6)
        let observer = UnimplementedObserver(allowing: [.memoryHit], report: failures.report)
        observer.paginatorDidReport(PaginatorEvent(.memoryHit, at: .zero))
        #expect(failures.all.count == 6)
        observer.paginatorDidReport(PaginatorEvent(.loadStarted, at: .zero))
        #expect(failures.all.count == 7)
        let connectivity = UnimplementedConnectivity(report: failures.report)
        #expect(connectivity.conditions == [])
        _ = connectivity.observe { _ in }
        #expect(failures.all.count == 9)
    }

    @Test func `a paginator`() async throws {
        let paginator = UnimplementedPaginator<Int>(report: failures.report)
        let listener = RecordingListener<Int>()
        paginator.fetch(key: "k", pageSize: 1, listener: listener)
        try await listener.waitForEnd()
        #expect(listener.error?.underlying is UnimplementedCall)
        let around = RecordingAroundListener<Int>()
        paginator.fetchAround(key: "k", pageSize: 1, depthLevel: 1, listener: around)
        try await around.waitForEnd()
        paginator.clear(key: "k")
        #expect(failures.all.count == 3)
    }

    @Test func `a report names the place where the double was made`() {
        let place = Guarded("")
        let line: UInt = #line + 1
        let source = UnimplementedDataSource<Int> { message, file, line in
            place.withLock { $0 = "\(message) \(file):\(line)" }
        }
        _ = source.neighborKeys(of: "k", pageSize: 1)
        let text = place.withLock { $0 }
        #expect(text.hasPrefix("PaginatorDataSource.neighborKeys(of: k) was called, which the test did not expect."))
        #expect(text.hasSuffix("UnimplementedTests.swift:\(line)"))
    }
}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
