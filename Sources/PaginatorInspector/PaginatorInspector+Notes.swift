import PaginatorCore

extension PaginatorInspector {
    /// Records a note without a subject, such as a step of a simulated world.
    ///
    /// - Parameters:
    ///   - text: the note; it counts as user data.
    ///   - isFailure: whether to highlight it.
    package func note(_ text: String, isFailure: Bool = false) {
        guard config.isEnabled else { return }
        recorder.note(text, isFailure: isFailure, at: time)
    }
}
