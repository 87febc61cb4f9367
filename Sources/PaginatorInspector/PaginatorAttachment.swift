import PaginatorCore

/// What ties a paginator, list, scheduler or store to a ``PaginatorInspector``, until it is released or detached.
///
/// It does not keep alive what it is about.
public final class PaginatorAttachment: Sendable {
    /// The number of the subject in recordings; `nil` where nothing is recorded.
    let subject: UInt16?
    private let end: @Sendable () -> Void
    private let hasEnded = OnceFlag()

    init(subject: UInt16?, end: @escaping @Sendable () -> Void) {
        self.subject = subject
        self.end = end
    }

    deinit {
        detach()
    }

    /// Ends the recording of what was attached; what has been recorded stays. A second call does nothing.
    public func detach() {
        if hasEnded.take() { end() }
    }
}
