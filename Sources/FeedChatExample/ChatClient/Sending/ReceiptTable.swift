package import AppFoundation
import ChatWire
package import Foundation

extension PendingReceipt: OutboxOperation {
    package var id: String { "\(messageId):\(status.rawValue)" }
    package var failureCount: Int { failCount }
}

/// Waiting receipts: one lane, in batches. They are cancelled only if the server refuses them.
package final class ReceiptTable: OutboxTable {
    package let name = "Receipts"
    private static let lane = "receipts"

    private let database: ChatDatabase
    private let api: any ChatAPI

    init(_ database: ChatDatabase, api: any ChatAPI) {
        self.database = database
        self.api = api
    }

    package func lanes(
        excluding lanes: Set<String>, limit: Int, batchLimit: Int
    ) async throws -> [OutboxLane<PendingReceipt>] {
        guard !lanes.contains(Self.lane) else { return [] }
        let receipts = try await database.read { try $0.pendingReceipts(limit: batchLimit) }
        return receipts.isEmpty ? [] : [OutboxLane(name: Self.lane, operations: receipts)]
    }

    package func send(_ operations: [PendingReceipt]) async throws {
        try await api.send(
            ReceiptsBody(
                receipts: operations.map { receipt in
                    ChatReceipt(messageId: receipt.messageId, type: receipt.status == .read ? .read : .delivered)
                }))
    }

    package func recordSuccess(_ operations: [PendingReceipt], response: Void) async throws {
        try await database.write { try $0.removeReceipts(operations) }
    }

    package func recordFailure(
        _ operations: [PendingReceipt], failureCount: Int, notBefore: Date, failure: OutboxFailure
    ) async throws {
        try await database.write { try $0.noteReceiptFailure(operations, failCount: failureCount) }
    }

    package func recordCancellation(_ operations: [PendingReceipt], failure: OutboxFailure) async throws {
        try await database.write { try $0.removeReceipts(operations) }
    }
}
