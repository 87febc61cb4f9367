import PaginatorCore

/// Attaches a paginator, list, scheduler or store to a ``PaginatorInspector`` until it is released or detached.
///
/// It does not retain the subject.
public final class PaginatorAttachment: Sendable {
    /// The subject's number in recordings; `nil` if nothing is recorded.
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

    /// Ends the recording of the subject; recorded data stays. A second call has no effect.
    public func detach() {
        if hasEnded.take() { end() }
    }
}
