public import PaginatorCore

extension ScriptedDataSource where T == SampleItem {
    /// Makes a source that answers every call from a server unless something is scripted.
    ///
    /// - Parameters:
    ///   - server: the server; it may change meanwhile.
    ///   - clock: what delays are measured by.
    ///   - executor: runs steps that answer at once; `nil`, the default, for a serial queue of the source's own.
    public convenience init(
        serving server: SampleServer, clock: any PaginatorClock = SystemPaginatorClock(),
        executor: SimulatedExecutor? = nil
    ) {
        self.init(
            firstKey: server.firstKey, clock: clock, executor: executor,
            neighborKeys: { server.neighborKeys(of: $0, pageSize: $1) },
            otherwise: { .result(server.pages.answer(to: $0)) })
    }

    /// Makes a source that answers every call from sample pages unless something is scripted.
    ///
    /// - Parameters:
    ///   - pages: the pages; their keys can be computed where they are addressed by offset or number.
    ///   - clock: what delays are measured by.
    public convenience init(serving pages: SamplePages, clock: any PaginatorClock = SystemPaginatorClock()) {
        self.init(serving: SampleServer(pages), clock: clock)
    }
}
