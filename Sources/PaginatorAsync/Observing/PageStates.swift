public import PaginatorCore

extension CallbackPaginator {
    /// The states of a page as a screen shows them: the present one first, then the latest after each change; `nil` when
    /// nothing is known of the page.
    ///
    /// Whoever is slow misses states in between, never the latest. The sequence does not keep the paginator alive; it ends
    /// with it, and in a cancelled task. Whoever stops iterating ends the observation.
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: the number of items it is asked for with.
    ///   - scope: separates the same keys.
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
