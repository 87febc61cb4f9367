import PaginatorCore

extension FeedStory {
    /// Compares what the library counted with what the server counted, while the server is still there.
    func compareWithTheServer() async throws {
        transcript.begin("The library and the server count the same")
        let counters = try await settledCounters()
        await transcript.verify(
            counters.attempts, equals: conditions.requestCount, "each attempt of the library is a request of the server"
        )
    }

    /// The table at the end.
    func showCounters() async throws {
        transcript.begin("All counters of all paginators of this run")
        let counters = try await settledCounters()
        for line in counters.description.split(separator: "\n") { transcript.note(String(line)) }
        transcript.verify(
            counters.count(of: .fetchEnded), equals: counters.fetches, "every fetch that began has ended, once")
        transcript.verify(counters.count(of: .loadEnded), equals: counters.loads, "and so has every load")
        transcript.verify(counters.callbacks, equals: counters.fetches, "every fetch was answered, once")
        transcript.verify(counters.eventsLost, equals: 0, "no event was lost")
    }

    /// The counters once the events have come that tell the ends of what began; they come a little later than answers.
    private func settledCounters() async throws -> PaginatorCounters {
        for _ in 0..<400 {
            let counters = counting.counters
            let ends = [counters.count(of: .fetchEnded), counters.callbacks]
            if ends == [counters.fetches, counters.fetches], counters.count(of: .loadEnded) == counters.loads {
                return counters
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        return counting.counters
    }
}
