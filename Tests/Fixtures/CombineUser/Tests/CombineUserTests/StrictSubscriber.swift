import Foundation
import Testing

#if canImport(Combine)
    import Combine
#else
    import OpenCombine
#endif

/// A value behind a lock.
///
/// `@unchecked Sendable`: `value` is guarded by `lock`.
final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func read<Part>(_ part: (Value) -> Part) -> Part { lock.withLock { part(value) } }

    func update(_ change: (inout Value) -> Void) { lock.withLock { change(&value) } }

    /// Returns when the value is as wanted.
    func wait(_ isWanted: (Value) -> Bool) async {
        while !read(isWanted) { await Task.yield() }
    }
}

/// A subscriber that asks for as many values as a test says, and notes all that it is told; what breaks the rules of
/// publishers is an issue.
///
/// `@unchecked Sendable`: everything is behind the lock of `log`, but for the subscription, which is set before the first value.
final class StrictSubscriber<Input: Sendable, Failure: Error>: Subscriber, @unchecked Sendable {
    struct Log: Sendable {
        var values: [Input] = []
        var end: Result<Void, Failure>?
        var asked = 0
    }

    let log = Locked(Log())
    private let more: Int
    private let onValue: @Sendable (StrictSubscriber) -> Void
    private var subscription: (any Subscription)?

    /// - Parameters:
    ///   - more: how many values are asked for with each value that comes.
    ///   - onValue: called with each value, from within.
    init(more: Int = 0, onValue: @escaping @Sendable (StrictSubscriber) -> Void = { _ in }) {
        self.more = more
        self.onValue = onValue
    }

    func receive(subscription: any Subscription) { self.subscription = subscription }

    func receive(_ input: Input) -> Subscribers.Demand {
        log.update { log in
            log.values.append(input)
            #expect(log.values.count <= log.asked, "a value that nobody asked for")
            #expect(log.end == nil, "a value after the end")
            log.asked += more
        }
        onValue(self)
        return .max(more)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        log.update { log in
            #expect(log.end == nil, "two ends")
            log.end =
                switch completion {
                case .finished: .success(())
                case .failure(let error): .failure(error)
                }
        }
    }

    func ask(for count: Int) {
        log.update { $0.asked += count }
        subscription?.request(.max(count))
    }

    func cancel() { subscription?.cancel() }

    var values: [Input] { log.read { $0.values } }

    var hasEnded: Bool { log.read { $0.end != nil } }
}
