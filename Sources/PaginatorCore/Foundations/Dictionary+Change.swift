extension Dictionary {
    // A large value is not moved out and in again, nor memory allocated for a coroutine, as for a change through `?.`.
    @discardableResult
    mutating func change<R>(_ key: Key, _ body: (inout Value) -> R) -> R? {
        guard let index = index(forKey: key) else { return nil }
        return body(&values[index])
    }

    /// Gives the memory of a burst back when nothing is left of it.
    package mutating func shrinkIfEmpty() {
        if isEmpty, capacity > 1_024 { self = [:] }
    }
}
