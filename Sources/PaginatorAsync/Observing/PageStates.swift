public import PaginatorCore

extension Paginator {
    /// The states of a page as a screen shows them: first the current one, then one after each change. A state is `nil`
    /// if the page is neither cached nor loading and has not failed.
    ///
    /// A slow consumer skips states, and always gets the latest. The sequence does not retain the paginator. It ends
    /// when the paginator is released, when the task is cancelled, and when its iterator is dropped.
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: the number of items that the page is requested with.
    ///   - scope: distinguishes pages with the same key, such as those of two searches or users; empty by default.
    public func states(
        key: String, pageSize: Int, scope: String = ""
    ) -> PaginatorSequence<PaginatorPageResult<T>?, Never> {
        PaginatorSequence { [weak self] in
            let channel = Channel(Latest<PaginatorPageResult<T>?>())
            guard let self else {
                channel.finish()
                return ChannelSource(channel)
            }
            // Released with the observation's handler, which ends the sequence.
            let end = ChannelEnd(channel)
            let execution = observe(key: key, pageSize: pageSize, scope: scope) { state in
                end.channel.put { $0.put(state) }
            }
            // Weak, because a ticket would retain its handler, and so the channel. Nobody else retains another execution.
            let other = execution is FetchTicket ? nil : execution
            return ChannelSource(channel) { [weak execution] in (other ?? execution)?.cancel() }
        }
    }
}
