/// Puts off the release of the user's objects until no lock is held.
///
/// A machine lets go of pages, listeners and errors while its driver holds a lock. Their `deinit` may be the user's code,
/// which may call the library or wait for another thread that does. So every object of the library's that holds one of
/// the user's hands it to ``keep(_:)`` when it ends. Inside ``collect(_:)`` it is kept there until the outermost call on
/// the thread returns it; elsewhere it is released as usual.
enum DeferredRelease {
    /// Runs `body`, and returns what it let go of, for the caller to drop when it holds no lock: nothing within another call.
    static func collect<R>(_ body: () -> R) -> (R, gone: [any Sendable]) {
        let thread = CurrentThread.current
        thread.depth += 1
        let result = body()
        thread.depth -= 1
        // Within another call that one's lock is still held.
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
        // Moved through a box: a reference that stayed here could be the last one.
        let box = Guarded<[any Sendable]>([])
        box.withLock { swap(&$0, &objects) }
        executor.run {
            var gone: [any Sendable] = []
            box.withLock { swap(&$0, &gone) }
        }
    }
}
