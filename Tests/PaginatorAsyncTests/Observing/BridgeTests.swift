#if SwiftLog
    import Logging
    import PaginatorAsync
    import PaginatorCore
    import PaginatorTesting
    import Testing

    @Suite struct SwiftLogBridgeTests {
        private struct Recorder: LogHandler {
            let lines: Handshake<[String]>
            var metadata: Logger.Metadata = [:]
            var logLevel = Logger.Level.trace

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) {
                lines.update { $0.append("\(event.level) \(event.message) \(event.metadata?["kind"] ?? "")") }
            }
        }

        @Test func `events become lines of their level, without user data`() {
            let lines = Handshake<[String]>([])
            let logger = PaginatorLogger.swiftLog(Logger(label: "test") { _ in Recorder(lines: lines) })
            logger.paginatorDidReport(PaginatorEvent(.memoryHit, at: .zero))
            var event = PaginatorEvent(.fetchEnded, at: .zero, identity: PageIdentity(key: "secret", pageSize: 3))
            event.error = PaginatorError(.timedOut, "secret")
            logger.paginatorDidReport(event)
            let written = lines.read { $0 }
            #expect(written.count == 1)
            #expect(written[0].hasPrefix("error fetchEnded page=") && written[0].hasSuffix(" fetchEnded"))
            #expect(!written[0].contains("secret"))
        }
    }
#endif

#if SwiftMetrics
    import Metrics
    import MetricsTestKit
    import PaginatorAsync
    import PaginatorCore
    import Testing

    @Suite struct SwiftMetricsBridgeTests {
        @Test func `events are counted and durations recorded, by kind`() throws {
            let metrics = TestMetrics()
            let observer = PaginatorMetrics(dimensions: [("name", "feed")], factory: metrics)
            var event = PaginatorEvent(.attemptEnded, at: .zero)
            event.duration = .milliseconds(2)
            observer.paginatorDidReport(event)
            observer.paginatorDidReport(event)
            let dimensions = [("name", "feed"), ("kind", "attemptEnded"), ("label", "attemptEnded")]
            #expect(try metrics.expectCounter("paginator.events", dimensions).totalValue == 2)
            #expect(try metrics.expectTimer("paginator.duration", dimensions).values == [2_000_000, 2_000_000])
        }
    }
#endif
