import Dispatch
import PaginatorCore
import PaginatorInspector

// What looking at a paginator costs: nothing while nobody does, and how much of a core and of memory while somebody does.
extension Group {
    static let inspector = Group(name: "inspector") { session in
        let (plain, watched, former) = try (
            warmPaginator(pages: 100), warmPaginator(pages: 100), warmPaginator(pages: 100)
        )
        let keys = Workloads.uniform(4_096, below: 100, seed: 1).map(Workloads.key)
        var config = PaginatorInspectorConfig()
        config.isEnabled = true
        let inspector = PaginatorInspector(config: config)
        inspector.attach(former, name: "former").detach()
        let attachment = inspector.attach(watched, name: "watched")
        let counting = Counting()
        func contender(_ name: String, _ paginator: CallbackPaginator<Story>) -> Contender {
            Contender(name) { watch in
                let done = DispatchSemaphore(value: 0)
                counting.value = 0
                watch.time {
                    for key in keys {
                        paginator.fetch(key: key, pageSize: 30) { _ in counting.add(upTo: keys.count, done) }
                    }
                    done.wait()
                }
            }
        }
        let hits = try session.run(
            Contest(
                row: "callback hit beside an inspector", clock: .process, operations: keys.count, rounds: 41,
                contenders: [
                    contender("never attached", plain), contender("attached once", former),
                    contender("attached", watched),
                ]))
        attachment.detach()
        session.ratio("inspector-detached-memory-hit", of: hits[1], to: hits[0], .atMost(1.05))

        // A hit is told as four events: its begin, the hit, its end and the callback.
        let recording = inspector.recording()
        let perEvent = (hits[2].median - hits[0].median) / 4
        session.record("recorder", "an event, with all that it takes to make it", perEvent, unit: "ns")
        let perState = try states(session, pages: 200)
        _ = try states(session, pages: 2_000)
        // While nobody looks, states are taken every five seconds.
        let perSecond = perEvent * 1_000 + perState / 5
        session.ratio("inspector-1000-events-a-second-to-a-core", perSecond / 1e9, .atMost(0.01))
        let bytes = Double(recording.data().count) / Double(max(1, recording.eventCount)) * 1_000_000
        session.record("recorder", "a million events", bytes / 1e6, unit: "MB")
        session.ratio("inspector-million-events-to-40-bytes-each", bytes / 40e6, .atMost(1.2))
    }

    /// What it takes to take the states of a paginator and its scheduler, which have changed; in nanoseconds.
    private static func states(_ session: Session, pages: Int) throws -> Double {
        let paginator = try warmPaginator(pages: pages, maxPages: pages)
        var config = PaginatorInspectorConfig()
        config.isEnabled = true
        let inspector = PaginatorInspector(config: config)
        let attachment = inspector.attach(paginator, name: "watched")
        var round = 0
        let measured = try session.run(
            Contest(
                row: "states of \(pages) pages in memory", clock: .process, operations: 1, rounds: 41,
                contenders: [
                    Contender("all that is attached") { watch in
                        // Else nothing would have to be kept.
                        paginator.invalidate(.key(Workloads.key(round)))
                        round += 1
                        watch.time { inspector.recordStates() }
                    }
                ]))
        attachment.detach()
        return measured[0].median
    }
}
