/// Defers the release of the user's objects until no lock is held.
///
/// A machine drops pages, listeners and errors while its driver holds a lock. Their `deinit` may be user code, which
/// may call the library or wait for another thread that does. So every object of the library that holds one of the
/// user's passes it to ``keep(_:)`` in its `deinit`. Inside ``collect(_:)`` it is kept until the outermost call on the
/// thread returns it; otherwise it is released as usual.
enum DeferredRelease {
    /// Runs `body`, and returns the dropped objects, to be released without a lock. A nested call returns none.
    static func collect<R>(_ body: () -> R) -> (R, gone: [any Sendable]) {
        let thread = CurrentThread.current
        thread.depth += 1
        let result = body()
        thread.depth -= 1
        // The lock of the outer call is still held.
        guard thread.depth == 0, !thread.objects.isEmpty else { return (result, []) }
        let gone = thread.objects
        thread.objects = []
        return (result, gone)
    }

    static func keep(_ object: @autoclosure () -> any Sendable) {
        guard let thread = CurrentThread.existing, thread.depth > 0 else { return }
        thread.objects.append(object())
    }

    static func release(_ objects: inout [any Sendable], on executor: any WorkExecutor) {
        guard !objects.isEmpty else { return }
        // Moved into a box, because a reference that stays here could be the last one.
        let box = Guarded<[any Sendable]>([])
        box.withLock { swap(&$0, &objects) }
        executor.run {
            var gone: [any Sendable] = []
            box.withLock { swap(&$0, &gone) }
        }
    }
}
