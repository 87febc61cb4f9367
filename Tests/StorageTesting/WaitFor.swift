import PaginatorTesting

/// Waits on this thread until `body` has called its completion, and returns what that got.
package func waitFor<Value: Sendable>(_ body: (@escaping @Sendable (Value) -> Void) -> Void) -> Value {
    let answer = Handshake<Value?>(nil)
    body { value in answer.update { $0 = value } }
    answer.block { $0 != nil }
    return answer.read { $0 }!
}
