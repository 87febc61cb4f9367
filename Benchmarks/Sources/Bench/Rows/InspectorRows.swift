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
        session.count("inspector-percent-of-a-core-at-1000-events-a-second", perEvent * 1_000 / 1e9 * 100, .atMost(1))
        let bytes = Double(recording.data().count) / Double(max(1, recording.eventCount)) * 1_000_000
        session.record("recorder", "a million events", bytes / 1e6, unit: "MB")
        session.count("inspector-megabytes-of-a-million-events", bytes / 1e6, .atMost(48))
    }
}
