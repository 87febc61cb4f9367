import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A table with its types erased: operations that were read or are being sent, and the server's answers, stay inside.
protocol OutboxTableDriver: Sendable {
    var name: String { get }
    func scan(
        excluding lanes: Set<String>, limit: Int, batchLimit: Int, wallTime: Date
    ) async throws -> [OutboxMachine.FoundLane]
    /// Assigns the first operations that the last scan found in a lane to an attempt.
    func take(_ token: Int, lane: String, count: Int)
    func holds(_ token: Int) -> Bool
    func forget(_ token: Int)
    func send(_ token: Int) async -> OutboxFailure?
    func recordSuccess(_ token: Int) async throws
    func recordFailure(_ token: Int, _ count: Int, _ notBefore: Date, _ failure: OutboxFailure) async throws
    func recordCancellation(_ token: Int, _ failure: OutboxFailure) async throws
}

final class OutboxDriver<Table: OutboxTable>: OutboxTableDriver {
    private struct State {
        var found: [String: [Table.Operation]] = [:]
        var taken: [Int: [Table.Operation]] = [:]
        var responses: [Int: Table.Response] = [:]
    }

    private let table: Table
    private let state = Guarded(State())

    init(_ table: Table) {
        self.table = table
    }

    var name: String { table.name }

    func scan(
        excluding lanes: Set<String>, limit: Int, batchLimit: Int, wallTime: Date
    ) async throws -> [OutboxMachine.FoundLane] {
        let read = try await table.lanes(excluding: lanes, limit: limit, batchLimit: batchLimit)
        state.withLock { state in
            state.found = Dictionary(read.map { ($0.name, $0.operations) }, uniquingKeysWith: { first, _ in first })
        }
        return read.map { lane in
            let dueIn = lane.notBefore.map { Duration.clamped(seconds: $0.timeIntervalSince(wallTime)) } ?? .zero
            // A date is rounded in the table, so an operation that is due may seem to be early.
            return OutboxMachine.FoundLane(
                name: lane.name, failureCounts: lane.operations.map { max(0, $0.failureCount) },
                dueIn: dueIn < .milliseconds(1) ? .zero : dueIn)
        }
    }

    func take(_ token: Int, lane: String, count: Int) {
        state.withLock { $0.taken[token] = Array(($0.found.removeValue(forKey: lane) ?? []).prefix(count)) }
    }

    func holds(_ token: Int) -> Bool { state.withLock { $0.taken[token] != nil } }

    func forget(_ token: Int) {
        state.withLock { state in
            state.taken[token] = nil
            state.responses[token] = nil
        }
    }

    private func operations(_ token: Int) -> [Table.Operation] { state.withLock { $0.taken[token] ?? [] } }

    func send(_ token: Int) async -> OutboxFailure? {
        do {
            let response = try await table.send(operations(token))
            state.withLock { state in
                if state.taken[token] != nil { state.responses[token] = response }
            }
            return nil
        } catch {
            return OutboxFailure(error)
        }
    }

    func recordSuccess(_ token: Int) async throws {
        guard let response = state.withLock({ $0.responses[token] }) else { return }
        try await table.recordSuccess(operations(token), response: response)
    }

    func recordFailure(_ token: Int, _ count: Int, _ notBefore: Date, _ failure: OutboxFailure) async throws {
        try await table.recordFailure(operations(token), failureCount: count, notBefore: notBefore, failure: failure)
    }

    func recordCancellation(_ token: Int, _ failure: OutboxFailure) async throws {
        try await table.recordCancellation(operations(token), failure: failure)
    }
}
