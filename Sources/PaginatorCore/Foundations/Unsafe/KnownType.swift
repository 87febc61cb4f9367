/// Gives objects their type back that went through machinery which is not generic, so that it is compiled once.
@usableFromInline package enum KnownType {
    /// Returns an object as what it is.
    ///
    /// Sound only where every object that can come is made as a `Value` by the same owner: an engine's pages are made by
    /// the operations of one item type alone, and a cache's objects come in by one typed method. A checked cast would cost
    /// more than the whole look-up. Checked in debug builds.
    @inlinable @inline(__always)
    package static func cast<Value: AnyObject>(_ object: any AnyObject & Sendable) -> Value {
        unsafe unsafeDowncast(object, to: Value.self)
    }
}
