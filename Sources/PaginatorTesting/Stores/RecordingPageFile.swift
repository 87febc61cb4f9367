public import PaginatorCore

/// One call of a ``RecordingPageFile``.
public enum PageFileCall: Sendable, Hashable {
    /// A record was asked for.
    case read(PageIdentity)
    /// Changes were made, so many of them.
    case commit(changes: Int, durably: Bool)
    /// The facts of all records were asked for.
    case recover
}

/// A page file that hands every call on to a real one and records it, with the error if there was one.
public final class RecordingPageFile: PageFile {
    private struct State: Sendable {
        var calls: [PageFileCall] = []
        var errors: [PaginatorError] = []
    }

    private let file: any PageFile
    private let handshake = Handshake(State())

    /// Wraps a file.
    public init(_ file: any PageFile) {
        self.file = file
    }

    /// Records the call and reads from the real file.
    public func read(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? {
        try call(.read(identity)) { () throws(PaginatorError) in try file.read(identity) }
    }

    /// Records the call and makes the changes in the real file.
    public func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError) {
        try call(.commit(changes: changes.count, durably: durably)) { () throws(PaginatorError) in
            try file.commit(changes, durably: durably)
        }
    }

    /// Records the call and asks the real file.
    public func recover() throws(PaginatorError) -> [RecordFacts] {
        try call(.recover) { () throws(PaginatorError) in try file.recover() }
    }

    /// Every call so far, in the order in which they began.
    public var calls: [PageFileCall] { handshake.read(\.calls) }

    /// The errors that the real file threw, in order.
    public var errors: [PaginatorError] { handshake.read(\.errors) }

    /// Waits until calls have begun.
    ///
    /// - Parameter count: how many, since the file was wrapped.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForCalls(_ count: Int) async throws(CancellationError) {
        try await handshake.wait { $0.calls.count >= count }
    }

    private func call<R>(
        _ call: PageFileCall, _ body: () throws(PaginatorError) -> R
    ) throws(PaginatorError) -> R {
        handshake.update { $0.calls.append(call) }
        do {
            return try body()
        } catch {
            handshake.update { $0.errors.append(error) }
            throw error
        }
    }
}
