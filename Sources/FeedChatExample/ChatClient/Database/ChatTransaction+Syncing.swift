package import ChatWire
import GRDB

extension ChatTransaction {
    /// The id of the last event that this device has committed.
    package func lastSyncedMessage() throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT lastSyncedMessage FROM SyncState WHERE id = 1") ?? 0
    }

    /// Applies events and the position after them, so that a kill loses both or none.
    ///
    /// Events up to the stored position were already applied and are ignored.
    ///
    /// - Parameters:
    ///   - events: in the server's order.
    ///   - lastSyncedMessage: the position afterwards; one before the stored position is ignored.
    package func apply(_ events: [ChatEvent], upTo lastSyncedMessage: Int64) throws {
        let stored = try self.lastSyncedMessage()
        for event in events where event.id > stored { try apply(event) }
        guard lastSyncedMessage > stored else { return }
        try db.execute(
            sql: "UPDATE SyncState SET lastSyncedMessage = ? WHERE id = 1", arguments: [lastSyncedMessage])
    }

    private func apply(_ event: ChatEvent) throws {
        switch event.content {
        case .newMessage(let message): try receive(message)
        case .messageDelivered(let messageId): try raiseStatus(of: messageId, to: .delivered)
        case .messageRead(let messageId): try raiseStatus(of: messageId, to: .read)
        case .messageChanged(let revision): try apply(revision)
        case .groupChanged(let group): try save(group)
        case .contactStatusUpdate, .position, .unknown: break
        }
    }
}
