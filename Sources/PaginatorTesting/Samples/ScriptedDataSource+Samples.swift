public import PaginatorCore

extension ScriptedDataSource where T == SampleItem {
    /// Creates a source that answers from a sample server, unless a step is scripted for the call.
    ///
    /// - Parameters:
    ///   - server: the server, which may be changed later.
    ///   - clock: the clock of delays; the device's by default.
    ///   - executor: runs steps without a delay; `nil`, the default, uses a serial queue of the source.
    public convenience init(
        serving server: SampleServer, clock: any PaginatorClock = SystemPaginatorClock(),
        executor: SimulatedExecutor? = nil
    ) {
        self.init(
            firstKey: server.firstKey, clock: clock, executor: executor,
            neighborKeys: { server.neighborKeys(of: $0, pageSize: $1) },
            otherwise: { .result(server.pages.answer(to: $0)) })
    }

    /// Creates a source that answers from sample pages, unless a step is scripted for the call.
    ///
    /// - Parameters:
    ///   - pages: the table.
    ///   - clock: the clock of delays; the device's by default.
    package convenience init(serving pages: SamplePages, clock: any PaginatorClock = SystemPaginatorClock()) {
        self.init(serving: SampleServer(pages), clock: clock)
    }
}
