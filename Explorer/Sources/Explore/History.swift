import CExplorer

/// A call of a program that has returned, and when.
struct Operation<Call: Sendable, Outcome: Sendable>: Sendable {
    let call: Call
    let outcome: Outcome
    let began: Int64
    let ended: Int64
}

/// What the threads of one run have done. Each writes a track of its own, so nothing here orders what they do.
///
/// `@unchecked Sendable`: a track is written by its worker, and read when all have ended.
final class History<Call: Sendable, Outcome: Sendable>: Sendable {
    private final class Track: @unchecked Sendable {
        var operations: [Operation<Call, Outcome>] = []
    }

    struct Begun: Sendable {
        let call: Call
        let began: Int64
    }

    // The last one is that of the main thread.
    private let tracks = (0...EXPLORER_THREADS).map { _ in Track() }

    var operations: [Operation<Call, Outcome>] {
        tracks.flatMap(\.operations).sorted { $0.began < $1.began }
    }

    func begin(_ call: Call) -> Begun {
        explorer_point()
        return Begun(call: call, began: explorer_tick())
    }

    func end(_ begun: Begun, _ outcome: Outcome) {
        let track = explorer_worker() < 0 ? tracks[tracks.count - 1] : tracks[Int(explorer_worker())]
        track.operations.append(
            Operation(call: begun.call, outcome: outcome, began: begun.began, ended: explorer_tick()))
    }

    func record(_ call: Call, _ body: () -> Outcome) {
        let begun = begin(call)
        end(begun, body())
    }
}

/// What a part of the library promises, done by one caller after the other.
protocol SequentialModel {
    associatedtype Call: Sendable
    associatedtype Outcome: Sendable

    /// Whether the call may come to this outcome now; if so, it has.
    mutating func accepts(_ call: Call, _ outcome: Outcome) -> Bool
}

extension SequentialModel {
    /// Whether the calls came to what they would have come to one after the other, in an order in which no call stands
    /// before one that had returned before it began.
    func explains(_ history: [Operation<Call, Outcome>]) -> Bool {
        guard let firstEnd = history.map(\.ended).min() else { return true }
        for (index, next) in history.enumerated() where next.began <= firstEnd {
            var model = self
            guard model.accepts(next.call, next.outcome) else { continue }
            var rest = history
            rest.remove(at: index)
            if model.explains(rest) { return true }
        }
        return false
    }
}

extension SequentialModel {
    /// `nil` when the model explains the history.
    func complaint(about history: History<Call, Outcome>) -> String? {
        let operations = history.operations
        if explains(operations) { return nil }
        return "no order of these calls explains what they came to:\n"
            + operations.map { "  \($0.began)-\($0.ended) \($0.call): \($0.outcome)" }.joined(separator: "\n")
    }
}
