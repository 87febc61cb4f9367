extension Group {
    /// Every group, in the order in which they run.
    static var all: [Group] { [fetch, reads, replay, traces, scheduler, codec, disk] }
}
