public import PaginatorCore

extension PushSource {
    /// A source whose connections are asynchronous sequences: of a database's observation, of a web socket.
    ///
    /// ```swift
    /// let changes = PushSource<Post>(events: { lastEventID in
    ///     AsyncStream { continuation in
    ///         let observation = database.observePosts { post in continuation.yield(.change(post)) }
    ///         continuation.onTermination = { _ in observation.cancel() }
    ///     }
    /// })
    /// ```
    ///
    /// - Parameter events: opens a connection behind the last event, in a task of its own. The connection is there when the
    ///   first element comes: a sequence that knows it earlier yields ``/PaginatorCore/PushEvent/opened(id:)``. One that
    ///   ends, or throws, is a connection that was lost, and the next one is opened in time. To end for good it yields
    ///   ``/PaginatorCore/PushEvent/ended``, or throws a `SourceError` that is fatal.
    public init<Events: AsyncSequence & SendableMetatype>(
        events: nonisolated(nonsending) @escaping @Sendable (_ lastEventID: String?) async throws -> Events
    ) where Events.Element == PushEvent<Change>, Events.AsyncIterator: SendableMetatype {
        self.init { lastEventID, tell in
            let task = Task {
                do {
                    let events = try await events(lastEventID)
                    for try await event in events { tell(event) }
                    tell(.closed())
                } catch {
                    tell(.closed(error as? SourceError ?? .retry(error)))
                }
            }
            return SourceCancellation { task.cancel() }
        }
    }
}
