import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct ObserverAdapterTests {
    private struct Leak: Error, CustomStringConvertible {
        var description: String { "secret" }
    }

    /// An event of every kind with a secret in every place that can hold one.
    private var events: [PaginatorEvent] {
        PaginatorEvent.Kind.allCases.map { kind in
            var event = PaginatorEvent(
                kind, at: .zero, identity: PageIdentity(key: "secret", pageSize: 3, scope: "secret"))
            event.error = PaginatorError(.sourceFailed, "secret", underlying: Leak())
            event.detail = "secret"
            event.duration = .microseconds(1_500)
            event.attempt = 2
            event.origin = .store
            event.count = 9
            return event
        }
    }

    @Test func `a logger writes one line for each event that matters, without user data`() {
        let lines = Handshake<[(level: PaginatorLogger.Level, text: String)]>([])
        let logger = PaginatorLogger(minimumLevel: .warning) { level, text in lines.update { $0.append((level, text)) }
        }
        for event in events { logger.paginatorDidReport(event) }
        let written = lines.read { $0 }
        #expect(
            written.map { line in "\(line.level) \(line.text.prefix { $0 != " " })" } == [
                "error fetchEnded", "warning loadEnded", "warning attemptEnded", "warning retryRefused",
                "warning throttled", "warning sourcePaused", "warning verdict", "warning lateAnswer",
                "warning duplicateAnswer", "warning repeatedKey", "warning refusedKey", "error storeFailed",
                "warning followingLost", "warning eventsLost",
            ])
        #expect(written.allSatisfy { !$0.text.contains("secret") })
        #expect(
            written.first?.text.hasSuffix("attempt=2 origin=store ms=1.500 count=9 error=sourceFailed.Leak") == true)
    }

    @Test func `with user data shown, a key cannot forge a line`() {
        let lines = Handshake<[String]>([])
        let logger = PaginatorLogger(minimumLevel: .debug, showsUserData: true) { _, text in
            lines.update { $0.append(text) }
        }
        logger.paginatorDidReport(
            PaginatorEvent(.memoryHit, at: .zero, identity: PageIdentity(key: "a\nERROR b", pageSize: 3)))
        #expect(lines.read { $0 } == ["memoryHit page=a ERROR b#3"])
    }

    @Test func `what the caller wanted is no error`() {
        var event = PaginatorEvent(.fetchEnded, at: .zero)
        #expect(event.level == .debug)
        event.error = PaginatorError(.cancelled, "")
        #expect(event.level == .debug)
        event.error = PaginatorError(.timedOut, "")
        #expect(event.level == .error)
        #expect(PaginatorEvent(.followingLost, at: .zero).level == .info)
        #expect(PaginatorLogger.Level.debug < .info && PaginatorLogger.Level.warning < .error)
    }

    @Test func `analytics records hold no user data`() {
        let records = Handshake<[(name: String, attributes: [String: String])]>([])
        let analytics = PaginatorAnalytics(kinds: Set(PaginatorEvent.Kind.allCases), interval: .zero) {
            name, attributes in
            records.update { $0.append((name, attributes)) }
        }
        for event in events { analytics.paginatorDidReport(event) }
        let sent = records.read { $0 }
        #expect(sent.count == PaginatorEvent.Kind.allCases.count)
        #expect(sent.allSatisfy { !"\($0)".contains("secret") })
        #expect(sent[0].name == "paginator.fetchStarted")
        #expect(sent[0].attributes["ms"] == "1.500" && sent[0].attributes["error"] == "sourceFailed.Leak")
        #expect(sent[0].attributes["count"] == "9" && sent[0].attributes["attempt"] == "2")
    }

    @Test func `analytics record only the kinds that are wanted`() {
        let records = Handshake<[String]>([])
        let analytics = PaginatorAnalytics(interval: .zero) { name, _ in records.update { $0.append(name) } }
        for event in events { analytics.paginatorDidReport(event) }
        #expect(records.read(\.count) == PaginatorAnalytics.defaultKinds.count)
        #expect(records.read { $0.contains("paginator.refusedKey") && $0.contains("paginator.followingLost") })
    }

    @Test func `analytics count hits, misses and evictions of memory and disk, and nothing is lost at the end`() {
        let records = Handshake<[String]>([])
        var analytics: PaginatorAnalytics? = PaginatorAnalytics(interval: .seconds(60)) { name, attributes in
            records.update { $0.append("\(name) \(attributes["label"] ?? "") \(attributes["count"] ?? "")") }
        }
        func report(_ kind: PaginatorEvent.Kind, at seconds: Int, _ set: (inout PaginatorEvent) -> Void = { _ in }) {
            var event = PaginatorEvent(kind, at: .zero.advanced(by: .seconds(seconds)))
            set(&event)
            analytics?.paginatorDidReport(event)
        }
        for second in 1...3 { report(.memoryHit, at: second) }
        report(.storeMiss, at: 4)
        for cause in [EvictionCause.strategy, .lifetime, .strategy] {
            report(.evicted, at: 5) { $0.evictionCause = cause }
        }
        report(.storeEvicted, at: 6) { $0.count = 40 }
        report(.storeEvicted, at: 7) { $0.count = 2 }
        #expect(records.read(\.isEmpty))
        report(.loadEnded, at: 61)
        let sums = [
            "paginator.evicted evicted.lifetime 1", "paginator.evicted evicted.strategy 2",
            "paginator.memoryHit memoryHit 3", "paginator.storeEvicted storeEvicted 42",
            "paginator.storeMiss storeMiss 1",
        ]
        #expect(records.read { $0 } == sums)
        report(.memoryHit, at: 62)
        analytics = nil
        #expect(records.read { $0 } == sums + ["paginator.memoryHit memoryHit 1"])
    }
}
