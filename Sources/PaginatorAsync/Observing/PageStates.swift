public import PaginatorCore

extension Paginator {
    /// The states of a page as a screen shows them: first the present one, then one after each change; `nil` while the
    /// page is neither cached nor loading and has not failed.
    ///
    /// A slow consumer gets fewer states, and always the latest. The sequence does not keep the paginator alive. It
    /// ends when the paginator is released, when the task is cancelled, and when its iterator is dropped.
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: the page size that the page is fetched with.
    ///   - scope: separates pages with the same key, such as those of two searches or users; empty by default.
    public func states(
        key: String, pageSize: Int, scope: String = ""
    ) -> PaginatorSequence<PaginatorPageResult<T>?, Never> {
        PaginatorSequence { [weak self] in
            let channel = Channel(Latest<PaginatorPageResult<T>?>())
            guard let self else {
                channel.finish()
                return ChannelSource(channel)
            }
            // The handler goes with the observation, and the end with the handler.
            let end = ChannelEnd(channel)
            let execution = observe(key: key, pageSize: pageSize, scope: scope) { state in
                end.channel.put { $0.put(state) }
            }
            // Held strongly, the execution would keep its handler, and with that the channel, from ending.
            return ChannelSource(channel) { [weak execution] in execution?.cancel() }
        }
    }
}
