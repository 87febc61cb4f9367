public import PaginatorCore

extension PushSource {
    /// Creates a source whose connections are asynchronous sequences, such as a database's observation or a web socket.
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
    /// - Parameter events: opens a connection after the last event, in its own task. The connection counts as open with
    ///   the first element; a sequence that is open earlier yields ``/PaginatorCore/PushEvent/opened(id:)``. A sequence
    ///   that ends or throws is a lost connection, and is opened again. To end for good it yields
    ///   ``/PaginatorCore/PushEvent/ended`` or throws a fatal `SourceError`.
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
