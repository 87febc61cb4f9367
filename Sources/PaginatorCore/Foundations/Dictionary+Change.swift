extension Dictionary {
    // Changes a large value in place; `?.` would move it out and in, or allocate a coroutine frame.
    @discardableResult
    mutating func change<R>(_ key: Key, _ body: (inout Value) -> R) -> R? {
        guard let index = index(forKey: key) else { return nil }
        return body(&values[index])
    }

    /// Frees the memory of a burst once the dictionary is empty.
    package mutating func shrinkIfEmpty() {
        if isEmpty, capacity > 1_024 { self = [:] }
    }
}
