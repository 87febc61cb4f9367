/// Restores the type of objects that passed through non-generic code, which is compiled once for all types.
@usableFromInline package enum KnownType {
    /// Returns an object as its actual type.
    ///
    /// Sound only if every object that can arrive was made as a `Value` by the same owner: an engine's pages are made
    /// by the operations of one item type, and a cache's objects are added by one typed method. A checked cast would
    /// cost more than the whole lookup. Checked in debug builds.
    @inlinable @inline(__always)
    package static func cast<Value: AnyObject>(_ object: any AnyObject & Sendable) -> Value {
        unsafe unsafeDowncast(object, to: Value.self)
    }
}
