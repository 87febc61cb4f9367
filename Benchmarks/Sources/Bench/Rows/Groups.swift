extension Group {
    /// Every group, in the order in which they run.
    static var all: [Group] {
        [
            fetch, misses, allocations, reads, replay, traces, published, paging, hits, cache, scheduler, growth, codec,
            disk, diskContenders, diskPages, edits, lists, inspector, server, simulation, startUp, consumer,
        ]
    }
}
